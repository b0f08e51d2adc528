// Each integer type implements the requirement itself: a default for all of them would conflict with that of `Decodable` types.

extension JSON {
  /// Returns the number as a `Value`.
  @inline(__always)
  fileprivate func decodeInteger<Value: FixedWidthInteger>() throws -> Value {
    guard let value = document.integer(at: index, as: Value.self) else { throw mismatch(Value.self) }
    return value
  }
}

extension Int: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int { try json.decodeInteger() }
}

extension Int8: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int8 { try json.decodeInteger() }
}

extension Int16: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int16 { try json.decodeInteger() }
}

extension Int32: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int32 { try json.decodeInteger() }
}

extension Int64: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int64 { try json.decodeInteger() }
}

extension Int128: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int128 { try json.decodeInteger() }
}

extension UInt: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt { try json.decodeInteger() }
}

extension UInt8: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt8 { try json.decodeInteger() }
}

extension UInt16: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt16 { try json.decodeInteger() }
}

extension UInt32: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt32 { try json.decodeInteger() }
}

extension UInt64: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt64 { try json.decodeInteger() }
}

extension UInt128: JSONDecodable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt128 { try json.decodeInteger() }
}
