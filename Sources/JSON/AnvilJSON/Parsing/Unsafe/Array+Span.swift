extension Array where Element: BitwiseCopyable {
  /// The elements, without copying them.
  ///
  /// `Array.span` of the standard library needs macOS 26 or iOS 26, because an array of objects may be stored as an `NSArray`. For such
  /// elements, use `ContiguousArray(array).span`, which copies only an `NSArray`.
  @inlinable @inline(__always)
  package var elementSpan: Span<Element> {
    @_lifetime(borrow self) get {
      // Safety: arrays of elements that are not objects store them contiguously, in memory that they own. The span borrows the array, so
      // the array is neither released nor modified while the span exists.
      let elements = unsafe withUnsafeBufferPointer { elements in unsafe elements }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }
}

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
