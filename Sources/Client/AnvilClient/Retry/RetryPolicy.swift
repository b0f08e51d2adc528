public import AnvilHTTP

/// Whether a request is sent again after a failure, how often, and after which delays; see ``ClientConfiguration/retries``.
///
///     var policy = RetryPolicy()
///     policy.attemptLimit = 5
///     policy.backoff = ExponentialBackoff(base: .milliseconds(100))
///     policy.statuses.remove(.internalServerError)
///     configuration.retries = policy
///
/// A request is sent again if the failure may be transient and repeating the request is safe. Transient failures are the statuses in
/// ``statuses``, a server that cannot be reached, and a connection that ends before the response. Rejected certificates, malformed responses
/// and cancellation are not retried. Read timeouts are retried only if ``RetryPolicy/readTimeouts`` allows it.
///
/// Repeating is safe for the methods in ``methods``, for a request with an `Idempotency-Key`, for a request whose
/// ``RequestSettings/idempotency`` allows it, and for any request that certainly did not reach a server. A request with a stream as body is
/// not repeated once the stream has been read. The decision is based on the response head: a truncated body is not retried. The closure
/// ``decide`` can decide otherwise.
///
/// The delay is random, up to a limit that doubles with each attempt. A longer `Retry-After` of the server is used instead. The delay
/// counts against the request's ``RequestSettings/deadline``, and cancelling the task ends it at once. If the deadline or the policy does not
/// allow the delay, the response or the error is delivered at once, and the reason of the failure's error states this. The history contains
/// the failed attempts before the last one.
public struct RetryPolicy: Sendable {
  /// The handling of a timeout after the request was sent, when the server may still be processing it.
  public enum ReadTimeouts: Hashable, Sendable {
    /// The timeout is final.
    case fail
    /// The request is sent again if that is safe.
    case retry
  }

  /// The maximum number of attempts, including the first.
  public var attemptLimit = 3
  /// The statuses after which a request is sent again if that is safe. Initially ``defaultStatuses``.
  ///
  /// Three statuses are subject to a condition as well: 403 is retried only if a field of the response states that a rate limit is exhausted
  /// (such as `X-RateLimit-Remaining: 0`), 413 only with a `Retry-After`, and 421 once, on a new connection.
  public var statuses: Set<HTTP.Status> = RetryPolicy.defaultStatuses
  /// The methods of requests that may be sent again if neither the request's ``RequestSettings/idempotency`` nor an `Idempotency-Key` says
  /// so. Initially ``defaultMethods``.
  ///
  /// Add POST for an API that recognizes repeated requests by itself. An empty set limits retries to requests that say so and to requests that
  /// certainly did not reach a server.
  public var methods: Set<HTTP.Method> = RetryPolicy.defaultMethods
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
  /// A closure for cases that the other properties do not describe. It is called with each attempt that was not cancelled, also with
  /// successful ones, and ``Decision/byPolicy`` leaves the decision to the policy.
  ///
  ///     policy.decide = { attempt in                       // the API creates what it has accepted with some delay
  ///       attempt.response?.status == .notFound ? .retry(after: .milliseconds(200)) : .byPolicy
  ///     }
  ///
  /// The closure decides about statuses, errors and methods. ``attemptLimit``, ``budget`` and the request's deadline still limit the
  /// attempts, and a request whose body is a stream that has been read is not sent again.
  public var decide: (@Sendable (Attempt) -> Decision)?

  /// An attempt to send a request.
  public struct Attempt: Sendable {
    /// The number of the attempt, starting with 1.
    public var number: Int
    /// The request as it was sent.
    public var request: HTTP.Request
    /// The response, without its body; `nil` if the attempt ended before the response head arrived.
    public var response: HTTP.Response?
    /// The error; `nil` if there is a response.
    public var error: TransportError?

    /// Creates an attempt, as a test of a closure needs it.
    public init(number: Int = 1, request: HTTP.Request, response: HTTP.Response? = nil, error: TransportError? = nil) {
      self.number = number
      self.request = request
      self.response = response
      self.error = error
    }
  }

  /// The decision of ``decide`` about an attempt.
  public enum Decision: Hashable, Sendable {
    /// The other properties of the policy decide.
    case byPolicy
    /// The request is sent again after this delay, or after the delay of ``backoff`` and the server if it is `nil`.
    case retry(after: Duration? = nil)
    /// The response or the error is delivered.
    case deliver
  }

  /// The statuses that are retried by default: those of ``Swift/Set/transient``, and 403, 413 and 421 under the conditions of ``statuses``.
  public static let defaultStatuses: Set<HTTP.Status> = Set.transient.union([403, 413, 421])

  /// The methods that may be sent again by default, the idempotent ones: GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE. Source: RFC 9110
  /// §9.2.2.
  public static let defaultMethods: Set<HTTP.Method> = [.get, .head, .options, .trace, .query, .put, .delete]

  /// Creates a policy with three attempts, full jitter with ceilings from 0.3 s to 20 s, and a budget that allows, in ten seconds, one
  /// retry for every five requests and ten more.
  public init() {}
}
