internal import AnvilBase

extension Data {
  /// Searches from `offset`, which is counted from the start like the result; `nil` if the byte does not occur.
  ///
  /// - Complexity: O(*n*), where *n* is the distance; as fast as the C library.
  func offset(of byte: UInt8, from offset: Int) -> Int? {
    precondition(offset >= 0 && offset <= count)
    // Safety: `memchr` reads only the existing bytes from `offset` on, and returns a pointer to one of them.
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start + offset, Int32(byte), bytes.count - offset)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - start
    }
  }
}
