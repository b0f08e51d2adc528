package import AnvilJSON

/// What samples of JSON have in common at one place: of which kinds the values are, and what is known of each kind.
///
///     var shape = Shape(of: first)
///     shape.add(second)
///     shape.objects.members.first { $0.key == "id" }?.shape.numbers.integers
///
/// The places inside are merged too: there is one shape for all elements of an array, and one for all members with a key.
/// What it holds does not grow with the length of the samples: texts are kept up to ``Strings/mostValues``, members up to
/// ``Objects/mostMembers``.
package struct Shape: Sendable {
  /// How many values were `null`.
  package internal(set) var nulls = 0
  /// How many values were `true` or `false`.
  package internal(set) var bools = 0
  /// The numbers.
  package internal(set) var numbers = Numbers()
  /// The strings.
  package internal(set) var strings = Strings()
  /// The arrays, and what their elements have in common.
  package internal(set) var arrays = Arrays()
  /// The objects, and what each member's values have in common.
  package internal(set) var objects = Objects()

  /// The shape of nothing, from which others begin: adding a value gives that value's shape.
  package init() {}

  /// The shape of one value.
  package init(of json: JSON) {
    add(json)
  }

  /// How many values there were, those that were `null` among them.
  package var count: Int { nulls + bools + numbers.count + strings.count + arrays.count + objects.count }

  /// The kinds that were seen, in the order of ``JSON/Kind``.
  package var kinds: [JSON.Kind] {
    let counts: [(JSON.Kind, Int)] = [
      (.null, nulls), (.bool, bools), (.number, numbers.count), (.string, strings.count), (.array, arrays.count),
      (.object, objects.count),
    ]
    return counts.filter { $0.1 > 0 }.map(\.0)
  }

  /// Takes one more value in: the same as merging its shape, but nothing is built for it.
  ///
  /// - Complexity: O(*n*), *n* the values in `json`. Goes as deep as `json` does.
  package mutating func add(_ json: JSON) {
    switch json.kind {
    case .null: nulls += 1
    case .bool: bools += 1
    case .number: numbers.add(json)
    case .string: strings.add(json)
    case .array: arrays.add(json)
    case .object: objects.add(json)
    }
  }

  /// Takes in the values that `other` is the shape of.
  package mutating func merge(_ other: Shape) {
    nulls += other.nulls
    bools += other.bools
    numbers.merge(other.numbers)
    strings.merge(other.strings)
    arrays.merge(other.arrays)
    objects.merge(other.objects)
  }
}

extension Shape {
  /// The arrays at one place.
  package struct Arrays: Sendable {
    /// How many arrays there were.
    package internal(set) var count = 0
    /// How many elements the longest has.
    package internal(set) var greatestCount = 0
    // A shape cannot hold one directly: one, or none where all arrays are empty.
    private var shapes: [Shape] = []

    /// What all elements of all arrays have in common; `nil` where there were none.
    package var elements: Shape? { shapes.first }

    mutating func add(_ json: JSON) {
      count += 1
      let elements = json.elements
      greatestCount = max(greatestCount, elements.count)
      guard !elements.isEmpty else { return }
      if shapes.isEmpty { shapes.append(Shape()) }
      for element in elements { shapes[0].add(element) }
    }

    mutating func merge(_ other: Arrays) {
      count += other.count
      greatestCount = max(greatestCount, other.greatestCount)
      if shapes.isEmpty {
        shapes = other.shapes
      } else if let elements = other.elements {
        shapes[0].merge(elements)
      }
    }
  }
}
