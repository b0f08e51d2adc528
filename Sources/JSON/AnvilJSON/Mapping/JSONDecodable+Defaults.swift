extension JSONDecodable where Self: Decodable {
  /// Decodes the value with `init(from:)`. Dates in it have the same form as in mappings, that of RFC 3339.
  ///
  /// - Throws: The error of `init(from:)`, usually a `DecodingError`. Its coding path begins at `json`.
  public static func decode(_ json: JSON) throws -> Self {
    try JSON.Decoder.plain.decode(Self.self, from: json)
  }
}

extension JSON.Decoder {
  /// It is not available to other code, which could set strategies.
  fileprivate static let plain = JSON.Decoder.rfc3339()
}

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
  /// Returns the value with the raw value `json`.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` if there is no such value, ``TypeMismatchError`` if `json` has the wrong type for
  ///   a raw value, or another error of the raw value's type.
  public static func decode(_ json: JSON) throws -> Self {
    try decodeRawValue(json)
  }
}

/// Resolves the ambiguity if both extensions above apply, as for `enum Color: String, Codable, JSONDecodable`.
extension JSONDecodable where Self: RawRepresentable & Decodable, RawValue: JSONDecodable {
  /// Returns the value with the raw value `json`.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` if there is no such value, ``TypeMismatchError`` if `json` has the wrong type for
  ///   a raw value, or another error of the raw value's type.
  public static func decode(_ json: JSON) throws -> Self {
    try decodeRawValue(json)
  }
}

extension RawRepresentable where RawValue: JSONDecodable {
  fileprivate static func decodeRawValue(_ json: JSON) throws -> Self {
    let rawValue: RawValue
    do {
      rawValue = try RawValue.decode(json)
    } catch let error as TypeMismatchError where error.isKindMismatch {
      // The message names the enumeration, because the type of its raw values means little to a reader.
      throw error.expecting(enumeration: Self.self)
    }
    guard let value = Self(rawValue: rawValue) else { throw RawRepresentableInitializationError(Self.self, in: json) }
    return value
  }
}
