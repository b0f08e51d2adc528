extension JSONEncodable where Self: Encodable {
  /// What `encode(to:)` writes, as ``JSON/Encoder`` without strategies encodes it.
  ///
  /// - Throws: what `encode(to:)` throws, mostly an `EncodingError`.
  public func encode(into json: inout JSON.Builder) throws {
    try JSON(parsing: JSON.Encoder.plain.encode(self)).encode(into: &json)
  }
}

extension JSON.Encoder {
  /// An encoder without strategies, which nobody else has.
  fileprivate static let plain = JSON.Encoder()
}

extension JSONEncodable where Self: RawRepresentable, RawValue: JSONEncodable {
  /// The raw value.
  ///
  /// - Throws: what the raw value's type throws.
  public func encode(into json: inout JSON.Builder) throws { try rawValue.encode(into: &json) }
}

/// Which of the two above it is where both would do, as for `enum Color: String, Codable, JSONEncodable`.
extension JSONEncodable where Self: RawRepresentable & Encodable, RawValue: JSONEncodable {
  /// The raw value.
  ///
  /// - Throws: what the raw value's type throws.
  public func encode(into json: inout JSON.Builder) throws { try rawValue.encode(into: &json) }
}
