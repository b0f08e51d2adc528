internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type that ``NumberOrString`` reads from strings: integers, floating-point numbers, `Decimal`, `Bool`, and their optionals.
public protocol StringReadableNumber: Codable {
  /// True for `Bool`, which is also read from the numbers 0 and 1.
  static var _isBoolean: Bool { get }

  /// Returns the number that `text` contains in JSON syntax; `nil` for any other text, and for numbers that the type cannot hold.
  static func number(in text: String) -> Self?
}

extension StringReadableNumber {
  /// False.
  public static var _isBoolean: Bool { false }
}

extension StringReadableNumber where Self: FixedWidthInteger {
  /// Returns the integer that `text` contains, digits with an optional minus; `nil` for any other text, and for numbers that do
  /// not fit.
  public static func number(in text: String) -> Self? {
    guard NumberGrammar.isInteger(text) else { return nil }
    // One conversion of the text serves all but the widest types: the standard library's is compiled for each type that calls it.
    if let number = NumberGrammar.int(text) { return Self(exactly: number) }
    if Self.bitWidth > 128 { return Self(text) }
    if Self.bitWidth <= Int.bitWidth, Self.isSigned { return nil }
    return Self.isSigned
      ? NumberGrammar.int128(text).flatMap(Self.init(exactly:))
      : NumberGrammar.uint128(text).flatMap(Self.init(exactly:))
  }
}

extension StringReadableNumber where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// Returns the nearest value to the number that `text` contains in JSON syntax; `nil` for any other text, and for numbers out of
  /// range.
  public static func number(in text: String) -> Self? {
    guard NumberGrammar.isNumber(text), let number = Self(text), number.isFinite else { return nil }
    return number
  }
}

extension Int: StringReadableNumber {}
extension Int8: StringReadableNumber {}
extension Int16: StringReadableNumber {}
extension Int32: StringReadableNumber {}
extension Int64: StringReadableNumber {}
extension Int128: StringReadableNumber {}
extension UInt: StringReadableNumber {}
extension UInt8: StringReadableNumber {}
extension UInt16: StringReadableNumber {}
extension UInt32: StringReadableNumber {}
extension UInt64: StringReadableNumber {}
extension UInt128: StringReadableNumber {}
extension Double: StringReadableNumber {}
extension Float: StringReadableNumber {}

extension Decimal: StringReadableNumber {
  /// Returns the number that `text` contains in JSON syntax, rounded to the available digits; `nil` for any other text, and for
  /// numbers out of range.
  public static func number(in text: String) -> Decimal? {
    NumberGrammar.isNumber(text) ? Decimal(numberText: text) : nil
  }
}

extension Bool: StringReadableNumber {
  /// True.
  public static var _isBoolean: Bool { true }

  /// Returns the Boolean that `text` contains, `true`, `false`, `1` or `0`; `nil` for any other text.
  public static func number(in text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}

extension Optional: StringReadableNumber where Wrapped: StringReadableNumber {
  /// True for an optional `Bool`.
  public static var _isBoolean: Bool { Wrapped._isBoolean }

  /// Returns the number that `text` contains as the wrapped type reads it. The result is never `.some(nil)`.
  public static func number(in text: String) -> Wrapped?? { Wrapped.number(in: text).map(Optional.some) }
}
