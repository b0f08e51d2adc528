internal import AnvilHTTP
internal import Synchronization

/// The outcome of an attempt, which is known when the validator and the transformer have returned.
///
/// A transformer may decode a body several times, and may reject a value that it has decoded. Outcomes reported during this time are
/// stored; only the final outcome of the attempt is passed on.
final class AttemptOutcome: Sendable {
  private enum State {
    case transforming(last: HTTP.Response.Outcome?)
    /// The response itself was the value. The caller decodes it, and later outcomes are passed on directly.
    case handedOver
    case over
  }

  private struct Guarded {
    var state = State.transforming(last: nil)
    var handlers: [HTTP.Response.OutcomeHandler]
  }

  private let guarded: Mutex<Guarded>

  private init(handlers: [HTTP.Response.OutcomeHandler]) {
    guarded = Mutex(Guarded(handlers: handlers))
  }

  /// Replaces the outcome handlers of `response` with one that reports to the returned object, which calls the replaced handlers. Returns
  /// `nil` if the response has no handlers.
  static func replacingHandlers(of response: inout HTTP.Response) -> AttemptOutcome? {
    guard !response.outcomeHandlers.isEmpty else { return nil }
    let outcome = AttemptOutcome(handlers: response.outcomeHandlers)
    response.outcomeHandlers = [{ outcome.receive($0) }]
    return outcome
  }

  /// Records that the attempt returned the caller's value. `isResponse` is true when the value is the response itself, whose body has
  /// not been decoded yet.
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

  /// Records that the attempt failed: with the decoding error if decoding was the last step and failed, otherwise with `error`.
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

  /// Calls the handlers with the result of `outcome`, which receives the last outcome of decoding, and releases them. A copy of the
  /// response in the caller's value or error then no longer retains them.
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
