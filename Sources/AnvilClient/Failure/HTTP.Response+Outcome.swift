internal import AnvilBodies
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilModel

extension HTTP.Response {
  /// Returns the model that `format` decodes from the body, and reports the outcome to the response's handlers.
  func decoded<Model: Decodable & SendableMetatype>(
    as type: Model.Type, by format: any DecodingFormat
  ) throws(CallFailure) -> Model {
    // Without handlers, the body needs no copy with another format.
    guard !outcomeHandlers.isEmpty else {
      do {
        return try format.decode(type, from: body.bytes())
      } catch {
        return try model(as: type, name: "\(type)", by: format, insteadOf: error)
      }
    }
    return try reportingOutcome(by: format) { body throws(CallFailure) in
      try model(as: type, by: format) { try body.decode(as: type) }
    }
  }

  /// Decodes the body by `decode` and reports the outcome to the response's handlers. Without handlers nothing is reported, and decoding
  /// has no extra cost. `decode` receives the body with `format`; `nil` keeps the body's format.
  ///
  /// - Throws: the error that `decode` throws.
  func reportingOutcome<Model, Failure: Error>(
    by format: (any DecodingFormat)?, _ decode: (HTTP.Body) throws(Failure) -> Model
  ) throws(Failure) -> Model {
    var body = body
    if let format { body.decodingFormat = format }
    guard !outcomeHandlers.isEmpty else { return try decode(body) }
    let lenience = body.collectReport()
    do throws(Failure) {
      let model = try decode(body)
      report(.accepted(lenience))
      return model
    } catch {
      report(.refused((error as? CallFailure)?.failure ?? error))
      throw error
    }
  }
}

extension HTTP.Body {
  /// Replaces the body's format by a copy that collects the reports of lenient types, and returns the collected report. Other formats than
  /// `JSON.Decoder` may be shared and cannot be copied; for them the result is `nil`.
  fileprivate mutating func collectReport() -> DecodingReport? {
    guard let decoder = decodingFormat as? JSON.Decoder else { return nil }
    let (copy, report) = decoder.collectingReport()
    decodingFormat = copy
    return report
  }
}
