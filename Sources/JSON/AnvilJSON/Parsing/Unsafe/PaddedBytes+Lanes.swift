internal import CAnvilVectors

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
