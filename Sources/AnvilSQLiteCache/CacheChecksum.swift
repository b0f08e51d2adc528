#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The 64-bit FNV-1a hash of bytes, which detects accidental changes.
///
/// Source: the Internet-Draft "The FNV Non-Cryptographic Hash Algorithm".
struct CacheChecksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ data: Data) {
    var hash = value
    // The length tells where one part ends and the next begins.
    for byte in data { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    value = (hash ^ UInt64(data.count)) &* 0x0000_0100_0000_01b3
  }

  /// The value as SQLite stores it.
  var stored: Int64 { Int64(bitPattern: value) }
}
