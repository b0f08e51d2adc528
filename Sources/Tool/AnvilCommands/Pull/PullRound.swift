internal import Anvil
internal import AnvilBase
internal import AnvilStore
internal import AnvilSync
internal import Foundation

/// A single run of all pulls of a configuration file.
struct PullRound: Sendable {
  let plans: [PullPlan]
  let store: Store
  let workerCount: Int
  let sharing: PullSharing
  let console: Console

  /// Runs the pulls and prints a line for each when it ends. A pull that fails does not end the others.
  ///
  /// - Returns: The status of the first failure in the order of the file. A listing whose rows were all skipped is a failure.
  func run() async -> ExitStatus {
    var results: [Int: Result<PullReport, any Error>] = [:]
    let progress = PullProgress(console: console)
    await withTaskGroup(of: (Int, Result<PullReport, any Error>).self) { group in
      var rest = plans.indices[...]
      func addTask() {
        guard let index = rest.popFirst(), !Task.isCancelled else { return }
        progress.begin(index, name: plans[index].name)
        group.addTask { (index, await pull(index, progress)) }
      }
      for _ in 0..<workerCount { addTask() }
      for await (index, result) in group {
        results[index] = result
        progress.end(index) { write(result, of: plans[index]) }
        addTask()
      }
    }
    for index in plans.indices {
      switch results[index] {
      case .failure(let error): return PullFailure(error).status
      case .success(let report) where report.hasOnlySkippedRows: return .decoding
      default: break
      }
    }
    return .success
  }

  private func pull(_ index: Int, _ progress: PullProgress) async -> Result<PullReport, any Error> {
    let plan = plans[index]
    do {
      let report = try await store.run(plan, sharing: sharing) { progress.update(index, name: plan.name, $0) }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  private func write(_ result: Result<PullReport, any Error>, of plan: PullPlan) {
    switch result {
    case .success(let report):
      console.write("\(plan.name): \(report)".printable + "\n")
      for row in report.skipped { console.writeError("  \(row)".printable + "\n") }
      let rest = report.skippedCount - report.skipped.count
      if rest > 0 { console.writeError("  and \(rest) more rows that were skipped\n") }
      for drift in report.drift { console.writeError("  \(drift)".printable + "\n") }
      if report.hasOnlySkippedRows { console.fail("\(plan.name): no row could be stored") }
    case .failure(let error) where error is CancellationError: break
    case .failure(let error): console.fail("\(plan.name): \(PullFailure(error).message)")
    }
  }
}

extension PullReport {
  /// True if there were rows, but none could be stored.
  fileprivate var hasOnlySkippedRows: Bool {
    skippedCount > 0 && counts.inserted + counts.updated + counts.unchanged + counts.deleted == 0
  }
}
