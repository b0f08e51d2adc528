/// What libcurl's log says about a stream of HTTP/2 that came to nothing.
///
/// libcurl's results do not tell a stream that its server has refused, and has not looked at, from a connection that died under
/// a request. Its log does in two cases: where the first request on a connection is refused, and where a GOAWAY names a last
/// stream before this one. Elsewhere, and with libraries that word it otherwise, nothing is known.
struct StreamNotes {
  /// The stream of the latest attempt.
  private var number: UInt32?
  /// Whether it is certain that the server has not processed the latest attempt. Source: RFC 9113 §6.8, §8.7.
  private(set) var isRefused = false

  /// The request is about to be sent.
  mutating func begin() {
    self = StreamNotes()
  }

  /// Takes a line of libcurl's log.
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
