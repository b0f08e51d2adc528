internal import AnvilBase

/// A copy of a JSON text, followed by readable zero bytes.
///
/// The padding lets a scanner load whole vectors without checking for the end of the text. The end looks like a NUL, which is
/// invalid in a JSON text, so every loop over the text stops there.
///
/// Safety: `base` points to `count + padding` initialised bytes that live until `deallocate(after:)` and have one owner
/// at a time. Offsets are checked by `assert`: debug builds, in which the tests and fuzzers run, trap on any that is
/// out of range; release builds rely on the scanners, which never pass the first NUL after the text by more than one
/// vector.
@safe
@usableFromInline
struct PaddedBytes {
  /// The number of padding bytes. It exceeds the size of the widest load, so that a load that begins at the last byte, or at the NUL after
  /// it, stays within the memory.
  @usableFromInline static var padding: Int { 64 }

  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let count: Int

  /// The time for which a copy of a text is needed.
  @usableFromInline
  enum Lifetime {
    /// The memory is kept together with its document.
    case kept
    /// The memory is used for the duration of a call, and usually reused.
    case call
  }

  /// Creates a copy of `source`.
  init(copying source: borrowing RawSpan, for lifetime: Lifetime = .kept) {
    count = source.byteCount
    let byteCount = count + Self.padding
    unsafe base =
      Self.isSpare(count, lifetime) ? BufferPool.texts.take(byteCount) : HeapMemory.allocate(byteCount: byteCount)
    unsafe (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    // Safety: the source is alive for the call and has `count` bytes; the target has no other user, so they do not overlap.
    unsafe source.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe base.copyMemory(from: start, byteCount: count) }
    }
  }

  /// Creates a text in memory that has another owner, of which `count + padding` bytes are initialised.
  init(base: UnsafeMutableRawPointer, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// Releases the memory of a copy for `lifetime`.
  func deallocate(after lifetime: Lifetime = .kept) {
    if Self.isSpare(count, lifetime) {
      unsafe BufferPool.texts.giveBack(base, used: count + Self.padding)
    } else {
      unsafe HeapMemory.deallocate(base)
    }
  }

  /// Returns true if a copy of a text of `count` bytes is stored in memory of ``BufferPool``. For small texts the C library allocates
  /// quickly enough.
  private static func isSpare(_ count: Int, _ lifetime: Lifetime) -> Bool {
    lifetime == .call && count > 1 << 15 && count <= BufferPool.largestUse - padding
  }

  @inlinable @inline(__always)
  subscript(offset: Int) -> UInt8 {
    get {
      assert(offset >= 0 && offset < count + Self.padding)
      return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }
    nonmutating set {
      assert(offset >= 0 && offset < count)
      unsafe base.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Returns the `Value` whose first byte is at `offset`, in native byte order.
  @inline(__always)
  func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
    assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count + Self.padding)
    return unsafe base.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Writes `value` from `offset` on, in native byte order.
  @inline(__always)
  func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count + Self.padding)
    unsafe base.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  /// Ends a string at `offset`, which is at most that of the first padding byte.
  func writeQuotationMark(at offset: Int) {
    assert(offset >= 0 && offset <= count)
    unsafe base.storeBytes(of: UInt8.quote, toByteOffset: offset, as: UInt8.self)
  }

  /// Moves `count` bytes from `source` down to `target`, 15 at most, and changes no other bytes.
  @inline(__always)
  func moveDown(from source: Int, to target: Int, count: Int) {
    assert(count <= 16 && target <= source)
    // Two moves of one size that may overlap; both are read before either is written.
    if count >= 8 {
      move(UInt64.self, from: source, to: target, count)
    } else if count >= 4 {
      move(UInt32.self, from: source, to: target, count)
    } else if count >= 2 {
      move(UInt16.self, from: source, to: target, count)
    } else if count == 1 {
      self[target] = self[source]
    }
  }

  @inline(__always)
  private func move<Value: BitwiseCopyable>(_ type: Value.Type, from source: Int, to target: Int, _ count: Int) {
    let last = count &- MemoryLayout<Value>.size
    let (head, tail) = (load(type, at: source), load(type, at: source &+ last))
    store(head, at: target)
    store(tail, at: target &+ last)
  }

  /// Returns true if the bytes from `offset` on begin with `text`.
  @inline(__always)
  func equals(_ text: Span<UInt8>, at offset: Int) -> Bool {
    assert(offset >= 0 && offset + text.count <= count + Self.padding)
    // Safety: both have `text.count` bytes from there on, and live for the call.
    return unsafe text.withUnsafeBytes { text in
      let count = text.count
      guard let text = text.baseAddress else { return true }
      let bytes = unsafe base + offset
      // Most keys by two loads that overlap: calls of `memcmp` took 7 % of the time of decoding twitter.json.
      if count > 16 { return unsafe memcmp(bytes, text, count) == 0 }
      if count >= 8 { return unsafe Self.equal(UInt64.self, bytes, text, count) }
      if count >= 4 { return unsafe Self.equal(UInt32.self, bytes, text, count) }
      if count >= 2 { return unsafe Self.equal(UInt16.self, bytes, text, count) }
      return unsafe count == 0 || Self.equal(UInt8.self, bytes, text, 1)
    }
  }

  /// Returns true if the first and the last `Value` of two texts of `count` bytes are equal.
  @inline(__always)
  private static func equal<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type, _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int
  ) -> Bool {
    let last = count &- MemoryLayout<Value>.size
    let head = unsafe first.loadUnaligned(as: type) ^ second.loadUnaligned(as: type)
    let tail =
      unsafe first.loadUnaligned(fromByteOffset: last, as: type) ^ second.loadUnaligned(fromByteOffset: last, as: type)
    return head | tail == 0
  }

  /// Returns the string in the `length` bytes from `offset` on, which have been checked to be UTF-8.
  ///
  /// - Complexity: O(*n*), *n* the length; one allocation beyond 15 bytes.
  @inline(__always)
  func string(at offset: Int, length: Int, isASCII: Bool) -> String {
    assert(offset >= 0 && length >= 0 && offset + length <= count + Self.padding)
    let start = unsafe (base + offset).assumingMemoryBound(to: UInt8.self)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // Safety: the bytes are initialised, live longer than the call, and are UTF-8: the parser has checked them.
      return unsafe String(
        copying: UTF8Span(unchecked: Span(_unsafeStart: start, count: length), isKnownASCII: isASCII))
    }
    // Safety: as above.
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }

  /// Returns the result of `body` for the `length` bytes from `offset` on, which are valid only during the call.
  @inline(__always)
  func withSpan<Result>(at offset: Int, length: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    assert(offset >= 0 && length >= 0 && offset + length <= count + Self.padding)
    let start = unsafe (base + offset).assumingMemoryBound(to: UInt8.self)
    // Safety: the bytes are initialised and live longer than the call; nothing writes to them meanwhile.
    return unsafe body(Span(_unsafeStart: start, count: length))
  }
}
