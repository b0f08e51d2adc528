public import AnvilBase
public import AnvilHTTP

/// Decoding of bodies to existing models, or with model factories.
extension HTTP.Body {
  /// Decodes the body with `factory`. The default of `format` is ``decodingFormat``. Use `factory.array` for a list of models.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the factory.
  public func decode<Factory: DecodingFactory>(
    using factory: Factory, with format: (any DecodingFormat)? = nil
  ) throws -> Factory.Model {
    try (format ?? decodingFormat).decode(using: factory, from: bytes())
  }

  /// Returns `value` updated from the body. The default of `format` is ``decodingFormat``. An object is updated in place.
  ///
  ///     user = try response.body.update(user)
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, and errors of the format and the value.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, with format: (any DecodingFormat)? = nil) throws -> T {
    try (format ?? decodingFormat).update(value, from: bytes())
  }
}
