internal import AnvilBase
public import AnvilHTTP
internal import Synchronization

/// Whether a request is sent again after a failure, how often, and after which delays; see ``ClientConfiguration/retries``.
///
///     var policy = RetryPolicy()
///     policy.attemptLimit = 5
///     policy.backoff = ExponentialBackoff(base: .milliseconds(100))
///     policy.statuses.remove(.internalServerError)
///     configuration.retries = policy
///
/// A request is sent again if the failure may be transient and repeating the request is safe. Transient failures are the statuses in
/// ``statuses``, a server that cannot be reached, and a connection that ends before the response. Rejected certificates, addresses that the
/// session does not allow, malformed responses and cancellation are not retried. Read timeouts are retried only if
/// ``RetryPolicy/readTimeouts`` allows it.
///
/// Repeating is safe for the methods in ``methods``, for a request with an `Idempotency-Key`, for a request whose
/// ``RequestConfigurable/idempotency`` allows it, and for any request that certainly did not reach a server. A request with a stream as body is
/// not repeated once the stream has been read. The decision is based on the response head: a truncated body is not retried. The closure
/// ``decide`` can decide otherwise.
///
/// The delay is random, up to a limit that doubles with each attempt. A longer `Retry-After` of the server is used instead. The delay
/// counts against the request's ``RequestConfigurable/deadline``, and cancelling the task ends it at once. If the deadline or the policy does not
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
  /// The statuses after which a request is sent again if that is safe. By default 403, 408, 413, 421, 425, 429, 500, 502 to 504, 520 to 524
  /// and 529.
  ///
  /// Three statuses are subject to a condition as well: 403 is retried only if a field of the response states that a rate limit is exhausted
  /// (such as `X-RateLimit-Remaining: 0`), 413 only with a `Retry-After`, and 421 once, on a new connection.
  public var statuses: Set<HTTP.Status> = RetryPolicy.defaultStatuses
  /// The methods of requests that may be sent again if neither the request's ``RequestConfigurable/idempotency`` nor an `Idempotency-Key` says
  /// so. By default GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE.
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
  public var budget: Budget? = Budget()
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
  package static let defaultStatuses: Set<HTTP.Status> = Set.transient.union([403, 413, 421])

  /// The methods that may be sent again by default, the idempotent ones: GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE. Source: RFC 9110
  /// §9.2.2.
  package static let defaultMethods: Set<HTTP.Method> = [.get, .head, .options, .trace, .query, .put, .delete]

  /// Creates a policy with three attempts, full jitter with ceilings from 0.3 s to 20 s, and a budget that allows, in ten seconds, one
  /// retry for every five requests and ten more.
  public init() {}
}

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
  package let base: Duration
  /// The limit above which the ceiling does not grow.
  package let delayLimit: Duration
  private let random: @Sendable () -> Double

  /// Creates a strategy with the ceilings `base`, 2 · `base`, 4 · `base`, … up to `delayLimit`.
  ///
  /// - Parameter random: returns numbers in 0..<1, by which the ceiling is multiplied. Tests can pass a fixed sequence.
  public init(
    base: Duration = .milliseconds(300), delayLimit: Duration = .seconds(20),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.base = base
    self.delayLimit = delayLimit
    self.random = random
  }

  /// Returns a random time of at most min(`delayLimit`, `base` · 2^(`attempt` − 1)).
  public func delay(beforeAttempt attempt: Int) -> Duration {
    var ceiling = max(.zero, min(base, delayLimit))
    var doublings = 1
    while doublings < attempt && ceiling < delayLimit && ceiling != .zero {
      ceiling = ceiling > delayLimit / 2 ? delayLimit : ceiling * 2
      doublings += 1
    }
    return ceiling * random()
  }
}

extension RetryPolicy {
  /// A limit on the share of retries among the requests to an origin within a time window. It prevents retries from overloading a failing
  /// server. Rule R8.
  ///
  /// All interceptors that are given the same budget share it. Each new ``RetryPolicy`` has a budget, which copies of the policy share. All
  /// clients with a copy of ``ClientConfiguration/standard`` therefore share one budget. If the clock of a copy is set, as in a test, the clients
  /// with that copy share another one, which measures the time of that clock.
  public final class Budget: Sendable {
    /// The budget of ``ClientConfiguration/standard``.
    static let standard = Budget(clock: ContinuousClock())

    private let limits: RetryLedger.Limits
    private let elapsed: @Sendable () -> Duration
    /// The time of the first configuration that uses the budget; `nil` if the budget was created with a clock.
    private let sharedTime: SharedTime?
    private let ledgers: Mutex<OriginTable<RetryLedger>>

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of retries that each request allows.
    ///   - minimum: The number of additional retries allowed within a window, regardless of the number of requests.
    ///   - window: The time for which a request counts; at least a millisecond.
    ///   - clock: The clock that measures the window. `nil` for that of the configuration whose request uses the budget first.
    @inline(never)
    public init(
      ratio: Double = 0.2, minimum: Int = 10, window: Duration = .seconds(10),
      clock: (any Clock<Duration>)? = nil
    ) {
      let limits = RetryLedger.Limits(ratio: ratio, minimum: minimum, window: window)
      self.limits = limits
      if let clock {
        let stopwatch = Stopwatch(clock)
        (sharedTime, elapsed) = (nil, { stopwatch() })
      } else {
        let time = SharedTime(nil)
        (sharedTime, elapsed) = (time, { time.elapsed() })
      }
      ledgers = Mutex(OriginTable(makeState: { RetryLedger() }, retention: { .until($0.end(limits)) }))
    }

    /// The number of origins with requests within the window.
    var originCount: Int { ledgers.withLock(\.count) }

    /// Counts a request that is sent with `options`. Retries are not counted here.
    func countRequest(to origin: HTTP.Origin?, _ options: TransportOptions = TransportOptions()) {
      guard let origin else { return }
      sharedTime?.begin(options)
      ledgers.withLock { ledgers in
        let now = elapsed()
        ledgers.change(origin, at: now) { $0.countRequest(at: now, limits) }
      }
    }

    /// Takes one retry from the budget. Returns `false` if none is left.
    func takeRetry(to origin: HTTP.Origin?) -> Bool {
      guard let origin else { return false }
      return ledgers.withLock { ledgers in
        let now = elapsed()
        return ledgers.change(origin, at: now) { $0.takeRetry(at: now, limits) }
      }
    }
  }
}

/// The requests and retries of one origin within a sliding window of ten steps.
struct RetryLedger: Sendable {
  struct Limits: Sendable {
    let ratio: Double
    let minimum: Int
    let step: Duration
    /// The time from the end of a step until it is outside the window.
    fileprivate let untilEnd: Duration

    init(ratio: Double, minimum: Int, window: Duration) {
      self.ratio = ratio.isFinite ? min(max(ratio, 0), 1_000) : 0
      self.minimum = max(minimum, 0)
      step = max(window, .milliseconds(1)) / RetryLedger.stepCount
      untilEnd = step * (RetryLedger.stepCount - 1)
    }

    fileprivate func step(of time: Duration) -> Int { Int(min(max(time / step, 0), 1e15)) }
  }

  private struct Step {
    let number: Int
    var requests = 0
    var retries = 0
  }

  fileprivate static let stepCount = 10

  private var steps: [Step] = []
  /// The end of the last step; zero before the first one. Most requests are counted before this time.
  private var lastStepEnd = Duration.zero

  mutating func countRequest(at time: Duration, _ limits: Limits) {
    advance(to: time, limits)
    steps[steps.count - 1].requests += 1
  }

  mutating func takeRetry(at time: Duration, _ limits: Limits) -> Bool {
    advance(to: time, limits)
    let (requests, retries) = steps.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.retries) }
    guard Double(retries) + 1 <= Double(limits.minimum) + limits.ratio * Double(requests) else { return false }
    steps[steps.count - 1].retries += 1
    return true
  }

  /// Returns the time from which no counted request is within the window.
  func end(_ limits: Limits) -> Duration {
    steps.isEmpty ? .zero : lastStepEnd + limits.untilEnd
  }

  /// Adds the step of `time` and removes the steps that are then outside the window. A time before the last step counts for the last step.
  private mutating func advance(to time: Duration, _ limits: Limits) {
    guard time >= lastStepEnd || steps.isEmpty else { return }
    let number = limits.step(of: time)
    if let last = steps.last?.number, number <= last { return }
    steps.removeAll { $0.number <= number - Self.stepCount }
    steps.append(Step(number: number))
    lastStepEnd = limits.step * (number + 1)
  }
}
