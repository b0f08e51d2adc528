extension UnkeyedDecodingContainer {
  /// Decodes the next element with `factory`. A null is passed to the factory.
  ///
  /// - Throws: `DecodingError.valueNotFound` at the end, and errors of the factory. The container does not advance if an error is thrown.
  public mutating func decode<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model {
    try withNextDecoder(for: Factory.Model.self) { try factory.create(from: $0) }
  }

  /// Decodes the next element with `factory`. Returns `nil` at the end, and for a null, which is skipped.
  ///
  /// - Throws: An error of the factory. The container then does not advance.
  public mutating func decodeIfPresent<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(using: factory)
  }
}
