extension KeyedDecodingContainer {
  /// Decodes the value of `key` with `factory`. A null is passed to the factory.
  ///
  /// - Throws: `DecodingError.keyNotFound` if the key is absent, and errors of the factory.
  public func decode<Factory: DecodingFactory>(using factory: Factory, forKey key: Key) throws -> Factory.Model {
    try factory.create(from: presentDecoder(forKey: key))
  }

  /// Decodes the value of `key` with `factory`. Returns `nil` if the key is absent or its value is null.
  ///
  /// - Throws: An error of the factory.
  public func decodeIfPresent<Factory: DecodingFactory>(
    using factory: Factory, forKey key: Key
  ) throws -> Factory.Model? {
    guard try contains(key) && !decodeNil(forKey: key) else { return nil }
    return try decode(using: factory, forKey: key)
  }
}
