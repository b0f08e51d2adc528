/// Detects in libcurl's log that a server refused an HTTP/2 stream.
///
/// libcurl has the same result for a stream that the server refused without processing it and for a connection that failed during a
/// request. Its log distinguishes them in two cases: if the first request on a connection is refused, and if a GOAWAY frame names a last
/// stream before this one. In other cases, and with versions that word the messages differently, a refusal is not detected. The messages
/// are those of 7.88.1 and 8.23, which were tried.
///
/// libcurl logs a GOAWAY frame for only one of the transfers on its connection. ``note(_:)`` returns it, so that the others can be notified.
struct StreamLog {
  /// A connection with HTTP/2, identified by the addresses and ports of both sides. It is unique among the open connections of a process.
  struct Connection: Hashable {
    let remoteAddress: String
    let remotePort: Int32
    let localAddress: String
    let localPort: Int32
  }

  /// The number of the stream of the latest attempt; `nil` before the stream is opened.
  private var number: UInt32?
  /// True if libcurl has given up the latest attempt. Later messages may be about another connection, which libcurl considers for the next
  /// attempt.
  private(set) var isOver = false
  /// True if the server certainly did not process the latest attempt. Source: RFC 9113 §6.8, §8.7.
  private(set) var isRefused = false
  /// True if the stream is after the last one that the server processes before it closes the connection. Source: RFC 9113 §6.8.
  private(set) var isAfterLastStream = false
  /// The connection of the latest attempt; `nil` if it is unknown.
  private(set) var connection: Connection?

  /// Forgets the messages before the request is sent on `connection`.
  mutating func begin(on connection: Connection?) {
    self = StreamLog()
    self.connection = connection
  }

  /// Reads a line of libcurl's log. If the line reports a GOAWAY frame on the connection of the stream, the number of the last stream that
  /// the server processes is returned.
  mutating func note(_ line: String) -> UInt32? {
    if line.hasPrefix("Using Stream ID: ") {
      number = Self.number(in: line, after: "Using Stream ID: ")
    } else if line.hasPrefix("[HTTP/2] [") {
      if line.contains("] OPENED stream") { number = Self.number(in: line, after: "[HTTP/2] [") }
    } else if line.hasPrefix("HTTP/2 stream ") {
      isRefused = isRefused || line.contains(" refused by server")
    } else if line.hasPrefix("REFUSED_STREAM") {
      isRefused = true
      isOver = true
    } else if line.hasPrefix("Connection died") {
      isOver = true
    } else if !isOver, line.contains("GOAWAY, error="), let last = Self.number(in: line, after: "last_stream=") {
      noteLastStream(last)
      return last
    }
    return nil
  }

  /// Records the number of the last stream that the server processes before it closes the connection.
  mutating func noteLastStream(_ last: UInt32) {
    guard !isOver, let number, number > last else { return }
    isAfterLastStream = true
    isRefused = true
  }

  private static func number(in line: String, after label: String) -> UInt32? {
    guard let start = line.firstRange(of: label)?.upperBound else { return nil }
    return UInt32(line[start...].prefix { $0.isASCII && $0.isNumber })
  }
}
