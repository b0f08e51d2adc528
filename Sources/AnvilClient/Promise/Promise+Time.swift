internal import AnvilHTTP

/// Promises and clocks.
extension Promise {
  /// A promise of the value, `duration` after it came. A failure is passed on at once.
  public func delay(_ duration: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Promise<Value> {
    then { value in
      try await clock.sleep(for: duration.forSleeping)
      return value
    }
  }

  /// A promise of the value if it comes within `duration` from now; otherwise of a ``PromiseTimeout``, and this promise is
  /// left: its work is cancelled unless others depend on it.
  public func timeout(_ duration: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Promise<Value> {
    // A value that is there has come in time, however little that is.
    guard !state.isSettled else { return self }
    let expiry = Promise {
      try await clock.sleep(for: duration.forSleeping)
      throw PromiseTimeout(duration: duration)
    }
    return Promise.race([self, expiry])
  }
}

extension Duration {
  /// The duration, or 31 years where it is longer: clocks trap on the end of time.
  fileprivate var forSleeping: Duration { min(self, .seconds(1_000_000_000)) }
}

/// A promise was not settled in the time that it was given.
public struct PromiseTimeout: Error, Hashable, CustomStringConvertible {
  /// The time that it was given.
  public let duration: Duration

  /// Says that a promise was not settled within `duration`.
  public init(duration: Duration) {
    self.duration = duration
  }

  /// `not settled within 0.500 s`.
  public var description: String { "not settled within \(duration.secondsDescription)" }
}
