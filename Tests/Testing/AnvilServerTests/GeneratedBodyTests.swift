internal import AnvilBase
internal import AnvilHTTP
internal import AnvilServer
internal import AnvilTestSupport
internal import Synchronization
internal import Testing

@Suite(.timeLimit(.minutes(15)))
struct GeneratedBodyTests {
  /// Chunks of equal size, counted as they are requested.
  final class Blocks: Sequence, Sendable {
    let count: Int
    let size: Int
    let made = Mutex(0)

    init(_ count: Int, of size: Int) {
      self.count = count
      self.size = size
    }

    func makeIterator() -> AnyIterator<Data> {
      AnyIterator {
        let made = self.made.withLock { made -> Int? in
          guard made < self.count else { return nil }
          made += 1
          return made
        }
        return made.map { Data(repeating: UInt8(ascii: "a") + UInt8(($0 - 1) % 26), count: self.size) }
      }
    }
  }

  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  private func exchange(_ request: String) async throws -> RawSocketClient.Received {
    let client = try RawSocketClient(port: server.port)
    await client.send(request)
    return try await client.readToEnd()
  }

  @Test func sendsTheLengthAndTheBytes() async throws {
    server.on(.get, "/") { _ in .status(201, headers: ["X-A": "1"], length: 6, body: Blocks(3, of: 2)) }
    #expect(
      try await exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").text
        == "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 6\r\n\r\naabbcc"
        + "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 6\r\nConnection: close\r\n\r\naabbcc")
  }

  @Test func sendsNoMoreThanItsLength() async throws {
    server.on(.get, "/") { _ in .status(200, length: 5, body: Blocks(.max, of: 2)) }
    #expect(
      try await exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").text
        == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\naabbc")
  }

  @Test func requestsNoBlocksBeyondItsLength() async throws {
    let blocks = Blocks(.max, of: 2)
    server.on(.get, "/") { _ in .status(200, length: 4, body: blocks) }
    _ = try await exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(blocks.made.withLock { $0 } == 2)
  }

  @Test func closesAfterABodyShorterThanItsLength() async throws {
    server.on(.get, "/") { _ in .status(200, length: 5, body: Blocks(2, of: 2)) }
    #expect(
      try await exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
        == .init(text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naabb", ending: .fin))
  }

  @Test(arguments: ["HEAD", "GET"])
  func generatesNoBodyIfNoneIsSent(method: String) async throws {
    let blocks = Blocks(2, of: 2)
    server.on(.get, "/") { _ in .status(method == "HEAD" ? 200 : 304, length: 4, body: blocks) }
    let reply = try await exchange("\(method) / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(reply.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
    #expect(blocks.made.withLock { $0 } == 0)
  }

  @Test func generatesChunksOnlyAsFastAsTheyAreRead() async throws {
    let blocks = Blocks(3200, of: 65_536)
    server.on(.get, "/") { _ in .chunked(blocks) }
    let client = try RawSocketClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try await client.read(through: "10000\r\n")
    // The client stops reading. The server can send only as much as the sockets buffer, far less than the 200 MiB.
    var before = -1
    while before < 3 || before != blocks.made.withLock({ $0 }) {
      before = blocks.made.withLock { $0 }
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(before < 1600)
    let sent = try #require(server.sentByteCounts[1])
    #expect(sent >= 65_536 && sent < blocks.made.withLock { $0 } * 65_544 + 1000)
    #expect(server.abandonedConnections.isEmpty)
  }

  @Test func countsTheSentBytes() async throws {
    server.on(.get, "/") { _ in .text("hello") }
    let reply = try await exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(server.sentByteCounts == [1: reply.text.utf8.count])
  }

  @Test func stopsDuringAnEndlessBody() async throws {
    server.on(.get, "/") { _ in .chunked(Blocks(.max, of: 1)) }
    let client = try RawSocketClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try await client.read(through: "1\r\na\r\n")
    let reading = Task { try? await client.readToEnd() }
    server.stop()
    client.finishSending()
    #expect(await reading.value != nil)
  }
}
