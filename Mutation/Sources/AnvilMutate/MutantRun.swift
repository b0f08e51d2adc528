import Foundation
import Synchronization

/// Runs the tests with one mutant after the other.
struct MutantRun {
  enum Verdict: String, Sendable {
    case killed, crashed
    case timedOut = "timed out"
    case survived
    case notCovered = "not covered"

    var isCaught: Bool { self == .killed || self == .crashed || self == .timedOut }
  }

  struct Outcome: Sendable {
    let number: Int
    let mutant: Mutant
    let verdict: Verdict
    /// The message of the first failing test; for survivors, the suites that reach the mutant.
    let detail: String
  }

  let program: TestProgram
  let reach: Reach

  func run(_ mutants: [(number: Int, mutant: Mutant)], jobs: Int) throws -> [Outcome] {
    let outcomes = Mutex<[Outcome]>([])
    let all = mutants.map { (number: $0.number, mutant: $0.mutant) }
    try forEach(all, jobs: jobs) { number, mutant in
      let outcome = try outcome(of: mutant, number: number)
      let done = outcomes.withLock { outcomes in
        outcomes.append(outcome)
        return outcomes.count
      }
      report("\(done)/\(all.count)  #\(number) \(outcome.verdict.rawValue): \(mutant.description)")
    }
    return outcomes.withLock { $0 }.sorted { $0.number < $1.number }
  }

  private func outcome(of mutant: Mutant, number: Int) throws -> Outcome {
    func outcome(_ verdict: Verdict, _ detail: String) -> Outcome {
      Outcome(number: number, mutant: mutant, verdict: verdict, detail: detail)
    }
    let suites = reach.suites(for: number, of: mutant.module)
    if suites.isEmpty { return outcome(.notCovered, "") }
    // In batches of growing length: most mutants are caught by the first tests.
    var batches: [(names: [String], seconds: Double)] = []
    var length = 4.0
    for suite in suites {
      if let last = batches.last, last.seconds + suite.seconds <= length {
        batches[batches.count - 1].names.append(suite.name)
        batches[batches.count - 1].seconds += suite.seconds
      } else {
        if !batches.isEmpty { length *= 2 }
        batches.append(([suite.name], suite.seconds))
      }
    }
    for batch in batches {
      let limit = Duration.seconds(20 + 5 * batch.seconds)
      let result = try program.run(batch.names, environment: ["ANVIL_MUTANT": "\(number)"], limit: limit)
      switch result {
      case .passed: continue
      case .failed(let issue): return outcome(.killed, issue)
      case .crashed(let signal): return outcome(.crashed, signal)
      case .timedOut: return outcome(.timedOut, batch.names.joined(separator: " "))
      }
    }
    return outcome(.survived, suites.map(\.name).joined(separator: " "))
  }
}
