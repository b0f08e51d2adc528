/// A payload that wraps a decoded value: `{"user": {…}}` for a `User`.
///
/// Specify the root key in the coding keys:
///
///     struct UserContainer: DecodableContainer {
///       let element: User
///       enum CodingKeys: String, CodingKey { case element = "user" }
///     }
public protocol DecodableContainer<Contained>: Decodable {
  /// The type of the wrapped value.
  associatedtype Contained: Decodable
  /// The wrapped value.
  var element: Contained { get }
}

/// A payload that wraps a value to encode: a `User` as `{"user": {…}}`.
public protocol EncodableContainer: Encodable {
  /// The type of the wrapped value.
  associatedtype Contained: Encodable
  /// Creates a payload that wraps `element`.
  init(element: Contained)
  /// The wrapped value.
  var element: Contained { get }
}

/// A payload that wraps a value in both directions.
public typealias CodableContainer = DecodableContainer & EncodableContainer

extension DecodingFormat {
  /// Decodes a `container` from `data` and returns the wrapped value of type `type`.
  ///
  /// - Throws: An error of decoding the container. Its coding path starts at the container's root.
  public func decode<T, Container: DecodableContainer>(
    _ type: T.Type, from data: Data, with container: Container.Type
  ) throws -> T where Container.Contained == T {
    try decode(container, from: data).element
  }
}

extension EncodingFormat {
  /// Encodes `value` wrapped in `container`.
  ///
  /// - Throws: An error of encoding the container.
  public func encode<T, Container: EncodableContainer>(
    _ value: T, in container: Container.Type
  ) throws -> Data where Container.Contained == T {
    try encode(container.init(element: value))
  }
}
