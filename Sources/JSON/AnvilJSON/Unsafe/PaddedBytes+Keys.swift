public import AnvilBase
internal import CAnvilVectors

/// Comparison of literal keys with those of a text.
///
/// If these functions are inlined and `key` is a literal, its words are constants in the machine code, and the branches
/// on its length and characters disappear. Only a load and a comparison remain for each eight bytes.
///
/// Safety: `key` has `count` bytes, and no load leaves that range. The text is loaded from `offset` on, which is at most one byte after the
/// text's end. Words are loaded as long as they are equal to those of `key`. Because `key` has no NUL, this ends in the first word of the
/// padding at the latest.
extension PaddedBytes {
  /// The maximum number of bytes of a key for ``hasKey(_:at:)``.
  @usableFromInline static var longestPlainKey: Int { 63 }

  /// Returns true if the bytes from `offset` on are those of `key`, a quotation mark and a colon.
  ///
  /// The result is always false for keys longer than ``longestPlainKey``, and for keys that cannot be written without an escape.
  @_transparent @usableFromInline
  func hasKey(_ key: StaticString, at offset: Int) -> Bool {
    assert(offset >= 0 && offset <= count + 1)
    guard key.hasPointerRepresentation else { return false }
    let length = key.utf8CodeUnitCount
    let text = unsafe UnsafeRawPointer(base) + offset
    let key = unsafe UnsafeRawPointer(key.utf8Start)
    if length < 8 {
      let word = unsafe Self.shortWord(key, length)
      guard Self.isPlain(word | 0x2020_2020_2020_2020 &<< UInt64(8 &* length)) else { return false }
      let whole = word | 0x3A22 &<< UInt64(8 &* length)
      // The colon after seven bytes and a quotation mark is in the next word.
      if length == 7 {
        return unsafe Self.word(text, 0) == whole && text.load(fromByteOffset: 8, as: UInt8.self) == .colon
      }
      let mask: UInt64 = length == 6 ? .max : (1 &<< UInt64(8 &* length &+ 16)) &- 1
      return unsafe Self.word(text, 0) & mask == whole
    }
    guard length <= Self.longestPlainKey else { return false }
    // The words before the last one, which overlaps them and includes the quotation mark and the colon.
    var done = 0
    while done &+ 8 <= length {
      let word = unsafe Self.word(key, done)
      guard Self.isPlain(word), unsafe Self.word(text, done) == word else { return false }
      done &+= 8
    }
    let last = unsafe Self.word(key, length &- 8)
    guard Self.isPlain(last) else { return false }
    // If seven bytes of the key are left, the last word has only six of them.
    if done &+ 7 == length { guard unsafe Self.word(text, length &- 8) == last else { return false } }
    return unsafe Self.word(text, length &- 6) == last &>> 16 | 0x3A22 &<< 48
  }

  /// Returns true if the `length` bytes from `offset` on are those of `key`, which may contain any characters.
  @usableFromInline @inline(never)
  func equals(_ key: StaticString, at offset: Int, length: Int) -> Bool {
    // Safety: the buffer is used in the call only.
    key.withUTF8Buffer { key in unsafe key.count == length && equals(Span(_unsafeElements: key), at: offset) }
  }

  /// Returns the eight bytes from `offset` on, with the first byte as the lowest.
  @_transparent @usableFromInline
  static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns the `length` bytes, fewer than eight, from `start` on, with zeros above them.
  @_transparent @usableFromInline
  static func shortWord(_ start: UnsafeRawPointer, _ length: Int) -> UInt64 {
    // Two loads that overlap.
    switch length {
    case 4...:
      let low = UInt32(littleEndian: unsafe start.loadUnaligned(as: UInt32.self))
      let high = UInt32(littleEndian: unsafe start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
      return UInt64(low) | UInt64(high) &<< UInt64(8 &* (length &- 4))
    case 2...:
      let low = UInt16(littleEndian: unsafe start.loadUnaligned(as: UInt16.self))
      let high = UInt16(littleEndian: unsafe start.loadUnaligned(fromByteOffset: length &- 2, as: UInt16.self))
      return UInt64(low) | UInt64(high) &<< UInt64(8 &* (length &- 2))
    case 1: return UInt64(unsafe start.load(as: UInt8.self))
    default: return 0
    }
  }

  /// Returns true if none of the eight bytes is a quotation mark, a backslash or a control character.
  ///
  /// Source: S. E. Anderson, Bit Twiddling Hacks, "Determine if a word has a byte less than n". The result is exact, although the test
  /// cannot tell which byte it is.
  @_transparent @usableFromInline
  static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    return ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs == 0
  }
}

/// The kinds of sixteen bytes of a string, as masks with one bit for each byte. The lowest bit is that of the first byte.
struct StringLanes {
  /// Quotation marks, backslashes and control characters.
  var specials: UInt32
  /// Bytes beyond ASCII.
  var beyondASCII: UInt32

  /// The number of bytes before the first special one, which must exist.
  @inline(__always)
  var plainCount: Int { specials.trailingZeroBitCount }

  /// The non-ASCII bytes before the first special one; all of them if no byte is special.
  @inline(__always)
  var plainBeyondASCII: UInt32 { beyondASCII & ((specials & (0 &- specials)) &- 1) }
}

extension PaddedBytes {
  /// Returns the kinds of the sixteen bytes from `offset` on.
  @inline(__always)
  func stringLanes(at offset: Int) -> StringLanes {
    assert(offset >= 0 && offset + 16 <= count + Self.padding)
    // Safety: sixteen bytes are read, which are there as asserted.
    let lanes = unsafe anvil_find_string_lanes(base + offset)
    return StringLanes(specials: lanes.specials, beyondASCII: lanes.beyond_ascii)
  }

  /// Returns the mask of the sixteen bytes from `offset` on that are not white space.
  @inline(__always)
  func lanesOtherThanWhitespace(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 16 <= count + Self.padding)
    // Safety: as above.
    return unsafe anvil_find_other_than_white_space(base + offset)
  }

  /// Returns the mask of the 32 bytes from `offset` on that are spaces.
  @inline(__always)
  func spaces(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 32 <= count + Self.padding)
    // Safety: 32 bytes are read, which are there as asserted.
    return unsafe anvil_find_spaces(base + offset)
  }

  /// Returns whether the fifteen bytes from `offset` on are five scalars of three bytes each, none of which begins with E0 or ED. Those two
  /// need further checks.
  ///
  /// Sixteen bytes are loaded. Swift's vectors took four times as many instructions, because their literals are not constants.
  @inline(__always)
  func isFiveOfThreeBytes(at offset: Int) -> Bool {
    assert(offset >= 0 && offset + 16 <= count + Self.padding)
    // Safety: as above.
    return unsafe anvil_is_five_of_three_bytes(base + offset) != 0
  }
}
