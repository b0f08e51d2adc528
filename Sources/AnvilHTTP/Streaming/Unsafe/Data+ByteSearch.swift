#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension Data {
  /// How many bytes stand before the first `byte` among those from `offset` on, counted from the beginning; `nil` when there
  /// is none.
  ///
  /// - Complexity: O(*n*), *n* the distance; as fast as the C library.
  func offset(of byte: UInt8, from offset: Int) -> Int? {
    precondition(offset >= 0 && offset <= count)
    // Safety: `memchr` reads at most the bytes from `offset` on, which there are; what it returns points to one of them.
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start + offset, Int32(byte), bytes.count - offset)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - start
    }
  }
}
