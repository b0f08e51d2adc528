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
  public var cookies: CookieJar?
  /// The storage for cached responses. With `nil`, responses are not cached.
  public var cache: (any CacheStorage)?
  /// The maximum number of bytes of a response's body that the cache stores.
  public var maximumCachedSize = 8 << 20
  /// A Boolean value that indicates whether identical GET requests that are in progress at the same time share one
  /// exchange; see ``SharingInterceptor``.
  public var sharesIdenticalRequests = false
  /// The circuit breaker, which stops requests to servers that keep failing. `nil` for none.
  public var circuitBreaker: CircuitBreaker?
  /// The rate limiter, which keeps requests within the number that a server allows. `nil` for none.
  public var rateLimit: RateLimiter?
  /// The interceptor that logs a line for each call. `nil` for no logging.
  public var logging: LoggingInterceptor?
  /// The observers that are notified of each call.
  public var observers: [ExchangeObserver] = []
  /// Additional interceptors and their positions. Interceptors at the same position act in the order of the array, the first one outermost.
  public var interceptors: [(any Interceptor, at: InterceptorPosition)] = []
  /// The clock that measures delays and deadlines.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// The settings that requests inherit unless their gateway, or they themselves, set others.
  public var settings = RequestSettings()

  /// A configuration that follows redirects where that is safe and returns them otherwise, sends requests again where that is safe and
  /// within a budget, and limits how much of a body is collected.
  public static let standard: ClientConfiguration = {
    var configuration = ClientConfiguration.bare
    configuration.redirects = .followWhereSafe()
    configuration.retries = RetryPolicy()
    return configuration
  }()

  /// A configuration that sends each request once and handles no status: a redirect and a 503 are failures.
  public static let bare = ClientConfiguration()

  private init() {}
}

/// The position at which an additional interceptor acts.
public enum InterceptorPosition: Hashable, Sendable {
  /// Around the call: the interceptor sees a request once, before redirects, credentials, the cache and retries are applied.
  case call
  /// Around each attempt: the interceptor sees every request that is sent, with its credentials and cookies.
  case attempt
}

extension ClientConfiguration {
  /// Returns the parts as interceptors, the outermost one first.
  ///
  /// - Parameter origin: the server for authentication that names no server. `nil` for that of the gateway that creates the request.
  package func orderedInterceptors(for origin: HTTP.Origin?) -> [any Interceptor] {
    var ordered: [any Interceptor] = []
    if let logging { ordered.append(logging) }
    ordered += observers
    ordered += interceptors.filter { $0.at == .call }.map(\.0)
    // Always, because a request can have its own policy.
    ordered.append(
      RedirectInterceptor(policy: redirects ?? .manual, insecureTargets: insecureRedirects ?? .refused))
    ordered += authentication.map { $0.interceptor(for: origin) }
    if let cookies { ordered.append(CookieInterceptor(jar: cookies)) }
    if sharesIdenticalRequests { ordered.append(SharingInterceptor()) }
    if let cache { ordered.append(CacheInterceptor(storage: cache, maximumBodyLength: maximumCachedSize)) }
    if let retries { ordered.append(RetryInterceptor(policy: retries, clock: clock)) }
    if let circuitBreaker { ordered.append(circuitBreaker) }
    if let rateLimit { ordered.append(rateLimit) }
    ordered += interceptors.filter { $0.at == .attempt }.map(\.0)
    return ordered
  }
}
