public import AnvilHTTP

/// The handling of responses that redirect. Rules D1–D7.
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
