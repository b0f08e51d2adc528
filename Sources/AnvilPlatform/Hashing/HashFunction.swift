#if canImport(CryptoKit)
internal import CryptoKit
#endif

/// The hash functions for Digest authentication and the cache. ``hexadecimal(of:)`` uses the implementation of the system if there is one.
package enum HashFunction {
  case md5
  case sha256
  case sha512Truncated256

  /// Returns the hash of `bytes`, in lower-case hexadecimal digits.
  package func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    #if canImport(CryptoKit)
    switch self {
    case .md5: return Self.hexadecimal(Array(Insecure.MD5.hash(data: Array(bytes))))
    case .sha256: return Self.hexadecimal(Array(CryptoKit.SHA256.hash(data: Array(bytes))))
    case .sha512Truncated256: break
    }
    #endif
    var hash = begin()
    hash.update(bytes)
    return Self.hexadecimal(hash.finish())
  }

  /// Returns an incremental hash of an empty message.
  package func begin() -> RunningHash {
    switch self {
    case .md5: RunningHash(MD5())
    case .sha256: RunningHash(SHA256())
    case .sha512Truncated256: RunningHash(SHA512Truncated256())
    }
  }

  /// Returns the bytes of a hash in lower-case hexadecimal digits.
  package static func hexadecimal(_ hash: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
