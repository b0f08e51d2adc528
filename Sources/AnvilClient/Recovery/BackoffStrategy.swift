/// Says how long to wait before a request is sent again.
public protocol BackoffStrategy: Sendable {
  /// The time to wait before the attempt numbered `attempt`: 1 is the first one after the original.
  func delay(beforeAttempt attempt: Int) -> Duration
}

/// Waits a random time under a ceiling that doubles with each attempt ("full jitter"), so that many clients that failed
/// together do not come back together.
///
/// Source: Exponential Backoff and Jitter, AWS Architecture Blog, 2015.
public struct ExponentialBackoff: BackoffStrategy {
  /// The ceiling before the first attempt.
  public var base: Duration
  /// The highest ceiling.
  public var limit: Duration
  private let random: @Sendable () -> Double

  /// Ceilings `base`, 2 · `base`, 4 · `base`, … up to `limit`.
  ///
  /// - Parameter random: gives numbers from 0 up to 1, by which the ceiling is multiplied; tests pass their own.
  public init(
    base: Duration = .milliseconds(300), limit: Duration = .seconds(20),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.base = base
    self.limit = limit
    self.random = random
  }

  /// A random time of at most min(``limit``, ``base`` · 2^(`attempt` − 1)).
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
