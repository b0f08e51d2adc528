#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A payload that wraps the value a caller wants: `{"user": {…}}` for a `User`.
///
/// Name the root key in the coding keys:
///
///     struct UserContainer: DecodableContainer {
///       let element: User
///       enum CodingKeys: String, CodingKey { case element = "user" }
///     }
public protocol DecodableContainer: Decodable {
  /// What the payload wraps.
  associatedtype Contained: Decodable
  /// The wrapped value.
  var element: Contained { get }
}

/// A payload that wraps the value a caller sends: a `User` as `{"user": {…}}`.
public protocol EncodableContainer: Encodable {
  /// What the payload wraps.
  associatedtype Contained: Encodable
  /// Wraps `element`.
  init(element: Contained)
  /// The wrapped value.
  var element: Contained { get }
}

/// A payload that wraps a value in both directions.
public typealias CodableContainer = DecodableContainer & EncodableContainer

extension DecodingFormat {
  /// Decodes a value of type `type` out of the `container` that wraps it.
  ///
  /// - Throws: what decoding the container throws; an error's coding path begins at the container's root.
  public func decode<T, Container: DecodableContainer>(
    _ type: T.Type, from data: Data, with container: Container.Type
  ) throws -> T where Container.Contained == T {
    try decode(container, from: data).element
  }
}

extension EncodingFormat {
  /// The bytes of `value` wrapped in `container`.
  ///
  /// - Throws: what encoding the container throws.
  public func encode<T, Container: EncodableContainer>(
    _ value: T, in container: Container.Type
  ) throws -> Data where Container.Contained == T {
    try encode(container.init(element: value))
  }
}
