public import AnvilJSON

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

extension StringReadableNumber where Self: JSONReadable {
  /// Returns the value that the number in `text`, in JSON syntax, represents for ``JSON/read(_:from:)``; `nil` for any other text, and for
  /// numbers out of range.
  public static func number(in text: String) -> Self? { text.isNumber ? try? JSON.read(Self.self, from: text) : nil }
}

extension StringReadableNumber where Self: JSONReadable & FixedWidthInteger {
  /// Returns the integer that `text` contains, digits with an optional minus; `nil` for any other text, and for numbers that do
  /// not fit.
  public static func number(in text: String) -> Self? {
    text.utf8.dropFirst().allSatisfy(String.isDigit) && text.isNumber ? try? JSON.read(Self.self, from: text) : nil
  }
}

extension String {
  fileprivate static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// A Boolean value that indicates whether the text is a number in JSON syntax, without white space, of at most 1100 digits. The exact value
  /// of any `Double` has fewer. Source: RFC 8259 §6.
  var isNumber: Bool {
    guard utf8.count <= 1100, let first = utf8.first, let last = utf8.last,
      first == UInt8(ascii: "-") || String.isDigit(first),
      String.isDigit(last)
    else { return false }
    return (try? JSON(parsing: self))?.kind == .number
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

extension Decimal: StringReadableNumber {}

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
