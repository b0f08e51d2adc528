extension LoopbackServer {
  /// A way for a server to fail its client. Every one of them happens after the request was read in full.
  public enum Fault: Sendable, Hashable {
    /// A correct response, whose head begins this much late.
    case slowHead(Duration)
    /// A correct response of `count` bytes, which come one by one, each `interval` after the one before.
    case slowDrip(interval: Duration, count: Int)
    /// The body ends, with FIN, before the length that was announced.
    case truncatedBody
    /// The chunks end, with FIN, without the last one.
    case truncatedChunks
    /// The header section ends, with FIN, in the middle of a line.
    case truncatedHead
    /// FIN without a byte.
    case closeBeforeHead
    /// RST without a byte.
    case resetBeforeHead
    /// RST in the middle of the body.
    case resetInBody
    /// A chunk whose size is not hexadecimal.
    case badChunk
    /// Two `Content-Length` fields that contradict each other. Source: RFC 9112 §6.3.
    case conflictingLengths
    /// `Content-Length` and `Transfer-Encoding: chunked`, and a body that fits both. Source: RFC 9112 §6.3.
    case lengthAndChunked
    /// The greeting of an SSH server, then FIN.
    case notHTTP
    /// Silence for as long as the client waits.
    case neverAnswers
  }
}

extension LoopbackServer.Fault {
  /// Every fault by a name fit for a path, such as `truncated-body`, in the order of their declaration.
  ///
  /// Slowness here is for people and impatient clients: two seconds for the head, and ten bytes in a second.
  public static let all: [(name: String, fault: LoopbackServer.Fault)] = [
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
