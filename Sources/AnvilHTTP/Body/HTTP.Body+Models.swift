public import AnvilModel

/// Decoding of bodies to existing models, or with model factories.
extension HTTP.Body {
  /// Decodes the body in ``decodingFormat`` with `factory`. Use `factory.array` for a list of models.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the factory.
  public func decode<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model {
    try decode(using: factory, with: decodingFormat)
  }

  /// Decodes the body in `format` with `factory`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the factory.
  public func decode<Factory: DecodingFactory>(
    using factory: Factory, with format: any DecodingFormat
  ) throws -> Factory.Model {
    try format.decode(using: factory, from: bytes())
  }

  /// Returns `value` updated from the body in ``decodingFormat``. An object is updated in place.
  ///
  ///     user = try response.body.update(user)
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the value.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T) throws -> T {
    try update(value, with: decodingFormat)
  }

  /// Returns `value` updated from the body in `format`. An object is updated in place.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the value.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, with format: any DecodingFormat) throws -> T {
    try format.update(value, from: bytes())
  }
}
