/// The validation of UTF-8. Source: RFC 3629 §4; The Unicode Standard, table 3-7.
enum UTF8Validation {
  /// Returns the offset of the first byte that does not begin a well-formed sequence; `nil` if all bytes are well-formed.
  static func firstInvalidByte(in bytes: PaddedBytes, from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      let lead = bytes[next]
      switch lead {
      case 0..<0x80:
        // Reads eight ASCII bytes at once if there are as many.
        next &+= end &- next >= 8 && bytes.load(UInt64.self, at: next) & 0x8080_8080_8080_8080 == 0 ? 8 : 1
      case 0xC2...0xDF:
        guard end &- next >= 2, isContinuation(bytes[next &+ 1]) else { return next }
        next &+= 2
      case 0xE1...0xEC, 0xEE, 0xEF:
        // Most scripts other than Latin use three bytes per scalar: reads five scalars at once, or one. The padding
        // makes the loads safe at the end.
        if end &- next >= 15, bytes.isFiveOfThreeBytes(at: next) {
          next &+= 15
          continue
        }
        // Usually another scalar of three bytes follows. One that needs further checks starts the loop again.
        repeat {
          let word = UInt32(littleEndian: bytes.load(UInt32.self, at: next))
          guard end &- next >= 3, word & 0x00C0_C000 == 0x0080_8000 else { return next }
          next &+= 3
        } while next < end && 0xE1...0xEC ~= bytes[next]
      case 0xE0, 0xED:
        guard end &- next >= 3, isContinuation(bytes[next &+ 1]), isContinuation(bytes[next &+ 2]) else { return next }
        // Overlong forms, and the surrogates.
        if lead == 0xE0, bytes[next &+ 1] < 0xA0 { return next }
        if lead == 0xED, bytes[next &+ 1] >= 0xA0 { return next }
        next &+= 3
      case 0xF0...0xF4:
        guard end &- next >= 4, isContinuation(bytes[next &+ 1]), isContinuation(bytes[next &+ 2]),
          isContinuation(bytes[next &+ 3])
        else { return next }
        // Overlong forms, and beyond U+10FFFF.
        if lead == 0xF0, bytes[next &+ 1] < 0x90 { return next }
        if lead == 0xF4, bytes[next &+ 1] >= 0x90 { return next }
        next &+= 4
      default: return next
      }
    }
    return nil
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
