#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of numbers that ``NumberOrString`` reads from strings: integers, floating-point numbers, `Decimal`, and optional
/// ones.
public protocol StringReadableNumber: Codable {
  /// The number that `text` is, as JSON writes numbers; `nil` for any other text, and for what the type cannot hold.
  static func number(in text: String) -> Self?
}

extension StringReadableNumber where Self: FixedWidthInteger {
  /// The integer whose digits, perhaps behind a minus, `text` is; `nil` for any other text, and for what does not fit.
  public static func number(in text: String) -> Self? { NumberGrammar.isInteger(text) ? Self(text) : nil }
}

extension StringReadableNumber where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// The nearest number to the one that `text` is, as JSON writes numbers; `nil` for any other text, and beyond the range.
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
  /// The number that `text` is, as JSON writes numbers, with the digits that there is room for; `nil` for any other text, and
  /// beyond the range.
  public static func number(in text: String) -> Decimal? {
    NumberGrammar.isNumber(text) ? Decimal(numberText: text) : nil
  }
}

extension Optional: StringReadableNumber where Wrapped: StringReadableNumber {
  /// The number that `text` is; `.some(nil)` for no text.
  public static func number(in text: String) -> Wrapped?? { Wrapped.number(in: text).map(Optional.some) }
}
