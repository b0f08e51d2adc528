import Synchronization

/// The operations under way, so that one that does not end is found.
final class RunningOperations: Sendable {
  /// How long an operation may take: several times what all its timeouts, retries and pauses come to.
  static let limit = Duration.seconds(120)

  private struct Entry {
    let kind: String
    let start: ContinuousClock.Instant
    var isReported = false
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The number of operations under way.
  var count: Int { entries.withLock(\.count) }

  /// Notes that the operation `id` begins.
  func begin(_ id: String, kind: String) {
    entries.withLock { $0[id] = Entry(kind: kind, start: .now) }
  }

  /// Notes that the operation `id` has ended.
  func end(_ id: String) {
    entries.withLock { $0[id] = nil }
  }

  /// Returns the operations that take too long, each of them once.
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
