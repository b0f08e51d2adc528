package import AnvilDiagnosis
package import AnvilJSON

/// The findings of a check of a document.
package struct CheckFindings: Sendable {
  /// The violations and notes in the order of the document, without repetitions. ``Fault/isNote`` identifies notes.
  /// Faults of a container come before the faults of its contents.
  package internal(set) var faults: [Fault] = []
  /// True if there were more faults than the limit allows.
  package internal(set) var hasMore = false
  /// The reason why the check ended early; `nil` if it was complete. ``faults`` contains the findings up to that point.
  package internal(set) var interruption: Interruption?

  /// The reason why a check ended early.
  package enum Interruption: Hashable, Sendable, CustomStringConvertible {
    /// The nesting depth of applied schemas exceeded the limit.
    case depth(limit: Int)
    /// The check took too many steps. The number of steps can grow with the product of the sizes of schema and
    /// document.
    case work(limit: Int)
    case time(CheckDeadline)

    /// A description of the limit that was exceeded.
    package var description: String {
      switch self {
      case .depth(let limit): "the check was stopped after \(limit) nested schemas"
      case .work(let limit): "the check was stopped after \(limit) steps"
      case .time(let deadline): "the check was stopped after \(deadline.seconds) s"
      }
    }
  }

  /// True if the whole document was checked and has no violations. Notes do not count.
  package var isMatch: Bool { interruption == nil && !hasMore && faults.allSatisfy(\.isNote) }
}

/// The limits of a check.
package struct CheckLimits: Hashable, Sendable {
  /// The maximum number of reported faults.
  package var faults: Int
  /// The maximum number of steps, of about a microsecond each. A step is a schema applied to a value, a comparison of
  /// two values, or 32 instructions of a pattern.
  package var work: Int

  /// The maximum nesting depth of applied schemas. Each reference counts as one. A level uses up to 2.5 KiB of stack in
  /// optimised code, and twice as much in debug code.
  package var depth: Int
  /// The time at which the check ends; `nil` for no limit. Several checks can share it.
  package var deadline: CheckDeadline?

  /// Creates limits. The defaults are 100 faults, ten million steps, a depth that fits on the stack of a 512 KiB thread, and no deadline.
  package init(
    faults: Int = 100, work: Int = 10_000_000, depth: Int = 200, deadline: CheckDeadline? = nil
  ) {
    self.faults = faults
    self.work = work
    self.depth = depth
    self.deadline = deadline
  }
}

/// The time at which checks end.
package struct CheckDeadline: Hashable, Sendable {
  /// The time that the checks had when the deadline was created.
  package let limit: Duration
  private let instant: ContinuousClock.Instant

  /// Creates a deadline that is `limit` from now.
  package init(after limit: Duration) {
    self.limit = limit
    instant = ContinuousClock.now + limit
  }

  /// True if the time is over.
  package var hasPassed: Bool { ContinuousClock.now >= instant }

  /// The limit in seconds as text: `60`, `0.5`.
  var seconds: String {
    let text = String(limit / .seconds(1))
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Reads the clock once in a while. Most steps take little more time than reading it, and some take a millisecond.
struct CheckClock {
  /// The number of steps between two readings.
  private static let interval = 64

  let deadline: CheckDeadline?
  private var next = 0

  init(_ deadline: CheckDeadline?) { self.deadline = deadline }

  /// Returns whether the time is over, as far as the clock was read.
  ///
  /// - Parameter work: The number of steps so far.
  mutating func hasRunOut(after work: Int) -> Bool {
    guard work >= next, let deadline else { return false }
    next = work + Self.interval
    return deadline.hasPassed
  }
}

/// A fault and its position in the document, which consists of the indices of the members and elements on the path to the fault.
struct PositionedFault {
  var fault: Fault
  var position: [Int]
}

extension CheckFindings {
  /// Adds the faults of a check, sorted in the order of the document, without repetitions.
  mutating func take(_ found: [PositionedFault]) {
    var seen: Set<Fault.Identity> = []
    // The sort is not guaranteed to be stable, so that faults at the same position are sorted by their index.
    let sorted = found.enumerated().sorted { left, right in
      if left.element.position == right.element.position { return left.offset < right.offset }
      return left.element.position.lexicographicallyPrecedes(right.element.position)
    }
    for (_, positioned) in sorted {
      if seen.insert(Fault.Identity(positioned.fault)).inserted { faults.append(positioned.fault) }
    }
  }
}

extension Fault {
  /// The parts by which faults are compared.
  package struct Identity: Hashable {
    private let code: JSON.Diagnosis.Code
    package var steps: [JSON.Step]
    private let missing: JSON.Step?
    private let expected: String?

    package init(_ fault: Fault) {
      (code, steps, missing, expected) = (fault.code, fault.steps, fault.missing, fault.expected)
    }
  }
}

struct CheckRun {
  enum Stop: Error {
    case interrupted(CheckFindings.Interruption)
    /// As many faults as the limit allows were found.
    case enough
  }

  let limits: CheckLimits
  var found: [PositionedFault] = []
  var hasMore = false
  private(set) var steps: [JSON.Step] = []
  private(set) var position: [Int] = []
  private(set) var work = 0
  private var clock: CheckClock

  init(limits: CheckLimits) {
    self.limits = limits
    clock = CheckClock(limits.deadline)
  }

  /// Adds to the number of steps.
  ///
  /// - Throws: ``Stop/interrupted(_:)`` if there are too many, or if the time is over.
  mutating func spend(_ amount: Int) throws(Stop) {
    work += amount
    guard work <= limits.work else { throw .interrupted(.work(limit: limits.work)) }
    if clock.hasRunOut(after: work), let deadline = limits.deadline { throw .interrupted(.time(deadline)) }
  }

  mutating func enter(_ step: JSON.Step, _ number: Int) {
    steps.append(step)
    position.append(number)
  }

  mutating func leave() {
    steps.removeLast()
    position.removeLast()
  }

  func fault(_ code: JSON.Diagnosis.Code, expected: String?) -> PositionedFault {
    PositionedFault(fault: Fault(code, at: steps, expected: expected), position: position)
  }

  func findings(after stop: Stop?) -> CheckFindings {
    var findings = CheckFindings()
    findings.hasMore = hasMore
    if case .interrupted(let interruption) = stop { findings.interruption = interruption }
    findings.take(found)
    return findings
  }
}
