internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema

/// The result of checking the documents of a text. Similar departures are grouped.
struct CheckResult {
  /// A departure or a note, and the places of similar ones.
  struct Finding {
    let fault: Fault
    let document: DocumentText.Document
    /// The first few places of similar findings, as text.
    fileprivate(set) var others: [String] = []
    fileprivate(set) var otherCount = 0

    /// The fault together with the other places.
    var faultWithPlaces: Fault {
      var fault = fault
      if otherCount > 0 {
        let more = otherCount > others.count ? " and \(otherCount - others.count) more" : ""
        fault.elsewhere = others.joined(separator: ", ") + more
      }
      return fault
    }
  }

  /// A list of findings, and the same list with similar findings in different elements grouped.
  struct Findings {
    /// The findings without grouping, up to the limit.
    fileprivate(set) var all: [Finding] = []
    /// The first finding of each group, up to the limit. It contains the places of the others.
    fileprivate(set) var different: [Finding] = []
    /// The total number of findings.
    fileprivate(set) var count = 0
    /// The number of groups.
    var differentCount: Int { numbers.count }
    private var numbers: [GroupKey: Int] = [:]

    fileprivate mutating func add(_ finding: Finding, limit: Int) {
      count += 1
      if all.count < limit { all.append(finding) }
      let key = GroupKey(finding.fault)
      guard let number = numbers[key] else {
        numbers[key] = numbers.count
        if different.count < limit { different.append(finding) }
        return
      }
      guard number < different.count else { return }
      different[number].otherCount += 1
      guard different[number].others.count < 3 else { return }
      different[number].others.append(finding.document.line.map { "line \($0)" } ?? finding.fault.pathText)
    }
  }

  /// The properties that similar findings in different elements share.
  private struct GroupKey: Hashable {
    let code: JSON.Diagnosis.Code
    let steps: [JSON.Step]
    let missing: JSON.Step?
    let expected: String?

    init(_ fault: Fault) {
      code = fault.code
      steps = fault.steps.map { step in if case .index = step { .index(0) } else { step } }
      missing = fault.missing
      expected = fault.expected
    }
  }

  private(set) var departures = Findings()
  private(set) var notes = Findings()
  private(set) var documentCount = 0
  private(set) var valueCount = 0
  /// True if some departures were not counted.
  private(set) var hasMore = false
  /// The reason why a document was not checked completely.
  private(set) var interruption: CheckFindings.Interruption?

  /// True if everything was checked and there are no departures.
  var isMatch: Bool { isComplete && departures.count == 0 }
  /// True if everything was checked.
  var isComplete: Bool { !hasMore && interruption == nil }

  /// Adds the findings about `document`.
  mutating func add(_ findings: CheckFindings, of document: DocumentText.Document, _ options: CheckOptions) {
    documentCount += 1
    valueCount += document.value.valueCount
    hasMore = hasMore || findings.hasMore
    interruption = interruption ?? findings.interruption
    for fault in findings.faults {
      let finding = Finding(fault: fault.worded(for: document.value), document: document)
      if fault.isNote && options.unknownKeys == .notes {
        notes.add(finding, limit: options.limit)
      } else {
        departures.add(finding, limit: options.limit)
      }
    }
  }
}

extension JSON {
  /// The number of values, including containers.
  fileprivate var valueCount: Int {
    switch kind {
    case .array: elements.reduce(1) { $0 + $1.valueCount }
    case .object: members.reduce(1) { $0 + $1.value.valueCount }
    default: 1
    }
  }
}
