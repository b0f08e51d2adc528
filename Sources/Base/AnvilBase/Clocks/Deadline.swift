/// The start and the end of a time limit, measured with the continuous clock.
package struct Deadline: Hashable, Sendable {
  package let start: ContinuousClock.Instant
  /// The end of the limit; `nil` for no limit.
  package let end: ContinuousClock.Instant?

  /// Creates the deadline `limit` from now.
  ///
  /// - Parameter limit: The time limit. `nil`, and a limit of more than 10⁹ seconds, mean no limit. A negative limit counts as zero.
  package init(after limit: Duration?) {
    let now = ContinuousClock.now
    start = now
    end = limit?.asLimit.map { now + $0 }
  }

  /// A deadline that never passes.
  package static var never: Deadline { Deadline(after: nil) }

  /// The time since the start.
  package var elapsed: Duration { ContinuousClock.now - start }

  /// A Boolean value that indicates whether the deadline has passed.
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
