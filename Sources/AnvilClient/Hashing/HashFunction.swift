#if canImport(CryptoKit)
internal import CryptoKit
#endif

/// The hash functions that Digest and the cache need: the system's where it has them.
enum HashFunction {
  case md5
  case sha256

  /// The hash of `bytes`, in lower-case hexadecimal digits.
  func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    let message = Array(bytes)
    #if canImport(CryptoKit)
    let hash =
      switch self {
      case .md5: Array(Insecure.MD5.hash(data: message))
      case .sha256: Array(CryptoKit.SHA256.hash(data: message))
      }
    #else
    let hash =
      switch self {
      case .md5: MD5.hash(message)
      case .sha256: SHA256.hash(message)
      }
    #endif
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
