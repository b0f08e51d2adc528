internal import AnvilHTTP
internal import Synchronization

/// The outcome of a request's attempt, which is known when validator and transformer have returned.
///
/// A transformer may decode a body several times, and may refuse what it has decoded. Outcomes that are reported meanwhile are kept;
/// the one by which the attempt ends is passed on.
final class AttemptOutcome: Sendable {
  private enum State {
    case transforming(last: HTTP.Response.Outcome?)
    /// The response itself was the value. Decoding it is the caller's, and so are later outcomes.
    case handedOver
    case over
  }

  private struct Guarded {
    var state = State.transforming(last: nil)
    var handlers: [HTTP.Response.OutcomeHandler]
  }

  private let guarded: Mutex<Guarded>

  /// Takes the place of the handlers of `response`; `nil` when it has none.
  init?(of response: inout HTTP.Response) {
    guard !response.outcomeHandlers.isEmpty else { return nil }
    guarded = Mutex(Guarded(handlers: response.outcomeHandlers))
    response.outcomeHandlers = [{ self.receive($0) }]
  }

  /// The attempt gave the caller's value; `isResponse` when that is the response itself, which says nothing of its body yet.
  func succeed(isResponse: Bool) {
    guard !isResponse else {
      guarded.withLock { $0.state = .handedOver }
      receive(.handedOver)
      return
    }
    end { last in
      if case .accepted(let report) = last { .accepted(report) } else { .accepted(nil) }
    }
  }

  /// The attempt failed: as decoding did where that was the last thing tried, else with `error`.
  func fail(_ error: any Error) {
    end { last in
      if case .refused(let error) = last { .refused(error) } else { .refused(error) }
    }
  }

  private func receive(_ outcome: HTTP.Response.Outcome) {
    let handlers = guarded.withLock { guarded -> [HTTP.Response.OutcomeHandler] in
      switch guarded.state {
      case .transforming:
        guarded.state = .transforming(last: outcome)
        return []
      case .handedOver: return guarded.handlers
      case .over: return []
      }
    }
    for handler in handlers { handler(outcome) }
  }

  /// Reports `outcome` and lets go of the handlers: a response that the caller's value or error keeps needs them no longer.
  private func end(_ outcome: (HTTP.Response.Outcome?) -> HTTP.Response.Outcome) {
    let (last, handlers) = guarded.withLock { guarded -> (HTTP.Response.Outcome?, [HTTP.Response.OutcomeHandler]) in
      var last: HTTP.Response.Outcome?
      if case .transforming(let outcome) = guarded.state { last = outcome }
      defer { guarded = Guarded(state: .over, handlers: []) }
      return (last, guarded.handlers)
    }
    let outcome = outcome(last)
    for handler in handlers { handler(outcome) }
  }
}
