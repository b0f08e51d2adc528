/// Keys of objects, followed by a colon.
///
/// Functions for literal keys are inlined into the calling modules. For a key without characters that need escaping, only the
/// stores of its bytes remain, because the compiler knows its content and length.
extension OutputMemory {
  /// Writes `key` in quotation marks, and a colon.
  ///
  /// Short keys are stored in the ``slack`` that remains after every value. The value that follows reserves it again.
  @inlinable @inline(__always)
  func write(key: StaticString) {
    guard key.isPlain else { return write(key: key.description) }
    let length = key.utf8CodeUnitCount
    if length &+ 3 > Self.slack { reserve(length &+ 3) }
    let start = unsafe end
    unsafe start.storeBytes(of: 0x22, as: UInt8.self)
    // Safety: there is room for the key and three bytes more; the key is no part of this memory.
    unsafe (start + 1).copyMemory(from: key.utf8Start, byteCount: length)
    unsafe (start + (length &+ 1)).storeBytes(of: (0x3A22 as UInt16).littleEndian, as: UInt16.self)
    unsafe header.pointee.count &+= length &+ 3
  }

  /// Writes `key` in quotation marks, escaped, and a colon.
  @usableFromInline @inline(never)
  func write(key: String) {
    append(quoted: key, escapingSlashes: style.escapesSlashes)
    append(0x3A)
  }
}

extension StaticString {
  /// True if no character needs escaping.
  ///
  /// It reads eight bytes at a time, and may read some of the last eight bytes twice. It has so few steps that the compiler can evaluate it
  /// for literals.
  @inlinable @inline(__always)
  var isPlain: Bool {
    guard hasPointerRepresentation else { return false }
    let length = utf8CodeUnitCount
    // Safety: all loads end at the end of the text at the latest.
    let start = unsafe UnsafeRawPointer(utf8Start)
    if length >= 8 {
      var specials: UInt64 = 0
      var offset = 0
      while offset &+ 8 <= length {
        specials |= unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self).stringSpecials
        offset &+= 8
      }
      return unsafe specials | start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self).stringSpecials == 0
    }
    if length >= 4 {
      let first = unsafe UInt64(start.loadUnaligned(as: UInt32.self))
      let last = unsafe UInt64(start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
      return (first | last &<< 32).stringSpecials == 0
    }
    guard length > 0 else { return true }
    let first = unsafe UInt64(start.load(as: UInt8.self))
    let middle = unsafe UInt64(start.load(fromByteOffset: length &>> 1, as: UInt8.self))
    let last = unsafe UInt64(start.load(fromByteOffset: length &- 1, as: UInt8.self))
    return (first | middle &<< 8 | last &<< 16 | 0x2020_2020_2000_0000).stringSpecials == 0
  }
}

extension UInt64 {
  /// A value that is not zero if a byte is a quotation mark, a backslash or a control character.
  @inlinable @inline(__always)
  var stringSpecials: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5C5C_5C5C_5C5C_5C5C
    let controls = (self &- ones &* 0x20) & ~self
    return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & 0x8080_8080_8080_8080
  }
}
