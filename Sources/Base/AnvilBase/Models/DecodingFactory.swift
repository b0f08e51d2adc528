/// A type that creates models which cannot be decoded directly: found in a store, built by a registry, or chosen by a discriminator.
///
///     struct UserFactory: DecodingFactory {
///       let store: Store
///       func create(from decoder: any Decoder) throws -> User {
///         let id = try decoder.container(keyedBy: User.CodingKeys.self).decode(Int.self, forKey: .id)
///         return store.user(id)
///       }
///     }
///     let user = try JSON.Decoder().decode(using: UserFactory(store: store), from: data)
///     let friends = try container.decode(using: UserFactory(store: store).array, forKey: .friends)
public protocol DecodingFactory {
  /// The type of the created models.
  associatedtype Model

  /// Returns the model for the value at `decoder`.
  ///
  /// To decode a type that the format treats specially (a date, data, a URL, a decimal), use
  /// `decoder.singleValueContainer().decode(_:)`. The type's `init(from:)` does not apply the format's strategies.
  ///
  /// - Throws: `DecodingError` if the input does not match. Any other error is passed to the caller unchanged.
  func create(from decoder: any Decoder) throws -> Model
}

/// A factory that creates an array of the models of another factory.
///
/// Obtained from `DecodingFactory.array`.
public struct ArrayDecodingFactory<Element: DecodingFactory>: DecodingFactory {
  package let element: Element

  /// Creates a model for each element of the input, in order. A null element is passed to the element's factory.
  ///
  /// - Throws: `DecodingError` if the input is not an array, and errors of the element's factory. Decoding stops at the first error.
  public func create(from decoder: any Decoder) throws -> [Element.Model] {
    var container = try decoder.unkeyedContainer()
    var models: [Element.Model] = []
    while !container.isAtEnd {
      models.append(try container.decode(using: element))
    }
    return models
  }
}

extension ArrayDecodingFactory: Sendable where Element: Sendable {}

extension DecodingFactory {
  /// The factory for arrays of this factory's models.
  public var array: ArrayDecodingFactory<Self> { ArrayDecodingFactory(element: self) }
}

extension DecodingFormat {
  /// Decodes all of `data` with `factory`.
  ///
  /// - Throws: `DecodingError` if the data is not in this format (at the latest when the factory reads it), and errors of the factory.
  public func decode<Factory: DecodingFactory>(using factory: Factory, from data: Data) throws -> Factory.Model {
    try factory.create(from: decoder(for: data))
  }
}

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

extension UnkeyedDecodingContainer {
  /// Decodes the next element with `factory`. A null is passed to the factory.
  ///
  /// - Throws: `DecodingError.valueNotFound` at the end, and errors of the factory. The container does not advance if an error is thrown.
  public mutating func decode<Factory: DecodingFactory>(using factory: Factory) throws -> Factory.Model {
    try withNextDecoder(for: Factory.Model.self) { try factory.create(from: $0) }
  }
}
