#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A format to which models are encoded: JSON, a property list, or anything else with an `Encoder`.
///
/// `JSON.Encoder` conforms, and so do Foundation's `JSONEncoder` and `PropertyListEncoder`.
public protocol EncodingFormat: Sendable {
  /// The media type of the result of ``encode(_:)``, such as `application/json`; `nil` if the format has no media type.
  ///
  /// Source: RFC 9110 §8.3.1 (media type), RFC 6838 (registration).
  var mediaType: String? { get }

  /// Encodes `value` in this format.
  ///
  /// - Throws: `EncodingError` if the format cannot represent the value, and errors of the type's `encode(to:)`.
  func encode<T: Encodable>(_ value: T) throws -> Data
}

extension EncodingFormat {
  /// No media type: a body in this format is sent without `Content-Type` unless the caller sets one.
  public var mediaType: String? { nil }
}
