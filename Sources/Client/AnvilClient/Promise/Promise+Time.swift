internal import AnvilBase
internal import AnvilHTTP

/// Delays and timeouts.
extension Promise {
  /// Returns a promise of the same value that is settled `duration` after this one. If this promise fails, the new one fails at once.
  public func delay(_ duration: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Promise<Value> {
    derive { value, attempt in
      do {
        try await clock.sleep(for: duration.clampedForClocks)
        return .outcome(SettledOutcome(value: value, reportingTo: attempt))
      } catch {
        return .outcome(.failure(error))
      }
    }
  }

  /// Returns a promise with the same outcome. It fails with ``PromiseTimeout`` if this promise is not settled within `duration` from now.
  ///
  /// After a timeout, the new promise stops depending on this one, whose work is cancelled unless other promises or tasks depend on it, or
  /// a copy of it is stored.
  public func timeout(_ duration: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Promise<Value> {
    // A settled promise is in time, even if `duration` is zero.
    guard !state.isSettled else { return self }
    let expiry = Promise {
      try await clock.sleep(for: duration.clampedForClocks)
      throw PromiseTimeout(duration: duration)
    }
    return Promise.race([self, expiry])
  }
}

/// The error of a promise that was not settled in time.
public struct PromiseTimeout: Error, Hashable, CustomStringConvertible {
  /// The timeout.
  public let duration: Duration

  /// Creates the error of a promise that was not settled within `duration`.
  package init(duration: Duration) {
    self.duration = duration
  }

  /// A text such as `not settled within 0.500 s`.
  public var description: String { "not settled within \(duration.secondsDescription)" }
}
