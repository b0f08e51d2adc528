internal import AnvilHTTP
internal import Synchronization

/// Until when everything about one request has to be over: attempts, the waits between them, reading the body.
///
/// Sessions end an attempt by its timeout and say in which phase, so their timeouts are bounded by what is left. Whatever
/// else is under way when the time is up (a strategy, an interceptor, a wait) is cancelled. Rule R9.
package final class Deadline: Sendable {
  private struct State {
    /// How many attempts a session has at work: those end by themselves.
    var attempts = 0
    var isUp = false
    var cancel: (@Sendable () -> Void)?
    var hasCancelled = false

    mutating func takeCancel() -> (@Sendable () -> Void)? {
      guard isUp, attempts == 0, let cancel = cancel.take() else { return nil }
      hasCancelled = true
      return cancel
    }
  }

  private let limit: Duration
  private let clock: any Clock<Duration>
  private let stopwatch: @Sendable () -> Duration
  private let state = Mutex(State())

  /// A deadline `limit` from now; `nil` for more than 10⁹ seconds, which are no limit.
  init?(_ limit: Duration, clock: any Clock<Duration>) {
    guard limit <= .seconds(1_000_000_000) else { return nil }
    self.limit = max(limit, .zero)
    self.clock = clock
    stopwatch = clock.stopwatch()
  }

  /// How much time is left, none below zero.
  var remaining: Duration {
    state.withLock(\.isUp) ? .zero : max(limit - stopwatch(), .zero)
  }

  /// Whether the time is up.
  var isUp: Bool { remaining == .zero }

  /// Whether what is cancelled was so because the time was up.
  var hasCancelled: Bool { state.withLock(\.hasCancelled) }

  /// That the time was up in `phase`.
  func error(in phase: TransportError.Phase, while activity: String? = nil) -> TransportError {
    let reason = "the deadline of \(limit.secondsDescription) for all of the request"
    return TransportError(
      code: .timedOut, phase: phase, elapsed: stopwatch(), reason: activity.map { "\(reason), \($0)" } ?? reason)
  }

  /// Does `work`, which is cancelled when the time is up, unless a session is at work then.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let working = Task { await work() }
    state.withLock { $0.cancel = { working.cancel() } }
    let watching = Task { [clock, remaining] in
      guard (try? await clock.sleep(for: remaining)) != nil else { return }
      expire()
    }
    let value = await withTaskCancellationHandler {
      await working.value
    } onCancel: {
      working.cancel()
    }
    watching.cancel()
    state.withLock { $0.cancel = nil }
    return value
  }

  /// Waits until the time is up.
  func wait() async throws {
    try await clock.sleep(for: remaining)
  }

  private func expire() {
    change { $0.isUp = true }
  }

  /// Says that a session begins an attempt, which ends by its own timeout.
  ///
  /// - Returns: how long it may take.
  func beginAttempt() throws(TransportError) -> Duration {
    let remaining = remaining
    guard remaining > .zero else { throw error(in: .delay) }
    change { $0.attempts += 1 }
    return remaining
  }

  /// Says that the attempt is over or its head has come, and whether that was because the time was up.
  func endAttempt(isUp: Bool) {
    change {
      $0.attempts -= 1
      if isUp { $0.isUp = true }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let cancel = state.withLock { state in
      change(&state)
      return state.takeCancel()
    }
    cancel?()
  }
}

extension Clock where Duration == Swift.Duration {
  /// Tells how long it has been since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
