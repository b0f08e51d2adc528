// Each integer type implements the requirements itself. A default for all of them would conflict with that of `Codable` types, and the
// functions of the mapping and of the reader would be generic in other modules. Those of the writer are inlined to a call of one of three
// functions that are not inlined.

extension Int: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int { try reader.integer() }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Int {
    try session.integer(Int.self, at: index)
  }
  static func decodeElements(by session: DecodingSession, ofArrayAt index: Int) throws -> [Int] {
    try elements(by: session, ofArrayAt: index) { try session.integer(Int.self, at: $0) }
  }
}

extension Int8: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int8 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int8 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int16: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int16 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int16 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int32: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int32 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int32 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int64: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int64 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int64 { try reader.integer() }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int128: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> Int128 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int128 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(large: self) }
  }
}

extension UInt: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt8: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt8 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt8 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt16: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt16 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt16 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt32: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt32 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt32 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt64: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt64 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt64 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt128: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns the number, which must be whole and in range; `1.0` is decoded as 1.
  ///
  /// - Throws: ``TypeMismatchError`` for anything else.
  public static func decode(_ json: JSON) throws -> UInt128 { try json.decodeInteger() }

  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt128 {
    try reader.uncommonInteger()
  }

  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(large: self) }
  }
}

extension JSON {
  /// Returns the number as a `Value`.
  @inline(__always)
  fileprivate func decodeInteger<Value: FixedWidthInteger>() throws -> Value {
    guard let value = document.integer(at: index, as: Value.self) else { throw mismatch(Value.self) }
    return value
  }
}
