extension [UInt8] {
  /// Appends the bytes of `span`, which must not belong to the array.
  @inline(__always)
  mutating func append(contentsOf span: Span<UInt8>) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of `span` from `start` on, which must not belong to the array.
  mutating func append(contentsOf span: borrowing RawSpan, from start: Int) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0.dropFirst(start)) }
  }
}

extension Span<UInt8> {
  /// True if all bytes are ASCII.
  var isASCII: Bool {
    var next = 0
    while count &- next >= 8 {
      // Safety: the span checks the bounds; any eight bytes are a `UInt64`.
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      next &+= 8
    }
    while next < count {
      if self[next] >= 0x80 { return false }
      next &+= 1
    }
    return true
  }
}
