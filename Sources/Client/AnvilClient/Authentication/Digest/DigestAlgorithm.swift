internal import AnvilBase

/// The supported Digest algorithms, from the weakest to the strongest. Source: RFC 7616 §3.3, §6.1.
enum DigestAlgorithm: Int, Comparable {
  case md5
  case sha256
  case sha512Truncated256

  /// Returns the algorithm with a case-insensitive name, and whether the name is that of the session variant; `nil` if the name is unknown.
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

  /// Returns the hash of the UTF-8 bytes of `text`, in lower-case hexadecimal digits.
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
