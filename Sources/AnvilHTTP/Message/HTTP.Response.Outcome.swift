extension HTTP.Response {
  /// The result of processing a response after its exchange has ended.
  package enum Outcome: Sendable {
    /// The response was decoded. The associated value is the report of lenient types, or `nil` if no report was collected. Its concrete
    /// type is declared by the decoding engine, which this module does not import.
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

  /// The same response without handlers. Errors and events contain this one: their receiver may own a handler, and a reference back to the
  /// handler would be a retain cycle.
  package var withoutOutcomeHandlers: HTTP.Response {
    var response = self
    response.outcomeHandlers = []
    return response
  }
}
