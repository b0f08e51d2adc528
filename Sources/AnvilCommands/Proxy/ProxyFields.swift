internal import Anvil
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// What of a message's fields a proxy sends on. Source: RFC 9110 §7.6.1, §7.6.3.
enum ProxyFields {
  /// By what this process knows what it has forwarded itself. The last part is another one each time.
  static let pseudonym = "anvil-\(String(UInt32.random(in: .min ... .max), radix: 36))"

  /// Whether the request has come through this proxy before.
  static func hasLooped(_ headers: HTTP.Headers) -> Bool {
    headers.values(for: .via).contains { $0.rawValue.contains(pseudonym) }
  }

  /// The fields for the server. What frames the message is the session's.
  ///
  /// - Parameter isRecorded: whether the exchange is recorded: archives contain bodies without compression.
  static func forwarded(_ request: LoopbackServer.Request, isRecorded: Bool) -> HTTP.Headers {
    var headers = request.headers.endToEnd
    for key: HTTP.HeaderKey in [.host, .contentLength, .expect] { headers.remove(key) }
    #if !os(Linux)
    // This session would hand over decompressed what still says to be compressed.
    headers.remove(.acceptEncoding)
    #endif
    if isRecorded { headers.remove(.acceptEncoding) }
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// The fields for the client.
  static func returned(_ head: HTTP.Response) -> HTTP.Headers {
    var headers = head.headers.endToEnd
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }
}

extension HTTP.Response {
  /// How long the body is by its head.
  var statedLength: Int? {
    guard !headers.contains(.transferEncoding), case .bytes(let length) = headers.contentLength else { return nil }
    return length
  }
}
