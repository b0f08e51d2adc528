internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// Returns the result of `work`, which runs in a new task. `watch` runs in another task, until `work` ends, and can cancel `work`.
///
/// Not a task group: the results of its children could not be distinguished, and each has to end the other.
func runWatched<Value: Sendable>(
  _ work: @escaping @Sendable () async -> Value,
  by watch: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void
) async -> Value {
  let working = Task { await work() }
  let watching = Task { await watch { working.cancel() } }
  defer { watching.cancel() }
  return await withTaskCancellationHandler {
    await working.value
  } onCancel: {
    working.cancel()
  }
}

/// The time by which all work for one request must be finished: attempts, the delays between them, and reading the body. Also that of one
/// attempt, if the session does not measure the time of the clock; see ``AttemptLimits``.
///
/// A session ends an attempt by its timeout and reports the phase, so its timeouts are limited to the remaining time. Other work that is
/// running at the deadline (a closure that recovers, an interceptor, a delay) is cancelled. Rule R9.
package final class RequestDeadline: Sendable {
  private struct State {
    /// The number of attempts that a session is running. These end by their own timeouts.
    var attempts = 0
    var hasExpired = false
    var cancel: (@Sendable () -> Void)?
    var hasCancelled = false

    mutating func takeCancel() -> (@Sendable () -> Void)? {
      guard hasExpired, attempts == 0, let cancel = cancel.take() else { return nil }
      hasCancelled = true
      return cancel
    }
  }

  private let limit: Duration
  private let isOfAttempt: Bool
  private let stopwatch: Stopwatch
  private let state = Mutex(State())

  /// Creates a deadline `limit` from now; `nil` for more than 10⁹ seconds, which counts as no limit. With `request`, it is the deadline of an
  /// attempt of a request with that deadline, which it does not exceed.
  init?(_ limit: Duration, clock: any Clock<Duration>, isOfAttempt: Bool = false, of request: RequestDeadline? = nil) {
    guard let limit = limit.asLimit else { return nil }
    // Started before the remaining time is read: otherwise time that passes in between would be added.
    stopwatch = Stopwatch(clock)
    self.limit = min(limit, request?.remaining ?? limit)
    self.isOfAttempt = isOfAttempt
  }

  /// The remaining time, at least zero.
  var remaining: Duration {
    state.withLock(\.hasExpired) ? .zero : max(limit - stopwatch(), .zero)
  }

  var hasExpired: Bool { remaining == .zero }

  /// A Boolean value that indicates whether the work was cancelled because the deadline passed.
  var hasCancelled: Bool { state.withLock(\.hasCancelled) }

  func error(in phase: TransportError.Phase, while activity: String? = nil) -> TransportError {
    if isOfAttempt { return TransportError(code: .timedOut, phase: phase, elapsed: stopwatch()) }
    let reason = "the deadline of \(limit.secondsDescription) for the whole request"
    return TransportError(
      code: .timedOut, phase: phase, elapsed: stopwatch(), reason: activity.map { "\(reason), \($0)" } ?? reason)
  }

  /// Runs `work`, which is cancelled at the deadline unless a session is running an attempt at that time.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    defer { state.withLock { $0.cancel = nil } }
    return await runWatched(
      work,
      by: { [self] cancel in
        state.withLock { $0.cancel = cancel }
        // A clock that does not wait, and whose time does not pass, ends nothing.
        guard (try? await wait()) != nil, stopwatch() >= limit else { return }
        change { $0.hasExpired = true }
      })
  }

  func wait() async throws {
    try await stopwatch.sleep(until: state.withLock(\.hasExpired) ? .zero : limit)
  }

  /// Records that a session begins an attempt, which ends by its own timeout.
  ///
  /// - Returns: The time that the attempt may take.
  func beginAttempt() throws(TransportError) -> Duration {
    let remaining = remaining
    guard remaining > .zero else { throw error(in: .delay) }
    change { $0.attempts += 1 }
    return remaining
  }

  /// Records that the attempt has ended or its response head was received. `hasExpired` is true if it ended because of the
  /// deadline.
  func endAttempt(hasExpired: Bool) {
    change {
      $0.attempts -= 1
      if hasExpired { $0.hasExpired = true }
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
