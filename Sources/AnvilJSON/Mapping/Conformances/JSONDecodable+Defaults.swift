#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONDecodable where Self: Decodable {
  /// What `init(from:)` makes of the value.
  ///
  /// - Throws: what `init(from:)` throws, mostly a `DecodingError`; its coding path begins at `json`.
  public static func decode(_ json: JSON) throws -> Self {
    // For now by Foundation's decoder and the value's text: `JSON.Decoder`, which reads the document itself, replaces it.
    try JSONDecoder().decode(Self.self, from: json.serializedData())
  }
}

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
  /// The value whose raw value `json` is.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` when there is none; what the raw value's type throws.
  public static func decode(_ json: JSON) throws -> Self {
    guard let value = Self(rawValue: try RawValue.decode(json)) else {
      throw RawRepresentableInitializationError(Self.self, in: json)
    }
    return value
  }
}

/// Which of the two above it is where both would do, as for `enum Color: String, Codable, JSONDecodable`.
extension JSONDecodable where Self: RawRepresentable & Decodable, RawValue: JSONDecodable {
  /// The value whose raw value `json` is.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` when there is none; what the raw value's type throws.
  public static func decode(_ json: JSON) throws -> Self {
    guard let value = Self(rawValue: try RawValue.decode(json)) else {
      throw RawRepresentableInitializationError(Self.self, in: json)
    }
    return value
  }
}
