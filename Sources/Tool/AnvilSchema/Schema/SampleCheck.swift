internal import AnvilBase
internal import AnvilDiagnosis
package import AnvilJSON

/// A check of documents against the shape of samples.
///
/// A document differs in three cases: a member that all samples have is missing, a value (including `null`) is of a
/// kind that no sample has at this position, or a string is not a date, UUID or URL although all strings of the samples
/// are. Members that no sample has are reported as notes.
///
/// Elements are compared with the common shape of all elements of the samples' arrays. The values of objects whose keys
/// look like identifiers are compared in the same way. Integers and other numbers are of one kind. Where the
/// samples contain only `null`, any value is accepted. Where all their objects or arrays are empty, any members or elements are accepted.
package struct SampleCheck: Sendable {
  private let shape: SavedShape

  /// Creates a check against the common shape of `samples`. Without samples, no document differs.
  ///
  /// - Complexity: O(*n*), *n* the size of the samples.
  package init(samples: some Sequence<JSON>) {
    var shape = Shape(.complete)
    for sample in samples { shape.add(sample) }
    self.shape = SavedShape(shape) { $0.haveIdentifiersAsKeys }
  }

  /// Returns the differences between `document` and the samples, up to the limits, in the order of the document.
  ///
  /// - Complexity: O(*n*), *n* the size of the document.
  package func check(_ document: JSON, limits: CheckLimits = CheckLimits()) -> CheckFindings {
    var run = CheckRun(limits: limits)
    do throws(CheckRun.Stop) {
      try run.check(document, shape)
      return run.findings(after: nil)
    } catch {
      return run.findings(after: error)
    }
  }
}

extension CheckRun {
  fileprivate mutating func check(_ value: JSON, _ shape: SavedShape) throws(Stop) {
    try spend(1)
    guard !shape.isUnknown else { return }
    guard shape.kinds.contains(value.kind) else {
      return try fail(value.isNull ? .sampleNull : .sampleType, expected: shape.expectation, kinds: shape.kinds)
    }
    switch value.kind {
    case .string:
      if let format = shape.format.flatMap(StringFormat.init), !StringFormats.matches(value.string ?? "", format) {
        try fail(.sampleFormat, expected: format.phrase)
      }
    case .array:
      guard let elements = shape.elements else { return }
      for (number, element) in value.elements.enumerated() {
        enter(.index(number), number)
        try check(element, elements)
        leave()
      }
    case .object: try checkMembers(of: value, shape)
    default: break
    }
  }

  private mutating func checkMembers(of value: JSON, _ shape: SavedShape) throws(Stop) {
    guard shape.values != nil || !shape.members.isEmpty else { return }
    let keys = Set(value.keys.map { ScalarKey($0) })
    for member in shape.members where member.isRequired && !keys.contains(ScalarKey(member.key)) {
      let expected = member.shape.isUnknown ? nil : member.shape.expectation
      try fail(.sampleMissingKey, expected: expected, missing: .key(member.key), kinds: member.shape.kinds)
    }
    let members = Dictionary(shape.members.map { (ScalarKey($0.key), $0.shape) }) { first, _ in first }
    // Of members with the same key, samples have taught the first.
    var seen: Set<ScalarKey> = []
    for (number, member) in value.members.enumerated() where seen.insert(ScalarKey(member.key)).inserted {
      enter(.key(member.key), number)
      if let known = shape.values ?? members[ScalarKey(member.key)] {
        try check(member.value, known)
      } else {
        try fail(.sampleUnknownKey, expected: "no key \(member.key.quoted)")
      }
      leave()
    }
  }

  private mutating func fail(
    _ code: JSON.Diagnosis.Code, expected: String?, missing: JSON.Step? = nil, kinds: [JSON.Kind] = []
  ) throws(Stop) {
    guard found.count < limits.faults else {
      hasMore = true
      throw .enough
    }
    var positioned = fault(code, expected: expected)
    positioned.fault.missing = missing
    positioned.fault.kinds = kinds
    found.append(positioned)
  }
}

extension SavedShape {
  /// The kinds of the values in the order of messages. Integers and other numbers are of one kind.
  fileprivate var kinds: [JSON.Kind] { sortedTypes.map(\.kind) }

  fileprivate var expectation: String {
    sortedTypes.map { ($0 == .integer ? .number : $0).phrase }.joined(by: "or")
  }
}

extension Shape.Detail {
  /// The detail for checks. All keys are kept, because a sample may be a table of texts, in which each key is expected.
  fileprivate static let complete = Shape.Detail(groupingLevels: 0, memberLimit: .max)
}

extension Shape.Objects {
  /// True if objects here are dictionaries whatever their number of keys: all of the keys are identifiers, and the values are of one kind.
  fileprivate var haveIdentifiersAsKeys: Bool {
    let kinds = Set(members.flatMap(\.shape.kinds)).subtracting([.null])
    return !members.isEmpty && kinds.count <= 1 && members.allSatisfy { Self.isIdentifier($0.key) }
  }
}
