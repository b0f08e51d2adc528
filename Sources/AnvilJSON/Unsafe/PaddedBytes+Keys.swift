/// Keys that stand in a program, compared with a text's.
extension PaddedBytes {
  /// Whether the bytes from `offset` on begin with those of `key`.
  ///
  /// Inlined where `key` is a literal its words are constants of the machine's code, and so are the branches over its
  /// length: two loads and comparisons for up to 16 bytes.
  @inlinable @inline(__always)
  func begins(with key: StaticString, at offset: Int) -> Bool {
    guard key.hasPointerRepresentation else { return begins(withScalar: key, at: offset) }
    let count = key.utf8CodeUnitCount
    assert(offset >= 0 && offset + count <= self.count + Self.padding)
    // Safety: `key` has `count` bytes, and the text as many from `offset` on, which is the start of a key that has been
    // scanned, with the padding behind it. Each load below ends at `count` at the latest.
    let text = unsafe UnsafeRawPointer(base) + offset
    let key = unsafe UnsafeRawPointer(key.utf8Start)
    switch count {
    case 8...:
      var done = 0
      while done &+ 8 <= count {
        guard unsafe Self.areEqual(UInt64.self, text, key, at: done) else { return false }
        done &+= 8
      }
      return done == count ? true : unsafe Self.areEqual(UInt64.self, text, key, at: count &- 8)
    case 4...7:
      return unsafe Self.areEqual(UInt32.self, text, key, at: 0)
        && Self.areEqual(UInt32.self, text, key, at: count &- 4)
    case 2...3:
      return unsafe Self.areEqual(UInt16.self, text, key, at: 0)
        && Self.areEqual(UInt16.self, text, key, at: count &- 2)
    case 1: return unsafe Self.areEqual(UInt8.self, text, key, at: 0)
    default: return true
    }
  }

  @inlinable @inline(__always)
  static func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, at offset: Int
  ) -> Bool {
    unsafe left.loadUnaligned(fromByteOffset: offset, as: type)
      == right.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// For the rare `StaticString` that is a scalar and no text in memory.
  @usableFromInline @inline(never)
  func begins(withScalar key: StaticString, at offset: Int) -> Bool {
    // Safety: the buffer is used in the call only.
    key.withUTF8Buffer { unsafe equals(Span(_unsafeElements: $0), at: offset) }
  }
}
