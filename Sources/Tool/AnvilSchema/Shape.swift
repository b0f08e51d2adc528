internal import AnvilBase
package import AnvilJSON

/// The common structure of JSON samples at one position: the kinds of the values, and the details of each kind.
///
/// There is one shape for all elements of an array, and one for all members with a key. The size of a shape does not depend on the length
/// of the samples: it keeps at most ``Strings/mostValues`` texts and ``Objects/mostMembers`` members at each position.
package struct Shape: Sendable {
  package internal(set) var nulls = 0
  package internal(set) var bools = 0
  package internal(set) var numbers = Numbers()
  package internal(set) var strings = Strings()
  package internal(set) var arrays: Arrays
  package internal(set) var objects: Objects

  /// The detail with which the values below a position are kept.
  struct Detail: Sendable {
    /// The number of nested levels at which objects are grouped. It limits the cost, because an object in a group is added twice.
    var groupingLevels = Objects.mostGroupingLevels
    /// The maximum number of different members. Objects with more are dictionaries, and their keys are not kept.
    var memberLimit = Objects.mostMembers
    /// The maximum nesting depth of containers. Deeper values are ignored.
    private(set) var depth = 128

    var inner: Detail {
      var inner = self
      inner.depth -= 1
      return inner
    }
  }

  package init() { self.init(Detail()) }

  init(_ detail: Detail) {
    arrays = Arrays(detail)
    objects = Objects(detail)
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
    package internal(set) var count = 0
    package internal(set) var greatestCount = 0
    // The shape of the elements; empty if all arrays are empty. An array, because a struct cannot contain itself.
    private var shapes: [Shape] = []
    private let detail: Detail

    init(_ detail: Detail) { self.detail = detail }

    /// The common shape of all elements of all arrays; `nil` if there are no elements.
    package var elements: Shape? { shapes.first }

    mutating func add(_ json: JSON) {
      count += 1
      let elements = json.elements
      greatestCount = max(greatestCount, elements.count)
      guard !elements.isEmpty, detail.depth > 0 else { return }
      if shapes.isEmpty { shapes.append(Shape(detail.inner)) }
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

/// Objects whose keys are data: `{"138586341": {…}, "138586345": {…}}`.
extension Shape.Objects {
  /// True if the keys are data rather than names, so that the objects are dictionaries.
  ///
  /// This is the case if there are more than ``mostMembers`` different keys. It is also the case if the values are alike and the keys are
  /// numbers, UUIDs, days or hashes, are mostly paths, are too many to be names, or differ from object to object. Objects without members
  /// are not dictionaries.
  package var areDictionaries: Bool {
    if haveTooManyKeys { return true }
    guard !members.isEmpty, valuesAreAlike else { return false }
    if members.allSatisfy({ Self.isIdentifier($0.key) }) { return true }
    let paths = members.count { $0.key.contains { "/.".contains($0) } }
    if members.count >= 3, paths * 2 >= members.count { return true }
    if count == 1 {
      let areObjects = members.allSatisfy { !$0.shape.objects.members.isEmpty }
      return members.count >= (areObjects ? 24 : 64)
    }
    // Few objects have the same members.
    let presences = members.reduce(0) { $0 + $1.count }
    return members.count >= 12 && presences * 4 < members.count * count
  }

  /// True if the values of all members could be of one type according to ``Shape/isLike(_:)``.
  package var valuesAreAlike: Bool {
    guard let first = members.first(where: { $0.shape.count > $0.shape.nulls })?.shape else { return true }
    return members.allSatisfy { $0.shape.isLike(first) }
  }

  /// Returns whether `key` is a number, a UUID, a day, a date or a hash, and therefore not the name of a property.
  static func isIdentifier(_ key: String) -> Bool {
    let bytes = key.utf8
    let isNumeric = !bytes.isEmpty && bytes.allSatisfy { $0.isDigit || $0 == .minus }
    if isNumeric, bytes.contains(where: \.isDigit) { return true }
    if bytes.count == 36 { return UUID(uuidString: key) != nil }
    if StringFormat.dateTime.matches(key) { return true }
    // Hashes.
    return bytes.count >= 16 && bytes.contains(where: \.isDigit) && bytes.allSatisfy(\.isHexadecimalDigit)
  }
}

extension Shape {
  /// Returns whether values of both shapes could be of one type: they are of the same kinds, except for `null`, and objects have half of
  /// the members of the smaller one in common, unless all keys of both are identifiers.
  package func isLike(_ other: Shape) -> Bool {
    let mine = kinds.filter { $0 != .null }
    let others = other.kinds.filter { $0 != .null }
    if mine.isEmpty || others.isEmpty { return true }
    guard mine == others else { return false }
    if let elements = arrays.elements, let otherElements = other.arrays.elements, !elements.isLike(otherElements) {
      return false
    }
    return objects.isLike(other.objects)
  }
}

extension Shape.Objects {
  fileprivate func isLike(_ other: Shape.Objects) -> Bool {
    if members.isEmpty || other.members.isEmpty { return true }
    let areIdentifiers = members.allSatisfy { Self.isIdentifier($0.key) }
    if areIdentifiers, other.members.allSatisfy({ Self.isIdentifier($0.key) }) { return true }
    let shared = members.count { other[$0.key] != nil }
    return shared * 2 >= min(members.count, other.members.count)
  }
}

extension Shape {
  /// The numbers at one position of the samples.
  package struct Numbers: Sendable {
    package internal(set) var count = 0
    /// The number of integers: numbers without a fraction and an exponent. `1.0` is not counted.
    package internal(set) var integers = 0
    /// The range of the integers that fit into 128 bits; `nil` if no integer does.
    package internal(set) var range: ClosedRange<Int128>?
    /// The number of integers that do not fit into 128 bits.
    package internal(set) var hugeIntegers = 0
    /// The number of numbers that `Double` cannot hold: too large, or so small that `Double` rounds them to zero.
    package internal(set) var beyondDouble = 0

    package var fractions: Int { count - integers }

    mutating func add(_ json: JSON) {
      count += 1
      let text = json.numberText ?? ""
      if text.utf8.contains(where: { $0 == .period || $0 | 0x20 == UInt8(ascii: "e") }) {
        addDouble(json, text)
        return
      }
      integers += 1
      guard let integer = json.integer(as: Int128.self) else {
        hugeIntegers += 1
        addDouble(json, text)
        return
      }
      extendRange(to: integer...integer)
    }

    private mutating func extendRange(to other: ClosedRange<Int128>) {
      let known = range ?? other
      range = min(known.lowerBound, other.lowerBound)...max(known.upperBound, other.upperBound)
    }

    private mutating func addDouble(_ json: JSON, _ text: String) {
      let double = json.double
      if double == nil || !(double?.isFinite ?? false) || (double == 0 && Self.isNotZero(text)) { beyondDouble += 1 }
    }

    private static func isNotZero(_ text: String) -> Bool {
      text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains {
        (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
      }
    }

    mutating func merge(_ other: Numbers) {
      count += other.count
      integers += other.integers
      hugeIntegers += other.hugeIntegers
      beyondDouble += other.beyondDouble
      if let other = other.range { extendRange(to: other) }
    }
  }

  /// The objects at one position of the samples.
  package struct Objects: Sendable {
    /// The maximum number of different members, unless all keys are kept.
    package static let mostMembers = 1000

    package struct Member: Sendable {
      package let key: String
      /// The number of objects that have the member. If it is less than ``Objects/count``, the member is optional.
      package internal(set) var count: Int
      /// The common shape of the values. If an object repeats the key, its first value is used.
      package internal(set) var shape: Shape
      /// The number of the last object that had the member, counted from 1.
      fileprivate var lastObject: Int
    }

    package internal(set) var count = 0
    /// The members in the order in which they were first seen; empty if there were more than ``mostMembers``.
    package private(set) var members: [Member] = []
    private var places: [ScalarKey: Int] = [:]
    // The shape of all values once keys are no longer kept; empty until then. An array, because a struct cannot contain
    // itself.
    private var merged: [Shape] = []
    var groupings: [Grouping] = []
    let detail: Detail
    /// True for the objects of a group, which are not grouped again. The values of their members are.
    let isGroup: Bool

    init(_ detail: Detail, isGroup: Bool = false) {
      self.detail = detail
      self.isGroup = isGroup
    }

    /// True if there were more than ``mostMembers`` different members. Their keys are not kept.
    package var haveTooManyKeys: Bool { !merged.isEmpty }

    /// The common shape of the values of all members.
    package var values: Shape {
      members.reduce(into: merged.first ?? Shape(detail.inner)) { $0.merge($1.shape) }
    }

    /// Returns the members with `key`; `nil` if no object has the key, or if keys are not kept.
    package subscript(key: String) -> Member? { places[ScalarKey(key)].map { members[$0] } }

    mutating func add(_ json: JSON) {
      count += 1
      guard detail.depth > 0 else { return }
      group(json)
      var place = 0
      for (key, value) in json.members {
        guard merged.isEmpty else {
          merged[0].add(value)
          continue
        }
        // Objects at one place mostly have the same members in the same order.
        if place == members.count || ScalarKey(members[place].key) != ScalarKey(key) { place = self.place(of: key) }
        if members[place].lastObject != count {
          members[place].lastObject = count
          members[place].count += 1
          members[place].shape.add(value)
        }
        place += 1
        if members.count > detail.memberLimit { forgetKeys() }
      }
    }

    mutating func merge(_ other: Objects) {
      mergeGroupings(of: other)
      count += other.count
      if other.haveTooManyKeys { forgetKeys() }
      if haveTooManyKeys {
        merged[0].merge(other.values)
        return
      }
      for member in other.members {
        let place = place(of: member.key)
        members[place].count += member.count
        members[place].shape.merge(member.shape)
      }
      if members.count > detail.memberLimit { forgetKeys() }
    }

    /// Returns the index of the members with `key`, which are added if necessary.
    private mutating func place(of key: String) -> Int {
      if let place = places[ScalarKey(key)] { return place }
      places[ScalarKey(key)] = members.count
      var inner = detail.inner
      if !groupings.isEmpty { inner.groupingLevels -= 1 }
      members.append(Member(key: key, count: 0, shape: Shape(inner), lastObject: 0))
      return members.count - 1
    }

    private mutating func forgetKeys() {
      guard merged.isEmpty else { return }
      groupings = []
      merged = [values]
      members = []
      places = [:]
    }
  }

  /// The strings at one position of the samples.
  package struct Strings: Sendable {
    /// The maximum number of different texts that are kept.
    package static let mostValues = 32
    /// The maximum length of a text that is kept, in bytes of UTF-8.
    package static let longestValue = 64

    package struct Value: Hashable, Sendable {
      package let text: String
      package internal(set) var count: Int
    }

    package internal(set) var count = 0
    /// The different texts in the order in which they were first seen; `nil` if there were too many, or one was too long.
    package internal(set) var values: [Value]? = []
    /// The formats that all strings match; every format if there were no strings.
    package internal(set) var formats = StringFormats.all

    mutating func add(_ json: JSON) {
      guard let text = json.string else { return }
      count += 1
      count(text, times: 1)
      if !formats.isEmpty { formats.formIntersection(StringFormats(of: text, as: json, among: formats)) }
    }

    mutating func merge(_ other: Strings) {
      count += other.count
      formats.formIntersection(other.formats)
      guard let others = other.values else {
        values = nil
        return
      }
      for value in others { count(value.text, times: value.count) }
    }

    private mutating func count(_ text: String, times: Int) {
      guard values != nil else { return }
      if let index = values?.firstIndex(where: { ScalarKey($0.text) == ScalarKey(text) }) {
        values?[index].count += times
      } else if text.utf8.count > Self.longestValue || values?.count == Self.mostValues {
        values = nil
      } else {
        values?.append(Value(text: text, count: times))
      }
    }
  }
}
