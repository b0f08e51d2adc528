public import AnvilHTTP

/// An event of an exchange that a session or an interceptor reports in addition to the head, the body and the failure.
///
///     request.eventHandler = { event in
///       if case .finished(let metrics) = event { print(metrics) }
///     }
@nonexhaustive
public enum TransferEvent: Sendable {
  /// A closure that is called with events, on any thread. The transfer waits for it, so it should return immediately.
  public typealias Handler = @Sendable (TransferEvent) -> Void

  /// An informational response before the final one, such as 103 Early Hints. Source: RFC 9110 §15.2.
  case informational(HTTP.Response)
  /// The trailer fields, if there are any. Reported before the body's reader reaches the end. Source: RFC 9110 §6.5.
  case trailers(HTTP.Headers)
  /// The attempt failed, and another one follows after a wait. Reported before the wait.
  case retrying(HTTP.History.Attempt)
  /// A redirect is followed. Reported before the next request is sent.
  case redirecting(HTTP.History.Redirection)
  /// A challenge is answered with credentials of this scheme, or a token was refreshed. Reported before the request is sent again.
  case authenticating(scheme: String)
  /// The result of consulting the cache for the response, such as a hit or a miss. Reported when the head arrives.
  case cached(HTTP.History.CacheOutcome)
  /// The attempt has ended, successfully or not. Reported once, after all other events. Not reported for an attempt that the session
  /// never started.
  case finished(TransferMetrics)
}
