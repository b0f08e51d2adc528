internal import AnvilBase

extension String {
  /// Returns whether the strings have the same UTF-8 bytes, ignoring the case of ASCII letters. Both must have the same number of bytes.
  func hasSameBytesIgnoringCase(as other: String) -> Bool {
    // Safety: both buffers are used only during the calls, and iteration is bounds-checked.
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe left.elementsEqual(right) { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}
