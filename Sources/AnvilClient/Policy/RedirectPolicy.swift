public import AnvilHTTP

/// What to do with a response that redirects. Rules D1–D7.
public enum RedirectPolicy: Sendable {
  /// What a closure decides.
  public enum Decision: Sendable {
    /// Follow, with this request, which may be the proposed one, changed. It is sent as it is: what the proposed one
    /// does not have, such as credentials for another origin, was left out on purpose.
    case follow(HTTP.Request)
    /// Return the response as it is.
    case `return`
    /// Fail with `TransportError.Code.redirectRefused` for this reason, which is to be safe to log.
    case fail(reason: String)
  }

  /// Follow, at most so many times, and fail with `TransportError.Code.tooManyRedirects` for one more. Answers to
  /// challenges count against a limit of 20 together with them, or of `maximum` where that is more.
  case follow(maximum: Int = 20)
  /// Follow like ``follow(maximum:)``, but return the redirecting response as it is where it must not be followed: to another scheme
  /// than http and https, such as an app's, from https to http, with a stream as body. The failure made of it says why.
  case followWhereSafe(maximum: Int = 20)
  /// Return the redirecting response as it is.
  case manual
  /// Fail with `TransportError.Code.redirectRefused`, unless the response does not say where to.
  case error
  /// Ask, for each redirect that could be followed, with the response, its body empty, and the request that would be
  /// sent next; at most 20 times.
  case custom(@Sendable (_ response: HTTP.Response, _ proposed: HTTP.Request) -> Decision)
}
