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
      head = unsafe PaddedBytes.word(UnsafeRawPointer(start), 0)
      tail = unsafe PaddedBytes.word(UnsafeRawPointer(start), count &- 8)
    } else {
      (head, tail) = unsafe (PaddedBytes.shortWord(UnsafeRawPointer(start), count), 0)
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
