public import AnvilBase
public import AnvilHTTP

/// Settings for requests. They can be set in a ``ClientConfiguration``, in a gateway and in a request, where they are properties:
///
///     configuration.deadline = .seconds(30)
///     gateway.timeout = .seconds(10)
///     request.timeout = .unlimited
///
/// `nil` means that a setting is inherited: a request takes it from its gateway, a gateway from its configuration, and the configuration has
/// the default that each setting documents. A limit is removed by the value that means none: ``Swift/Duration/unlimited`` for times and
/// `Int.max` for sizes. Header fields and sets of fields are combined with the inherited ones.
///
/// The settings of a request are found when it is executed. A ``Request`` that was created far from a service therefore inherits the
/// settings of the service that executes it.
public struct RequestSettings: RequestConfigurable, Sendable {
  /// The effect of sending a request twice.
  public enum Idempotency: Hashable, Sendable {
    /// Idempotent if the method is (RFC 9110 §9.2.2) or the request has an `Idempotency-Key`.
    case byMethod
    /// Idempotent, whatever the method: sending the request twice has the same effect as sending it once.
    case idempotent
    /// Not idempotent, whatever the method.
    case notIdempotent
    /// Idempotent, because the server recognizes repeated requests by the `Idempotency-Key` that the client adds unless the request has
    /// one. Each execution has a new key, which all its attempts share. Source: the HTTP API working group's Idempotency-Key draft.
    case keyed
  }

  /// The handling of the end of a stream that its server may continue, such as a stream of events.
  public enum Reconnection: Hashable, Sendable {
    /// The request is sent again if its method is safe (RFC 9110 §9.2.1), unless ``RequestConfigurable/idempotency`` is ``Idempotency/notIdempotent``.
    case byMethod
    /// The request is sent again, whatever the method and ``RequestConfigurable/idempotency``.
    case always
    /// The request is not sent again. The sequence ends with the body, and throws if the body is truncated.
    case never
  }

  package var headers: HTTP.Headers = [:]
  package var timeout: Duration?
  package var deadline: Duration?
  package var idleTimeout: Duration?
  package var sizeLimit: Int?
  package var idempotency: Idempotency?
  package var reconnects: Reconnection?
  package var redirects: RedirectPolicy?
  package var insecureRedirects: RedirectPolicy.InsecureTargets?
  package var sensitiveHeaders: Set<HTTP.HeaderKey> = []
  package var crossOriginHeaders: Set<HTTP.HeaderKey> = []
  package var cachePolicy: CachePolicy?
  package var encodingFormat: (any EncodingFormat)?
  package var decodingFormat: (any DecodingFormat)?
  package var progressHandler: TransferProgress.Handler?
  package var eventHandler: TransferEvent.Handler?

  /// Creates settings in which nothing is set.
  public init() {}

  /// The settings themselves.
  public var settings: RequestSettings {
    _read { yield self }
    _modify { yield &self }
  }

  /// Returns the settings, with unset values taken from `base`.
  func inheriting(from base: RequestSettings) -> RequestSettings {
    var settings = self
    settings.headers = base.headers.merging(headers)
    settings.headers.noteValidity()
    settings.timeout = timeout ?? base.timeout
    settings.deadline = deadline ?? base.deadline
    settings.idleTimeout = idleTimeout ?? base.idleTimeout
    settings.sizeLimit = sizeLimit ?? base.sizeLimit
    settings.idempotency = idempotency ?? base.idempotency
    settings.reconnects = reconnects ?? base.reconnects
    settings.redirects = redirects ?? base.redirects
    settings.insecureRedirects = insecureRedirects ?? base.insecureRedirects
    settings.sensitiveHeaders.formUnion(base.sensitiveHeaders)
    settings.crossOriginHeaders.formUnion(base.crossOriginHeaders)
    settings.cachePolicy = cachePolicy ?? base.cachePolicy
    settings.encodingFormat = encodingFormat ?? base.encodingFormat
    settings.decodingFormat = decodingFormat ?? base.decodingFormat
    settings.progressHandler = progressHandler ?? base.progressHandler
    settings.eventHandler = eventHandler ?? base.eventHandler
    return settings
  }
}

/// A value with settings for requests: a configuration, a gateway, a request, or the options of a transfer. Each setting is a property.
public protocol RequestConfigurable {
  /// The settings that this value sets. Settings that it inherits are `nil`.
  var settings: RequestSettings { get set }
}

extension RequestConfigurable {
  /// The fields that are added to a request. A field of the same name replaces the inherited one. A gateway sends its fields, and those of
  /// its configuration, only to its own server.
  public var headers: HTTP.Headers {
    get { settings.headers }
    _modify { yield &settings.headers }
  }
  /// The maximum duration of one attempt, from its start to the last byte of the body, or to the head if the response is streamed. The
  /// body of a failed response is not streamed; it may then take the same time again. The default is 60 seconds.
  public var timeout: Duration? {
    get { settings.timeout }
    set { settings.timeout = newValue }
  }
  /// The maximum duration of the whole request: all attempts, the waits between them, redirects and reading the body. By default there is
  /// no limit. ``timeout`` limits a single attempt. Streams of events and downloads ignore the deadline.
  public var deadline: Duration? {
    get { settings.deadline }
    set { settings.deadline = newValue }
  }
  /// The longest time for which no data may arrive while a body is read. By default there is no limit; downloads have one of 60 seconds.
  public var idleTimeout: Duration? {
    get { settings.idleTimeout }
    set { settings.idleTimeout = newValue }
  }
  /// The maximum number of bytes of a collected body, after decompression. A longer body fails with `TransportError.Code.responseTooLarge`.
  /// The default is 256 MiB. Streamed bodies and downloads to files have no limit.
  public var sizeLimit: Int? {
    get { settings.sizeLimit }
    set { settings.sizeLimit = newValue }
  }
  /// The idempotency of the request. After a failure that leaves open whether the request took effect, only an idempotent request is sent
  /// again. By default, the method decides.
  public var idempotency: RequestSettings.Idempotency? {
    get { settings.idempotency }
    set { settings.idempotency = newValue }
  }
  /// Whether a request is sent again after the head of its response has arrived: by
  /// ``TypedGatewayRequest/events(reconnection:)`` when the stream ends, and by a download that
  /// was interrupted. By default, the method decides. ``RequestConfigurable/idempotency`` allows repeated attempts only until the head arrives.
  public var reconnects: RequestSettings.Reconnection? {
    get { settings.reconnects }
    set { settings.reconnects = newValue }
  }
  /// The handling of redirects. By default, a redirect is a failure that the caller handles; ``ClientConfiguration/standard`` follows it
  /// where that is safe.
  public var redirects: RedirectPolicy? {
    get { settings.redirects }
    set { settings.redirects = newValue }
  }
  /// The handling of redirects from https to http. By default, they are refused.
  public var insecureRedirects: RedirectPolicy.InsecureTargets? {
    get { settings.insecureRedirects }
    set { settings.insecureRedirects = newValue }
  }
  /// Fields that hold credentials, besides `Authorization`, `Cookie`, `Proxy-Authorization` and fields whose names say so, such as
  /// `X-Api-Key`. They are sent only to the origin of the URL. A cache stores responses to different values separately. Logs and archives of
  /// the request hide their values.
  ///
  /// A redirect to another origin removes every field whose value ``HTTP/Redaction`` hides, whether or not it is listed here.
  public var sensitiveHeaders: Set<HTTP.HeaderKey> {
    get { settings.sensitiveHeaders }
    _modify { yield &settings.sensitiveHeaders }
  }
  /// Fields that are kept on a redirect to another origin although ``HTTP/Redaction`` hides their values, such as `X-Request-Source`.
  ///
  /// `Authorization`, `Cookie`, `Proxy-Authorization`, `Origin` and `Host` are always removed, and so are the fields in
  /// ``sensitiveHeaders``.
  public var crossOriginHeaders: Set<HTTP.HeaderKey> {
    get { settings.crossOriginHeaders }
    _modify { yield &settings.crossOriginHeaders }
  }
  /// The way in which a cache may answer the request: that of the configuration or, without one, the platform's cache if the session has
  /// one. ``CachePolicy/standard`` by default.
  public var cachePolicy: CachePolicy? {
    get { settings.cachePolicy }
    set { settings.cachePolicy = newValue }
  }
  /// The format in which bodies are encoded, unless a body specifies another. The default is Anvil's JSON.
  public var encodingFormat: (any EncodingFormat)? {
    get { settings.encodingFormat }
    set { settings.encodingFormat = newValue }
  }
  /// The format in which responses are decoded, unless the decoding call specifies another. The default is Anvil's JSON.
  public var decodingFormat: (any DecodingFormat)? {
    get { settings.decodingFormat }
    set { settings.decodingFormat = newValue }
  }
  /// The handler that is called with the progress of each attempt, in both directions. Progress restarts with each attempt.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }
  /// The handler that is called with the informational responses, trailers and metrics of each attempt, and with retries, redirects,
  /// challenges and cache events. URLSession reports neither informational responses nor trailers and metrics.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

extension Duration {
  /// The time limit that means that there is no limit. More than 10⁹ seconds count as no limit as well.
  public static var unlimited: Duration { .seconds(Int64.max / 2) }
}

/// The meaning of settings where they are read.
extension RequestSettings {
  /// The time limit of an attempt, unless a request, gateway or configuration sets one.
  static let defaultTimeout = Duration.seconds(60)
  /// The size limit of a collected body, unless a request, gateway or configuration sets one.
  static let defaultSizeLimit = 256 << 20

  static let unset = Boxed(wrappedValue: RequestSettings())

  /// Returns whether a request of `method` may be sent again after the head of its response has arrived. Rule R1.
  func mayBeginAgain(_ method: HTTP.Method) -> Bool {
    switch reconnects ?? .byMethod {
    case .byMethod: method.isSafe && idempotency != .notIdempotent
    case .always: true
    case .never: false
    }
  }
}

extension RequestSettings.Idempotency {
  /// Returns whether `request` may be sent again although it may have taken effect, as long as no response has begun. Rule R1.
  ///
  /// - Parameter methods: The methods that may be sent again unless the request says otherwise.
  func mayRepeat(_ request: HTTP.Request, methods: Set<HTTP.Method> = RetryPolicy.defaultMethods) -> Bool {
    switch self {
    case .byMethod: methods.contains(request.method) || request.headers.contains(.idempotencyKey)
    case .idempotent, .keyed: true
    case .notIdempotent: false
    }
  }
}

extension Boxed<RequestSettings> {
  func inheriting(from base: Boxed) -> Boxed {
    if isSame(as: RequestSettings.unset) || isSame(as: base) { return base }
    return Boxed(wrappedValue: wrappedValue.inheriting(from: base.wrappedValue))
  }
}

/// A value in storage that copies share. A change creates new storage and does not affect other copies.
///
/// It is for large values that are passed from layer to layer and that few layers change.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  // Immutable, so that reading a property neither checks for exclusive access nor copies the whole value.
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var box: Box

  init(wrappedValue: Value) {
    box = Box(wrappedValue)
  }

  var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      var value = box.value
      defer { replaceBox(value) }
      yield &value
    }
  }

  // Not inlined, because otherwise each setter of a property would contain the code that copies the whole value.
  @inline(never)
  private mutating func replaceBox(_ value: Value) {
    box = Box(value)
  }

  /// Returns whether both share storage. Values with separate storage may still be equal.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}

/// The way in which a cache may answer a request, in the terms of the request directives of `Cache-Control`. It applies to the
/// ``ClientConfiguration/cache``, or without one to the cache of the session, if it has one.
///
/// Directives in the request's own `Cache-Control` apply as well. They are sent to the server, while a policy only changes what the cache of
/// the client does, except for ``reloadEndToEnd``. To store nothing, set the field: `request.headers[.cacheControl] = "no-store"`.
///
/// Source: RFC 9111 §5.2.1.
public enum CachePolicy: Hashable, Sendable {
  /// Answer as the directives of the request and of the stored response allow: with a fresh response, and with a stale one after it was
  /// validated.
  case standard
  /// Answer with the stored response only after the server has validated it, even if it is fresh. Like the directive `no-cache`.
  case noCache
  /// Answer with a stored response of any age, like the directive `max-stale`. If no usable response is stored, send the request.
  case maxStale
  /// Answer with a stored response of any age, like the directives `only-if-cached` and `max-stale`. If no usable response is stored, fail: the
  /// cache then answers 504.
  case onlyIfCached
  /// Do not use the stored response: send the request, and store the new response. Caches between client and server may answer.
  case reload
  /// Do not use the stored response: send the request, and store the new response. A request without `Cache-Control` is sent with the directive
  /// `no-cache`, so that caches between client and server do not answer either.
  case reloadEndToEnd
}
