public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// A request as it came, complete with its body.
  public struct Request: Sendable {
    /// A name–value pair of the query.
    public struct QueryItem: Hashable, Sendable {
      /// The name, decoded.
      public let name: String
      /// The value, decoded; empty where there was none.
      public let value: String
    }

    /// The method, as it was sent.
    public let method: HTTP.Method
    /// The request target, byte for byte as in the request line: `/users/1?x=y`.
    public let target: String
    /// The target's path, percent-decoded; `*` for the target `*`.
    ///
    /// A `%` that two hexadecimal digits do not follow stays; bytes that are not UTF-8 read as U+FFFD.
    public let path: String
    /// What the pattern's `:name` segments and its `*` matched, percent-decoded; empty where no route matched.
    public internal(set) var parameters: [String: String] = [:]
    /// The query's pairs in their order, duplicates kept; `+` reads as a space.
    public let query: [QueryItem]
    /// The header section in its order, duplicates and case kept. A chunked body's trailer fields are in ``trailers``.
    public let headers: HTTP.Headers
    /// The trailer section of a chunked body, in its order.
    public internal(set) var trailers: HTTP.Headers = [:]
    /// The body without its framing; empty where the server counts bodies.
    public let body: Data
    /// How many bytes the body had.
    public let bodyByteCount: Int
    /// Which of the server's connections it came on, counted from 1: two requests with one number reused it.
    public let connection: Int
    let informational: InformationalSender

    /// Sends an informational response, such as 103 Early Hints, at once.
    ///
    /// To be called by the handler, before it returns its reply: later calls have no effect, and neither have calls for HTTP/1.0
    /// clients, a status that is not from 102 to 199, and invalid fields. Source: RFC 9110 §15.2.
    public func sendInformational(_ status: HTTP.Status, headers: HTTP.Headers = [:]) {
      informational.send(status, headers)
    }
  }
}

extension LoopbackServer.Request {
  init(
    _ message: RequestParser.Message, connection: Int, informational: InformationalSender = InformationalSender(nil)
  ) {
    let target = RequestTarget(message.head.target)
    self.init(
      method: message.head.method, target: message.head.target, path: target.path, query: target.query,
      headers: message.head.headers, trailers: message.trailers, body: message.body, bodyByteCount: message.bodyCount,
      connection: connection,
      informational: informational)
  }
}
