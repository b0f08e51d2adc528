package import AnvilHTTP

/// The configuration of a client: its behavior beyond sending a request once, and the settings that requests inherit.
///
///     var configuration = ClientConfiguration.standard
///     configuration.authentication = [.bearer(refresher)]
///     configuration.cache = MemoryCacheStorage()
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// The order in which the parts are set does not matter. From the outermost to the innermost they act in this order: logging,
/// observers, your interceptors around the call, redirects, authentication, cookies, sharing, cache, retries, circuit breaker, rate
/// limit, your interceptors around each attempt. A part that is `nil` or empty does nothing. Parts with state,
/// such as a cookie jar or a circuit breaker, are shared by all clients that are created with copies of the configuration.
public struct ClientConfiguration: RequestConfigurable, Sendable {
  /// The policy that decides which failed requests are sent again, and after which delays. With `nil`, no request is sent again.
  public var retries: RetryPolicy?
  /// The ways in which requests authenticate.
  public var authentication: [Authentication] = []
  /// The jar that cookies are stored in. With `nil`, cookies are neither stored nor sent.
  ///
  /// Each redirected request is sent with the cookies of its target, and the cookies of each response are stored, whatever its status. A
  /// request's own `Cookie` is kept and comes first. Cookies of the jar with the same names are left out, and so are cookies that would make
  /// the field longer than 8,190 bytes, because many servers reject longer fields.
  public var cookies: CookieJar?
  /// The storage for cached responses. With `nil`, responses are not cached.
  ///
  /// The cache is private. GET and HEAD are answered from fresh responses. Stale responses are validated with the server, whose 304 is not
  /// visible to the caller. ``RequestConfigurable/cachePolicy`` and the request's own `Cache-Control` are applied. `HTTP.History.cacheOutcome` of a
  /// response and ``TransferEvent/cached(_:)`` report how the cache was used. A reused response has an `Age`.
  ///
  /// The policies that accept a stored response of any age do not accept one with `no-cache`, or a stale one with `must-revalidate`. If the
  /// policy forbids loading, the response is a 504, as for `only-if-cached`.
  ///
  /// Responses to requests with credentials are stored, and reused only for the same credentials: `Authorization`, `Cookie`, and the fields
  /// that ``RequestConfigurable/sensitiveHeaders`` names. Only a digest of these is stored. Credentials of Digest authentication change with each
  /// request, so the digest is computed from the user and the realm.
  ///
  /// A request with `If-None-Match`, `If-Modified-Since` or one `Range` is answered from a stored response that needs no validation: with a
  /// 304, a 206, or the whole response. Otherwise it is sent to the server unchanged and the response is not stored. Requests with
  /// `If-Match`, `If-Unmodified-Since`, a body or `no-store` are always sent to the server unchanged, and their responses are not stored.
  /// `Set-Cookie` is never stored: a stored response sets no cookies, except those of a 304 that has just confirmed it.
  ///
  /// A body is passed on as it is received, and stored when it is complete. A body larger than ``cachedSizeLimit`` is only passed on. Up to
  /// that limit the body is read without waiting for its reader. Concurrent requests that have the same fields and are not in the cache share
  /// one fetch. The first caller receives the response as it arrives, the others when it is stored. If it may not be reused, the others send
  /// separate requests. Cancellation and deadlines of one caller do not affect the others. A storage that fails is treated as empty.
  ///
  /// The session's own cache, if there is one, is bypassed. Source: RFC 9111; RFC 5861 for `stale-while-revalidate` and `stale-if-error`.
  public var cache: (any CacheStorage)?
  /// The maximum number of bytes of a response's body that the cache stores. Up to this number of bytes may be in memory for each response
  /// in progress.
  public var cachedSizeLimit = 8 << 20
  /// A Boolean value that indicates whether identical GET requests that are in progress at the same time share one exchange. Responses are
  /// not stored: a request that begins after the exchange has ended starts a new one.
  ///
  /// Two requests are identical if their URLs, their timeouts and all their fields except `traceparent` and `tracestate` are equal.
  /// Credentials and cookies are compared too, so that a response is never shared with a caller that sent different ones. The comparison does
  /// not include fields that are added at ``InterceptorPosition/attempt``: do not add fields that differ between callers there.
  ///
  /// Only requests whose response is collected are shared, and of these not those with a cache policy other than
  /// ``CachePolicy/standard``, a `Cache-Control` or a `Pragma`, and not those whose settings mark them as
  /// ``RequestSettings/Idempotency/notIdempotent``. A response with `Set-Cookie`, or with more than 8 MiB, is delivered to the first request
  /// only, and the other requests are then sent. The timeout counts from the start of the exchange.
  ///
  /// The first request receives progress and events, and its response as it arrives. The others receive the response when it is complete. All
  /// of them receive the status and fields, or the error. Cancelling one request does not cancel the others, and neither does its deadline.
  ///
  /// A request that may change its target (RFC 9110 §9.2.1), such as a POST, ends the sharing of exchanges in progress for the same URL.
  /// Later requests therefore do not receive a response from before the change.
  public var sharesIdenticalRequests = false
  /// The circuit breaker, which stops requests to servers that keep failing. `nil` for none.
  public var circuitBreaker: CircuitBreaker?
  /// The rate limiter, which keeps requests within the number that a server allows. `nil` for none.
  public var rateLimit: RateLimiter?
  /// The log that receives a line for each call. `nil` for no logging.
  public var logging: RequestLog?
  /// The observers that are notified of each call.
  public var observers: [ExchangeObserver] = []
  /// Additional interceptors and their positions. Interceptors at the same position act in the order of the array, the first one outermost.
  public var interceptors: [(any Interceptor, at: InterceptorPosition)] = []
  /// The clock that measures the time of everything that the client does: deadlines, idle timeouts, the delays of retries, downloads, event
  /// streams and stubs, and elapsed times. Server dates such as `Retry-After` are compared with its time. Parts that are created without a
  /// clock, such as a circuit breaker, measure the time of the first configuration that uses them.
  public var clock: any Clock<Duration> = ContinuousClock() {
    didSet { clockState = ClockState(clock) }
  }
  private var clockState = ClockState(ContinuousClock())

  /// The time of the clock and a budget that it measures. Copies of the configuration share them.
  private struct ClockState: Sendable {
    let time: SharedTime
    /// The budget that replaces that of ``standard``, which measures the system's time.
    let budget: RetryPolicy.Budget?

    init(_ clock: any Clock<Duration>) {
      time = SharedTime(clock)
      budget = SharedTime.isOfSystem(clock) ? nil : RetryPolicy.Budget(clock: clock)
    }
  }

  /// The settings that requests inherit unless their gateway, or they themselves, set others.
  public var settings = RequestSettings()

  /// A configuration that follows redirects where that is safe and returns them otherwise, sends requests again where that is safe and
  /// within a budget, and limits how much of a body is collected.
  public static let standard: ClientConfiguration = {
    var configuration = ClientConfiguration.bare
    configuration.redirects = .followWhereSafe()
    configuration.retries = RetryPolicy()
    configuration.retries?.budget = .standard
    return configuration
  }()

  /// A configuration that sends each request once and handles no status: a redirect and a 503 are failures.
  public static let bare = ClientConfiguration()

  private init() {}
}

extension ClientConfiguration {
  /// The position at which an additional interceptor acts.
  public enum InterceptorPosition: Hashable, Sendable {
    /// Around the call: the interceptor sees a request once, before redirects, credentials, the cache and retries are applied.
    case call
    /// Around each attempt: the interceptor sees every request that is sent, with its credentials and cookies, also one that a redirect sends
    /// to another server. The cache does not see what it adds, so credentials are for ``call``.
    case attempt
  }

  /// Returns the parts as interceptors, the outermost one first. `origin` is the server for authentication that names no server; `nil` for that
  /// of the gateway that creates the request.
  package func orderedInterceptors(for origin: HTTP.Origin?) -> [any Interceptor] {
    var ordered: [any Interceptor] = []
    if let logging { ordered.append(logging.interceptor) }
    ordered += observers.map(\.interceptor)
    ordered += interceptors.filter { $0.at == .call }.map(\.0)
    // Always, because a request can have its own policy.
    ordered.append(
      RedirectInterceptor(
        policy: redirects ?? .manual, insecureTargets: insecureRedirects ?? .refused,
        sharesLimit: !authentication.isEmpty))
    ordered += authentication.map { $0.interceptor(origin) }
    // What depends on one exchange is made inside the retries. Sharing and the cache compare fields that are known outside of them.
    if let cookies, sharesIdenticalRequests || cache != nil { ordered.append(CookieSelection(jar: cookies)) }
    if sharesIdenticalRequests { ordered.append(SharingInterceptor()) }
    let now = { @Sendable [time = clockState.time] in time.now() }
    if let cache { ordered.append(CacheInterceptor(storage: cache, maximumBodyLength: cachedSizeLimit, now: now)) }
    if var retries {
      if retries.budget === RetryPolicy.Budget.standard { retries.budget = clockState.budget ?? .standard }
      ordered.append(RetryInterceptor(policy: retries, clock: clock, now: now))
    }
    if !authentication.isEmpty { ordered.append(ProofInterceptor()) }
    if let cookies { ordered.append(CookieInterceptor(jar: cookies)) }
    if let circuitBreaker { ordered.append(circuitBreaker.interceptor) }
    if let rateLimit { ordered.append(rateLimit.interceptor) }
    ordered += interceptors.filter { $0.at == .attempt }.map(\.0)
    return ordered
  }
}
