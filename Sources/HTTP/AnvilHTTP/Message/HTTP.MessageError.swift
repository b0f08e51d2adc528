public import AnvilBase

extension HTTP {
  /// The reason why a request cannot be sent: one of its parts would break or split the message.
  ///
  /// The description names the part but not its value, and is safe to log.
  @nonexhaustive
  public enum MessageError: Error, Hashable, CustomStringConvertible {
    /// The method is not a token. Source: RFC 9110 §9.1.
    ///
    /// What to do: use a method of ``HTTP/Method``, or one without spaces.
    case method(String)
    /// The URL is not an absolute `http` or `https` URL with a host, or its port is greater than 65535.
    ///
    /// What to do: send paths with a ``Gateway``; check the base URL.
    case url
    /// The field's name is not a token. Source: RFC 9110 §5.1.
    ///
    /// What to do: remove spaces, colons and non-ASCII characters.
    case headerKey(HeaderKey)
    /// The field's value contains a control character, such as a line break, `offset` UTF-8 bytes from its start.
    /// Source: RFC 9110 §5.5.
    ///
    /// What to do: trim the line break, often at the end of a token that was read from a file.
    case headerValue(HeaderKey, offset: Int)
    /// The field contradicts the actual length or framing of the body. The recipient could read a part of the body as another message.
    /// Source: RFC 9112 §6, §11.2.
    ///
    /// What to do: do not set these fields; the session does.
    case framing(HeaderKey)

    /// A description of the error without the value.
    public var description: String {
      switch self {
      case .method(let name): "the method \(Self.start(of: name)) is not an HTTP token"
      case .url: "the URL is not an absolute http or https URL with a host, or its port is greater than 65535"
      case .headerKey(let key): "the header name \(Self.start(of: key.rawValue)) is not an HTTP token"
      case .headerValue(let key, let offset):
        "the value of header \(key) has a control character at byte \(offset), which would break the message"
      case .framing(let key): "the header \(key) contradicts the framing of the body, which the session determines"
      }
    }

    /// Returns the part of `text` before the first character that is not allowed in a token. The rest may be a misplaced secret.
    private static func start(of text: String) -> String {
      let token = text.prefix { String($0).isHTTPToken }
      return token.endIndex == text.endIndex ? "\"\(token)\"" : "\"\(token)…\""
    }
  }
}

extension HTTP.MessageError: LocalizedError {
  /// The same text as ``HTTP/MessageError/description``.
  public var errorDescription: String? { description }
}

extension HTTP.Request {
  /// Checks that no part of the head would break or split the message.
  ///
  /// A `Content-Length` field is allowed if it states the known length of the body; `Transfer-Encoding` is never allowed.
  /// Every session validates a request before sending it. Call this method to find errors earlier.
  ///
  /// - Throws: ``HTTP/MessageError`` for the first invalid part.
  public func validate() throws(HTTP.MessageError) {
    guard method.rawValue.isHTTPToken else { throw .method(method.rawValue) }
    guard hasHTTPURL else { throw .url }
    try headers.validate(framing: body)
  }
}

extension HTTP.Headers {
  /// Checks the fields once, so that requests that are created with them need not check them again.
  package mutating func noteValidity() {
    areKnownValid = (try? validate(framing: nil)) != nil
  }

  /// Checks each field. `Content-Length` may state the length of `body`; with `nil` no field may describe the framing.
  fileprivate func validate(framing body: HTTP.Body?) throws(HTTP.MessageError) {
    guard !areKnownValid else { return }
    for field in self {
      guard field.key.isValid else { throw .headerKey(field.key) }
      if let offset = field.value.firstInvalidByte { throw .headerValue(field.key, offset: offset) }
      // Only names with the length of a relevant name are compared.
      switch field.key.rawValue.utf8.count {
      case 17 where field.key == .transferEncoding: throw .framing(field.key)
      case 14 where field.key == .contentLength:
        guard let length = body?.length, field.value.rawValue == String(length) else { throw .framing(field.key) }
      default: break
      }
    }
  }
}

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
  package static let trace = HTTP.Method(rawValue: "TRACE")
  /// Opens a tunnel to the target.
  package static let connect = HTTP.Method(rawValue: "CONNECT")
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
