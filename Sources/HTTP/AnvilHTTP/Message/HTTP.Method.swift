extension HTTP {
  /// A request method: the action that the client requests from the server.
  ///
  /// Any name is allowed, and names are case-sensitive: `HTTP.Method(rawValue: "PURGE")` is a valid method. A request whose method
  /// is not a token (RFC 9110 §5.6.2) is rejected when it is sent.
  ///
  /// Source: RFC 9110 §9; the IANA HTTP Method Registry.
  public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it is sent.
    public let rawValue: String

    /// Creates the method named `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates the method named by a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The name as it is sent.
    public var description: String { rawValue }
  }
}

extension HTTP.Method {
  /// Transfers the target's current representation.
  public static let get = HTTP.Method(rawValue: "GET")
  /// Like GET, but without the response body.
  public static let head = HTTP.Method(rawValue: "HEAD")
  /// Submits the body to the target, which processes it in its own way.
  public static let post = HTTP.Method(rawValue: "POST")
  /// Replaces the target's representation with the body.
  public static let put = HTTP.Method(rawValue: "PUT")
  /// Removes the target's representation.
  public static let delete = HTTP.Method(rawValue: "DELETE")
  /// Modifies the target as described by the body. Source: RFC 5789.
  public static let patch = HTTP.Method(rawValue: "PATCH")
  /// Requests the communication options of the target.
  public static let options = HTTP.Method(rawValue: "OPTIONS")
  /// Requests a loop-back of the request for testing.
  public static let trace = HTTP.Method(rawValue: "TRACE")
  /// Opens a tunnel to the target.
  public static let connect = HTTP.Method(rawValue: "CONNECT")
  /// A safe and idempotent request with a body. Source: the HTTP working group's QUERY draft.
  public static let query = HTTP.Method(rawValue: "QUERY")

  /// A Boolean value that indicates whether the method is safe: read-only. Source: RFC 9110 §9.2.1.
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace, .query: true
    default: false
    }
  }

  /// A Boolean value that indicates whether sending the request twice has the same effect as sending it once. Source: RFC 9110 §9.2.2.
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }
}
