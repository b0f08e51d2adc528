/// The algorithms of Digest that are known, the weakest first. Source: RFC 7616 §3.3, §6.1.
enum DigestAlgorithm: Int, Comparable {
  case md5
  case sha256
  case sha512Truncated256

  /// The algorithm that a challenge names, in any case, and whether it is the session variant; `nil` for an unknown
  /// one.
  static func named(_ name: String) -> (algorithm: DigestAlgorithm, isSession: Bool)? {
    switch name.lowercased() {
    case "md5": (.md5, false)
    case "md5-sess": (.md5, true)
    case "sha-256": (.sha256, false)
    case "sha-256-sess": (.sha256, true)
    case "sha-512-256": (.sha512Truncated256, false)
    case "sha-512-256-sess": (.sha512Truncated256, true)
    default: nil
    }
  }

  static func < (lhs: DigestAlgorithm, rhs: DigestAlgorithm) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The hash of the UTF-8 of `text`, in lower-case hexadecimal digits.
  func hash(_ text: String) -> String { function.hexadecimal(of: text.utf8) }

  /// The algorithm's hash function.
  var function: HashFunction {
    switch self {
    case .md5: .md5
    case .sha256: .sha256
    case .sha512Truncated256: .sha512Truncated256
    }
  }
}
