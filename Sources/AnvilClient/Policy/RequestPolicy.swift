public import AnvilHTTP

/// What a caller allows the client to do with one request beyond sending it once. The interceptors that stand between
/// ``TransportService`` and its session read it; without them nothing of it has an effect.
///
///     var request = gateway.request("payments", method: .post)
///     request.policy.idempotency = .idempotent
///     request.policy.deadline = .seconds(5)
public struct RequestPolicy: Sendable {
  /// Whether sending a request twice does no more than sending it once.
  public enum Idempotency: Hashable, Sendable {
    /// As the method says (RFC 9110 §9.2.2), or the request has an `Idempotency-Key`.
    case byMethod
    /// It does not, whatever the method.
    case idempotent
    /// It may do more, whatever the method.
    case notIdempotent
  }

  /// Whether the request may be sent again after a failure that it may have taken effect in spite of.
  public var idempotency = Idempotency.byMethod
  /// The most time for everything together: all attempts, the waits between them, redirects and reading the body. `nil` for no
  /// limit. `TransportOptions.timeout` is one attempt's.
  public var deadline: Duration?
  /// Fields beside `Authorization`, `Cookie` and `Proxy-Authorization` that must not reach another origin than the URL's.
  public var sensitiveHeaders: Set<HTTP.HeaderKey> = []
  /// What to do with redirects; `nil` leaves it to the interceptor.
  public var redirects: RedirectPolicy?

  /// A policy that leaves everything as the interceptors have it.
  public init() {}
}
