public import AnvilBase
internal import Synchronization

extension HTTP {
  /// A request as it is sent to a server: method, URL, header fields and body.
  ///
  /// It does not specify the expected response; `Request<Response, Failure>` does. Source: RFC 9110 §3.4.
  public struct Request: Sendable {
    private var storage: Storage

    /// Creates a request for `url`. By default a GET request without header fields and body.
    public init(method: Method = .get, url: URL, headers: Headers = [:], body: Body = .empty) {
      storage = Storage(method: method, target: .url(url), headers: headers, body: body, origin: nil)
    }

    package init(method: Method, target: TargetURI, headers: Headers, body: Body, origin: Origin?) {
      storage = Storage(method: method, target: target, headers: headers, body: body, origin: origin)
    }

    /// The request method.
    public var method: Method {
      get { storage.method }
      _modify {
        makeUnique()
        yield &storage.method
      }
    }

    /// The target: an absolute `http` or `https` URL.
    public var url: URL {
      get { storage.target.url }
      _modify {
        makeUnique()
        var url = storage.target.url
        defer { (storage.target, storage.origin) = (.url(url), nil) }
        yield &url
      }
    }

    package var urlText: String { storage.target.text }

    /// The origin of the URL; `nil` if the URL has no scheme or no host.
    package var origin: Origin? { storage.origin ?? Origin(url) }

    /// The header fields. The session adds the fields that frame the message (`Host`, `Content-Length`, …).
    public var headers: Headers {
      get { storage.headers }
      _modify {
        makeUnique()
        yield &storage.headers
      }
    }

    /// The body.
    public var body: Body {
      _read { yield storage.body }
      _modify {
        makeUnique()
        yield &storage.body
      }
    }

    var hasHTTPURL: Bool {
      if let origin = storage.origin { return origin.scheme == "https" || origin.scheme == "http" }
      guard let scheme = url.scheme, url.host(percentEncoded: true)?.isEmpty == false else {
        return false
      }
      return scheme == "https" || scheme == "http" || ["http", "https"].contains(scheme.lowercased())
    }

    private mutating func makeUnique() {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
      isKnownValid = false
    }

    /// Whether the head was validated and has not changed since. Each layer validates the head only if this is `false`.
    var isKnownValid: Bool {
      get { storage.isKnownValid.load(ordering: .relaxed) }
      nonmutating set { storage.isKnownValid.store(newValue, ordering: .relaxed) }
    }
  }
}

extension HTTP.Request {
  /// The contents of a request, shared by its copies. Requests are copied often, also as part of their responses, and seldom changed.
  ///
  /// Unchecked `Sendable`: contents change only after `makeUnique()`, when exactly one request references the storage.
  private final class Storage: @unchecked Sendable {
    var method: HTTP.Method
    var target: HTTP.TargetURI
    var headers: HTTP.Headers
    var body: HTTP.Body
    /// The origin of the target, if it was known when the request was created and the URL was not changed since.
    var origin: HTTP.Origin?
    let isKnownValid = Atomic(false)

    init(
      method: HTTP.Method, target: HTTP.TargetURI, headers: HTTP.Headers, body: HTTP.Body, origin: HTTP.Origin?
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
      self.origin = origin
    }

    convenience init(_ other: Storage) {
      self.init(
        method: other.method, target: other.target, headers: other.headers, body: other.body, origin: other.origin)
    }
  }
}

extension HTTP.Request: Equatable {
  /// Returns whether method, URL, header fields and body are equal.
  public static func == (lhs: HTTP.Request, rhs: HTTP.Request) -> Bool {
    lhs.storage === rhs.storage
      || lhs.method == rhs.method && lhs.url == rhs.url && lhs.headers == rhs.headers && lhs.body == rhs.body
  }
}

extension HTTP.Request: CustomStringConvertible {
  /// The method and the URL, with credentials and query values redacted; safe to log.
  public var description: String { "\(method) \(url.redactedDescription)".printable }

  /// The method, URL and header fields without redaction.
  public var detailedDescription: String {
    (["\(method) \(url.absoluteString)"] + headers.map { "\($0.key): \($0.value)" }).joined(separator: "\n")
  }
}

extension HTTP.Request: CustomReflectable {
  /// A mirror without secrets, so that `dump` reveals no more than a log.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue.printable, "url": url.redactedDescription, "headers": headers, "body": body,
      ])
  }
}
