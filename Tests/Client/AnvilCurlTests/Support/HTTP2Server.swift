import AnvilTestSupport
import Foundation
import Synchronization

/// A server that implements enough of HTTP/2 without TLS to answer, refuse or drop requests. Source: RFC 9113.
final class HTTP2Server: Sendable {
  /// The server's reaction to a request.
  enum Action: Sendable {
    /// A 200 without a body, after the end of the request.
    case answer
    /// A 200 of the type `text/event-stream` with this body and without a length, after the end of the request.
    case events(String)
    /// A 200 with this body and without a length, before the end of the request, which is not read any further.
    case answerEarly(String)
    /// The same, and then RST_STREAM without an error. Source: RFC 9113 §8.1.
    case answerEarlyAndReset(String)
    /// RST_STREAM with REFUSED_STREAM.
    case refuse
    /// GOAWAY without an error, with the stream before the request's as the last one.
    case goAway
    /// GOAWAY without an error, with the request's stream as the last one, and then the end of the connection.
    case goAwayAfterwards
    /// RST_STREAM with another error.
    case reset
    /// The end of the connection.
    case close
  }

  /// The largest window of a stream or connection. Source: RFC 9113 §6.9.1.
  static let windowSize = UInt32(Int32.max)

  private let server: RawServer

  /// - Parameters:
  ///   - answersBody: True to react to the first bytes of a request's body instead of its head.
  ///   - window: The number of bytes that are accepted for a request and for a connection without further frames; at least 65,535.
  ///   - act: Returns the action for a request, by its number, counted from 1 over all connections.
  init(answersBody: Bool = false, window: UInt32 = windowSize, _ act: @escaping @Sendable (Int) -> Action) throws {
    let requests = Recorder<Bool>()
    server = try RawServer { socket in
      guard socket.read(exactly: 24) != nil else { return }
      // SETTINGS_INITIAL_WINDOW_SIZE and WINDOW_UPDATE. No further window is granted.
      socket.write(Self.frame(4, stream: 0, [0, 4] + Self.bytes(window)))
      if window > 65_535 { socket.write(Self.frame(8, stream: 0, Self.bytes(window - 65_535))) }
      // The type and the body of the answer to the request on each stream.
      var unanswered: [UInt32: (type: String?, body: String)] = [:]
      while let head = socket.read(exactly: 9) {
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard length == 0 || socket.read(exactly: length) != nil else { return }
        let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch head[3] {
        case 4 where head[4] & 1 == 0: socket.write(Self.frame(4, flags: 1, stream: 0))
        case (answersBody ? 0 : 1):
          requests.add(true)
          switch act(requests.all.count) {
          case .answer: unanswered[stream] = (nil, "")
          case .events(let text): unanswered[stream] = ("text/event-stream", text)
          case .answerEarly(let text): socket.write(Self.answer(on: stream, nil, text))
          case .answerEarlyAndReset(let text):
            socket.write(Self.answer(on: stream, nil, text) + Self.frame(3, stream: stream, Self.bytes(0)))
          case .refuse: socket.write(Self.frame(3, stream: stream, Self.bytes(7)))
          case .goAway:
            socket.write(Self.frame(7, stream: 0, Self.bytes(stream > 2 ? stream - 2 : 0) + Self.bytes(0)))
          case .goAwayAfterwards:
            socket.write(Self.frame(7, stream: 0, Self.bytes(stream) + Self.bytes(0)))
            return
          case .reset: socket.write(Self.frame(3, stream: stream, Self.bytes(2)))
          case .close: return
          }
        default: break
        }
        // END_STREAM in HEADERS or DATA.
        if head[3] <= 1, head[4] & 1 == 1, let answer = unanswered.removeValue(forKey: stream) {
          socket.write(Self.answer(on: stream, answer.type, answer.body))
        }
      }
    }
  }

  func url() throws -> URL { try server.url() }

  /// Returns the frames of a 200 that ends the stream. An empty body has no frame.
  private static func answer(on stream: UInt32, _ type: String?, _ body: String) -> [UInt8] {
    // Indices of HPACK's static table: 8 is `:status: 200`, and 31 is `content-type`.
    let fields = [0x88] + (type.map { [0x0F, 0x10, UInt8($0.utf8.count)] + $0.utf8 } ?? [])
    let head = frame(1, flags: body.isEmpty ? 5 : 4, stream: stream, fields)
    return body.isEmpty ? head : head + frame(0, flags: 1, stream: stream, Array(body.utf8))
  }

  private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
    bytes(UInt32(payload.count)).dropFirst() + [type, flags] + bytes(stream) + payload
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }
}
