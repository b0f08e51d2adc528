#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A format to which models are encoded: JSON, a property list, or anything else with an `Encoder`.
///
/// `JSON.Encoder` conforms, and so do Foundation's `JSONEncoder` and `PropertyListEncoder`.
public protocol EncodingFormat: Sendable {
  /// The media type of what ``encode(_:)`` returns, such as `application/json`; `nil` when there is none to name.
  ///
  /// Source: RFC 9110 §8.3.1 (media type), RFC 6838 (registration).
  var mediaType: String? { get }

  /// The bytes that stand for `value` in this format.
  ///
  /// - Throws: `EncodingError` when the format has no way to say the value, and whatever the type's own `encode(to:)`
  ///   throws.
  func encode<T: Encodable>(_ value: T) throws -> Data
}

extension EncodingFormat {
  /// No media type: a body in this format is sent without `Content-Type` unless the caller sets one.
  public var mediaType: String? { nil }
}
