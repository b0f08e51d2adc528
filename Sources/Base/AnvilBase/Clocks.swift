/// The start and the end of a time limit, measured with the continuous clock.
package struct Deadline: Hashable, Sendable {
  package let start: ContinuousClock.Instant
  /// The end of the limit; `nil` for no limit.
  package let end: ContinuousClock.Instant?

  /// - Parameter limit: The time limit. `nil`, and a limit of more than 10⁹ seconds, mean no limit. A negative limit counts as zero.
  package init(after limit: Duration?) {
    let now = ContinuousClock.now
    start = now
    end = limit?.asLimit.map { now + $0 }
  }

  package var limit: Duration? { end.map { $0 - start } }

  package static var never: Deadline { Deadline(after: nil) }

  package var elapsed: Duration { ContinuousClock.now - start }

  package var hasPassed: Bool { end.map { $0 <= ContinuousClock.now } ?? false }

  /// The remaining time as the timeout of `poll`, in milliseconds, rounded up so that no wait ends early. -1, which means no timeout, if
  /// there is no limit. The timeout is at most a minute, so callers must poll again until the deadline has passed.
  package var pollTimeout: Int32 {
    guard let end else { return -1 }
    let remaining = min(end - ContinuousClock.now, .seconds(60))
    guard remaining > .zero else { return 0 }
    return Int32(remaining / .milliseconds(1)) + 1
  }
}

/// Measures the time since its creation.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now
  /// Another clock than the system's.
  private let other: (any StartedClock)?

  /// Starts a stopwatch that measures the time of `clock`.
  package init(_ clock: any Clock<Duration>) {
    // Without generic code and a cast, which took 570 instead of 200 instructions of each request.
    other = type(of: clock) == ContinuousClock.self ? nil : clock.started()
  }

  /// Returns the time since the start.
  package func callAsFunction() -> Duration { other?.elapsed() ?? ContinuousClock.now - start }

  /// Waits until `time` has passed since the start. A wait for the remaining time would be too long if the clock was advanced after that was
  /// calculated.
  package func sleep(until time: Duration) async throws {
    if let other { try await other.sleep(until: time) } else { try await Task.sleep(until: start + time) }
  }
}

private protocol StartedClock: Sendable {
  func elapsed() -> Duration
  func sleep(until time: Duration) async throws
}

private struct Started<Time: Clock<Duration>>: StartedClock {
  let clock: Time
  let start: Time.Instant

  func elapsed() -> Duration { start.duration(to: clock.now) }

  func sleep(until time: Duration) async throws {
    try await clock.sleep(until: start.advanced(by: time), tolerance: nil)
  }
}

extension Clock where Duration == Swift.Duration {
  fileprivate func started() -> any StartedClock { Started(clock: self, start: now) }
}

extension Duration {
  /// The longest time limit: 10⁹ seconds, 31 years. Clocks trap if an instant overflows.
  private static var longestLimit: Duration { .seconds(1_000_000_000) }

  /// A negative duration counts as zero. `nil`, which means no limit, if the duration is longer than 10⁹ seconds.
  package var asLimit: Duration? {
    self <= Self.longestLimit ? max(self, .zero) : nil
  }

  /// The duration, clamped to 0 … 10⁹ seconds, so that it can be added to an instant.
  package var clampedForClocks: Duration { min(max(self, .zero), Self.longestLimit) }
}
