public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a client behaves: what it does beyond sending a request once, and what holds for requests that say nothing else.
///
///     var configuration = ClientConfiguration.standard
///     configuration.authentication = [.bearer(refresher)]
///     configuration.cache = MemoryCacheStorage()
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A value without an order to get wrong: the parts act in the order of ``orderedInterceptors(for:)``, whatever the order in which they
/// were set. A part that is `nil` or empty does nothing. Parts with a memory, such as a cookie jar or a circuit breaker, are shared by
/// all clients of copies of the value.
public struct ClientConfiguration: Sendable {
  // MARK: Parts

  /// What becomes of redirects. `nil` leaves them to the caller as failures.
  public var redirects: RedirectPolicy?
  /// What becomes of redirects from https to http.
  public var insecureRedirects = RedirectInterceptor.InsecureTargets.refused
  /// Which failed requests are sent again, after which waits. `nil` for none.
  public var retries: RetryPolicy?
  /// How requests prove who sends them.
  public var authentication: [Authentication] = []
  /// Where cookies are kept. `nil` for none.
  public var cookies: CookieJar?
  /// Where responses are kept. `nil` for nowhere.
  public var cache: (any CacheStorage)?
  /// The most bytes of a response's body that the cache keeps.
  public var maximumCachedSize = 8 << 20
  /// Whether GET requests that are the same and under way at the same time share one exchange, as ``SharingInterceptor`` says.
  public var sharesIdenticalRequests = false
  /// What spares servers that fail. `nil` for nothing.
  public var circuitBreaker: CircuitBreaker?
  /// What keeps requests to the number that a server allows. `nil` for nothing.
  public var rateLimit: RateLimiter?
  /// What writes a line about each call. `nil` for nothing.
  public var logging: LoggingInterceptor?
  /// Who hears of each call.
  public var observers: [ExchangeObserver] = []
  /// Interceptors of your own, and where they act; those of one position in this order, the first one outermost.
  public var interceptors: [(any Interceptor, at: InterceptorPosition)] = []
  /// Applied in this order before every attempt of ``BackendService``.
  public var preparationStrategies: [any PreparationStrategy] = []
  /// Asked in this order after every failure that the parts above have left.
  public var recoveryStrategies: [any RecoveryStrategy] = []
  /// What waits and deadlines are measured by.
  public var clock: any Clock<Duration> = ContinuousClock()

  // MARK: What requests leave unset

  /// The fields of every request; one that the request has by the same name replaces them. A ``Gateway`` sends them to its own server
  /// only.
  public var headers: HTTP.Headers = [:]
  @Boxed var settings = RequestSettings()

  /// A client that follows redirects where that is safe and returns them otherwise, sends again what may be sent again, within a budget,
  /// and limits how much it collects.
  public static let standard: ClientConfiguration = {
    var configuration = ClientConfiguration.bare
    configuration.redirects = .followWhereSafe()
    configuration.retries = RetryPolicy()
    return configuration
  }()

  /// A client that sends each request once and returns what comes: a redirect and a 503 are failures.
  public static let bare = ClientConfiguration()

  private init() {}
}

/// Where an interceptor of your own acts.
public enum InterceptorPosition: Hashable, Sendable {
  /// Around the call: it sees a request once, before redirects, credentials, the cache and retries have to do with it.
  case call
  /// Around each attempt: it sees what is sent, credentials and cookies included, each time anew.
  case attempt
}

extension ClientConfiguration {
  /// What a request may do beyond being sent once, as far as it says nothing itself.
  public var policy: RequestPolicy {
    get { settings.policy }
    _modify { yield &settings.policy }
  }

  /// The most time for everything together; see ``RequestPolicy/deadline``.
  public var deadline: Duration? {
    get { policy.deadline }
    set { policy.deadline = newValue }
  }

  /// The most bytes of a body that is collected; see ``RequestPolicy/maximumCollectedSize``.
  public var maximumCollectedSize: Int {
    get { policy.maximumCollectedSize }
    set { policy.maximumCollectedSize = newValue }
  }

  /// The most time in seconds that one attempt may take. ``RequestDefaults`` have it unless it is set.
  public var timeout: TimeInterval {
    get { settings.timeout ?? RequestDefaults.defaultTimeout }
    set { settings.timeout = newValue }
  }

  /// How a cache may answer. ``RequestDefaults`` have it unless it is set.
  public var cachePolicy: CachePolicy {
    get { settings.cachePolicy ?? RequestDefaults.defaultCachePolicy }
    set { settings.cachePolicy = newValue }
  }

  /// How many times recovery strategies may have a request sent again; `nil` for no limit. ``RequestDefaults`` have it unless it is
  /// set.
  public var maxRecoveryAttempts: Int? {
    get { settings.maxRecoveryAttempts ?? RequestDefaults.defaultMaxRecoveryAttempts }
    set { settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// The format in which bodies are encoded. `nil` for Anvil's JSON.
  public var encodingFormat: (any EncodingFormat)? {
    get { settings.encodingFormat }
    set { settings.encodingFormat = newValue }
  }

  /// The format in which responses are decoded. `nil` for that of ``RequestDefaults``.
  public var decodingFormat: (any DecodingFormat)? {
    get { settings.decodingFormat }
    set { settings.decodingFormat = newValue }
  }

  /// Hears how far each attempt has come, in both directions.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }

  /// Hears of what happens on the way of each attempt; see ``TransportOptions/eventHandler``.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

extension ClientConfiguration {
  /// The parts as interceptors, the outermost one first: logging and observers, your own around
  /// the call, redirects, authentication, cookies, cache, sharing, retries, circuit breaker, rate limit, your own around each attempt.
  ///
  /// - Parameter origin: whose authentication is meant where none is named. `nil` for that of the gateway that a request comes from.
  public func orderedInterceptors(for origin: HTTP.Origin?) -> [any Interceptor] {
    var ordered: [any Interceptor] = []
    if let logging { ordered.append(logging) }
    ordered += observers
    ordered += interceptors.filter { $0.at == .call }.map(\.0)
    if let redirects { ordered.append(RedirectInterceptor(policy: redirects, insecureTargets: insecureRedirects)) }
    ordered += authentication.map { $0.interceptor(for: origin) }
    if let cookies { ordered.append(CookieInterceptor(jar: cookies)) }
    if let cache { ordered.append(CacheInterceptor(storage: cache, maximumBodyLength: maximumCachedSize)) }
    if sharesIdenticalRequests { ordered.append(SharingInterceptor()) }
    if let retries { ordered.append(RetryInterceptor(policy: retries, clock: clock)) }
    if let circuitBreaker { ordered.append(circuitBreaker) }
    if let rateLimit { ordered.append(rateLimit) }
    ordered += interceptors.filter { $0.at == .attempt }.map(\.0)
    return ordered
  }
}
