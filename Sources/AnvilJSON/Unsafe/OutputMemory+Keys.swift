/// Keys of objects, with the colon behind them.
///
/// Those of the program's text are inlined into the modules that have them. Of one without characters that must be escaped
/// nothing is left there but the stores of its bytes: which it is, and how long, is known to the compiler.
extension OutputMemory {
  /// Writes `key` in quotation marks, and a colon.
  ///
  /// Keys that are not long are stored to the room that every value leaves; the value that follows makes it again.
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
    append(quoted: key, escapingSlashes: false)
    append(0x3A)
  }
}

extension StaticString {
  /// Whether nothing in it must be escaped.
  ///
  /// Eight bytes at a time, the last of them once more: of few steps, so that the compiler does them for literals.
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
  /// Not zero where one of its bytes is a quotation mark, a backslash or a control character.
  @inlinable @inline(__always)
  var stringSpecials: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5C5C_5C5C_5C5C_5C5C
    let controls = (self &- ones &* 0x20) & ~self
    return (controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & 0x8080_8080_8080_8080
  }
}
