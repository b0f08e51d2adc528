/// Detects in libcurl's log that a server refused an HTTP/2 stream.
///
/// libcurl has the same result for a stream that the server refused without processing it and for a connection that failed during a
/// request. Its log distinguishes them in two cases: if the first request on a connection is refused, and if a GOAWAY frame names a last
/// stream before this one. In other cases, and with versions that word the messages differently, a refusal is not detected.
struct StreamLog {
  /// The number of the stream of the latest attempt.
  private var number: UInt32?
  /// True if the server certainly did not process the latest attempt. Source: RFC 9113 §6.8, §8.7.
  private(set) var isRefused = false

  /// Forgets the messages before the request is sent.
  mutating func begin() {
    self = StreamLog()
  }

  /// Reads a line of libcurl's log.
  mutating func note(_ line: String) {
    if line.hasPrefix("Using Stream ID: ") {
      number = Self.number(in: line, after: "Using Stream ID: ")
    } else if line.hasPrefix("REFUSED_STREAM") {
      isRefused = true
    } else if line.contains("GOAWAY, error="), let number, let last = Self.number(in: line, after: "last_stream=") {
      isRefused = isRefused || last < number
    }
  }

  private static func number(in line: String, after label: String) -> UInt32? {
    guard let start = line.firstRange(of: label)?.upperBound else { return nil }
    return UInt32(line[start...].prefix { $0.isASCII && $0.isNumber })
  }
}
