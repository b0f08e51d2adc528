internal import AnvilBase
internal import AnvilBodies
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// The outcome of an attempt for the observers of its exchange. It is known when the validator and the transformer have returned or, if the
/// caller receives the response itself, each time that the promise of the response is decoded.
///
/// A transformer may decode a body several times, and may reject a value that it has decoded. Results reported during this time are
/// stored; only the final one is passed on.
package final class AttemptOutcome: Sendable {
  enum Result: Sendable {
    /// The response was decoded. The report lists what lenient types left out; `nil` if no report was collected.
    case accepted(DecodingReport?)
    case refused(any Error)
    /// The response was returned to the caller undecoded. Other results follow if the caller decodes it.
    case handedOver
  }

  typealias Handler = @Sendable (Result) -> Void

  private enum State {
    case transforming(last: Result?)
    /// The response itself was the value. The caller decodes it, and later results are passed on directly.
    case handedOver
    case over
  }

  private struct Guarded {
    var state = State.transforming(last: nil)
    var handlers: [Handler]
  }

  private let guarded: Mutex<Guarded>

  init(_ handlers: [Handler]) {
    guarded = Mutex(Guarded(handlers: handlers))
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

  /// Records the result of a step of the transformer, or of decoding a response that was handed over.
  func receive(_ result: Result) {
    let handlers = guarded.withLock { guarded -> [Handler] in
      switch guarded.state {
      case .transforming:
        guarded.state = .transforming(last: result)
        return []
      case .handedOver: return guarded.handlers
      case .over: return []
      }
    }
    for handler in handlers { handler(result) }
  }

  /// Decodes `body` by `decode`, which receives it with a format that collects the reports of lenient types, and records the result.
  func receive<Model, Failure: Error>(
    decoding body: HTTP.Body, _ decode: (HTTP.Body) throws(Failure) -> Model
  ) throws(Failure) -> Model {
    var body = body
    let report = body.collectReport()
    do throws(Failure) {
      let model = try decode(body)
      receive(.accepted(report))
      return model
    } catch {
      receive(.refused((error as? CallFailure)?.failure ?? error))
      throw error
    }
  }

  /// Calls the handlers with the result of `result`, which receives the last result of decoding, and releases them. A copy of the
  /// exchange in the caller's value then no longer retains them.
  private func end(_ result: (Result?) -> Result) {
    let (last, handlers) = guarded.withLock { guarded -> (Result?, [Handler]) in
      var last: Result?
      if case .transforming(let result) = guarded.state { last = result }
      defer { guarded = Guarded(state: .over, handlers: []) }
      return (last, guarded.handlers)
    }
    let result = result(last)
    for handler in handlers { handler(result) }
  }
}

extension HTTP.Response {
  func decoded<Model: Decodable & SendableMetatype>(
    as type: Model.Type, by format: any DecodingFormat, reportingTo outcome: AttemptOutcome? = nil
  ) throws(CallFailure) -> Model {
    // Without observers, the body needs no copy with another format.
    guard let outcome else {
      do {
        return try format.decode(type, from: body.bytes())
      } catch {
        return try model(as: type, name: "\(type)", by: format, insteadOf: error)
      }
    }
    return try outcome.receive(decoding: body.decoded(by: format)) { body throws(CallFailure) in
      try model(as: type, by: body.decodingFormat) { try body.decode(as: type) }
    }
  }
}

extension HTTP.Body {
  /// Returns the body with `format`; `nil` keeps its own.
  func decoded(by format: (any DecodingFormat)?) -> HTTP.Body {
    guard let format else { return self }
    var body = self
    body.decodingFormat = format
    return body
  }

  /// Replaces the body's format by a copy that collects the reports of lenient types, and returns the collected report. Other formats than
  /// `JSON.Decoder` may be shared and cannot be copied; for them the result is `nil`.
  fileprivate mutating func collectReport() -> DecodingReport? {
    guard let decoder = decodingFormat as? JSON.Decoder else { return nil }
    let (copy, report) = decoder.collectingReport()
    decodingFormat = copy
    return report
  }
}
