internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type whose values are represented by text in a form.
protocol FormScalar: Decodable {
  /// Returns the value represented by `text`; `nil` if `text` is not valid.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self?
}

extension String: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> String? { text }
}

extension Bool: FormScalar {
  /// Returns the value represented by `text`. `on` is true, because HTML forms send it for a selected check box.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Bool? {
    switch text {
    case "true", "1", "on": true
    case "false", "0", "off": false
    default: nil
    }
  }
}

extension FixedWidthInteger where Self: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self? { Self(text) }
}

extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension Int128: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}
extension UInt128: FormScalar {}

extension BinaryFloatingPoint where Self: FormScalar & LosslessStringConvertible {
  /// Returns the value represented by `text`. A value out of range is invalid, not infinity.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self? {
    guard isDecimal(text), let value = Self(text), value.isFinite else { return nil }
    return value
  }
}

extension Double: FormScalar {}
extension Float: FormScalar {}

extension Decimal: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Decimal? {
    guard isDecimal(text), let value = Decimal(string: text), value.isFinite else { return nil }
    return value
  }
}

extension Date: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Date? {
    format.dates.date(in: text) { Double.read($0, format) }
  }
}

extension Data: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Data? { Data(base64Encoded: text) }
}

extension URL: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> URL? { URL(string: text) }
}

/// Returns whether `text` is a decimal number such as `-1`, `.5` or `1e10`. Foundation's parser would accept a valid prefix, and Swift's
/// would also accept hexadecimal numbers and `inf`.
private func isDecimal(_ text: String) -> Bool {
  func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }
  func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
  let number = text.utf8.drop(while: isSign)
  let afterWhole = number.drop(while: isDigit)
  let afterPoint = afterWhole.first == UInt8(ascii: ".") ? afterWhole.dropFirst() : afterWhole
  let exponent = afterPoint.drop(while: isDigit)
  let digits = number.count - afterWhole.count + afterPoint.count - exponent.count
  guard text.utf8.count - number.count <= 1, digits > 0 else { return false }
  guard let mark = exponent.first else { return true }
  let power = exponent.dropFirst().drop(while: isSign)
  return mark | 0x20 == UInt8(ascii: "e") && exponent.count - power.count <= 2 && !power.isEmpty
    && power.allSatisfy(isDigit)
}
