public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// A received request, including its complete body.
  public struct Request: Sendable {
    /// The method as sent by the client.
    public let method: HTTP.Method
    /// The request target, byte for byte as in the request line: `/users/1?x=y`.
    public let target: String
    /// The percent-decoded path of the target; `*` for the target `*`.
    ///
    /// A `%` that is not followed by two hexadecimal digits is kept. Bytes that are not valid UTF-8 become U+FFFD.
    public let path: String
    /// The percent-decoded values of the pattern's `:name` segments by name, and the rest of the path for the key `*`. Empty if no route
    /// matched.
    public internal(set) var parameters: [String: String] = [:]
    /// The items of the query in order, including duplicates, decoded. `+` is decoded as a space. An item without `=` has no value.
    public let query: HTTP.Query
    /// The header fields in order, with duplicates and case preserved. The trailer fields of a chunked body are in ``trailers``.
    public let headers: HTTP.Headers
    /// The trailer fields of a chunked body, in order.
    public internal(set) var trailers: HTTP.Headers = [:]
    /// The body without its framing; empty if the server only counts bodies.
    public let body: Data
    /// The number of bytes in the body.
    public let bodyByteCount: Int
    /// The number of the connection, counted from 1. Requests with the same number used the same connection.
    package let connection: Int
    let informational: InformationalSender

    /// Sends an informational response, such as 103 Early Hints, immediately.
    ///
    /// Call it in the handler before it returns its reply; later calls have no effect. Calls also have no effect for HTTP/1.0
    /// clients, for a status outside 102 to 199, and for invalid fields. Source: RFC 9110 §15.2.
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
