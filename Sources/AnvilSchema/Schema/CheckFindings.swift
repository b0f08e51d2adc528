package import AnvilDiagnosis
internal import AnvilJSON

/// What a check of a document found.
package struct CheckFindings: Sendable {
  /// The departures and notes in the order of the document, each once: ``Fault/isNote`` tells them apart. What is wrong
  /// with a container comes before what is wrong in it.
  package internal(set) var faults: [Fault] = []
  /// Whether there are more than the limit let in.
  package internal(set) var hasMore = false
  /// Why the check ended before everything was looked at; `nil` where it did not. ``faults`` has what was found until
  /// then.
  package internal(set) var interruption: Interruption?

  /// Why a check ended early.
  package enum Interruption: Hashable, Sendable, CustomStringConvertible {
    /// Schemas and values were nested deeper than a check goes.
    case depth(limit: Int)
    /// The check took more steps than it may: schema and document multiply each other.
    case work(limit: Int)

    /// What was too much.
    package var description: String {
      switch self {
      case .depth(let limit): "the check went \(limit) schemas deep and was given up"
      case .work(let limit): "the check took \(limit) steps and was given up"
      }
    }
  }

  /// Whether the whole document was looked at and departs in nothing; notes do not count.
  package var isMatch: Bool { interruption == nil && !hasMore && faults.allSatisfy(\.isNote) }
}

/// How much a check may find and do.
package struct CheckLimits: Hashable, Sendable {
  /// How many faults are reported.
  package var faults: Int
  /// How many steps a check takes, of a microsecond or so each: schemas applied to values, values compared, and 32 instructions of
  /// a pattern.
  package var work: Int

  /// How many schemas may be applied within each other, each reference being one: up to 2.5 KiB of stack each in
  /// optimised code, and twice as much in other.
  package var depth: Int

  /// A hundred faults and ten million steps, unless said otherwise, and a depth for which threads of 512 KiB have room.
  package init(faults: Int = 100, work: Int = 10_000_000, depth: Int = 200) {
    self.faults = faults
    self.work = work
    self.depth = depth
  }
}

/// A fault and where it stands: the numbers of the members and elements on the way to it.
struct PositionedFault {
  var fault: Fault
  var position: [Int]
}

extension CheckFindings {
  /// Takes over what a check found, in the order of the document and without repetitions.
  mutating func take(_ found: [PositionedFault]) {
    struct Identity: Hashable {
      let code: JSON.Diagnosis.Code
      let steps: [JSON.Step]
      let missing: JSON.Step?
      let expected: String?
    }
    var seen: Set<Identity> = []
    // The sort is not promised to be stable: the number of a fault decides between those of one position.
    let sorted = found.enumerated().sorted { left, right in
      if left.element.position == right.element.position { return left.offset < right.offset }
      return left.element.position.lexicographicallyPrecedes(right.element.position)
    }
    for (_, positioned) in sorted {
      let fault = positioned.fault
      let identity = Identity(
        code: fault.code, steps: fault.steps, missing: fault.missing, expected: fault.expected)
      if seen.insert(identity).inserted { faults.append(fault) }
    }
  }
}
