internal import AnvilBase
internal import AnvilDiagnosis
package import AnvilJSON

/// A check of documents against the shape of samples.
///
///     let check = SampleCheck(samples: [try JSON(parsing: recorded)])
///     let findings = check.check(document)
///
/// A document differs in three cases: a member that all samples have is missing, a value (including `null`) is of a
/// kind that no sample has at this position, or a string is not a date, UUID or URL although all strings of the samples
/// are. Members that no sample has are reported as notes.
///
/// Elements are compared with the common shape of all elements of the samples' arrays. The values of objects whose keys
/// look like identifiers are compared in the same way. Integers and other numbers are of one kind. Where the
/// samples contain only `null`, any value is accepted. Where all their objects or arrays are empty, any members or elements are accepted.
package struct SampleCheck: Sendable {
  private let shape: SampleShape

  /// Creates a check against the common shape of `samples`. Without samples, no document differs.
  ///
  /// - Complexity: O(*n*), *n* the size of the samples.
  package init(samples: some Sequence<JSON>) {
    var shape = SampleShape()
    for sample in samples { shape.add(sample) }
    self.shape = shape
  }

  /// Returns the differences between `document` and the samples, up to the limits, in the order of the document.
  ///
  /// - Complexity: O(*n*), *n* the size of the document.
  package func check(_ document: JSON, limits: CheckLimits = CheckLimits()) -> CheckFindings {
    var run = SampleRun(limits: limits)
    return run.findings(in: document, against: shape)
  }
}

/// The state of a check of one document.
private struct SampleRun {
  private enum Stop: Error {
    case depth
    case work
    case time(CheckDeadline)
    case enough
  }

  let limits: CheckLimits
  private var found: [PositionedFault] = []
  private var steps: [JSON.Step] = []
  private var position: [Int] = []
  private var work = 0
  private var clock: CheckClock

  init(limits: CheckLimits) {
    self.limits = limits
    clock = CheckClock(limits.deadline)
  }

  mutating func findings(in document: JSON, against shape: SampleShape) -> CheckFindings {
    var findings = CheckFindings()
    do throws(Stop) {
      try check(document, shape)
    } catch {
      switch error {
      case .depth: findings.interruption = .depth(limit: SampleShape.deepest)
      case .work: findings.interruption = .work(limit: limits.work)
      case .time(let deadline): findings.interruption = .time(deadline)
      case .enough: findings.hasMore = true
      }
    }
    findings.take(found)
    return findings
  }

  private mutating func check(_ value: JSON, _ shape: SampleShape) throws(Stop) {
    work += 1
    guard work <= limits.work else { throw .work }
    if clock.hasRunOut(after: work), let deadline = limits.deadline { throw .time(deadline) }
    guard !shape.isUnknown else { return }
    guard shape.kinds.contains(value.kind) else {
      return try fail(value.isNull ? .sampleNull : .sampleType, expected: shape.phrase, kinds: shape.sortedKinds)
    }
    switch value.kind {
    case .string:
      let text = value.string ?? ""
      // A string of the document must match only the first format that all strings of the samples have in common.
      if let format = SampleShape.formats.first(where: shape.formats.contains), !SampleShape.matches(text, format) {
        try fail(.sampleFormat, expected: format.phrase)
      }
    case .array:
      guard let elements = shape.elements else { return }
      for (number, element) in value.elements.enumerated() {
        try enter(.index(number), number)
        try check(element, elements)
        leave()
      }
    case .object: try checkMembers(of: value, shape)
    default: break
    }
  }

  private mutating func checkMembers(of value: JSON, _ shape: SampleShape) throws(Stop) {
    guard !shape.members.isEmpty else { return }
    let values = shape.isDictionary ? shape.values : nil
    if values == nil {
      let keys = Set(value.keys.map { JSON.Step.key($0) })
      for (key, member) in shape.required where !keys.contains(key) {
        try fail(
          .sampleMissingKey, expected: member.isUnknown ? nil : member.phrase, missing: key, kinds: member.sortedKinds)
      }
    }
    // Of members with the same key, samples have taught the first.
    var seen: Set<JSON.Step> = []
    for (number, member) in value.members.enumerated() where seen.insert(.key(member.key)).inserted {
      try enter(.key(member.key), number)
      if let known = values ?? shape.members[.key(member.key)]?.shape {
        try check(member.value, known)
      } else {
        try fail(.sampleUnknownKey, expected: "no key \(member.key.quoted)")
      }
      leave()
    }
  }

  private mutating func enter(_ step: JSON.Step, _ number: Int) throws(Stop) {
    guard steps.count < SampleShape.deepest else { throw .depth }
    steps.append(step)
    position.append(number)
  }

  private mutating func leave() {
    steps.removeLast()
    position.removeLast()
  }

  private mutating func fail(
    _ code: JSON.Diagnosis.Code, expected: String?, missing: JSON.Step? = nil, kinds: [JSON.Kind] = []
  ) throws(Stop) {
    guard found.count < limits.faults else { throw .enough }
    var fault = Fault(code, at: steps, missing: missing, expected: expected)
    fault.kinds = kinds
    found.append(PositionedFault(fault: fault, position: position))
  }
}

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
    format.matches(text) && (format != .uri || text.utf8.contains(.slash) && text.contains("://"))
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
    guard let first = utf8.first, first.isHexadecimalDigit else { return false }
    return utf8.allSatisfy(\.isDigit) || (utf8.count >= 16 && utf8.allSatisfy(\.isHexadecimalDigit))
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
