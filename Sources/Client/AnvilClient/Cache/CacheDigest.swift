internal import AnvilBase

/// The SHA-256 of a list of texts. The cache uses it to identify URLs, credentials and the values of fields that `Vary` names, without
/// storing them.
///
/// The length of each text is hashed before the text, so that different lists have different inputs.
struct CacheDigest {
  private var bytes: [UInt8] = []

  /// Adds a text.
  mutating func add(_ text: some StringProtocol) {
    bytes.append(contentsOf: "\(text.utf8.count):".utf8)
    bytes.append(contentsOf: text.utf8)
  }

  /// The digest of the added texts, as 64 hexadecimal digits.
  var text: String { HashFunction.sha256.hexadecimal(of: bytes) }
}
