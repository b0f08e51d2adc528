extension LoopbackServer {
  /// A server fault to test a client with. Every fault happens after the whole request was received.
  public enum Fault: Sendable, Hashable {
    /// A correct response whose head is delayed by this duration.
    case slowHead(Duration)
    /// A correct response of `count` bytes, which are sent one at a time, `interval` apart.
    case slowDrip(interval: Duration, count: Int)
    /// The connection closes, with FIN, before the announced length of the body is reached.
    case truncatedBody
    /// The connection closes, with FIN, before the last chunk.
    case truncatedChunks
    /// The connection closes, with FIN, in the middle of a header line.
    case truncatedHead
    /// The connection closes, with FIN, before any data is sent.
    case closeBeforeHead
    /// The connection is reset, with RST, before any data is sent.
    case resetBeforeHead
    /// The connection is reset, with RST, in the middle of the body.
    case resetInBody
    /// A chunk with a size that is not hexadecimal.
    case badChunk
    /// Two `Content-Length` fields that contradict each other. Source: RFC 9112 §6.3.
    case conflictingLengths
    /// `Content-Length` together with `Transfer-Encoding: chunked`, and a body that is valid for both. Source: RFC 9112 §6.3.
    case lengthAndChunked
    /// The greeting of an SSH server, followed by FIN.
    case notHTTP
    /// No response. The connection stays open until the client closes it or the server stops.
    case neverAnswers
  }
}

extension LoopbackServer.Fault {
  /// All faults in the order of their declaration, each with a name that can be used in a path, such as `truncated-body`.
  ///
  /// The slow faults are slow enough for a person to notice: two seconds for the head, and ten bytes per second.
  package static let all: [(name: String, fault: LoopbackServer.Fault)] = [
    ("slow-head", .slowHead(.seconds(2))),
    ("slow-drip", .slowDrip(interval: .milliseconds(100), count: 10)),
    ("truncated-body", .truncatedBody),
    ("truncated-chunks", .truncatedChunks),
    ("truncated-head", .truncatedHead),
    ("close-before-head", .closeBeforeHead),
    ("reset-before-head", .resetBeforeHead),
    ("reset-in-body", .resetInBody),
    ("bad-chunk", .badChunk),
    ("conflicting-lengths", .conflictingLengths),
    ("length-and-chunked", .lengthAndChunked),
    ("not-http", .notHTTP),
    ("never-answers", .neverAnswers),
  ]
}
