public import AnvilModel

/// Models that a body updates, or that a factory makes of it.
extension HTTP.Body {
  /// The model that `factory` makes of the body, read in ``decodingFormat``; of a list of them with `factory.array`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, what the format throws, and what the factory throws.
  public func decode<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model {
    try decode(using: factory, with: decodingFormat)
  }

  /// The model that `factory` makes of the body, read in `format`.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, what the format throws, and what the factory throws.
  public func decode<Factory: DecodingFactory>(
    using factory: Factory, with format: any DecodingFormat
  ) throws -> Factory.Model {
    try format.decode(using: factory, from: bytes())
  }

  /// `value` with what the body says of it, read in ``decodingFormat``; an object is updated in place.
  ///
  ///     user = try response.body.update(user)
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, what the format throws, and what the value throws.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T) throws -> T {
    try update(value, with: decodingFormat)
  }

  /// `value` with what the body says of it, read in `format`; an object is updated in place.
  ///
  /// - Throws: ``HTTP/BodyError/notCollected`` for a file or a stream, what the format throws, and what the value throws.
  @discardableResult
  public func update<T: DecoderUpdatable>(_ value: T, with format: any DecodingFormat) throws -> T {
    try format.update(value, from: bytes())
  }
}
