package import AnvilBase
package import AnvilDiagnosis
package import AnvilJSON

/// The findings of a check of a document.
package struct CheckFindings: Sendable {
  /// The violations and notes (``Fault/isNote``) in the order of the document, without repetitions.
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
    case time(Deadline)

    /// A description of the limit that was exceeded.
    package var description: String {
      switch self {
      case .depth(let limit): "the check was stopped after \(limit) nested schemas"
      case .work(let limit): "the check was stopped after \(limit) steps"
      case .time(let deadline):
        "the check was stopped after \(deadline.limit.map { "\($0 / .seconds(1))".replacing(/\.0$/, with: "") } ?? "0") s"
      }
    }
  }

  /// True if the whole document was checked and has no violations. Notes do not count.
  package var isMatch: Bool { interruption == nil && !hasMore && faults.allSatisfy(\.isNote) }
}

package struct CheckLimits: Hashable, Sendable {
  package var faults: Int
  /// The maximum number of steps, of about a microsecond each. A step is a schema applied to a value, a comparison of
  /// two values, or 32 instructions of a pattern.
  package var work: Int

  /// The maximum nesting depth of applied schemas. Each reference counts as one. A level uses up to 2.5 KiB of stack in
  /// optimised code, and twice as much in debug code.
  package var depth: Int
  /// The time at which the check ends. Several checks can share it.
  package var deadline: Deadline

  /// Creates limits. The defaults are 100 faults, ten million steps, a depth that fits on the stack of a 512 KiB thread, and no deadline.
  package init(
    faults: Int = 100, work: Int = 10_000_000, depth: Int = 200, deadline: Deadline = .never
  ) {
    self.faults = faults
    self.work = work
    self.depth = depth
    self.deadline = deadline
  }
}

/// A fault and its position in the document, which consists of the indices of the members and elements on the path to the fault.
struct PositionedFault {
  var fault: Fault
  var position: [Int]
}

extension Fault {
  /// True if the finding is only a note, which does not affect code that was written for the samples.
  package var isNote: Bool { code == .sampleUnknownKey }

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
  /// The number of steps at which the clock is read next. Most steps take little more time than reading it, and some take a millisecond.
  private var nextReading = 0

  init(limits: CheckLimits) {
    self.limits = limits
  }

  /// Adds to the number of steps, and throws if there are too many or the time is over.
  mutating func spend(_ amount: Int) throws(Stop) {
    work += amount
    guard work <= limits.work else { throw .interrupted(.work(limit: limits.work)) }
    guard work >= nextReading else { return }
    nextReading = work + 64
    if limits.deadline.hasPassed { throw .interrupted(.time(limits.deadline)) }
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

  /// Returns the faults in the order of the document, without repetitions.
  func findings(after stop: Stop?) -> CheckFindings {
    var findings = CheckFindings()
    findings.hasMore = hasMore
    if case .interrupted(let interruption) = stop { findings.interruption = interruption }
    // The sort is not guaranteed to be stable, so that faults at the same position are sorted by their index.
    let sorted = found.enumerated().sorted { left, right in
      if left.element.position == right.element.position { return left.offset < right.offset }
      return left.element.position.lexicographicallyPrecedes(right.element.position)
    }
    var seen: Set<Fault.Identity> = []
    findings.faults = sorted.map(\.element.fault).filter { seen.insert(Fault.Identity($0)).inserted }
    return findings
  }
}

/// The codes of checks, which the page Errors of the documentation describes.
extension JSON.Diagnosis.Code {
  package static let schemaType = Self(rawValue: "schema.type")
  package static let schemaEnum = Self(rawValue: "schema.enum")
  package static let schemaConst = Self(rawValue: "schema.const")
  package static let schemaMinimum = Self(rawValue: "schema.minimum")
  package static let schemaMaximum = Self(rawValue: "schema.maximum")
  package static let schemaMultipleOf = Self(rawValue: "schema.multiple-of")
  package static let schemaMinLength = Self(rawValue: "schema.min-length")
  package static let schemaMaxLength = Self(rawValue: "schema.max-length")
  package static let schemaPattern = Self(rawValue: "schema.pattern")
  package static let schemaFormat = Self(rawValue: "schema.format")
  package static let schemaRequired = Self(rawValue: "schema.required")
  package static let schemaDependentRequired = Self(rawValue: "schema.dependent-required")
  package static let schemaAdditionalProperty = Self(rawValue: "schema.additional-property")
  package static let schemaPropertyName = Self(rawValue: "schema.property-name")
  package static let schemaMinProperties = Self(rawValue: "schema.min-properties")
  package static let schemaMaxProperties = Self(rawValue: "schema.max-properties")
  package static let schemaMinItems = Self(rawValue: "schema.min-items")
  package static let schemaMaxItems = Self(rawValue: "schema.max-items")
  package static let schemaUniqueItems = Self(rawValue: "schema.unique-items")
  package static let schemaContains = Self(rawValue: "schema.contains")
  package static let schemaAdditionalItem = Self(rawValue: "schema.additional-item")
  package static let schemaAnyOf = Self(rawValue: "schema.any-of")
  package static let schemaOneOf = Self(rawValue: "schema.one-of")
  package static let schemaNot = Self(rawValue: "schema.not")
  package static let schemaFalse = Self(rawValue: "schema.false")
  package static let sampleMissingKey = Self(rawValue: "sample.missing-key")
  package static let sampleType = Self(rawValue: "sample.type")
  package static let sampleNull = Self(rawValue: "sample.null")
  package static let sampleFormat = Self(rawValue: "sample.format")
  package static let sampleUnknownKey = Self(rawValue: "sample.unknown-key")
}
