internal import AnvilJSON
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A request as it goes to a server: method, URL, header fields and body.
  ///
  /// Holds no expectation of the answer; `Request<Response, Failure>` does. Source: RFC 9110 §3.4.
  public struct Request: Sendable {
    private var storage: Storage

    /// A request for `url`; a GET without fields and body unless said otherwise.
    public init(method: Method = .get, url: URL, headers: Headers = [:], body: Body = .empty) {
      storage = Storage(method: method, url: url, headers: headers, body: body)
    }

    /// What the server is asked to do.
    public var method: Method {
      get { storage.method }
      _modify {
        makeUnique()
        yield &storage.method
      }
    }

    /// The target, absolute, with scheme `http` or `https`.
    public var url: URL {
      get { storage.url }
      _modify {
        makeUnique()
        yield &storage.url
      }
    }

    /// The header fields. Those that frame the message (`Host`, `Content-Length`, …) are the session's to add.
    public var headers: Headers {
      get { storage.headers }
      _modify {
        makeUnique()
        yield &storage.headers
      }
    }

    /// The body.
    public var body: Body {
      get { storage.body }
      _modify {
        makeUnique()
        yield &storage.body
      }
    }

    private mutating func makeUnique() {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
      isKnownValid = false
    }

    /// Whether the head was found to be valid since the last change, so that not every layer has to look.
    var isKnownValid: Bool {
      get { storage.isKnownValid.load(ordering: .relaxed) }
      nonmutating set { storage.isKnownValid.store(newValue, ordering: .relaxed) }
    }
  }
}

extension HTTP.Request {
  /// What a request holds, shared by its copies: a request is handed on often, with its response, too, and changed seldom.
  ///
  /// Unchecked: only `makeUnique()` is followed by a change, when one request has the storage and nobody else can see it.
  private final class Storage: @unchecked Sendable {
    var method: HTTP.Method
    var url: URL
    var headers: HTTP.Headers
    var body: HTTP.Body
    let isKnownValid = Atomic(false)

    init(method: HTTP.Method, url: URL, headers: HTTP.Headers, body: HTTP.Body) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }

    convenience init(_ other: Storage) {
      self.init(method: other.method, url: other.url, headers: other.headers, body: other.body)
    }
  }
}

extension HTTP.Request: Equatable {
  /// Whether method, URL, header fields and body are equal.
  public static func == (lhs: HTTP.Request, rhs: HTTP.Request) -> Bool {
    lhs.storage === rhs.storage
      || lhs.method == rhs.method && lhs.url == rhs.url && lhs.headers == rhs.headers && lhs.body == rhs.body
  }
}

extension HTTP.Request: CustomStringConvertible {
  /// Method and URL, credentials and query values redacted: safe to log.
  public var description: String { "\(method) \(url.redactedDescription)".printable }

  /// Method, URL and header fields in clear.
  public var detailedDescription: String {
    (["\(method) \(url.absoluteString)"] + headers.map { "\($0.key): \($0.value)" }).joined(separator: "\n")
  }
}

extension HTTP.Request: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue.printable, "url": url.redactedDescription, "headers": headers, "body": body,
      ])
  }
}
