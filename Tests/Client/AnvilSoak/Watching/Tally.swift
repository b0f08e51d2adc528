import Synchronization

/// Counts by name.
final class Tally: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// Increments the count of `name`.
  func add(_ name: String) {
    counts.withLock { $0[name, default: 0] += 1 }
  }

  /// All counts together.
  var total: Int { counts.withLock { $0.values.reduce(0, +) } }

  /// The names with their counts, the most frequent first.
  var summary: String {
    counts.withLock { counts in
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }
}
