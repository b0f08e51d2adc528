/// The conditions, number and delays of the attempts of a ``RetryInterceptor``.
///
///     var policy = RetryPolicy()
///     policy.maximumAttempts = 5
///     policy.backoff = ExponentialBackoff(base: .milliseconds(100))
public struct RetryPolicy: Sendable {
  /// The handling of a timeout after the request was sent, when the server may still be processing it.
  public enum ReadTimeouts: Hashable, Sendable {
    /// The timeout is final.
    case fail
    /// The request is sent again if that is safe.
    case retry
  }

  /// The maximum number of attempts, including the first.
  public var maximumAttempts = 3
  /// The delay before each repeated attempt, unless the server requests a longer one.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The longest delay that a server may request. A response that requests a longer one is not retried.
  public var retryAfterLimit = Duration.seconds(60)
  /// The handling of a timeout after the request was sent.
  public var readTimeouts = ReadTimeouts.fail
  /// The maximum number of bytes of a failed response's body that are read during the delay, so that its connection can be reused. If the
  /// body is longer, or takes longer than the delay, the connection is closed.
  public var drainLimit = 64 << 10
  /// The limit on the share of an origin's requests that may be retries; `nil` for no limit.
  public var budget: RetryBudget? = RetryBudget()

  /// Creates a policy with three attempts, full jitter with ceilings from 0.3 s to 20 s, and a budget that allows, in ten seconds, one
  /// retry for every five requests and ten more.
  public init() {}
}
