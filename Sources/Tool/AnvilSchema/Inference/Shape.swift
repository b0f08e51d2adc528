package import AnvilJSON

/// The common structure of JSON samples at one position: the kinds of the values, and the details of each kind.
///
///     var shape = Shape(of: first)
///     shape.add(second)
///     shape.objects.members.first { $0.key == "id" }?.shape.numbers.integers
///
/// Nested positions are merged too: there is one shape for all elements of an array, and one for all members with a key. The size of a
/// shape does not depend on the length of the samples. At each position, at most ``Strings/mostValues`` texts and ``Objects/mostMembers``
/// members are kept.
package struct Shape: Sendable {
  /// The number of `null` values.
  package internal(set) var nulls = 0
  /// The number of values that were `true` or `false`.
  package internal(set) var bools = 0
  /// The numbers.
  package internal(set) var numbers = Numbers()
  /// The strings.
  package internal(set) var strings = Strings()
  /// The arrays and the common shape of their elements.
  package internal(set) var arrays: Arrays
  /// The objects and the common shape of each member's values.
  package internal(set) var objects: Objects

  /// Creates a shape without values.
  package init() { self.init(groupingLevels: Objects.mostGroupingLevels) }

  /// Creates a shape without values. `groupingLevels` is the number of nested levels at which objects are grouped.
  init(groupingLevels: Int) {
    arrays = Arrays(groupingLevels: groupingLevels)
    objects = Objects(groupingLevels: groupingLevels)
  }

  /// Creates the shape of one value.
  package init(of json: JSON) {
    self.init()
    add(json)
  }

  /// The number of values, including `null`.
  package var count: Int { nulls + bools + numbers.count + strings.count + arrays.count + objects.count }

  /// The kinds of the values, in the order of ``JSON/Kind``.
  package var kinds: [JSON.Kind] {
    let counts: [(JSON.Kind, Int)] = [
      (.null, nulls), (.bool, bools), (.number, numbers.count), (.string, strings.count), (.array, arrays.count),
      (.object, objects.count),
    ]
    return counts.filter { $0.1 > 0 }.map(\.0)
  }

  /// Adds a value. The result is the same as merging the value's shape, without the cost of creating it.
  ///
  /// - Complexity: O(*n*), *n* the number of values in `json`. The recursion is as deep as `json`.
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

  /// Adds the values of another shape.
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
  /// The arrays at one position of the samples.
  package struct Arrays: Sendable {
    /// The number of arrays.
    package internal(set) var count = 0
    /// The number of elements of the longest array.
    package internal(set) var greatestCount = 0
    // The shape of the elements; empty if all arrays are empty. An array, because a struct cannot contain itself.
    private var shapes: [Shape] = []
    private let groupingLevels: Int

    init(groupingLevels: Int) { self.groupingLevels = groupingLevels }

    /// The common shape of all elements of all arrays; `nil` if there are no elements.
    package var elements: Shape? { shapes.first }

    mutating func add(_ json: JSON) {
      count += 1
      let elements = json.elements
      greatestCount = max(greatestCount, elements.count)
      guard !elements.isEmpty else { return }
      if shapes.isEmpty { shapes.append(Shape(groupingLevels: groupingLevels)) }
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
