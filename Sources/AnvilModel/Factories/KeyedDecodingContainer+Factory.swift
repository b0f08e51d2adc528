extension KeyedDecodingContainer {
  /// The model that `factory` makes of what stands under `key`.
  ///
  /// - Throws: `DecodingError.keyNotFound` when the key is absent, and what the factory throws. A null is handed to the
  ///   factory.
  public func decode<Factory: DecodingFactory>(using factory: Factory, forKey key: Key) throws -> Factory.Model {
    try factory.create(from: presentDecoder(forKey: key))
  }

  /// The model that `factory` makes of what stands under `key`; `nil` when the key is absent or stands for null.
  ///
  /// - Throws: what the factory throws.
  public func decodeIfPresent<Factory: DecodingFactory>(
    using factory: Factory, forKey key: Key
  ) throws -> Factory.Model? {
    guard try contains(key) && !decodeNil(forKey: key) else { return nil }
    return try decode(using: factory, forKey: key)
  }
}
