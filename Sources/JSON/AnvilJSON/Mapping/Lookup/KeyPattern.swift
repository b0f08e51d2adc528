/// A key prepared for comparison with the keys of a tape: one word for kind and length, and its bytes in two words.
///
/// Keys of up to 16 bytes are compared without a loop: the first eight bytes and the last eight, which overlap in shorter
/// keys. Below eight bytes the first word contains all of them, padded with zeros.
struct KeyPattern {
  /// The low half of the tape word of an ASCII string with the key's length. For a key that is too long it is 0, which no string has.
  private let shape: UInt32
  private let head: UInt64
  private let tail: UInt64
  let count: Int

  @inline(__always)
  private init(head: UInt64, tail: UInt64, count: Int) {
    self.head = head
    self.tail = tail
    self.count = count
    shape =
      count <= TapeWord.longestLength
      ? UInt32(truncatingIfNeeded: TapeWord.string(offset: 0, length: count, isNonASCII: false).bits) : 0
  }

  @inline(__always)
  init(_ key: LiteralKey) { self.init(head: key.head, tail: key.tail, count: key.count) }

  init(_ key: Span<UInt8>) {
    let count = key.count
    if count >= 8 {
      self.init(head: Self.load(key, at: 0), tail: Self.load(key, at: count - 8), count: count)
    } else {
      var bytes: UInt64 = 0
      for index in key.indices { bytes |= UInt64(key[index]) &<< UInt64(8 &* index) }
      self.init(head: bytes, tail: 0, count: count)
    }
  }

  /// Creates the pattern of the key of `document` at `index`; `nil` if the key is so long that its length is in a second word.
  @inline(__always)
  init?(of document: Document, at index: Int) {
    let word = document.tape[index]
    guard word.is(.string) else { return nil }
    count = word.length
    shape = UInt32(truncatingIfNeeded: word.bits) & ~0x10
    let first = UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset))
    head = count < 8 ? first & ((1 &<< UInt64(8 &* count)) &- 1) : first
    tail =
      count < 8 ? 0 : UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset &+ count &- 8))
  }

  /// A hash of ``KeyBits/hashWidth`` bits, equal for equal keys.
  @inline(__always)
  var hash: UInt64 {
    let mixed = (head ^ tail &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(shape)) &* 0xD6E8_FEB8_6659_FD93
    return mixed &>> UInt64(64 &- KeyBits.hashWidth)
  }

  private static func load(_ key: Span<UInt8>, at offset: Int) -> UInt64 {
    // Safety: the span checks the bounds, and any eight bytes are a valid `UInt64`.
    UInt64(littleEndian: unsafe key.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns whether the key of `document` at `index` has these bytes. For a ``count`` above 16, `true` means only that it may have them.
  @inline(__always)
  func matches(_ document: Document, at index: Int) -> Bool {
    let word = document.tape[index]
    guard UInt32(truncatingIfNeeded: word.bits) & ~0x10 == shape else { return false }
    let first = UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset))
    guard count < 8 else {
      return first == head
        && UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset &+ count &- 8)) == tail
    }
    return first & ((1 &<< UInt64(8 &* count)) &- 1) == head
  }
}
