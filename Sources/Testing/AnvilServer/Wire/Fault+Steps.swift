#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension LoopbackServer.Fault {
  /// The steps with which the server performs the fault.
  var steps: [LoopbackServer.Step] {
    switch self {
    case .slowHead(let delay):
      [.wait(delay), .send("HTTP/1.1 200 OK", "Content-Length: 4", "Connection: close", body: "late")]
    case .slowDrip(let interval, let count):
      [.send("HTTP/1.1 200 OK", "Content-Length: \(max(count, 0))", "Connection: close", body: "")]
        + (0..<max(count, 0)).flatMap { _ -> [LoopbackServer.Step] in [.wait(interval), .send(Data(".".utf8))] }
    case .truncatedBody:
      [.send("HTTP/1.1 200 OK", "Content-Length: 100", body: "only these")]
    case .truncatedChunks:
      [.send("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "5\r\nhello\r\n")]
    case .truncatedHead:
      [.send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/pl".utf8))]
    case .closeBeforeHead:
      [.close]
    case .resetBeforeHead:
      [.reset]
    case .resetInBody:
      // The pause gives the bytes time to arrive, as a reset discards data that is not delivered yet.
      [.send("HTTP/1.1 200 OK", "Content-Length: 100", body: "only these"), .wait(.milliseconds(50)), .reset]
    case .badChunk:
      [.send("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n")]
    case .conflictingLengths:
      [.send("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 11", body: "hello world")]
    case .lengthAndChunked:
      [.send("HTTP/1.1 200 OK", "Content-Length: 15", "Transfer-Encoding: chunked", body: "5\r\nhello\r\n0\r\n\r\n")]
    case .notHTTP:
      [.send(Data("SSH-2.0-OpenSSH_9.6\r\n".utf8))]
    case .neverAnswers:
      [.hang]
    }
  }
}

extension LoopbackServer.Step {
  /// Sends a head of these lines, followed by `body`.
  fileprivate static func send(_ lines: String..., body: String) -> Self {
    .send(Data("\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8))
  }
}
