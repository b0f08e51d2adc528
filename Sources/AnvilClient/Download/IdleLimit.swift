internal import Synchronization

/// Ends work that waits for a peer which says nothing.
final class IdleLimit: Sendable {
  /// In how many steps the limit is looked at: silence is noticed at most one of them late.
  private static let steps = 8

  /// Grows with each beginning and each end of a wait: odd while one goes on.
  private let turns = Atomic(0)
  private let wasSilent = Atomic(false)

  /// What `peer` gives, for which it is waited.
  func waiting<Value>(for peer: () async throws -> Value) async throws -> Value {
    turns.add(1, ordering: .relaxed)
    defer { turns.add(1, ordering: .relaxed) }
    return try await peer()
  }

  /// What `work` gives, and whether it was cancelled because one of its waits was longer than `limit`.
  static func run<Value: Sendable>(
    _ limit: Duration?, clock: any Clock<Duration>, _ work: @escaping @Sendable (IdleLimit) async -> Value
  ) async -> (value: Value, wasSilent: Bool) {
    let idle = IdleLimit()
    guard let limit else { return (await work(idle), false) }
    // Not a group: its children could not be told apart by types, and one of them has to end the other.
    let working = Task { await work(idle) }
    let watching = Task {
      try await idle.watch(limit, clock: clock)
      idle.wasSilent.store(true, ordering: .relaxed)
      working.cancel()
    }
    let value = await withTaskCancellationHandler {
      await working.value
    } onCancel: {
      working.cancel()
    }
    watching.cancel()
    return (value, idle.wasSilent.load(ordering: .relaxed))
  }

  /// Returns when a wait was longer than `limit`.
  private func watch(_ limit: Duration, clock: any Clock<Duration>) async throws {
    var seen = turns.load(ordering: .relaxed)
    var silentSteps = 0
    while silentSteps < Self.steps {
      try await clock.sleep(for: limit / Self.steps)
      let now = turns.load(ordering: .relaxed)
      silentSteps = now == seen && now % 2 == 1 ? silentSteps + 1 : 0
      seen = now
    }
  }
}
