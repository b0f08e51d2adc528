/// The SHA-256 of a list of texts: what the cache knows URLs, credentials and selecting fields by, without having them.
///
/// Texts are told apart: each goes in with its length before it.
struct CacheDigest {
  private var bytes: [UInt8] = []

  /// Adds a text.
  mutating func add(_ text: some StringProtocol) {
    bytes.append(contentsOf: "\(text.utf8.count):".utf8)
    bytes.append(contentsOf: text.utf8)
  }

  /// The digest of what was added, as 64 hexadecimal digits.
  var text: String { HashFunction.sha256.hexadecimal(of: bytes) }
}
