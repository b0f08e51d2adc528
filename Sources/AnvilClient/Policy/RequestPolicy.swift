public import AnvilHTTP

/// What a caller allows the client to do with one request beyond sending it once. The interceptors that stand between
/// ``TransportService`` and its session read it; without them nothing of it has an effect.
///
///     var request = gateway.request("payments", method: .post)
///     request.policy.idempotency = .idempotent
///     request.policy.deadline = .seconds(5)
///
/// A typed request that a ``Gateway`` executes inherits from the gateway's policy what its own leaves unset, where `nil` counts
/// as unset; fields that either of them calls sensitive are.
public struct RequestPolicy: Sendable {
  /// Whether sending a request twice does no more than sending it once.
  public enum Idempotency: Hashable, Sendable {
    /// As the method says (RFC 9110 §9.2.2), or the request has an `Idempotency-Key`.
    case byMethod
    /// It does not, whatever the method.
    case idempotent
    /// It may do more, whatever the method.
    case notIdempotent
    /// It does not, as the server tells by the `Idempotency-Key` that the client adds, unless the request has one: a new one
    /// for each execution, the same on every attempt of it. Source: the HTTP API working group's Idempotency-Key draft.
    case keyed
  }

  /// Whether the request may be sent again after a failure that it may have taken effect in spite of: as the method says,
  /// unless set.
  public var idempotency: Idempotency {
    get { values.idempotency ?? .byMethod }
    set { values.idempotency = newValue }
  }
  /// The most time for everything together: all attempts, the waits between them, redirects and reading the body. `nil` for no
  /// limit. `TransportOptions.timeout` is one attempt's.
  public var deadline: Duration? {
    get { values.deadline }
    set { values.deadline = newValue }
  }
  /// The most bytes of a body that is collected, decompressed; more is `TransportError.Code.responseTooLarge`. 256 MiB unless
  /// set. A body that is streamed has no limit, and neither has a file that is downloaded.
  public var maximumCollectedSize: Int {
    get { values.maximumCollectedSize ?? 256 << 20 }
    set { values.maximumCollectedSize = newValue }
  }
  /// Fields that hold credentials, beside `Authorization`, `Cookie` and `Proxy-Authorization`. They never reach another origin than
  /// the URL's, a cache keeps responses to different values apart, and logs and archives of the request hide their values.
  ///
  /// A redirect to another origin leaves behind every field whose value ``HTTP/Redaction`` hides, named here or not.
  public var sensitiveHeaders: Set<HTTP.HeaderKey> {
    get { values.sensitiveHeaders }
    _modify { yield &values.sensitiveHeaders }
  }
  /// Fields that a redirect may take to another origin though ``HTTP/Redaction`` hides their values, such as `X-Request-Source`.
  ///
  /// `Authorization`, `Cookie`, `Proxy-Authorization`, `Origin` and `Host` are never taken there, and neither is what
  /// ``sensitiveHeaders`` names.
  public var crossOriginHeaders: Set<HTTP.HeaderKey> {
    get { values.crossOriginHeaders }
    _modify { yield &values.crossOriginHeaders }
  }
  /// What to do with redirects; `nil` leaves it to the interceptor.
  public var redirects: RedirectPolicy? {
    get { values.redirects }
    set { values.redirects = newValue }
  }

  /// What was set, so that what was not can be inherited.
  struct Values: Sendable {
    var idempotency: Idempotency?
    var deadline: Duration?
    var maximumCollectedSize: Int?
    var sensitiveHeaders: Set<HTTP.HeaderKey> = []
    var crossOriginHeaders: Set<HTTP.HeaderKey> = []
    var redirects: RedirectPolicy?
  }

  private static let unset = Boxed(wrappedValue: Values())

  @Boxed private(set) var values: Values

  /// A policy that leaves everything as the interceptors have it.
  public init() {
    _values = Self.unset
  }
}

extension RequestPolicy {
  /// The policy with what is not set in it taken from `base`. Of the sets of fields it has the unions.
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
    values.deadline = deadline ?? base.deadline
    values.maximumCollectedSize = maximumCollectedSize ?? base.maximumCollectedSize
    values.sensitiveHeaders.formUnion(base.sensitiveHeaders)
    values.crossOriginHeaders.formUnion(base.crossOriginHeaders)
    values.redirects = redirects ?? base.redirects
    return values
  }
}
