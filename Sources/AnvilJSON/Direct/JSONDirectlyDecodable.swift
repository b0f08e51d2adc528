/// A `Decodable` type that ``JSON/Decoder`` reads with ``JSONReadable/read(from:)`` instead of `init(from:)`, because that is faster.
///
/// Both must accept the same texts and return equal values. `@JSONDecodable` writes both, and the conformance.
///
/// The decoder calls `init(from:)` if one of its strategies does not apply on the direct path, and if `read(from:)` throws, so that errors
/// are those of `init(from:)`. It remembers which types conform, on any thread: a conformance cannot be isolated to an actor.
public protocol JSONDirectlyDecodable: Decodable, JSONReadable, SendableMetatype {}

/// An `Encodable` type that ``JSON/Encoder`` writes with ``JSONWritable/write(to:)`` instead of `encode(to:)`, because that is faster.
///
/// Both must write the same text. `@JSONEncodable` writes both, and the conformance.
///
/// The encoder calls `encode(to:)` if one of its strategies does not apply on the direct path, and if writing fails, so that errors are
/// those of `encode(to:)`. It remembers which types conform, on any thread: a conformance cannot be isolated to an actor.
public protocol JSONDirectlyEncodable: Encodable, JSONWritable, SendableMetatype {}

extension Optional: JSONDirectlyDecodable where Wrapped: JSONDirectlyDecodable {}
extension Array: JSONDirectlyDecodable where Element: JSONDirectlyDecodable {}
extension Dictionary: JSONDirectlyDecodable where Key == String, Value: JSONDirectlyDecodable {}

extension Optional: JSONDirectlyEncodable where Wrapped: JSONDirectlyEncodable {}
extension Array: JSONDirectlyEncodable where Element: JSONDirectlyEncodable {}
extension Dictionary: JSONDirectlyEncodable where Key == String, Value: JSONDirectlyEncodable {}
