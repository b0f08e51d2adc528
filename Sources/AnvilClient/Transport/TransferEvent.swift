public import AnvilHTTP

/// What a session tells of an exchange beside its head, its body and its failure.
///
///     request.eventHandler = { event in
///       if case .finished(let metrics) = event { print(metrics) }
///     }
@nonexhaustive
public enum TransferEvent: Sendable {
  /// Hears of events, on whichever thread makes them. The transfer waits for it: it had better return at once.
  public typealias Handler = @Sendable (TransferEvent) -> Void

  /// An informational response that came before the final one, such as 103 Early Hints. Source: RFC 9110 §15.2.
  case informational(HTTP.Response)
  /// The trailer fields, where any came, before the body's reader sees its end. Source: RFC 9110 §6.5.
  case trailers(HTTP.Headers)
  /// The attempt failed and another one follows after a wait. Said before the wait.
  case retrying(HTTP.History.Attempt)
  /// A redirect is followed. Said before the next request is sent.
  case redirecting(HTTP.History.Redirection)
  /// A challenge is answered with credentials of this scheme, or a token was refreshed. Said before the request is sent again.
  case authenticating(scheme: String)
  /// What a cache has to do with the response. Said at its head.
  case cached(HTTP.History.CacheOutcome)
  /// The attempt is over, whole or not. Said once, after everything else; not of an attempt that the session never began.
  case finished(TransferMetrics)
}
