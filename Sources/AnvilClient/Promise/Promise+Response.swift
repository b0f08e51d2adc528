public import AnvilHTTP
public import AnvilModel

/// Models out of responses. Without a format, each reads in the one that the response's body has: the gateway's, or the
/// request's.
///
/// Each fails with a ``DecodingFailure`` that has the response, the path and the reason; with a ``TransportFailure`` of code
/// `noData` when the response has no body and that does not decode; and as this promise does.
extension Promise where Value == HTTP.Response {
  /// A promise of the response's body as a `type`.
  public func decode<Model: Decodable & Sendable>(as type: Model.Type) -> Promise<Model> {
    map { response in try response.decoded(Model.self) { try $0.decode(as: Model.self) } }
  }

  /// A promise of the response's body as a `type`, read in `format`.
  public func decode<Model: Decodable & Sendable>(
    as type: Model.Type, with format: any DecodingFormat
  ) -> Promise<Model> {
    map { response in
      try response.decoded(Model.self, by: format) { try $0.decode(as: Model.self, with: format) }
    }
  }

  /// A promise of a `type` out of the `container` that wraps it in the response's body.
  public func decode<Model: Sendable, Container: DecodableContainer & SendableMetatype>(
    as type: Model.Type, container: Container.Type
  ) -> Promise<Model> where Container.Contained == Model {
    map { response in
      try response.decoded(Container.self) { try $0.decode(as: Model.self, container: Container.self) }
    }
  }

  /// A promise of the model that `factory` makes of the response's body; of a list of them with `factory.array`.
  public func decode<Factory: DecodingFactory & Sendable>(using factory: Factory) -> Promise<Factory.Model>
  where Factory.Model: Sendable {
    map { response in
      try response.decoded(ModelPlaceholder.self, name: "\(Factory.Model.self)") { try $0.decode(using: factory) }
    }
  }

  /// A promise of `value` with what the response's body says of it; an object is updated in place.
  @discardableResult
  public func update<Model: DecoderUpdatable & Sendable>(_ value: Model) -> Promise<Model> {
    map { response in try response.decoded(ModelPlaceholder.self, name: "\(Model.self)") { try $0.update(value) } }
  }
}

extension HTTP.Response {
  /// The model that `factory` makes of the body, or the failure that says what was asked for, as `decode(using:)` of a promise
  /// gives it; errors that `isPassed` takes come as they are.
  package func decoded<Factory: DecodingFactory>(
    using factory: Factory, passing isPassed: (any Error) -> Bool
  ) throws -> Factory.Model {
    var passed: (any Error)?
    do {
      return try decoded(ModelPlaceholder.self, name: "\(Factory.Model.self)") { body in
        do {
          return try body.decode(using: factory)
        } catch {
          if isPassed(error) { passed = error }
          throw error
        }
      }
    } catch {
      throw passed ?? error
    }
  }

  /// What `decode` makes of the body, or the failure that says what was asked for.
  func decoded<Model, Asked: Decodable & SendableMetatype>(
    _ asked: Asked.Type, name: @autoclosure () -> String = "\(Asked.self)", by format: (any DecodingFormat)? = nil,
    _ decode: (HTTP.Body) throws -> Model
  ) throws -> Model {
    // The caller's mistake, and no fault of the response's.
    guard body.data != nil else { throw HTTP.BodyError.notCollected }
    do throws(UnusableResponse) {
      return try model(asked: asked, name: name(), by: format, decode)
    } catch {
      switch error {
      case .noData(let failure): throw failure
      case .undecodable(let failure): throw failure
      }
    }
  }
}

/// Stands for a model that is made by a factory or updated, in errors that name a `Decodable` type.
enum ModelPlaceholder: Decodable {
  init(from decoder: any Decoder) throws {
    let description = "stands for a model that is not decoded"
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: description))
  }
}
