// Each type has a separate function that is not inlined into callers in other modules.

extension Int: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int { try reader.integer() }
}

extension Int8: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int8 {
    try reader.uncommonInteger()
  }
}

extension Int16: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int16 {
    try reader.uncommonInteger()
  }
}

extension Int32: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int32 {
    try reader.uncommonInteger()
  }
}

extension Int64: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int64 { try reader.integer() }
}

extension Int128: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int128 {
    try reader.uncommonInteger()
  }
}

extension UInt: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt {
    try reader.uncommonInteger()
  }
}

extension UInt8: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt8 {
    try reader.uncommonInteger()
  }
}

extension UInt16: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt16 {
    try reader.uncommonInteger()
  }
}

extension UInt32: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt32 {
    try reader.uncommonInteger()
  }
}

extension UInt64: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt64 {
    try reader.uncommonInteger()
  }
}

extension UInt128: JSONReadable {
  /// Reads the number, which must be whole and in range; `1.0` is read as 1.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt128 {
    try reader.uncommonInteger()
  }
}
