internal import CAnvilVectors

/// What there is in sixteen bytes of a string: a bit for each, the first byte's the lowest.
struct StringLanes {
  /// Quotation marks, backslashes and control characters.
  var specials: UInt32
  /// Bytes beyond ASCII.
  var beyondASCII: UInt32

  /// How many bytes stand before the first special one, of which there is one.
  @inline(__always)
  var plainCount: Int { specials.trailingZeroBitCount }

  /// Those bytes beyond ASCII that stand before the first special one; all of them where there is none.
  @inline(__always)
  var plainBeyondASCII: UInt32 { beyondASCII & ((specials & (0 &- specials)) &- 1) }
}

extension PaddedBytes {
  /// What there is in the sixteen bytes from `offset` on.
  @inline(__always)
  func stringLanes(at offset: Int) -> StringLanes {
    assert(offset >= 0 && offset + 16 <= count + Self.padding)
    // Safety: sixteen bytes are read, which are there as asserted.
    let lanes = unsafe anvil_find_string_lanes(base + offset)
    return StringLanes(specials: lanes.specials, beyondASCII: lanes.beyond_ascii)
  }

  /// Which of the sixteen bytes from `offset` on are no white space.
  @inline(__always)
  func lanesOtherThanWhitespace(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 16 <= count + Self.padding)
    // Safety: as above.
    return unsafe anvil_find_other_than_white_space(base + offset)
  }
}
