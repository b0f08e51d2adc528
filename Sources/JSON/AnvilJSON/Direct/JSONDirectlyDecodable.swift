/// A `Decodable` type that ``JSON/Decoder`` reads with ``JSONReadable/read(from:)`` instead of `init(from:)`, because that is faster.
///
/// Both must accept the same texts and return equal values. `@JSONDecodable` writes both, and the conformance. `=>` decodes such a type with
/// `init(from:)`.
///
/// The decoder calls `init(from:)` instead if one of its strategies does not apply to `read(from:)`. It also calls `init(from:)` if
/// `read(from:)` throws, so that errors are those of `init(from:)`. A conformance cannot be isolated to an actor, because the decoder uses
/// it on any thread.
public protocol JSONDirectlyDecodable: Decodable, JSONReadable, JSONDecodable, SendableMetatype {
  /// The other keys from which a member is read if its key is missing, by the key of the member.
  static var _keyAliases: [String: [String]] { get }
}

extension JSONDirectlyDecodable {
  /// No other keys.
  public static var _keyAliases: [String: [String]] { [:] }
}

/// An `Encodable` type that ``JSON/Encoder`` writes with ``JSONWritable/write(to:)`` instead of `encode(to:)`, because that is faster.
///
/// Both must write the same text. `@JSONEncodable` writes both, and the conformance.
///
/// The encoder calls `encode(to:)` instead if one of its strategies does not apply to `write(to:)`. It also calls `encode(to:)` if writing
/// fails, so that errors are those of `encode(to:)`. A conformance cannot be isolated to an actor, because the encoder uses it on any
/// thread.
public protocol JSONDirectlyEncodable: Encodable, JSONWritable, SendableMetatype {}

extension Optional: JSONDirectlyDecodable where Wrapped: JSONDirectlyDecodable {}
extension Array: JSONDirectlyDecodable where Element: JSONDirectlyDecodable {}
extension Dictionary: JSONDirectlyDecodable where Key == String, Value: JSONDirectlyDecodable {}

extension Optional: JSONDirectlyEncodable where Wrapped: JSONDirectlyEncodable {}
extension Array: JSONDirectlyEncodable where Element: JSONDirectlyEncodable {}
extension Dictionary: JSONDirectlyEncodable where Key == String, Value: JSONDirectlyEncodable {}
