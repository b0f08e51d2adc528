/// A strategy for the time to wait before a request is sent again.
public protocol BackoffStrategy: Sendable {
  /// Returns the time to wait before the repeated attempt with number `attempt`. The first attempt after the original one has number 1.
  func delay(beforeAttempt attempt: Int) -> Duration
}

/// A backoff strategy with full jitter: it waits a random time up to a ceiling that doubles with each attempt. Clients that failed at
/// the same time therefore do not retry at the same time.
///
/// Source: Exponential Backoff and Jitter, AWS Architecture Blog, 2015.
public struct ExponentialBackoff: BackoffStrategy {
  /// The ceiling of the wait before the first repeated attempt.
  public var base: Duration
  /// The limit above which the ceiling does not grow.
  public var limit: Duration
  private let random: @Sendable () -> Double

  /// Creates a strategy with the ceilings `base`, 2 · `base`, 4 · `base`, … up to `limit`.
  ///
  /// - Parameter random: returns numbers in 0..<1, by which the ceiling is multiplied. Tests can pass a fixed sequence.
  public init(
    base: Duration = .milliseconds(300), limit: Duration = .seconds(20),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.base = base
    self.limit = limit
    self.random = random
  }

  /// Returns a random time of at most min(``limit``, ``base`` · 2^(`attempt` − 1)).
  public func delay(beforeAttempt attempt: Int) -> Duration {
    var ceiling = max(.zero, min(base, limit))
    var doublings = 1
    while doublings < attempt && ceiling < limit && ceiling != .zero {
      ceiling = ceiling > limit / 2 ? limit : ceiling * 2
      doublings += 1
    }
    return ceiling * random()
  }
}
