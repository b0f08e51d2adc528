internal import AnvilBase
internal import AnvilJSON

struct ModelTypes {
  struct GeneratedType {
    /// The keys that the name can be derived from.
    var origins: [TypeGraph.Origin]
    /// The struct with the member in which the type was first found, as an index into ``ModelTypes/types``; `nil` outside of a struct.
    let owner: Int?
    var body: Body
  }

  enum Body {
    case structure([Property])
    case enumeration([String])
    /// An enum of several kinds of value. It is indirect if an alternative contains the enum.
    case choice([Alternative], Storage)
    /// An enum of objects whose types the member with this key identifies.
    case tagged(key: String, [TaggedCase], Storage)

    /// The types of the properties, alternatives or cases.
    var types: [SwiftType] {
      switch self {
      case .structure(let properties): properties.map(\.type)
      case .enumeration: []
      case .choice(let alternatives, _): alternatives.map(\.type)
      case .tagged(_, let cases, _): cases.compactMap(\.type)
      }
    }
  }

  /// The objects with one text in the member that identifies their type.
  struct TaggedCase {
    let text: String
    /// The type of the other members; `nil` if the objects have no other members.
    let type: SwiftType?
  }

  struct Property {
    let key: String
    /// The type of the value if it is neither missing nor `null`.
    var type: SwiftType
    let absence: Absence
  }

  enum Absence {
    /// Every object had a value.
    case never
    /// Every object had the member, which may be `null`.
    case null
    /// Some objects lack the member, which may also be `null`.
    case missing
  }

  enum Storage: String {
    case inPlace = "enum"
    case indirect = "indirect enum"
  }

  struct Alternative {
    let kind: JSON.Kind
    let label: String
    var type: SwiftType
  }

  /// The types, each after the struct in which it was first found.
  private(set) var types: [GeneratedType] = []
  private(set) var root = SwiftType.unknown

  private let graph: TypeGraph
  private let style: SwiftModels.Style
  private var structures: [Int: Int] = [:]

  /// Creates the types of `graph`, in the forms that `style` can express.
  init(_ graph: TypeGraph, rootName: KeyWords, style: SwiftModels.Style) {
    self.graph = graph
    self.style = style
    root = nullable(graph.root, TypeGraph.Origin(words: rootName, isElement: false), owner: nil)
    breakCycles()
  }

  /// The struct that contains all other types; `nil` unless documents are values, arrays or dictionaries of one struct.
  var rootStructure: Int? {
    guard case .made(let index)? = root.parts.last, case .structure = types[index].body else { return nil }
    return index
  }

  /// The types of the root, of all properties and of all alternatives, including their component types.
  var usedTypes: [SwiftType] { ([root] + types.flatMap(\.body.types)).flatMap(\.parts) }

  private mutating func nullable(_ node: TypeGraph.Node, _ origin: TypeGraph.Origin, owner: Int?) -> SwiftType {
    let type = type(of: node, origin, owner: owner)
    return node.nulls > 0 ? .optional(type) : type
  }

  /// Returns the type of the values other than `null`.
  private mutating func type(of node: TypeGraph.Node, _ origin: TypeGraph.Origin, owner: Int?) -> SwiftType {
    let kinds = node.kinds
    if kinds.count == 1 { return type(of: kinds[0], at: node, origin, owner: owner) }
    if kinds.isEmpty { return .unknown }
    if let number = lenientNumber(of: node) { return .lenient(number) }
    let index = types.count
    types.append(GeneratedType(origins: [origin], owner: owner, body: .choice([], .inPlace)))
    let alternatives = kinds.map { kind in
      // Dates and UUIDs among values of other kinds are plain strings. So are dates in arrays and dictionaries, because no marker can give
      // them a strategy here.
      let whole = kind == .string ? .string : type(of: kind, at: node, origin, owner: owner)
      let type = style.isMacro ? whole.withoutDates : whole
      return Alternative(kind: kind, label: type == .int ? "integer" : kind.rawValue, type: type)
    }
    types[index].body = .choice(alternatives, .inPlace)
    return .made(index)
  }

  private mutating func type(
    of kind: JSON.Kind, at node: TypeGraph.Node, _ origin: TypeGraph.Origin, owner: Int?
  ) -> SwiftType {
    let element = TypeGraph.Origin(words: origin.words, isElement: true)
    switch kind {
    case .null: return .unknown
    case .bool: return .bool
    case .number: return Self.type(of: node.numbers)
    case .string: return type(of: node.strings, origin, owner: owner)
    case .array: return .array(node.elements.first.map { nullable($0, element, owner: owner) } ?? .unknown)
    case .object:
      if style.isMacro, let variants = node.variants { return .made(enumeration(of: variants, origin, owner: owner)) }
      if let object = node.object { return .made(structure(of: graph.owner(of: object), owner: owner)) }
      return .dictionary(node.values.first.map { nullable($0, element, owner: owner) } ?? .unknown)
    }
  }

  /// Returns the type of the numbers if the values are numbers, some of them in strings; otherwise `nil`.
  private func lenientNumber(of node: TypeGraph.Node) -> SwiftType? {
    guard style.isMacro, node.kinds == [.number, .string] else { return nil }
    switch Self.type(of: node.numbers) {
    case .int where node.strings.formats.contains(.integer): return .int
    case .int where node.strings.formats.contains(.number), .double where node.strings.formats.contains(.number):
      return .double
    default: return nil
    }
  }

  private mutating func enumeration(
    of variants: TypeGraph.Variants, _ origin: TypeGraph.Origin, owner: Int?
  ) -> Int {
    let index = types.count
    types.append(GeneratedType(origins: [origin], owner: owner, body: .tagged(key: variants.key, [], .inPlace)))
    let cases = variants.groups.map { group in
      let object = graph.owner(of: group.object)
      let isEmpty = graph.objects[object].members.isEmpty
      return TaggedCase(text: group.text, type: isEmpty ? nil : .made(structure(of: object, owner: owner)))
    }
    types[index].body = .tagged(key: variants.key, cases, .inPlace)
    return index
  }

  /// Returns the first of `Int`, `UInt64`, `Decimal` and `Double` that holds all numbers, and `.unknown` if none does.
  private static func type(of numbers: Shape.Numbers) -> SwiftType {
    if numbers.beyondDouble > 0 { return .unknown }
    if numbers.fractions > 0 || numbers.hugeIntegers > 0 { return .double }
    guard let range = numbers.range else { return .double }
    if Int(exactly: range.lowerBound) != nil, Int(exactly: range.upperBound) != nil { return .int }
    return range.lowerBound >= 0 && range.upperBound <= UInt64.max ? .uint64 : .decimal
  }

  private mutating func type(of strings: Shape.Strings, _ origin: TypeGraph.Origin, owner: Int?) -> SwiftType {
    if strings.formats.contains(.date) { return .date }
    if strings.formats.contains(.day), !style.isCodable { return .day }
    if strings.formats.contains(.uuid) { return .uuid }
    if strings.formats.contains(.url) { return .url }
    guard let values = strings.enumeration(under: origin.words) else { return .string }
    if let index = types.firstIndex(where: { Self.isSame($0, origin, values) }) {
      guard case .enumeration(let others) = types[index].body else { return .string }
      types[index].body = .enumeration(others + values.filter { !others.contains($0) })
      return .made(index)
    }
    types.append(GeneratedType(origins: [origin], owner: owner, body: .enumeration(values)))
    return .made(types.count - 1)
  }

  /// Returns whether `type` is an enum with the same name and mostly the same values.
  private static func isSame(_ type: GeneratedType, _ origin: TypeGraph.Origin, _ values: [String]) -> Bool {
    guard case .enumeration(let others) = type.body, type.origins[0].name.words == origin.name.words else {
      return false
    }
    return values.count(where: others.contains) * 2 >= min(values.count, others.count)
  }

  private mutating func structure(of object: Int, owner: Int?) -> Int {
    if let index = structures[object] { return index }
    let index = types.count
    structures[object] = index
    let name = graph.objects[object].commonName.map { [TypeGraph.Origin(words: $0, isElement: true)] }
    types.append(GeneratedType(origins: name ?? graph.objects[object].origins, owner: owner, body: .structure([])))
    let properties = graph.objects[object].members.map { member in
      let words = TypeGraph.Origin(words: KeyWords(member.key), isElement: false)
      let type = type(of: member.node, words, owner: index)
      let absence: Absence =
        if member.count < graph.objects[object].count {
          .missing
        } else if member.node.nulls > 0 {
          .null
        } else {
          .never
        }
      return Property(key: member.key, type: type, absence: absence)
    }
    types[index].body = .structure(properties)
    return index
  }

  /// Adds indirection to properties and enums whose values would otherwise contain themselves.
  private mutating func breakCycles() {
    for index in types.indices {
      if case .choice(let alternatives, _) = types[index].body {
        let isCycle = alternatives.compactMap(\.type.heldType).contains { $0 <= index && reaches(index, from: $0) }
        if isCycle { types[index].body = .choice(alternatives, .indirect) }
      }
      if case .tagged(let key, let cases, _) = types[index].body {
        let isCycle = cases.compactMap(\.type?.heldType).contains { reaches(index, from: $0) }
        if isCycle { types[index].body = .tagged(key: key, cases, .indirect) }
      }
      guard case .structure(var properties) = types[index].body else { continue }
      for property in properties.indices {
        guard let held = properties[property].type.heldType, held <= index, reaches(index, from: held) else { continue }
        properties[property].type = .box(properties[property].type)
      }
      types[index].body = .structure(properties)
    }
  }

  /// Returns whether values of the type `start` store values of the type `goal` inline, directly or through other types.
  private func reaches(_ goal: Int, from start: Int) -> Bool {
    var seen: Set<Int> = []
    var pending = [start]
    while let next = pending.popLast() {
      if next == goal { return true }
      guard seen.insert(next).inserted else { continue }
      // An indirect enum does not store its values inline.
      if case .tagged(_, _, .indirect) = types[next].body { continue }
      pending += types[next].body.types.compactMap(\.heldType)
    }
    return false
  }
}

extension Shape.Strings {
  /// Returns the values if the strings are a few repeating names; `nil` if they are free text.
  fileprivate func enumeration(under words: KeyWords) -> [String]? {
    guard let values, count >= 6, (2...8).contains(values.count), values.count * 2 <= count else { return nil }
    // Many values that occur only once suggest that there are others.
    let singles = values.count { $0.count == 1 }
    guard singles * 4 <= count, values.allSatisfy({ Self.isName($0.text) }) else { return nil }
    return words.words.last.map(Self.openWords.contains) == true ? nil : values.map(\.text)
  }

  /// Returns whether `text` looks like an identifier.
  static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    let letters = bytes.count(where: \.isLetter)
    let digits = bytes.count(where: \.isDigit)
    guard let first = bytes.first, first.isLetter, bytes.count <= 40 else { return false }
    let others = bytes.count { $0 == .underscore || $0 == .minus }
    return letters + digits + others == bytes.count && digits <= 3 && digits < letters
  }

  /// The last words of keys whose values are free text, even if the samples contain only a few different values.
  static let openWords: Set<String> = [
    "address", "author", "brand", "by", "city", "code", "color", "colour", "comment", "company", "country", "currency",
    "description", "email", "file", "first", "hash", "id", "key", "label", "lang", "language", "last", "locale",
    "location", "login", "message", "name", "nickname", "note", "owner", "password", "path", "phone", "ref", "sha",
    "slug", "street", "subject", "summary", "tag", "tags", "text", "timezone", "title", "token", "topic", "url", "user",
    "username", "value", "version", "word", "zone",
  ]
}

indirect enum SwiftType: Hashable, Sendable {
  case bool, int, uint64, double, decimal, string, date, day, url, uuid
  /// A type without known values.
  case unknown
  case array(SwiftType)
  case dictionary(SwiftType)
  case optional(SwiftType)
  /// A number that may be sent as a string.
  case lenient(SwiftType)
  /// A value on the heap, so that a struct can contain its own type.
  case box(SwiftType)
  /// A generated type: an index into ``ModelTypes/types``.
  case made(Int)

  var parts: [SwiftType] {
    switch self {
    case .array(let inner), .dictionary(let inner), .optional(let inner), .lenient(let inner), .box(let inner):
      [self] + inner.parts
    default: [self]
    }
  }

  /// The type with strings in place of dates.
  var withoutDates: SwiftType {
    switch self {
    case .date: .string
    case .array(let inner): .array(inner.withoutDates)
    case .dictionary(let inner): .dictionary(inner.withoutDates)
    case .optional(let inner): .optional(inner.withoutDates)
    default: self
    }
  }

  /// The generated type whose values are stored in place, not in an array's or dictionary's storage.
  var heldType: Int? {
    switch self {
    case .made(let index): index
    case .optional(let inner): inner.heldType
    default: nil
    }
  }

  var needsFoundation: Bool {
    parts.contains { [.decimal, .date, .url, .uuid].contains($0) }
  }
}
