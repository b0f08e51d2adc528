extension HTTP.Response {
  /// The result of processing a response after its exchange has ended.
  package enum Outcome: Sendable {
    /// The response was decoded to the requested value. The report lists the repairs of lenient types; `nil` if there is no report. Its
    /// type is that of the format's engine, which messages do not depend on.
    case accepted((any Sendable)?)
    /// The response was rejected with this error.
    case refused(any Error)
    /// The response was returned to the caller undecoded. Other outcomes follow if the caller decodes it.
    case handedOver
  }

  /// A closure that receives the outcomes of one response: none, one, or several if its body is decoded several times.
  package typealias OutcomeHandler = @Sendable (Outcome) -> Void

  /// Calls the handlers with `outcome`.
  package func report(_ outcome: Outcome) {
    for handler in outcomeHandlers { handler(outcome) }
  }

  /// The same response without handlers, for errors and events. Their receiver may own a handler; keeping the handler would be a
  /// retain cycle.
  package var withoutOutcomeHandlers: HTTP.Response {
    var response = self
    response.outcomeHandlers = []
    return response
  }
}
