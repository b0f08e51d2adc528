public import AnvilBase

extension HTTP {
  /// A request as it is sent to a server: method, URL, header fields and body.
  ///
  /// It does not specify the expected response; `Request<Response, Failure>` does. Source: RFC 9110 §3.4.
  public struct Request: Sendable {
    private struct Contents: Sendable {
      var method: Method
      var target: TargetURI
      var headers: Headers
      var body: Body
      /// The origin of the target, if it was known when the request was created and the URL was not changed since.
      var origin: Origin?
    }

    @Shared private var contents: Contents

    /// Creates a request for `url`. By default a GET request without header fields and body.
    public init(method: Method = .get, url: URL, headers: Headers = [:], body: Body = .empty) {
      self.init(method: method, target: .url(url), headers: headers, body: body, origin: nil)
    }

    package init(method: Method, target: TargetURI, headers: Headers, body: Body, origin: Origin?) {
      _contents = Shared(
        wrappedValue: Contents(method: method, target: target, headers: headers, body: body, origin: origin))
    }

    /// The request method.
    public var method: Method {
      get { contents.method }
      _modify { yield &contents.method }
    }

    /// The target: an absolute `http` or `https` URL.
    public var url: URL {
      get { contents.target.url }
      _modify {
        var url = contents.target.url
        defer { (contents.target, contents.origin) = (.url(url), nil) }
        yield &url
      }
    }

    /// The target as text.
    package var urlText: String { contents.target.text }

    /// The origin of the URL; `nil` if the URL has no scheme or no host.
    package var origin: Origin? { contents.origin ?? Origin(url) }

    /// The header fields. The session adds the fields that frame the message (`Host`, `Content-Length`, …).
    public var headers: Headers {
      get { contents.headers }
      _modify { yield &contents.headers }
    }

    /// The body.
    public var body: Body {
      get { contents.body }
      _modify { yield &contents.body }
    }

    var hasHTTPURL: Bool {
      origin.map { ($0.scheme == "https" || $0.scheme == "http") && $0.port <= 65_535 } ?? false
    }
  }
}

extension HTTP.Request: Equatable {
  /// Returns whether method, URL, header fields and body are equal.
  public static func == (lhs: HTTP.Request, rhs: HTTP.Request) -> Bool {
    lhs._contents.isSame(as: rhs._contents)
      || lhs.method == rhs.method && lhs.url == rhs.url && lhs.headers == rhs.headers && lhs.body == rhs.body
  }
}

extension HTTP.Request: CustomStringConvertible, CustomReflectable {
  /// The method and the URL, with credentials and query values redacted; safe to log.
  public var description: String { "\(method) \(url.redactedDescription)".printable }

  /// The method, URL and header fields without redaction.
  public var detailedDescription: String {
    (["\(method) \(url.absoluteString)"] + headers.map { "\($0.key): \($0.value)" }).joined(separator: "\n")
  }

  /// A mirror without secrets, so that `dump` reveals no more than a log.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue.printable, "url": url.redactedDescription, "headers": headers, "body": body,
      ])
  }
}
