extension UnkeyedDecodingContainer {
  /// The model that `factory` makes of the next element.
  ///
  /// - Throws: `DecodingError.valueNotFound` at the end, and what the factory throws. The container then stays at the
  ///   element. A null is handed to the factory.
  public mutating func decode<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model {
    try withNextDecoder(for: Factory.Model.self) { try factory.create(from: $0) }
  }

  /// The model that `factory` makes of the next element; `nil` when there is none or it is null, which is passed over.
  ///
  /// - Throws: what the factory throws; the container then stays at the element.
  public mutating func decodeIfPresent<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(using: factory)
  }
}
