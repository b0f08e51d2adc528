internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP

extension HTTP.Response {
  /// Returns the model that `decode` creates from the body, which is in memory. If decoding fails and the body is empty or only white
  /// space, the result is `nil` for an `Optional` model. Such a body is decoded first, because a format may define a value for it.
  func model<Model, Requested: Decodable & SendableMetatype>(
    as requested: Requested.Type, name: @autoclosure () -> String = "\(Requested.self)",
    by format: (any DecodingFormat)? = nil,
    _ decode: () throws -> Model
  ) throws(CallFailure) -> Model {
    do {
      return try decode()
    } catch {
      return try model(as: requested, name: name(), by: format, insteadOf: error)
    }
  }

  /// Returns `nil` if the body is blank and the model is an `Optional`. Otherwise throws the failure for `error`, with which decoding
  /// failed.
  ///
  /// Not inlined, because otherwise every response would look up the types that are used here.
  @inline(never)
  func model<Model, Requested: Decodable & SendableMetatype>(
    as requested: Requested.Type, name: @autoclosure () -> String, by format: (any DecodingFormat)?,
    insteadOf error: any Error
  ) throws(CallFailure) -> Model {
    if body.isBlank, let nothing = (Model.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Model {
      return nothing
    }
    // Here and not before, so that other models do not pay for the search.
    if let type = requested as? any ResponseDecodable.Type,
      let value = try type.init(self, by: format ?? body.decodingFormat, reportingTo: nil) as? Model
    {
      return value
    }
    guard !body.isEmpty else {
      let error = TransportError(code: .noData, reason: "the response has no body", underlyingError: error)
      throw .transport(TransportFailure(error: error, request: request, response: self))
    }
    let context = DecodingFailure.Context(
      decodingError: DecodingError(wrapping: error), failingType: requested, name: name(),
      response: self,
      diagnosis: DeferredDiagnosis(of: error, decoding: requested, by: format ?? body.decodingFormat))
    throw .decoding(.decodingError(context))
  }
}

extension HTTP.Message {
  /// Returns the failure for `error`, which was thrown while values of `type` were read from the body as it arrived. For a message that is
  /// not a response, this is `error` itself.
  package func failure(reading type: any (Decodable & SendableMetatype).Type, _ error: any Error) -> any Error {
    guard let response = asResponse else { return error }
    guard !body.isEmpty else {
      let error = TransportError(code: .noData, reason: "the response has no body", underlyingError: error)
      return TransportFailure(error: error, request: response.request, response: response)
    }
    // Errors of a model are errors of the response, too.
    let isOfBody = error is TransportError || error is HTTP.BodyError || error is CancellationError
    return CallFailure(
      isOfBody ? error : DecodingError(wrapping: error), reading: type, of: response.withoutBody, to: response.request
    ).failure
  }
}

extension HTTP.Body {
  /// A Boolean value that indicates whether the body is only what JSON defines as white space, which is not a value.
  /// Source: RFC 8259 §2.
  fileprivate var isBlank: Bool {
    data?.allSatisfy { $0.isJSONWhitespace } ?? false
  }
}

extension DecodingError {
  /// Creates a decoding error from `error`. A `DecodingError` is used unchanged. Any other error, such as one that a model's initializer
  /// threw, becomes the underlying error.
  fileprivate init(wrapping error: any Error) {
    self =
      error as? DecodingError
      ?? .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
  }
}
