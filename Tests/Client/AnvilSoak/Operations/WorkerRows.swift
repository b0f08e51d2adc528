import Anvil
import AnvilSQLite
import Synchronization

/// The versions of a worker's entities that the store may contain: the last stored one, and after a failure any version
/// served since.
final class WorkerRows: Sendable {
  private let worker: Int
  private let ledger: Ledger
  private let allowed: Mutex<[Int: ClosedRange<Int>]>

  init(worker: Int, ledger: Ledger) {
    self.worker = worker
    self.ledger = ledger
    allowed = Mutex([:])
  }

  /// Records that `version` of the entity was stored.
  func note(_ id: Int, stored version: Int) {
    allowed.withLock { $0[id] = version...version }
  }

  /// Records that storing the entities may or may not have failed.
  func noteFailure(of ids: Range<Int>) {
    allowed.withLock { allowed in
      for id in ids {
        let lower = allowed[id]?.lowerBound ?? 0
        allowed[id] = lower...max(lower, ledger.latestVersion(of: id))
      }
    }
  }

  /// Runs `body`, which stores entities among `ids`.
  func storing<Result>(_ ids: Range<Int>, _ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      noteFailure(of: ids)
      throw error
    }
  }

  /// Returns the errors in the rows, which are all rows of the store with `ids`.
  func problems(_ rows: [(id: Int, version: Int, text: String)], among ids: Range<Int>) -> [String] {
    let allowed = allowed.withLock { $0 }
    var problems: [String] = []
    let found = Dictionary(grouping: rows, by: \.id)
    for id in ids {
      let versions = allowed[id] ?? 0...0
      guard let rows = found[id] else {
        if versions.lowerBound > 0 {
          problems.append("entity \(id) is not in the store, should be version \(versions)")
        }
        continue
      }
      if rows.count > 1 { problems.append("entity \(id) has \(rows.count) rows") }
      for row in rows {
        if !versions.contains(row.version) {
          problems.append("entity \(id) is version \(row.version) in the store, should be \(versions)")
        }
        if row.text != Content.text(id, row.version) {
          problems.append("entity \(id) has the text \(row.text) in version \(row.version)")
        }
      }
    }
    return problems
  }
}
