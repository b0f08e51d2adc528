internal import Synchronization

/// A limit on the time for which an operation waits for a peer that sends nothing.
final class IdleLimit: Sendable {
  /// The number of checks within one time limit. A timeout is detected at most one check interval late.
  private static let steps = 8

  /// A counter that increases at the beginning and at the end of each wait. It is odd during a wait.
  private let turns = Atomic(0)
  private let wasSilent = Atomic(false)

  /// Calls `peer` and returns its result. The time until `peer` returns counts as a wait.
  func waiting<Value>(for peer: () async throws -> Value) async throws -> Value {
    turns.add(1, ordering: .relaxed)
    defer { turns.add(1, ordering: .relaxed) }
    return try await peer()
  }

  /// Returns the result of `work`, and whether it was cancelled because one of its waits was longer than `limit`.
  @inline(never)
  static func run<Value: Sendable>(
    _ limit: Duration?, clock: any Clock<Duration>, _ work: @escaping @Sendable (IdleLimit) async -> Value
  ) async -> (value: Value, wasSilent: Bool) {
    let idle = IdleLimit()
    guard let limit else { return (await work(idle), false) }
    // Not a task group: the results of its children could not be distinguished, and each has to end the other.
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

  /// Returns when a wait has been longer than `limit`.
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
