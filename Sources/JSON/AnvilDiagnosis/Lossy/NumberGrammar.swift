internal import AnvilJSON

/// The grammar of JSON numbers. Source: RFC 8259 §6.
enum NumberGrammar {
  /// The maximum length of a number's text. The exact value of any `Double` has fewer digits.
  private static var longest: Int { 1100 }

  /// Returns true if `text` is a number without fraction and exponent.
  @inline(never)
  static func isInteger(_ text: String) -> Bool {
    var rest = text.utf8[...]
    return rest.count <= longest && rest.takeInteger() && rest.isEmpty
  }

  @inline(never)
  static func int(_ text: String) -> Int? { Int(text) }

  @inline(never)
  static func int128(_ text: String) -> Int128? { Int128(text) }

  @inline(never)
  static func uint128(_ text: String) -> UInt128? { UInt128(text) }

  /// Returns true if `text` is a number.
  static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    guard rest.count <= longest, rest.takeInteger() else { return false }
    if rest.take(UInt8(ascii: ".")), !rest.takeDigits() { return false }
    if rest.take(UInt8(ascii: "e")) || rest.take(UInt8(ascii: "E")) {
      if !rest.take(UInt8(ascii: "+")) { _ = rest.take(UInt8(ascii: "-")) }
      guard rest.takeDigits() else { return false }
    }
    return rest.isEmpty
  }
}

extension Substring.UTF8View {
  /// Consumes an optional minus and digits. A leading zero must be the only digit.
  fileprivate mutating func takeInteger() -> Bool {
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) { return true }
    return takeDigits()
  }

  /// Consumes at least one digit.
  fileprivate mutating func takeDigits() -> Bool {
    let digits = prefix { $0 &- 0x30 <= 9 }
    self = self[digits.endIndex...]
    return !digits.isEmpty
  }

  fileprivate mutating func take(_ byte: UInt8) -> Bool {
    guard first == byte else { return false }
    removeFirst()
    return true
  }
}
