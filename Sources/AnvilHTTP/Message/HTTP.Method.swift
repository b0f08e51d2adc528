extension HTTP {
  /// A request method: what the client asks the server to do with the target.
  ///
  /// Open-ended and case-sensitive: `HTTP.Method(rawValue: "PURGE")` is a method like any other. A name that is not a
  /// token (RFC 9110 §5.6.2) can be held but is refused when a request is sent.
  ///
  /// Source: RFC 9110 §9; the IANA HTTP Method Registry.
  public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it is sent.
    public let rawValue: String

    /// The method named `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The method named by a literal.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The name as it is sent.
    public var description: String { rawValue }
  }
}

extension HTTP.Method {
  /// Transfer the target's current representation.
  public static let get = HTTP.Method(rawValue: "GET")
  /// Like GET, without the body.
  public static let head = HTTP.Method(rawValue: "HEAD")
  /// Let the target process the body in its own way.
  public static let post = HTTP.Method(rawValue: "POST")
  /// Replace the target's representation by the body.
  public static let put = HTTP.Method(rawValue: "PUT")
  /// Remove the target's representation.
  public static let delete = HTTP.Method(rawValue: "DELETE")
  /// Change the target as the body describes. Source: RFC 5789.
  public static let patch = HTTP.Method(rawValue: "PATCH")
  /// Ask what can be done with the target.
  public static let options = HTTP.Method(rawValue: "OPTIONS")
  /// Have the request looped back for testing.
  public static let trace = HTTP.Method(rawValue: "TRACE")
  /// Open a tunnel to the target.
  public static let connect = HTTP.Method(rawValue: "CONNECT")
  /// Ask with a body, safely and repeatably. Source: the HTTP working group's QUERY draft.
  public static let query = HTTP.Method(rawValue: "QUERY")

  /// Whether the method only reads. Source: RFC 9110 §9.2.1.
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace, .query: true
    default: false
    }
  }

  /// Whether sending the request twice has the effect of sending it once. Source: RFC 9110 §9.2.2.
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }
}
