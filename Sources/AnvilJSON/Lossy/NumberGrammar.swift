/// What a text must look like to be a number of JSON. Source: RFC 8259 §6.
enum NumberGrammar {
  /// Longer texts are no numbers that anybody means: the exact value of any `Double` has fewer digits.
  private static var longest: Int { 1100 }

  /// Whether `text` is a number without fraction and exponent.
  static func isInteger(_ text: String) -> Bool {
    var rest = text.utf8[...]
    return rest.count <= longest && rest.takeInteger() && rest.isEmpty
  }

  /// Whether `text` is a number.
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
  /// Takes a minus if there is one, and digits, of which none but the only one may be a zero at the beginning.
  fileprivate mutating func takeInteger() -> Bool {
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) { return true }
    return takeDigits()
  }

  /// Takes one digit at least.
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
