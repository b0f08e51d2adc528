public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// Decoding the bodies of responses and requests.
///
/// Each function reads the body in `format`. With `nil`, it uses the body's format, which is that of the gateway or the one set on the
/// request.
///
/// A promise of a response's model fails with a ``DecodingFailure`` that has the response, the path and the reason. It fails with a
/// ``TransportFailure`` of code `noData` when the response has no body and an empty body does not decode. A promise of a request's model
/// fails with the error that the format throws; a value that is not encoded yet is encoded first. Both fail with
/// `HTTP.BodyError.notCollected` for a file or a stream, and with this promise's error when this promise fails.
extension Promise where Value: HTTP.Message {
  /// Returns a promise of a `type` that is decoded from the message's body. If the body wraps the value in an object, `container` is the
  /// type of that object.
  public func decode<Model: Decodable & Sendable>(
    as type: Model.Type, container: (any (DecodableContainer<Model> & SendableMetatype).Type)? = nil,
    with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> {
    mapMessage { message, outcome in
      guard let container else {
        return try message.decoded(as: Model.self, by: format, reportingTo: outcome) { try $0.decode(as: Model.self) }
      }
      return try message.decoded(outOf: container, by: format, reportingTo: outcome)
    }
  }

  /// Returns a promise of the model that `factory` decodes from the message's body. Use `factory.array` for a list of models.
  public func decode<Factory: DecodingFactory & Sendable>(
    using factory: Factory, with format: (any DecodingFormat)? = nil
  ) -> Promise<Factory.Model> where Factory.Model: Sendable {
    mapMessage { message, outcome in
      try message.decoded(using: factory, by: format, reportingTo: outcome)
    }
  }

  /// Returns a promise of `value`, updated from the message's body. An object is updated in place.
  public func update<Model: DecoderUpdatable & Sendable>(
    _ value: Model, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> {
    mapMessage { message, outcome in
      try message.decoded(as: ModelPlaceholder.self, name: "\(Model.self)", by: format, reportingTo: outcome) {
        try $0.update(value)
      }
    }
  }
}

extension HTTP.Message {
  /// Returns the value that `container` wraps in the body.
  fileprivate func decoded<Container: DecodableContainer & SendableMetatype>(
    outOf container: Container.Type, by format: (any DecodingFormat)?, reportingTo outcome: AttemptOutcome?
  ) throws -> Container.Contained {
    try decoded(as: container, by: format, reportingTo: outcome) { try $0.decode(as: container).element }
  }

  /// Returns the model that `factory` decodes from the body, and reports the result to `outcome`.
  ///
  /// - Throws: The errors of a promise's `decode(using:with:)`, except for errors that `isPassed` accepts: they are thrown unchanged.
  package func decoded<Factory: DecodingFactory>(
    using factory: Factory, by format: (any DecodingFormat)? = nil, reportingTo outcome: AttemptOutcome?,
    passing isPassed: (any Error) -> Bool = { _ in false }
  ) throws -> Factory.Model {
    try decoded(
      as: ModelPlaceholder.self, name: "\(Factory.Model.self)", by: format, reportingTo: outcome, passing: isPassed
    ) {
      try $0.decode(using: factory)
    }
  }

  /// Returns the result of `decode`, which reads the body in `format` if it is given, and reports it to `outcome`.
  ///
  /// - Throws: For a response, the failure that names the response and the `requested` type, or an error of `decode` that `isPassed`
  ///   accepts. For a request, the error that `decode` throws.
  func decoded<Model, Requested: Decodable & SendableMetatype>(
    as requested: Requested.Type, name: @autoclosure () -> String = "\(Requested.self)",
    by format: (any DecodingFormat)? = nil, reportingTo outcome: AttemptOutcome? = nil,
    passing isPassed: (any Error) -> Bool = { _ in false }, _ decode: (HTTP.Body) throws -> Model
  ) throws -> Model {
    // An error of the caller, not of the message.
    guard body.data != nil || body.isDeferred else { throw HTTP.BodyError.notCollected }
    let body = body.decoded(by: format)
    guard let response = asResponse else { return try decode(body) }
    func decodeResponse(_ body: HTTP.Body) throws -> Model {
      var passed: (any Error)?
      do throws(CallFailure) {
        return try response.model(as: requested, name: name(), by: format) {
          do {
            return try decode(body)
          } catch {
            if isPassed(error) { passed = error }
            throw error
          }
        }
      } catch {
        throw passed ?? error.failure
      }
    }
    return try outcome?.receive(decoding: body, decodeResponse) ?? decodeResponse(body)
  }
}

/// A placeholder for a model that is created by a factory or updated, which need not be `Decodable`. Errors that name a `Decodable` type
/// name it instead of the model.
enum ModelPlaceholder: Decodable {
  init(from decoder: any Decoder) throws {
    let description = "this placeholder for a model cannot be decoded"
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: description))
  }
}
