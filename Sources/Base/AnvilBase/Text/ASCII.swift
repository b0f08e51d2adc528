/// The characters of ASCII that formats are written with. Letters are written as `UInt8(ascii: "e")`.
///
/// The compiler always inlines the names: a comparison with one costs what a comparison with a literal costs, also in a debug build.
extension UInt8 {
  @inlinable @inline(always) package static var backspace: UInt8 { 0x08 }
  @inlinable @inline(always) package static var tab: UInt8 { 0x09 }
  @inlinable @inline(always) package static var lineFeed: UInt8 { 0x0A }
  @inlinable @inline(always) package static var verticalTab: UInt8 { 0x0B }
  @inlinable @inline(always) package static var formFeed: UInt8 { 0x0C }
  @inlinable @inline(always) package static var carriageReturn: UInt8 { 0x0D }
  @inlinable @inline(always) package static var space: UInt8 { 0x20 }
  @inlinable @inline(always) package static var exclamationMark: UInt8 { 0x21 }
  @inlinable @inline(always) package static var quote: UInt8 { 0x22 }
  @inlinable @inline(always) package static var numberSign: UInt8 { 0x23 }
  @inlinable @inline(always) package static var dollarSign: UInt8 { 0x24 }
  @inlinable @inline(always) package static var percentSign: UInt8 { 0x25 }
  @inlinable @inline(always) package static var ampersand: UInt8 { 0x26 }
  @inlinable @inline(always) package static var apostrophe: UInt8 { 0x27 }
  @inlinable @inline(always) package static var openParenthesis: UInt8 { 0x28 }
  @inlinable @inline(always) package static var closeParenthesis: UInt8 { 0x29 }
  @inlinable @inline(always) package static var asterisk: UInt8 { 0x2A }
  @inlinable @inline(always) package static var plus: UInt8 { 0x2B }
  @inlinable @inline(always) package static var comma: UInt8 { 0x2C }
  @inlinable @inline(always) package static var minus: UInt8 { 0x2D }
  @inlinable @inline(always) package static var period: UInt8 { 0x2E }
  @inlinable @inline(always) package static var slash: UInt8 { 0x2F }
  @inlinable @inline(always) package static var digit0: UInt8 { 0x30 }
  @inlinable @inline(always) package static var digit9: UInt8 { 0x39 }
  @inlinable @inline(always) package static var colon: UInt8 { 0x3A }
  @inlinable @inline(always) package static var semicolon: UInt8 { 0x3B }
  @inlinable @inline(always) package static var lessThan: UInt8 { 0x3C }
  @inlinable @inline(always) package static var equalsSign: UInt8 { 0x3D }
  @inlinable @inline(always) package static var greaterThan: UInt8 { 0x3E }
  @inlinable @inline(always) package static var questionMark: UInt8 { 0x3F }
  @inlinable @inline(always) package static var atSign: UInt8 { 0x40 }
  @inlinable @inline(always) package static var openBracket: UInt8 { 0x5B }
  @inlinable @inline(always) package static var backslash: UInt8 { 0x5C }
  @inlinable @inline(always) package static var closeBracket: UInt8 { 0x5D }
  @inlinable @inline(always) package static var underscore: UInt8 { 0x5F }
  @inlinable @inline(always) package static var graveAccent: UInt8 { 0x60 }
  @inlinable @inline(always) package static var openBrace: UInt8 { 0x7B }
  @inlinable @inline(always) package static var closeBrace: UInt8 { 0x7D }
  @inlinable @inline(always) package static var tilde: UInt8 { 0x7E }
  @inlinable @inline(always) package static var delete: UInt8 { 0x7F }
}

/// Classes of characters. Only characters of ASCII belong to them.
extension UInt8 {
  @inlinable @inline(always) package var isDigit: Bool { self &- .digit0 <= 9 }
  @inlinable @inline(always) package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  @inlinable @inline(always) package var isUppercaseLetter: Bool { self &- UInt8(ascii: "A") < 26 }

  /// The value of a hexadecimal digit in either case; `nil` for other bytes.
  @inlinable @inline(always) package var hexadecimalValue: UInt8? {
    if isDigit { return self &- .digit0 }
    let letter = asciiLowercased &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
  @inlinable @inline(always) package var isHexadecimalDigit: Bool { hexadecimalValue != nil }

  /// A Boolean value that indicates whether the byte is a space or a tab. Source: RFC 9110 §5.6.3.
  @inlinable @inline(always) package var isBlank: Bool { self == .space || self == .tab }

  /// A Boolean value that indicates whether the byte is white space of JSON. Source: RFC 8259 §2.
  @inlinable @inline(always) package var isJSONWhitespace: Bool {
    self == .space || self == .lineFeed || self == .carriageReturn || self == .tab
  }

  /// A Boolean value that indicates whether the byte is a space, a tab, or a control character that ends or feeds a line.
  @inlinable @inline(always) package var isWhitespace: Bool { self == .space || self &- .tab < 5 }

  @inlinable @inline(always) package var asciiLowercased: UInt8 { isUppercaseLetter ? self | 0x20 : self }
}
