import Synchronization

/// The running operations, to detect those that do not end.
final class RunningOperations: Sendable {
  /// The maximum duration of an operation: several times the sum of its timeouts, retries and pauses.
  static let limit = Duration.seconds(120)

  private struct Entry {
    let kind: String
    let start: ContinuousClock.Instant
    var isReported = false
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The number of running operations.
  var count: Int { entries.withLock(\.count) }

  /// Records that the operation `id` begins.
  func begin(_ id: String, kind: String) {
    entries.withLock { $0[id] = Entry(kind: kind, start: .now) }
  }

  /// Records that the operation `id` has ended.
  func end(_ id: String) {
    entries.withLock { $0[id] = nil }
  }

  /// Returns the operations that exceed the limit, each of them once.
  func takeOverdue() -> [String] {
    entries.withLock { entries in
      let now = ContinuousClock.now
      var overdue: [String] = []
      for (id, entry) in entries where !entry.isReported && now - entry.start > Self.limit {
        entries[id]?.isReported = true
        overdue.append("\(entry.kind) \(id)")
      }
      return overdue
    }
  }
}
