extension [UInt8] {
  /// Appends the bytes of `span`, which are not the array's.
  @inline(__always)
  mutating func append(contentsOf span: Span<UInt8>) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of `span` from `start` on, which are not the array's.
  mutating func append(contentsOf span: borrowing RawSpan, from start: Int) {
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0.dropFirst(start)) }
  }
}
