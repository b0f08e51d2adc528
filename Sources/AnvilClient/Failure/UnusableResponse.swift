internal import AnvilHTTP
internal import AnvilModel

/// The reason why a successful response could not be turned into a model.
enum UnusableResponse: Error {
  /// There was no content to decode.
  case noData(TransportFailure)
  /// The content could not be decoded.
  case undecodable(DecodingFailure)

  /// The associated failure.
  var failure: any Error {
    switch self {
    case .noData(let failure): failure
    case .undecodable(let failure): failure
    }
  }
}

extension HTTP.Response {
  /// Returns the model that `decode` creates from the body, which is in memory. For an empty body, or one that is only white space, the
  /// result is `nil` if the model is an `Optional`. A format may also define a value for such a body.
  func model<Model, Asked: Decodable & SendableMetatype>(
    asked: Asked.Type, name: @autoclosure () -> String = "\(Asked.self)", by format: (any DecodingFormat)? = nil,
    _ decode: () throws -> Model
  ) throws(UnusableResponse) -> Model {
    do {
      return try decode()
    } catch {
      if body.isBlank, let nothing = (Model.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Model {
        return nothing
      }
      guard !body.isEmpty else {
        let error = TransportError(code: .noData, reason: "the response has no body", underlyingError: error)
        throw .noData(TransportFailure(error: error, request: request, response: withoutOutcomeHandlers))
      }
      let context = DecodingFailure.Context(
        decodingError: DecodingError(wrapping: error), failingType: asked, name: name(),
        response: withoutOutcomeHandlers,
        diagnosis: DeferredDiagnosis(of: error, decoding: asked, by: format ?? body.decodingFormat))
      throw .undecodable(.decodingError(context))
    }
  }
}

extension HTTP.Body {
  /// A Boolean value that says whether the body is only what JSON defines as white space, which is not a value. Source: RFC 8259 §2.
  fileprivate var isBlank: Bool {
    data?.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
  }
}

extension DecodingError {
  /// Creates a decoding error from `error`, or returns `error` if it is one. An error that a model's initializer threw becomes the
  /// underlying error.
  fileprivate init(wrapping error: any Error) {
    self =
      error as? DecodingError
      ?? .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
  }
}
