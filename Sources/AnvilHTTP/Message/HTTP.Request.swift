#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A request as it goes to a server: method, URL, header fields and body.
  ///
  /// Holds no expectation of the answer; `Request<Response, Failure>` does. Source: RFC 9110 §3.4.
  public struct Request: Equatable, Sendable {
    /// What the server is asked to do.
    public var method: Method
    /// The target, absolute, with scheme `http` or `https`.
    public var url: URL
    /// The header fields. Those that frame the message (`Host`, `Content-Length`, …) are the session's to add.
    public var headers: Headers
    /// The body.
    public var body: Body

    /// A request for `url`; a GET without fields and body unless said otherwise.
    public init(method: Method = .get, url: URL, headers: Headers = [:], body: Body = .empty) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }
}

extension HTTP.Request: CustomStringConvertible {
  /// Method and URL, credentials and query values redacted: safe to log.
  public var description: String { "\(method) \(url.redactedDescription)" }

  /// Method, URL and header fields in clear.
  public var detailedDescription: String {
    (["\(method) \(url.absoluteString)"] + headers.map { "\($0.key): \($0.value)" }).joined(separator: "\n")
  }
}
