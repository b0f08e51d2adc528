#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A format from which models are decoded: JSON, a property list, or anything else with a `Decoder`.
///
/// `JSON.Decoder` conforms, and so do Foundation's `JSONDecoder` and `PropertyListDecoder`. Any of them can be used as a format.
/// To add a format, implement ``decoder(for:)``; the other methods have default implementations.
public protocol DecodingFormat: Sendable {
  /// Returns a decoder for the root of `data`.
  ///
  /// This method does not fail. For data that is not in this format, it returns a decoder whose methods all throw the error. Decode the
  /// root with `decoder.singleValueContainer().decode(T.self)`, not with `T(from: decoder)`: only the former applies the format's
  /// strategies (dates, URLs, decimals) to the root.
  func decoder(for data: Data) -> any Decoder

  /// Decodes a value of type `type` from all of `data`.
  ///
  /// - Throws: `DecodingError` if the data is not in this format or does not match the type, and errors of the type's `init(from:)`.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T

  /// Returns `value` updated from `data`.
  ///
  /// An object is updated in place and returned, so the result can be discarded.
  ///
  /// - Throws: `DecodingError` if the data is not in this format or does not match, also for a null at the root, and errors of the
  ///   value's `update(from:)`.
  @discardableResult
  func update<T: DecoderUpdatable>(_ value: T, from data: Data) throws -> T
}

extension DecodingFormat {
  /// Decodes the root with ``decoder(for:)``.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try decoder(for: data).singleValueContainer().decode(type)
  }
}
