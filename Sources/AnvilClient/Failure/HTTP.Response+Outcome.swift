internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilModel

extension HTTP.Response {
  /// Returns what `decode` makes of the body, which reads in `format` where there is one, and reports the outcome to the response's
  /// handlers. Without handlers nothing is reported, and decoding costs what it costs alone.
  ///
  /// - Throws: what `decode` throws.
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
      report(.refused((error as? UnusableResponse)?.failure ?? error))
      throw error
    }
  }
}

extension HTTP.Body {
  /// Has the body's format collect what lenient types do. `nil` for formats other than `JSON.Decoder`, which callers share and
  /// which cannot be copied.
  fileprivate mutating func collectReport() -> DecodingReport? {
    guard let decoder = decodingFormat as? JSON.Decoder else { return nil }
    let (copy, report) = decoder.collectingReport()
    decodingFormat = copy
    return report
  }
}
