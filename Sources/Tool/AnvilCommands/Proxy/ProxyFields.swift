internal import Anvil
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// Converts the fields of messages that a proxy forwards. Source: RFC 9110 §7.6.1 to §7.6.3.
enum ProxyFields {
  /// The name of this process in `Via`, by which it recognizes requests that it has forwarded. The last part is random.
  static let pseudonym = "anvil-\(String(UInt32.random(in: .min ... .max), radix: 36))"

  private static let maxForwards = HTTP.HeaderKey(rawValue: "Max-Forwards")

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
    if let count = forwardsLeft(request) { headers[maxForwards] = "\(max(count - 1, 0))" }
    headers.add(.via, "1.1 \(pseudonym)")
    return headers
  }

  /// Returns the number in `Max-Forwards`; `nil` if the field is missing or not a number, and for methods that it does not limit. Source: RFC
  /// 9110 §7.6.2.
  private static func forwardsLeft(_ request: LoopbackServer.Request) -> Int? {
    guard request.method == .trace || request.method == .options else { return nil }
    let values = request.headers.elements(of: maxForwards)
    guard !values.isEmpty, values.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
    return values.map { Int($0) ?? .max }.min()
  }

  /// Returns `true` if the request must not be forwarded, because `Max-Forwards` is 0.
  static func hasReachedLimit(_ request: LoopbackServer.Request) -> Bool { forwardsLeft(request) == 0 }

  /// Returns the reply of the final recipient of a TRACE or OPTIONS request. The reply to TRACE contains the request without secrets. Source:
  /// RFC 9110 §9.3.7, §9.3.8.
  static func finalReply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.method == .trace else { return .status(200) }
    let redaction = HTTP.Redaction()
    let fields = request.headers.filter { !redaction.isSecret(name: $0.key.rawValue) }
    let lines = ["TRACE \(request.target) HTTP/1.1"] + fields.map { "\($0.key): \($0.value)" }
    let message = lines.map { "\($0)\r\n" }.joined() + "\r\n"
    return .status(200, headers: [.contentType: "message/http"], body: Data(message.utf8))
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
