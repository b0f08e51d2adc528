public import AnvilHTTP

/// The handling of responses that redirect. Rules D1–D7.
///
///     configuration.redirects = .follow(maximum: 5)
///
/// Sessions never follow redirects. The client does: 301 and 302 change POST to GET, and 303 changes every method but HEAD to GET. The body
/// and its fields are then removed. 307 and 308 keep the method and the body. Any other 3xx, or one of these without a `Location` or with an
/// empty one, is returned as the response. A redirect response with a short body is read to its end, so that its connection can be reused.
///
/// A redirect to another scheme, host or port keeps only the fields whose values ``HTTP/Redaction`` shows, such as `Accept`, those that
/// ``RequestSettings/crossOriginHeaders`` names, and the `Idempotency-Key` of ``RequestSettings/Idempotency/keyed``. `Authorization`, `Cookie`,
/// `X-Api-Key`, other fields that are not known to be harmless, and credentials in the URL are removed. ``RequestSettings/sensitiveHeaders``
/// names more fields to remove. Removed fields are not restored when a later redirect leads back to the first origin.
///
/// The redirects that were followed are in `response.history.redirections`, and after a failure in ``TransportError/history``.
public enum RedirectPolicy: Sendable {
  /// The decision of a ``RedirectPolicy/custom(_:)`` closure.
  public enum Decision: Sendable {
    /// Follow with this request, which may be a changed copy of the proposed one. It is sent without further changes. Fields that the
    /// proposed request lacks, such as credentials for another origin, were removed on purpose.
    case follow(HTTP.Request)
    /// Return the response as it is.
    case `return`
    /// Fail with `TransportError.Code.redirectRefused`. The reason must be safe to log.
    case fail(reason: String)
  }

  /// The handling of a redirect from https to http.
  public enum InsecureTargets: Hashable, Sendable {
    /// The request fails with `TransportError.Code.redirectRefused`.
    case refused
    /// The redirect is followed. An attacker on the network can then read and change the request.
    case followed
  }

  /// Follow at most `maximum` redirects. A further redirect fails with `TransportError.Code.tooManyRedirects`. Redirects and answers to
  /// challenges together are limited to 20, or to `maximum` if that is more.
  case follow(maximum: Int = 20)
  /// Follow like ``follow(maximum:)``, but return the redirect response if following is unsafe. That is a redirect to an invalid URL, to a
  /// scheme other than http and https, such as an app's, from https to http, or with a stream as body. The failure for the returned
  /// response contains the reason.
  case followWhereSafe(maximum: Int = 20)
  /// Return the redirect response.
  case manual
  /// Fail with `TransportError.Code.redirectRefused`. A response without a target is returned.
  case error
  /// Call the closure for each redirect that could be followed. The closure receives the response with an empty body and the request that
  /// would be sent next. At most 20 redirects are followed.
  case custom(@Sendable (_ response: HTTP.Response, _ proposed: HTTP.Request) -> Decision)
}
