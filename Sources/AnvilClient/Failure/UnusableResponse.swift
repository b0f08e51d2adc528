internal import AnvilHTTP
internal import AnvilModel

/// Why a successful response gave no model.
enum UnusableResponse: Error {
  /// There was nothing to decode.
  case noData(TransportFailure)
  /// What there was does not decode.
  case undecodable(DecodingFailure)

  /// The failure itself.
  var failure: any Error {
    switch self {
    case .noData(let failure): failure
    case .undecodable(let failure): failure
    }
  }
}

extension HTTP.Response {
  /// What `decode` makes of the body, which it has; an empty body, or one of white space only, is `nil` of an
  /// `Optional`, and may be a value for a format that says so.
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
  /// Whether there is nothing in it but what JSON calls white space, which is no value. Source: RFC 8259 §2.
  fileprivate var isBlank: Bool {
    data?.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
  }
}

extension DecodingError {
  /// The error itself where it is one; what a model's own initialiser threw becomes the underlying error.
  fileprivate init(wrapping error: any Error) {
    self =
      error as? DecodingError
      ?? .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
  }
}
