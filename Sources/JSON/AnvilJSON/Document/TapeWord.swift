/// A 64-bit word of a document's tape.
///
/// The tape contains the document's values in the order of the text. Each value has one or two words, and a container's word is
/// followed by those of its members. Keys precede their values and are stored as strings. With `{"a": [1, 2.5], "bc": null}`:
///
///     0  object   2 members, span 8         4  number   offset 10, length 3   5  … the bits of 2.5
///     1  string   offset 2, length 1 (a)    6  string   offset 17, length 2 (bc)
///     2  array    2 elements, span 4        7  null
///     3  integer  1
///
/// The low four bits are the kind. Bit 3 is set if the value has a second word. A value's size is therefore known without a table,
/// and skipping it is an addition:
///
/// | kind | bits 4… | bits 32…63 | second word |
/// | --- | --- | --- | --- |
/// | null, false, true | | | |
/// | integer | the value, signed, 60 bits | | |
/// | string | 4 non-ASCII, 6–31 length | offset of its first byte | |
/// | array, object | 4–31 number of members, saturating | span: words with all members | |
/// | double | 4 integer literal, 5 out of range, 6–31 length of its text | offset of its text | bits of the nearest double |
/// | signed, unsigned | 4 set, 6–31 length of its text | offset of its text | the value |
/// | long string | 4 non-ASCII | offset of its first byte | length |
@usableFromInline
struct TapeWord: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable @inline(__always)
  init(bits: UInt64) {
    self.bits = bits
  }

  @usableFromInline
  enum Kind: UInt8 {
    case null = 0
    case `false` = 1
    case `true` = 2
    case integer = 3
    case string = 4
    case array = 5
    case object = 6
    case double = 8
    case signed = 9
    case unsigned = 10
    case longString = 12
  }

  @inline(__always) var rawKind: UInt8 { UInt8(truncatingIfNeeded: bits & 0xF) }
  /// The kind. The parser writes no other bit patterns.
  @inline(__always) var kind: Kind { Kind(rawValue: rawKind) ?? .null }

  @inline(__always) func `is`(_ kind: Kind) -> Bool { rawKind == kind.rawValue }
  @inline(__always) var isContainer: Bool { rawKind &- 5 <= 1 }
  @inline(__always) var isString: Bool { rawKind & 7 == 4 }
  @inline(__always) var isBool: Bool { rawKind &- 1 <= 1 }
  @inline(__always) var isNumber: Bool { rawKind == 3 || rawKind &- 8 <= 2 }

  /// The number of words of the value with all of its members.
  @inline(__always) var span: Int { isContainer ? containerSpan : scalarSpan }
  /// The ``span`` of an array or object.
  @inline(__always) var containerSpan: Int { Int(truncatingIfNeeded: bits &>> 32) }
  /// The ``span`` of any other value, or of a key.
  @inline(__always) var scalarSpan: Int { 1 &+ Int(truncatingIfNeeded: (bits &>> 3) & 1) }

  @inline(__always) var isNonASCII: Bool { bits & 0x10 != 0 }
  /// The offset at which the string's or number's text begins in the document's bytes.
  @inline(__always) var offset: Int { Int(truncatingIfNeeded: bits &>> 32) }
  /// The number of bytes in the string's or number's text. For a long string the second word contains it.
  @inline(__always) var length: Int { Int(truncatingIfNeeded: (bits &>> 6) & 0x3FF_FFFF) }
  /// The number of members of the container; ``saturatedCount`` means that number or more.
  @inline(__always) var count: Int { Int(truncatingIfNeeded: (bits &>> 4) & 0xFFF_FFFF) }
  @inline(__always) var integer: Int64 { Int64(bitPattern: bits) &>> 4 }
  /// True if the number's text has neither fraction nor exponent.
  @inline(__always) var isIntegerLiteral: Bool { bits & 0x10 != 0 }
  /// True if the number is too large for a double.
  @inline(__always) var isOutOfRange: Bool { bits & 0x20 != 0 }

  static let saturatedCount = 0xFFF_FFFF
  /// The maximum length that fits one word: one byte less than 64 MiB.
  static let longestLength = 0x3FF_FFFF

  /// Returns a whole number if it fits in one word: 17 digits fit the 60 bits. Minus zero does not; it is a double.
  @inline(__always)
  static func shortInteger(_ significand: UInt64, digits: Int, isNegative: Bool) -> Int64? {
    guard digits <= 17, !isNegative || significand != 0 else { return nil }
    let value = Int64(bitPattern: significand)
    return isNegative ? 0 &- value : value
  }

  static let null = TapeWord(bits: UInt64(Kind.null.rawValue))
  static let `false` = TapeWord(bits: UInt64(Kind.false.rawValue))
  static let `true` = TapeWord(bits: UInt64(Kind.true.rawValue))

  /// Returns true if `value` fits the 60 bits of an integer word.
  @inline(__always)
  static func fits(_ value: Int64) -> Bool { (value &<< 4) &>> 4 == value }

  @inline(__always)
  static func integer(_ value: Int64) -> TapeWord {
    TapeWord(bits: UInt64(bitPattern: value &<< 4) | UInt64(Kind.integer.rawValue))
  }

  @inline(__always)
  static func string(offset: Int, length: Int, isNonASCII: Bool) -> TapeWord {
    TapeWord(
      bits: UInt64(Kind.string.rawValue) | (isNonASCII ? 0x10 : 0) | UInt64(truncatingIfNeeded: length) &<< 6
        | UInt64(truncatingIfNeeded: offset) &<< 32)
  }

  static func longString(offset: Int, isNonASCII: Bool) -> TapeWord {
    TapeWord(
      bits: UInt64(Kind.longString.rawValue) | (isNonASCII ? 0x10 : 0) | UInt64(truncatingIfNeeded: offset) &<< 32)
  }

  @inline(__always)
  static func number(
    _ kind: Kind, offset: Int, length: Int, isIntegerLiteral: Bool, isOutOfRange: Bool = false
  ) -> TapeWord {
    TapeWord(
      bits: UInt64(kind.rawValue) | (isIntegerLiteral ? 0x10 : 0) | (isOutOfRange ? 0x20 : 0)
        | UInt64(truncatingIfNeeded: length) &<< 6 | UInt64(truncatingIfNeeded: offset) &<< 32)
  }

  @inline(__always)
  static func container(isObject: Bool, count: Int, span: Int) -> TapeWord {
    let kind: Kind = isObject ? .object : .array
    return TapeWord(
      bits: UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: min(count, saturatedCount)) &<< 4
        | UInt64(truncatingIfNeeded: span) &<< 32)
  }
}
