/// A key from a string literal, prepared for comparison with keys of a tape.
///
/// For a call such as `json => "name"`, the whole key is known when the caller is compiled. Its words become constants, so
/// that creating the key takes no time at run time.
///
/// Safety: `start` points to `count` bytes of a literal, which live as long as the program and are never written, so that any
/// thread may read them: hence `nonisolated(unsafe)`.
@safe
@usableFromInline
struct LiteralKey: Sendable {
  /// The first eight bytes. A shorter key is followed by zeros. The first byte is the lowest.
  @usableFromInline let head: UInt64
  /// The last eight bytes; 0 for a shorter key.
  @usableFromInline let tail: UInt64
  @usableFromInline let count: Int
  @usableFromInline nonisolated(unsafe) let start: UnsafePointer<UInt8>

  /// Creates the key from a literal.
  ///
  /// - Parameter key: A literal that is stored as bytes: ``StaticString/hasPointerRepresentation`` is true.
  @inlinable @inline(__always)
  init(_ key: StaticString) {
    let start = unsafe key.utf8Start
    let count = key.utf8CodeUnitCount
    // Safety: every load ends within the literal's `count` bytes.
    if count >= 8 {
      head = unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
      tail = unsafe UInt64(
        littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    } else {
      // Loads pieces of four, two and one bytes without a loop, so that the result is computed when the caller is compiled.
      var bytes: UInt64 = 0
      var offset = 0
      if count & 4 != 0 {
        bytes = unsafe UInt64(UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)))
        offset = 4
      }
      if count & 2 != 0 {
        let part = unsafe UInt16(
          littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        bytes |= UInt64(part) &<< UInt64(8 &* offset)
        offset &+= 2
      }
      if count & 1 != 0 {
        bytes |= unsafe UInt64(start[offset]) &<< UInt64(8 &* offset)
      }
      head = bytes
      tail = 0
    }
    self.count = count
    unsafe self.start = start
  }

  /// Calls `body` with the key's bytes, which are valid only during the call.
  @inline(__always)
  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    // Safety: the literal lives as long as the program, and nothing writes to it.
    unsafe body(Span(_unsafeStart: start, count: count))
  }

  /// The path with the literal as its only step.
  var path: JSON.Path {
    // Safety: as above.
    unsafe JSON.Path(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
  }
}
