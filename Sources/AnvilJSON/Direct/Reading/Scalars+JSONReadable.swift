#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONReadable {
  /// Reads any value. The result is its own ``root`` and does not keep the surrounding text alive.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value, which is scanned twice.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> JSON { try reader.json() }
}

extension Bool: JSONReadable {
  /// Reads a Boolean, `true` or `false`. Numbers are not converted.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Bool { try reader.bool() }
}

extension String: JSONReadable {
  /// Reads a string.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  /// - Complexity: O(*n*), where *n* is the length of the string; one allocation for more than 15 bytes of UTF-8.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> String {
    try reader.string(for: String.self)
  }
}

extension Double: JSONReadable {
  /// Reads the double nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of doubles.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
    try reader.double()
  }
}

extension Float: JSONReadable {
  /// Reads the float nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of floats.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Float {
    try reader.float()
  }
}

extension Decimal: JSONReadable {
  /// Reads the number with as many of its digits as `Decimal` can store.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of `Decimal`.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Decimal {
    try reader.decimal()
  }
}
