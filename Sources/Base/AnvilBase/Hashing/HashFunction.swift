/// The hash functions for Digest authentication and the cache.
package enum HashFunction {
  case md5
  case sha256
  case sha512Truncated256

  /// Returns the hash of `bytes`, in lower-case hexadecimal digits.
  package func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
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
