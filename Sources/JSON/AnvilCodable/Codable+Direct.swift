// Used by generated code for types with their own `init(from:)` or `encode(to:)`, and for raw values. In a generic function, the overload for
// types that are only `Decodable` or `Encodable` is chosen.

extension JSON.Reader {
  /// Reads the next value with its `init(from:)`.
  public mutating func _readCodable<Value: Decodable>(_ type: Value.Type) throws(JSON.ReadingError) -> Value {
    try read(type)
  }
}

extension JSON.Writer {
  /// Writes `value` with its `encode(to:)`.
  public mutating func _writeCodable<Value: Encodable>(_ value: Value) { write(value) }
}

extension RawRepresentable where Self: Decodable, RawValue: Decodable {
  /// Creates a value from its raw value, with the error of the standard library.
  ///
  /// - Throws: `DecodingError`.
  public init(_rawValueFrom decoder: any Decoder) throws {
    let rawValue = try decoder.singleValueContainer().decode(RawValue.self)
    guard let value = Self(rawValue: rawValue) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "Cannot initialize \(Self.self) from invalid \(RawValue.self) value \(rawValue)"))
    }
    self = value
  }
}
