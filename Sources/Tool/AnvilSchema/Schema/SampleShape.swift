internal import AnvilJSON

/// The common shape of the samples at one position of a document.
struct SampleShape: Sendable {
  /// The kinds in the samples; empty if no sample has a value.
  private(set) var kinds: Set<JSON.Kind> = []
  /// The formats that all strings match; all recognised formats if there is no string.
  private(set) var formats: Set<StringFormat> = Set(SampleShape.formats)
  private(set) var members: [JSON.Step: Member] = [:]
  /// The number of objects.
  private var objects = 0
  /// True if all keys so far look like identifiers, such as numbers or UUIDs, and not like names of properties.
  private var hasMadeKeys = true
  /// The common shape of all elements of arrays; empty if no array had elements. An array, because a struct cannot contain itself.
  private var elementShapes: [SampleShape] = []

  /// The shape of a member.
  struct Member: Sendable {
    var shape = SampleShape()
    /// The number of objects that have the member.
    var count = 0
    /// The index of the member, in the order of the samples.
    let number: Int
  }

  /// The formats that are recognised. A URI must have an authority, because text such as `a:b` is a URI too.
  static let formats: [StringFormat] = [.dateTime, .date, .uuid, .uri]
  /// The maximum nesting depth of containers. Deeper values of samples are ignored, and deeper values of a document end its check.
  static let deepest = 128

  static func matches(_ text: String, _ format: StringFormat) -> Bool {
    format.matches(text) && (format != .uri || text.utf8.contains(0x2F) && text.contains("://"))
  }

  /// Adds a value to the shape.
  mutating func add(_ value: JSON, depth: Int = 0) {
    guard depth < Self.deepest else { return }
    kinds.insert(value.kind)
    switch value.kind {
    case .string:
      let text = value.string ?? ""
      formats = formats.filter { Self.matches(text, $0) }
    case .array:
      for element in value.elements {
        if elementShapes.isEmpty { elementShapes.append(SampleShape()) }
        elementShapes[0].add(element, depth: depth + 1)
      }
    case .object:
      objects += 1
      var seen: Set<JSON.Step> = []
      for (key, member) in value.members where seen.insert(.key(key)).inserted {
        hasMadeKeys = hasMadeKeys && Self.isMade(key)
        var known = members.removeValue(forKey: .key(key)) ?? Member(number: members.count)
        known.count += 1
        known.shape.add(member, depth: depth + 1)
        members[.key(key)] = known
      }
    default: break
    }
  }

  /// Merges another shape into this one.
  private mutating func merge(_ other: SampleShape) {
    kinds.formUnion(other.kinds)
    formats.formIntersection(other.formats)
    objects += other.objects
    hasMadeKeys = hasMadeKeys && other.hasMadeKeys
    for (key, member) in other.members {
      var known = members.removeValue(forKey: key) ?? Member(number: members.count + member.number)
      known.count += member.count
      known.shape.merge(member.shape)
      members[key] = known
    }
    if let shape = other.elements {
      if elementShapes.isEmpty { elementShapes.append(SampleShape()) }
      elementShapes[0].merge(shape)
    }
  }

  var elements: SampleShape? { elementShapes.first }

  /// True if no sample has a value here, or only `null`.
  var isUnknown: Bool { kinds.isSubset(of: [.null]) }

  /// The keys that all objects have, in the order of the samples.
  var required: [(key: JSON.Step, shape: SampleShape)] {
    members.filter { $0.value.count == objects }.sorted { $0.value.number < $1.value.number }.map {
      ($0.key, $0.value.shape)
    }
  }

  /// True if objects here are dictionaries: all of their keys look like identifiers, and the values are of one kind.
  var isDictionary: Bool {
    guard hasMadeKeys, !members.isEmpty else { return false }
    return members.values.reduce(into: Set<JSON.Kind>()) { $0.formUnion($1.shape.kinds) }.subtracting([.null]).count
      <= 1
  }

  /// The common shape of a dictionary's values.
  var values: SampleShape {
    members.values.reduce(into: SampleShape()) { $0.merge($1.shape) }
  }

  /// Returns whether `key` is a number, a UUID, a date, or at least 16 hexadecimal digits.
  private static func isMade(_ key: String) -> Bool {
    let utf8 = key.utf8
    guard let first = utf8.first, first.isHexadecimal else { return false }
    return utf8.allSatisfy(\.isDecimal) || (utf8.count >= 16 && utf8.allSatisfy(\.isHexadecimal))
      || [.uuid, .date, .dateTime].contains { (format: StringFormat) in format.matches(key) }
  }

  /// A description of the expected value: `a string or null`.
  var phrase: String {
    let order: [(JSON.Kind, SchemaType)] = [
      (.object, .object), (.array, .array), (.string, .string), (.number, .number), (.bool, .boolean), (.null, .null),
    ]
    return order.filter { kinds.contains($0.0) }.map(\.1.phrase).joined(by: "or")
  }

  /// The kinds in a fixed order.
  var sortedKinds: [JSON.Kind] {
    ([.object, .array, .string, .number, .bool, .null] as [JSON.Kind]).filter(kinds.contains)
  }
}
