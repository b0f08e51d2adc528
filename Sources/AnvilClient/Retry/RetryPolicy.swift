/// When a ``RetryInterceptor`` has a request sent again, how often, and after which wait.
///
///     var policy = RetryPolicy()
///     policy.maximumAttempts = 5
///     policy.backoff = ExponentialBackoff(base: .milliseconds(100))
public struct RetryPolicy: Sendable {
  /// What becomes of an attempt whose time was up after the request was sent: the server may still be at work on it.
  public enum ReadTimeouts: Hashable, Sendable {
    /// It is the end.
    case fail
    /// The request is sent again if that does no harm.
    case retry
  }

  /// How many times a request may be sent, the first time counted in.
  public var maximumAttempts = 3
  /// How long to wait before each attempt, where the server does not ask for more.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The longest wait that a server may ask for. A response that asks for more is the last one.
  public var retryAfterLimit = Duration.seconds(60)
  /// What becomes of an attempt whose time was up after the request was sent.
  public var readTimeouts = ReadTimeouts.fail
  /// How many bytes of a failed response's body are read, while it is waited, for its connection to be used again. When there
  /// are more, or they take longer, the connection is given up.
  public var drainLimit = 64 << 10
  /// How many of the requests to an origin may be repetitions; `nil` for any number.
  public var budget: RetryBudget? = RetryBudget()

  /// Three attempts, full jitter from 0.3 s to 20 s, a budget of one in five requests.
  public init() {}
}
