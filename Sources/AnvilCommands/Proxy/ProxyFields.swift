internal import Anvil
internal import AnvilHTTP
internal import AnvilTesting
internal import Foundation

/// What of a message's fields a proxy sends on. Source: RFC 9110 §7.6.1, §7.6.3.
enum ProxyFields {
  /// By what this process knows what it has forwarded itself. The last part is another one each time.
  static let pseudonym = "anvil-\(String(UInt32.random(in: .min ... .max), radix: 36))"

  /// Whether the request has come through this proxy before.
  static func hasLooped(_ headers: HTTP.Headers) -> Bool {
    headers.values(for: .via).contains { $0.rawValue.contains(pseudonym) }
  }

  private static let hopByHop: Set<HTTP.HeaderKey> = [
    .connection, .keepAlive, .te, .transferEncoding, .upgrade, .trailer, "Proxy-Connection", "Proxy-Authenticate",
    "Proxy-Authentication-Info", .proxyAuthorization,
  ]

  /// The fields for the server. What frames the message is the session's.
  static func forwarded(_ request: LoopbackServer.Request) -> HTTP.Headers {
    var headers = endToEnd(request.headers)
    for key: HTTP.HeaderKey in [.host, .contentLength, .expect] { headers.remove(key) }
    #if !os(Linux)
    // This session would hand over decompressed what still says to be compressed.
    headers.remove(.acceptEncoding)
    #endif
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// The fields for the client.
  static func returned(_ head: HTTP.Response) -> HTTP.Headers {
    var headers = endToEnd(head.headers)
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// The fields without those of the connection.
  static func endToEnd(_ headers: HTTP.Headers) -> HTTP.Headers {
    let named = headers.values(for: .connection).flatMap { $0.rawValue.split(separator: ",") }
      .map { HTTP.HeaderKey(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
    let left = hopByHop.union(named)
    return HTTP.Headers(headers.filter { !left.contains($0.key) })
  }
}

extension HTTP.Response {
  /// How long the body is by its head.
  var statedLength: Int? {
    guard !headers.contains(.transferEncoding), case .bytes(let length) = headers.statedLength else { return nil }
    return length
  }
}
