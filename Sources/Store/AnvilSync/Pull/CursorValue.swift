internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value of the cursor's field, as the server sent it.
package struct CursorValue: Codable, Hashable, Sendable {
  enum Kind: String, Codable {
    case number, text
  }

  let kind: Kind
  let text: String

  /// Creates a value. Returns `nil` if the JSON value is neither a number nor text.
  init?(_ json: JSON) {
    if let string = json.string {
      (kind, text) = (.text, string)
    } else if let number = json.numberText {
      (kind, text) = (.number, number)
    } else {
      return nil
    }
  }

  /// Returns `true` if this value is greater than `other`. Returns `nil` if the values cannot be compared.
  func isGreater(than other: CursorValue) -> Bool? {
    guard kind == other.kind else { return nil }
    if text == other.text { return false }
    if let own = Self.integer(text), let other = Self.integer(other.text) { return own > other }
    if kind == .number {
      guard let own = Double(text), let other = Double(other.text) else { return nil }
      return own > other
    }
    if let own = Self.date(text), let other = Self.date(other.text) { return own > other }
    return other.text.utf8.lexicographicallyPrecedes(text.utf8)
  }

  /// Returns the value minus `amount`. For a date, `amount` is in seconds, and the result has the same format. Returns `nil` for text that
  /// is neither a whole number nor a date.
  func goingBack(by amount: Int) -> CursorValue? {
    guard amount != 0 else { return self }
    if let integer = Self.integer(text) {
      let (lower, overflows) = integer.subtractingReportingOverflow(Int128(amount))
      return overflows ? nil : CursorValue(kind: kind, text: "\(lower)")
    }
    if kind == .number { return Decimal(string: text).map { CursorValue(kind: kind, text: "\($0 - Decimal(amount))") } }
    return Self.dateText(text, minus: amount).map { CursorValue(kind: kind, text: $0) }
  }

  private init(kind: Kind, text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// Returns the date minus `seconds`, rounded down to the precision of the text. The fraction and the time zone of the text are kept.
  private static func dateText(_ text: String, minus seconds: Int) -> String? {
    let bytes = Array(text.utf8)
    let colon = UInt8(ascii: ":")
    let length = bytes.count > 18 && bytes[16] == colon ? 19 : bytes.count > 15 && bytes[13] == colon ? 16 : 10
    guard bytes.count >= length, length > 10 || bytes.count == 10, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    var whole = Array(bytes.prefix(length)) + Array("2000-01-01T00:00:00Z".utf8.dropFirst(length))
    whole[10] = UInt8(ascii: "T")
    guard let date = date(String(decoding: whole, as: UTF8.self)) else { return nil }
    var lower = Array(date.addingTimeInterval(-Double(seconds)).formatted(.iso8601).utf8)
    guard lower.count == whole.count else { return nil }
    if length > 10 { lower[10] = bytes[10] }
    return String(decoding: lower.prefix(length) + bytes.dropFirst(length), as: UTF8.self)
  }

  private static func integer(_ text: String) -> Int128? { Int128(text) }

  private static func date(_ text: String) -> Date? {
    guard text.utf8.count >= 10, text.utf8.first.map({ (48...57).contains($0) }) == true else { return nil }
    return try? Date.decode(JSON(stringLiteral: text))
  }
}
