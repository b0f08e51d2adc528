extension HTTP {
  /// The name of a header field. Comparison is case-insensitive; the name is sent as it was written.
  ///
  /// A message with a name that is not a token (RFC 9110 §5.1) is rejected when it is sent. ``HTTP/Request/validate()`` checks it
  /// beforehand.
  public struct HeaderKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was written.
    public let rawValue: String

    /// Creates the field name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a field name from a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The name as it was written.
    public var description: String { rawValue }

    /// A Boolean value that indicates whether the name is a token: one or more of the characters `A–Z a–z 0–9 !#$%&'*+-.^_|~` and the
    /// backtick.
    package var isValid: Bool { rawValue.isHTTPToken }

    /// Returns whether the names are equal, ignoring ASCII case.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the name. Does not allocate.
    public static func == (lhs: HeaderKey, rhs: HeaderKey) -> Bool {
      // Most names differ in length: without this check, comparing took 3 % of a request on loopback.
      lhs.rawValue.utf8.count == rhs.rawValue.utf8.count && lhs.rawValue.hasSameBytesIgnoringCase(as: rhs.rawValue)
    }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) {
      // Eight bytes at a time: hashing byte by byte took 4 % of the time of a request, without the transport.
      var word: UInt64 = 0
      var count = 0
      for byte in rawValue.utf8 {
        word = word << 8 | UInt64(byte.asciiLowercased)
        count += 1
        if count % 8 == 0 { hasher.combine(word) }
      }
      hasher.combine(word)
    }
  }
}
