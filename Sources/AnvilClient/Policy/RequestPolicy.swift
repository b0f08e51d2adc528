public import AnvilHTTP

/// The behavior that a caller allows for one request beyond sending it once. ``TransportService`` applies the deadline and the maximum size
/// of a body, and adds the key of ``Idempotency/keyed``. Interceptors between the service and its session apply the rest, which has no
/// effect without them.
///
///     var request = gateway.request("payments", method: .post)
///     request.policy.idempotency = .idempotent
///     request.policy.deadline = .seconds(5)
///
/// A typed request that a ``Gateway`` executes inherits unset values from the gateway's policy; `nil` counts as unset. A field is
/// sensitive if either policy lists it.
public struct RequestPolicy: Sendable {
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
    /// The request is sent again if its method is safe (RFC 9110 §9.2.1), unless ``idempotency`` is ``Idempotency/notIdempotent``.
    case byMethod
    /// The request is sent again, whatever the method and ``idempotency``.
    case always
    /// The request is not sent again. The sequence ends with the body, and throws if the body is truncated.
    case never
  }

  /// The idempotency of the request. After a failure that leaves open whether the request took effect, only an idempotent request is sent
  /// again. By default, the method decides.
  public var idempotency: Idempotency {
    get { values.idempotency ?? .byMethod }
    set { values.idempotency = newValue }
  }
  /// Whether a request is sent again after the head of its response has arrived: by
  /// ``TypedGatewayRequest/events(reconnectionTime:reconnectionTimeout:statuses:backoff:clock:)`` when the stream ends, and by a download that was
  /// interrupted. By default, the method decides. ``idempotency`` allows repeated attempts only until the head arrives.
  public var reconnects: Reconnection {
    get { values.reconnects ?? .byMethod }
    set { values.reconnects = newValue }
  }
  /// The maximum duration of the whole request: all attempts, the waits between them, redirects and reading the body. `nil` for no limit.
  /// `TransportOptions.timeout` limits a single attempt.
  public var deadline: Duration? {
    get { values.deadline }
    set { values.deadline = newValue }
  }
  /// The maximum number of bytes of a collected body, after decompression. A longer body fails with `TransportError.Code.responseTooLarge`.
  /// The default is 256 MiB. Streamed bodies and downloads to files have no limit.
  public var maximumCollectedSize: Int {
    get { values.maximumCollectedSize ?? 256 << 20 }
    set { values.maximumCollectedSize = newValue }
  }
  /// Fields that hold credentials, besides `Authorization`, `Cookie` and `Proxy-Authorization`. They are sent only to the origin of the
  /// URL. A cache stores responses to different values separately. Logs and archives of the request hide their values.
  ///
  /// A redirect to another origin removes every field whose value ``HTTP/Redaction`` hides, whether or not it is listed here.
  public var sensitiveHeaders: Set<HTTP.HeaderKey> {
    get { values.sensitiveHeaders }
    _modify { yield &values.sensitiveHeaders }
  }
  /// Fields that are kept on a redirect to another origin although ``HTTP/Redaction`` hides their values, such as `X-Request-Source`.
  ///
  /// `Authorization`, `Cookie`, `Proxy-Authorization`, `Origin` and `Host` are always removed, and so are the fields in
  /// ``sensitiveHeaders``.
  public var crossOriginHeaders: Set<HTTP.HeaderKey> {
    get { values.crossOriginHeaders }
    _modify { yield &values.crossOriginHeaders }
  }
  /// The handling of redirects; `nil` to use the policy of the ``RedirectInterceptor``.
  public var redirects: RedirectPolicy? {
    get { values.redirects }
    set { values.redirects = newValue }
  }

  /// The values that are set. Unset ones can be inherited.
  struct Values: Sendable {
    var idempotency: Idempotency?
    var reconnects: Reconnection?
    var deadline: Duration?
    var maximumCollectedSize: Int?
    var sensitiveHeaders: Set<HTTP.HeaderKey> = []
    var crossOriginHeaders: Set<HTTP.HeaderKey> = []
    var redirects: RedirectPolicy?
  }

  private static let unset = Boxed(wrappedValue: Values())

  @Boxed private(set) var values: Values

  /// Creates a policy in which nothing is set, so that the interceptors' behavior applies.
  public init() {
    _values = Self.unset
  }
}

extension RequestPolicy {
  /// Returns whether a request of `method` may be sent again after the head of its response has arrived. Rule R1.
  func mayBeginAgain(_ method: HTTP.Method) -> Bool {
    switch reconnects {
    case .byMethod: method.isSafe && idempotency != .notIdempotent
    case .always: true
    case .never: false
    }
  }
}

extension RequestPolicy.Idempotency {
  /// Returns whether `request` may be sent again although it may have taken effect, as long as no response has begun. Rule R1.
  func mayRepeat(_ request: HTTP.Request) -> Bool {
    switch self {
    case .byMethod: request.method.isIdempotent || request.headers.contains(.idempotencyKey)
    case .idempotent, .keyed: true
    case .notIdempotent: false
    }
  }
}

extension RequestPolicy {
  /// Returns the policy, with unset values taken from `base`. Sets of fields contain the fields of both policies.
  func inheriting(from base: RequestPolicy) -> RequestPolicy {
    if _values.isSame(as: Self.unset) || _values.isSame(as: base._values) { return base }
    var policy = self
    policy.values = values.inheriting(from: base.values)
    return policy
  }
}

extension RequestPolicy.Values {
  fileprivate func inheriting(from base: Self) -> Self {
    var values = self
    values.idempotency = idempotency ?? base.idempotency
    values.reconnects = reconnects ?? base.reconnects
    values.deadline = deadline ?? base.deadline
    values.maximumCollectedSize = maximumCollectedSize ?? base.maximumCollectedSize
    values.sensitiveHeaders.formUnion(base.sensitiveHeaders)
    values.crossOriginHeaders.formUnion(base.crossOriginHeaders)
    values.redirects = redirects ?? base.redirects
    return values
  }
}
