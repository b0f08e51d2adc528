#if canImport(CryptoKit)
internal import CryptoKit
#endif

/// The algorithms of Digest that are known, the weakest first. Source: RFC 7616 §3.3, §6.1.
enum DigestAlgorithm: Int, Comparable {
  case md5
  case sha256

  /// The algorithm that a challenge names, in any case, and whether it is the session variant; `nil` for an unknown
  /// one.
  static func named(_ name: String) -> (algorithm: DigestAlgorithm, isSession: Bool)? {
    switch name.lowercased() {
    case "md5": (.md5, false)
    case "md5-sess": (.md5, true)
    case "sha-256": (.sha256, false)
    case "sha-256-sess": (.sha256, true)
    default: nil
    }
  }

  static func < (lhs: DigestAlgorithm, rhs: DigestAlgorithm) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The hash of the UTF-8 of `text`, in lower-case hexadecimal digits.
  func hash(_ text: String) -> String {
    let message = Array(text.utf8)
    #if canImport(CryptoKit)
    let bytes =
      switch self {
      case .md5: Array(Insecure.MD5.hash(data: message))
      case .sha256: Array(CryptoKit.SHA256.hash(data: message))
      }
    #else
    let bytes =
      switch self {
      case .md5: MD5.hash(message)
      case .sha256: SHA256.hash(message)
      }
    #endif
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
