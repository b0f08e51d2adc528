extension JSONDecodable where Self: Decodable {
  /// What `init(from:)` makes of the value, as ``JSON/Decoder`` without strategies decodes it.
  ///
  /// - Throws: what `init(from:)` throws, mostly a `DecodingError`; its coding path begins at `json`.
  public static func decode(_ json: JSON) throws -> Self {
    try JSON.Decoder.plain.decode(Self.self, from: json)
  }
}

extension JSON.Decoder {
  /// A decoder without strategies, which nobody else has.
  fileprivate static let plain = JSON.Decoder()
}

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
  /// The value whose raw value `json` is.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` when there is none; ``TypeMismatchError`` when `json` is no raw value;
  ///   what the raw value's type throws.
  public static func decode(_ json: JSON) throws -> Self {
    try decodeRawValue(json)
  }
}

/// Which of the two above it is where both would do, as for `enum Color: String, Codable, JSONDecodable`.
extension JSONDecodable where Self: RawRepresentable & Decodable, RawValue: JSONDecodable {
  /// The value whose raw value `json` is.
  ///
  /// - Throws: ``RawRepresentableInitializationError`` when there is none; ``TypeMismatchError`` when `json` is no raw value;
  ///   what the raw value's type throws.
  public static func decode(_ json: JSON) throws -> Self {
    try decodeRawValue(json)
  }
}

extension RawRepresentable where RawValue: JSONDecodable {
  fileprivate static func decodeRawValue(_ json: JSON) throws -> Self {
    let rawValue: RawValue
    do {
      rawValue = try RawValue.decode(json)
    } catch let error as TypeMismatchError where error.isOfKind {
      // Who reads it knows the enumeration, not what its raw values are.
      throw error.expecting(enumeration: Self.self)
    }
    guard let value = Self(rawValue: rawValue) else { throw RawRepresentableInitializationError(Self.self, in: json) }
    return value
  }
}
