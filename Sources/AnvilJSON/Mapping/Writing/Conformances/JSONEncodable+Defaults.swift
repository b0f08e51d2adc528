extension JSONEncodable where Self: Encodable {
  /// Writes the output of `encode(to:)`, using a ``JSON/Encoder`` with the default strategies.
  ///
  /// - Throws: The error of `encode(to:)`, usually an `EncodingError`.
  public func encode(into json: inout JSON.Builder) throws {
    try JSON(parsing: JSON.Encoder.plain.encode(self)).encode(into: &json)
  }
}

extension JSON.Encoder {
  /// An encoder with the default strategies. It is not available to other code, which could set strategies.
  fileprivate static let plain = JSON.Encoder()
}

extension JSONEncodable where Self: RawRepresentable, RawValue: JSONEncodable {
  /// Writes the raw value.
  ///
  /// - Throws: The error of the raw value's type.
  public func encode(into json: inout JSON.Builder) throws { try rawValue.encode(into: &json) }
}

/// Resolves the ambiguity if both extensions above apply, as for `enum Color: String, Codable, JSONEncodable`.
extension JSONEncodable where Self: RawRepresentable & Encodable, RawValue: JSONEncodable {
  /// Writes the raw value.
  ///
  /// - Throws: The error of the raw value's type.
  public func encode(into json: inout JSON.Builder) throws { try rawValue.encode(into: &json) }
}
