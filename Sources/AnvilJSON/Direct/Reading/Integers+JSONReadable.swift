// Each has a function of its own, which callers in other modules call without being compiled with it.

extension Int: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int { try reader.integer() }
}

extension Int8: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int8 { try reader.integer() }
}

extension Int16: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int16 { try reader.integer() }
}

extension Int32: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int32 { try reader.integer() }
}

extension Int64: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int64 { try reader.integer() }
}

extension Int128: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Int128 { try reader.integer() }
}

extension UInt: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt { try reader.integer() }
}

extension UInt8: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt8 { try reader.integer() }
}

extension UInt16: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt16 { try reader.integer() }
}

extension UInt32: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt32 { try reader.integer() }
}

extension UInt64: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt64 { try reader.integer() }
}

extension UInt128: JSONReadable {
  /// The number, which is whole and fits; `1.0` is 1.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UInt128 { try reader.integer() }
}
