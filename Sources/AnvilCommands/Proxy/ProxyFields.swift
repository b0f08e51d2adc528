internal import Anvil
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// Converts the fields of messages that a proxy forwards. Source: RFC 9110 §7.6.1, §7.6.3.
enum ProxyFields {
  /// The name of this process in `Via`, by which it recognizes requests that it has forwarded. The last part is random.
  static let pseudonym = "anvil-\(String(UInt32.random(in: .min ... .max), radix: 36))"

  /// Returns `true` if the request has already passed through this proxy.
  static func hasLooped(_ headers: HTTP.Headers) -> Bool {
    headers.values(for: .via).contains { $0.rawValue.contains(pseudonym) }
  }

  /// Returns the fields for the server. The session adds the fields that frame the message.
  ///
  /// - Parameter isRecorded: True if the exchange is recorded, because archives contain bodies without compression.
  static func forwarded(_ request: LoopbackServer.Request, isRecorded: Bool) -> HTTP.Headers {
    var headers = request.headers.endToEnd
    for key: HTTP.HeaderKey in [.host, .contentLength, .expect] { headers.remove(key) }
    #if !os(Linux)
    // Otherwise this session would return decompressed bodies with fields that still name the compression.
    headers.remove(.acceptEncoding)
    #endif
    if isRecorded { headers.remove(.acceptEncoding) }
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// Returns the fields for the client.
  static func returned(_ head: HTTP.Response) -> HTTP.Headers {
    var headers = head.headers.endToEnd
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }
}

extension HTTP.Response {
  /// The length of the body according to the fields; `nil` if they do not contain it.
  var statedLength: Int? {
    guard !headers.contains(.transferEncoding), case .bytes(let length) = headers.contentLength else { return nil }
    return length
  }
}
