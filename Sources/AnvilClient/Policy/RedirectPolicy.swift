public import AnvilHTTP

/// What to do with a response that redirects. Rules D1–D7.
public enum RedirectPolicy: Sendable {
  /// What a closure decides.
  public enum Decision: Sendable {
    /// Follow, with this request, which may be the proposed one, changed.
    case follow(HTTP.Request)
    /// Return the response as it is.
    case `return`
    /// Fail with `TransportError.Code.redirectRefused` for this reason, which is to be safe to log.
    case fail(reason: String)
  }

  /// Follow, at most so many times.
  case follow(maximum: Int = 20)
  /// Return the redirecting response as it is.
  case manual
  /// Fail with `TransportError.Code.redirectRefused`.
  case error
  /// Ask, for each redirect that could be followed, with the response, its body empty, and the request that would be sent next.
  case custom(@Sendable (_ response: HTTP.Response, _ proposed: HTTP.Request) -> Decision)
}
