internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema

/// What the check of a text's documents found, with what is wrong in the same way put together.
struct CheckResult {
  /// A departure, or a note, and where its like are.
  struct Finding {
    let fault: Fault
    let document: DocumentText.Document
    /// Where its like are: the first few, in words.
    fileprivate(set) var others: [String] = []
    fileprivate(set) var otherCount = 0

    /// The fault with the other places.
    var faultWithPlaces: Fault {
      var fault = fault
      if otherCount > 0 {
        let more = otherCount > others.count ? " and \(otherCount - others.count) more" : ""
        fault.elsewhere = others.joined(separator: ", ") + more
      }
      return fault
    }
  }

  /// Findings of which those that are alike in different elements are one.
  struct Findings {
    /// Each on its own, as many as are wanted.
    fileprivate(set) var all: [Finding] = []
    /// Those that are different, as many as are wanted.
    fileprivate(set) var different: [Finding] = []
    /// How many there are.
    fileprivate(set) var count = 0
    /// How many are different.
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

  /// What findings have in common that differ only in the elements they are in.
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
  /// Whether there are departures that were not counted.
  private(set) var hasMore = false
  /// Why a document was not looked at to its end.
  private(set) var interruption: CheckFindings.Interruption?

  /// Whether all was looked at and nothing departs.
  var isMatch: Bool { isComplete && departures.count == 0 }
  /// Whether all was looked at.
  var isComplete: Bool { !hasMore && interruption == nil }

  /// Takes in what was found in `document`.
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
  /// How many values there are, containers included.
  fileprivate var valueCount: Int {
    switch kind {
    case .array: elements.reduce(1) { $0 + $1.valueCount }
    case .object: members.reduce(1) { $0 + $1.value.valueCount }
    default: 1
    }
  }
}
