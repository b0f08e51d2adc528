package import AnvilBase

extension HTTP {
  /// The response to a request.
  public struct Response: Sendable {
    private struct Contents: Sendable {
      var request: Request
      var status: Status
      var headers: Headers
      var body: Body
      var history = History()
      var elapsed: Duration?
      var isDelimitedByClose = false
    }

    // Accessors without coroutines, which would allocate memory, except where values are changed in place.
    @Shared private var contents: Contents

    /// Creates the response to `request` with `status`, which may be an integer literal: `status: 404`.
    public init(request: Request, status: Status, headers: Headers = [:], body: Body = .empty) {
      _contents = Shared(wrappedValue: Contents(request: request, status: status, headers: headers, body: body))
    }

    /// The request as it was sent.
    public var request: Request {
      get { contents.request }
      set { contents.request = newValue }
    }

    /// The status.
    public var status: Status {
      get { contents.status }
      set { contents.status = newValue }
    }

    /// The header fields. The session may not preserve their order and duplicates.
    public var headers: Headers {
      get { contents.headers }
      _modify { yield &contents.headers }
    }

    /// The body.
    public var body: Body {
      get { contents.body }
      set { contents.body = newValue }
    }

    /// The earlier attempts, the redirects that were followed, and the role of a cache.
    public var history: History {
      get { contents.history }
      _modify { yield &contents.history }
    }

    /// The duration of the exchange, from the request to the last byte of a collected body or to the head of a streamed one.
    /// Earlier attempts and delays are included. `nil` if the response does not come from a transport service.
    public var elapsed: Duration? {
      get { contents.elapsed }
      set { contents.elapsed = newValue }
    }

    /// Whether nothing but the end of the connection marks the end of the body, so that a truncated body cannot be distinguished from a
    /// complete one. It occurs only with HTTP/1. `false` if the session does not know. Source: RFC 9112 §6.3, §8.
    package var isDelimitedByClose: Bool {
      get { contents.isDelimitedByClose }
      set { contents.isDelimitedByClose = newValue }
    }

    /// The status as a number.
    public var code: Int { status.code }

    /// The URL of the request.
    package var url: URL { request.url }

    /// Source: RFC 9110 §6.4.1.
    package var canHaveBody: Bool { request.method != .head && status.allowsContent }
  }
}

extension HTTP.Response: Equatable {
  /// Returns whether request, status, header fields and body are equal. History and elapsed time are ignored.
  public static func == (lhs: HTTP.Response, rhs: HTTP.Response) -> Bool {
    lhs.status == rhs.status && lhs.request == rhs.request && lhs.headers == rhs.headers && lhs.body == rhs.body
  }
}

extension HTTP.Response: CustomStringConvertible {
  /// The request line, status and content type, safe to log: `GET https://api.example.com/users → 200 OK application/json`.
  public var description: String {
    let type = headers[.contentType].map { " \($0.rawValue.loggable)" } ?? ""
    return "\(request) → \(status)\(type)"
  }
}

extension HTTP {
  /// A message with a body: a request, a response, or a value that contains one. Source: RFC 9110 §6.
  ///
  /// A promise of a message can decode the message's body.
  public protocol Message: Sendable {
    /// The body.
    var body: Body { get }
    /// The response to report in an error when the body cannot be decoded; `nil` for a request.
    var asResponse: Response? { get }
  }
}

extension HTTP.Request: HTTP.Message {
  /// Always `nil`.
  public var asResponse: HTTP.Response? { nil }
}

extension HTTP.Response: HTTP.Message {
  /// The response itself.
  public var asResponse: HTTP.Response? { self }
}
