internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A value of the field of a cursor, as the server wrote it.
package struct CursorValue: Codable, Hashable, Sendable {
  enum Kind: String, Codable {
    case number, text
  }

  let kind: Kind
  let text: String

  /// Creates the value; `nil` if it is neither a number nor text.
  init?(_ json: JSON) {
    if let string = json.string {
      (kind, text) = (.text, string)
    } else if let number = json.numberText {
      (kind, text) = (.number, number)
    } else {
      return nil
    }
  }

  /// Returns `true` if this value is greater; `nil` if the kinds differ.
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

  private static func integer(_ text: String) -> Int128? { Int128(text) }

  private static func date(_ text: String) -> Date? {
    guard text.utf8.count >= 10, text.utf8.first.map({ (48...57).contains($0) }) == true else { return nil }
    return try? Date.decode(JSON(stringLiteral: text))
  }
}
