extension String {
  /// Returns `true` if both have the same UTF-8 bytes. Unlike this, `==` compares by canonical equivalence.
  ///
  /// It uses `memcmp`: a comparison byte by byte took 3 % of the time to store rows with one statement of 47 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    // Safety: the bytes are valid while the closure runs.
    unsafe other.utf8.withContiguousStorageIfAvailable { unsafe hasBytes($0) } ?? utf8.elementsEqual(other.utf8)
  }

  package func hasBytes(_ others: UnsafeBufferPointer<UInt8>) -> Bool {
    // Safety: the bytes are valid while the closure runs, and only as many are compared as both have.
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress, let other = others.baseAddress else {
        return bytes.isEmpty && others.isEmpty
      }
      return unsafe bytes.count == others.count && (start == other || memcmp(start, other, bytes.count) == 0)
    }
    return unsafe isSame ?? utf8.elementsEqual(others)
  }

  /// The bytes are read as a buffer: with a view's iterator, checking the fields of a request took 39 instructions for each byte.
  @inlinable @inline(__always)
  package func allBytes(satisfy predicate: (UInt8) -> Bool) -> Bool {
    // Safety: the buffer is used only during the call, and iteration is bounds-checked.
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.allSatisfy(predicate) } ?? utf8.allSatisfy(predicate)
  }
}
