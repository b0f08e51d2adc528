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
