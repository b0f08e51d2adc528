import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilServer

/// The server's support for forwarding.
@Suite(.timeLimit(.minutes(15)))
struct ForwardingServerTests {
  private struct Failure: Error {}

  @Test func listensOnTheGivenPort() throws {
    let first = try LoopbackServer()
    let port = UInt16(first.port)
    #expect(throws: LoopbackServer.StartError.self) { try LoopbackServer(port: port) }
    first.stop()
    #expect(try LoopbackServer(port: port).port == Int(port))
  }

  /// Regression: each response reduced the stack that its thread had left for later ones.
  @Test func manyRequestsWithoutARouteAreAnswered() async throws {
    let server = try LoopbackServer()
    server.onAnythingElse { _ in .status(204) }
    var count = 0
    for _ in 0..<10 {
      let client = try RawSocketClient(port: server.port)
      await client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000))
      client.finishSending()
      count += try await client.readToEnd().text.split(separator: "\r\n\r\n").count
    }
    #expect(count == 10_000)
  }

  @Test func anErrorInAChunkSequenceResetsTheConnection() {
    var left = 1
    let chunks = FailableChunks { throw Failure() }
    var body = GeneratedBody(chunks, every: .zero, framing: .chunks(trailers: Data()))
    while let step = body.next() {
      #expect(step == .reset)
      left -= 1
    }
    #expect(left == 0)
    #expect(chunks.hasFailed)
  }

  @Test func theLastChunkIsSentAfterTheEndOfTheChunks() {
    var body = GeneratedBody(FailableChunks { nil }, every: .zero, framing: .chunks(trailers: Data()))
    #expect(body.next() == .send(Data("0\r\n\r\n".utf8)))
    #expect(body.next() == nil)
  }

  private func head(of reply: LoopbackServer.Reply, to line: String) throws -> (head: String, hasBody: Bool) {
    let script = ReplyScript(reply, to: try RequestHead(requestLine: Array(line.utf8)))
    guard case .send(let bytes) = try #require(script.steps.first) else { return ("", false) }
    return (String(decoding: bytes, as: UTF8.self), script.body != nil)
  }

  @Test func aStreamedReplyIsFramedByItsLengthOrInChunks() throws {
    func reply(_ status: HTTP.Status, _ length: Int?) -> LoopbackServer.Reply {
      .streamed(status, headers: [.contentLength: "7", "X-A": "1"], length: length) { nil }
    }
    let ok = "HTTP/1.1 200 OK\r\n"
    #expect(try head(of: reply(200, 5), to: "GET / HTTP/1.1") == ("\(ok)X-A: 1\r\nContent-Length: 5\r\n\r\n", true))
    #expect(
      try head(of: reply(200, nil), to: "GET / HTTP/1.1") == ("\(ok)X-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n", true)
    )
    #expect(try head(of: reply(200, nil), to: "GET / HTTP/1.0") == ("\(ok)X-A: 1\r\nConnection: close\r\n\r\n", true))
    #expect(try head(of: reply(200, nil), to: "HEAD / HTTP/1.1") == ("\(ok)Content-Length: 7\r\nX-A: 1\r\n\r\n", false))
    #expect(
      try head(of: reply(304, nil), to: "GET / HTTP/1.1")
        == ("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nX-A: 1\r\n\r\n", false))
  }
}
