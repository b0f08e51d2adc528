package import AnvilJSON

extension HTTP.Response {
  /// What became of a response whose exchange is over.
  package enum Outcome: Sendable {
    /// It became the value that was asked for. The report has what lenient types did; `nil` when nothing can be known of that.
    case accepted(DecodingReport?)
    /// It did not, because of this error.
    case refused(any Error)
    /// It was handed to the caller as it is. Other outcomes follow where the caller decodes it.
    case handedOver
  }

  /// Receives the outcomes of one response: none, one, or several when its body is decoded several times.
  package typealias OutcomeHandler = @Sendable (Outcome) -> Void

  /// Hands `outcome` to the handlers.
  package func report(_ outcome: Outcome) {
    for handler in outcomeHandlers { handler(outcome) }
  }

  /// The same response without handlers, for errors and events: a handler's owner may keep those, and would keep itself.
  package var withoutOutcomeHandlers: HTTP.Response {
    var response = self
    response.outcomeHandlers = []
    return response
  }
}
