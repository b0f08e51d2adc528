#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension String {
  /// Whether both are the same bytes of UTF-8, where `==` asks whether people see the same.
  ///
  /// By the C library: byte by byte it was 3 % of storing rows with one statement of 47 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    // Safety: the bytes are there while the closure runs.
    unsafe other.utf8.withContiguousStorageIfAvailable { unsafe hasBytes($0) } ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether its UTF-8 is these bytes.
  package func hasBytes(_ others: UnsafeBufferPointer<UInt8>) -> Bool {
    // Safety: the bytes are there while the closure runs, and as many are compared as both have.
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress, let other = others.baseAddress else {
        return bytes.isEmpty && others.isEmpty
      }
      return unsafe bytes.count == others.count && (start == other || memcmp(start, other, bytes.count) == 0)
    }
    return unsafe isSame ?? utf8.elementsEqual(others)
  }
}
