import Anvil
import AnvilTesting
import Foundation

/// A response before any misbehaviour is applied.
struct Answer: Sendable {
  var status = 200
  var headers: HTTP.Headers = [:]
  var body = Data()

  /// A 200 with `text`, which is JSON.
  static func json(_ text: String, headers: HTTP.Headers = [.cacheControl: "no-store"]) -> Answer {
    Answer(headers: headers.merging([.contentType: .applicationJSON]), body: Data(text.utf8))
  }

  /// The reply without misbehaviour.
  var reply: LoopbackServer.Reply { .status(HTTP.Status(code: status), headers: headers, body: body) }

  /// The reply after misbehaviour.
  func reply(_ misbehaviour: Misbehaviour, _ random: inout RandomSource) -> LoopbackServer.Reply {
    switch misbehaviour {
    case .refuse, .redirect: return reply
    case .fail(let status): return .json(#"{"message": "out of ink"}"#, status: HTTP.Status(code: status))
    case .fault(_, let fault): return .fault(fault)
    case .cut(let isReset): return .raw([.send(cut(&random)), isReset ? .reset : .close])
    case .stall: return .raw([.send(cut(&random)), .hang])
    case .delay(let duration): return reply.after(duration)
    case .drift:
      var answer = self
      answer.drift(&random)
      return answer.reply
    case .closeAfterwards:
      var answer = self
      answer.headers.add(.connection, "close")
      return answer.reply
    case .drip:
      guard status == 200, !body.isEmpty else { return reply }
      let size = max(1, body.count / 5)
      let pieces = stride(from: 0, to: body.count, by: size).map { Data(body.dropFirst($0).prefix(size)) }
      return .chunked(pieces, every: random.milliseconds(0...40), headers: headers)
    }
  }

  /// The serialized message up to a random byte.
  private func cut(_ random: inout RandomSource) -> Data {
    var wire = "HTTP/1.1 \(status) \r\n"
    for field in headers { wire += "\(field.key.rawValue): \(field.value.rawValue)\r\n" }
    let message = Data((wire + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    return message.prefix(random.below(message.count))
  }

  /// Gives JSON an unexpected structure.
  private mutating func drift(_ random: inout RandomSource) {
    guard headers[.contentType] == .applicationJSON else { return }
    let text = String(decoding: body, as: UTF8.self)
    switch random.below(6) {
    // The key is not removed, because absent members are kept when a stored model is updated.
    case 0: body = Data(text.replacingOccurrences(of: "\"version\":", with: "\"version\":{},\"was\":").utf8)
    case 1: body = Data(text.replacingOccurrences(of: "\"version\":", with: "\"version\":\"new\",\"was\":").utf8)
    case 2: body = Data(text.replacingOccurrences(of: "\"version\":", with: "\"version\":null,\"was\":").utf8)
    case 3: body = Data(text.dropLast(3).utf8)
    case 4: body = Data()
    default:
      headers[.contentType] = "text/html"
      body = Data("<html><body>Please log in</body></html>".utf8)
    }
  }
}
