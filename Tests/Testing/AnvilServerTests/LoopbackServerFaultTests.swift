internal import AnvilBase
internal import AnvilHTTP
internal import AnvilServer
internal import AnvilTestSupport
internal import Testing

@Suite(.timeLimit(.minutes(15)))
struct LoopbackServerFaultTests {
  typealias Fault = LoopbackServer.Fault
  typealias Received = RawSocketClient.Received

  private static let get = "GET /fault HTTP/1.1\r\nHost: x\r\n\r\n"
  private static let ok = "HTTP/1.1 200 OK\r\n"

  private static let faults: [(Fault, Received)] = [
    (
      .slowHead(.milliseconds(20)),
      Received(text: "\(ok)Content-Length: 4\r\nConnection: close\r\n\r\nlate", ending: .fin)
    ),
    (
      .slowDrip(interval: .milliseconds(2), count: 6),
      Received(text: "\(ok)Content-Length: 6\r\nConnection: close\r\n\r\n......", ending: .fin)
    ),
    (
      .slowDrip(interval: .milliseconds(2), count: -1),
      Received(text: "\(ok)Content-Length: 0\r\nConnection: close\r\n\r\n", ending: .fin)
    ),
    (.truncatedBody, Received(text: "\(ok)Content-Length: 100\r\n\r\nonly these", ending: .fin)),
    (.truncatedChunks, Received(text: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", ending: .fin)),
    (.truncatedHead, Received(text: "\(ok)Content-Type: text/pl", ending: .fin)),
    (.closeBeforeHead, Received(text: "", ending: .fin)),
    (.resetBeforeHead, Received(text: "", ending: .reset)),
    (.resetInBody, Received(text: "\(ok)Content-Length: 100\r\n\r\nonly these", ending: .reset)),
    (
      .badChunk,
      Received(
        text: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n", ending: .fin)
    ),
    (
      .conflictingLengths,
      Received(text: "\(ok)Content-Length: 5\r\nContent-Length: 11\r\n\r\nhello world", ending: .fin)
    ),
    (
      .lengthAndChunked,
      Received(
        text: "\(ok)Content-Length: 15\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", ending: .fin)
    ),
    (.notHTTP, Received(text: "SSH-2.0-OpenSSH_9.6\r\n", ending: .fin)),
  ]

  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  /// A client whose request the server has read and is answering with `reply`.
  private func client(answeredWith reply: LoopbackServer.Reply) async throws -> RawSocketClient {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    server.on(.get, "/fault") { _ in
      continuation.yield()
      return reply
    }
    let client = try RawSocketClient(port: server.port)
    await client.send(Self.get)
    for await _ in begun { break }
    return client
  }

  @Test(arguments: faults)
  func eachFaultSendsTheExpectedBytes(_ fault: Fault, _ expected: Received) async throws {
    #expect(try await client(answeredWith: .fault(fault)).readToEnd() == expected)
  }

  @Test func listsEveryFaultOnceByName() {
    #expect(
      Fault.all.map(\.name) == [
        "slow-head", "slow-drip", "truncated-body", "truncated-chunks", "truncated-head", "close-before-head",
        "reset-before-head", "reset-in-body", "bad-chunk", "conflicting-lengths", "length-and-chunked", "not-http",
        "never-answers",
      ])
    #expect(Set(Fault.all.map(\.fault)).count == Fault.all.count)
  }

  @Test func performsRawStepsAndThenCloses() async throws {
    let steps: [LoopbackServer.Step] = [.send(Data("a".utf8)), .wait(.milliseconds(1)), .send(Data("b".utf8))]
    #expect(try await client(answeredWith: .raw(steps)).readToEnd() == Received(text: "ab", ending: .fin))
    #expect(
      try await client(answeredWith: .raw([.close, .send(Data("never".utf8))])).readToEnd()
        == Received(text: "", ending: .fin))
    #expect(
      try await client(answeredWith: .raw(steps + [.reset]).after(.milliseconds(1))).readToEnd().ending == .reset)
  }

  @Test func doesNotAnswerRequestsAfterAFault() async throws {
    let client = try await client(answeredWith: .raw([.wait(.milliseconds(5)), .send(Data("a".utf8))]))
    await client.send(Self.get)
    #expect(try await client.readToEnd() == Received(text: "a", ending: .fin))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    Fault.neverAnswers, .slowHead(.seconds(Int64.max)), .slowDrip(interval: .seconds(3600), count: 2),
  ])
  func endsAWaitWhenTheClientDisconnects(_ fault: Fault) async throws {
    let client = try await client(answeredWith: .fault(fault))
    client.finishSending()
    #expect(try await client.readToEnd().ending == .fin)
  }

  @Test(arguments: [
    Fault.neverAnswers, .slowHead(.seconds(3600)), .slowDrip(interval: .seconds(3600), count: 2),
    .slowDrip(interval: .milliseconds(1), count: 1_000_000),
  ])
  func stopsDuringAFault(_ fault: Fault) async throws {
    let client = try await client(answeredWith: .fault(fault))
    // Returns when every thread has been joined.
    server.stop()
    #expect(try await client.readToEnd().text.utf8.count < 1_000_000)
  }

  @Test func stopsEvenIfAClientDoesNotRead() async throws {
    let client = try await client(answeredWith: .status(200, body: Data(count: 32 << 20)))
    server.stop()
    #expect(try await client.readToEnd().text.utf8.count < 32 << 20)
  }

  @Test func stopsWithIdleConnectionsAndIncompleteRequests() async throws {
    let idle = try await client(answeredWith: .status(204))
    #expect(try await idle.read(through: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")
    await idle.send("GET /fault HTTP/1.1\r\n")
    server.stop()
    server.stop()
    #expect(try await idle.readToEnd().text.isEmpty)
    #expect(server.requests.count == 1)
    #expect(try await !isAnswered(at: server.port, path: "/fault"))
  }

  /// Returns whether `path` returns 204 at `port`, where another test's server may already listen.
  private func isAnswered(at port: Int, path: String) async throws -> Bool {
    guard let client = try? RawSocketClient(port: port) else { return false }
    await client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    return try await client.readToEnd().text.hasPrefix("HTTP/1.1 204")
  }

  @Test func stopsWithItsLastReference() async throws {
    var server: LoopbackServer? = try LoopbackServer()
    let port = try #require(server?.port)
    let path = "/\(UUID())"
    server?.on(.get, path) { _ in .status(204) }
    #expect(try await isAnswered(at: port, path: path))
    let client = try RawSocketClient(port: port)
    server = nil
    #expect(try await client.readToEnd().text.isEmpty)
    #expect(try await !isAnswered(at: port, path: path))
  }

  @Test func canBeStoppedByItsOwnHandler() async throws {
    server.on(.get, "/fault") { [weak server] _ in
      server?.stop()
      return .status(204)
    }
    let client = try RawSocketClient(port: server.port)
    await client.send(Self.get)
    #expect(try await client.readToEnd().text == "HTTP/1.1 204 No Content\r\n\r\n")
  }

  @Test func releasesHandlersWhenItStops() throws {
    final class Held: Sendable {}
    var held: Held? = Held()
    weak let released = held
    server.on(.get, "/") { [held] _ in .text("\(held == nil)") }
    held = nil
    #expect(released != nil)
    server.stop()
    #expect(released == nil)
  }
}
