#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A format from which models are decoded: JSON, a property list, or anything else with a `Decoder`.
///
/// `JSON.Decoder` conforms, and so do Foundation's `JSONDecoder` and `PropertyListDecoder`: any of them can be passed
/// wherever a format is asked for.
/// To add a format, implement ``decoder(for:)``; the rest has defaults.
public protocol DecodingFormat: Sendable {
  /// A decoder that stands at the root of `data`.
  ///
  /// Never fails itself: for bytes that are not of this format it returns a decoder whose every container throws the
  /// reason. Decode the root with `decoder.singleValueContainer().decode(T.self)`, not with `T(from: decoder)`: only the
  /// former applies the format's strategies (dates, URLs, decimals) to the root itself.
  func decoder(for data: Data) -> any Decoder

  /// Decodes one value of type `type` from all of `data`.
  ///
  /// - Throws: `DecodingError` when the bytes are not of this format or do not fit the type, and whatever the type's own
  ///   `init(from:)` throws.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension DecodingFormat {
  /// Decodes the root that ``decoder(for:)`` stands at.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try decoder(for: data).singleValueContainer().decode(type)
  }
}
