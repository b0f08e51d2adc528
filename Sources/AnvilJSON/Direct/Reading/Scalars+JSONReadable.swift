#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON: JSONReadable {
  /// The value, of which ``root`` is itself: nothing of the text around it is kept.
  ///
  /// - Complexity: O(*n*), *n* its length: it is passed twice.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> JSON { try reader.json() }
}

extension Bool: JSONReadable {
  /// `true` or `false`; numbers are neither.
  ///
  /// - Throws: ``JSON/ReadingError``.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Bool { try reader.bool() }
}

extension String: JSONReadable {
  /// The string.
  ///
  /// - Throws: ``JSON/ReadingError``.
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes of UTF-8.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> String {
    try reader.string(for: String.self)
  }
}

extension Double: JSONReadable {
  /// The double nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of doubles.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
    try reader.double()
  }
}

extension Float: JSONReadable {
  /// The float nearest to the number.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of floats.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Float {
    try reader.float()
  }
}

extension Decimal: JSONReadable {
  /// The number with as many of its digits as `Decimal` can hold.
  ///
  /// - Throws: ``JSON/ReadingError``, also beyond the range of `Decimal`.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Decimal {
    try reader.decimal()
  }
}
