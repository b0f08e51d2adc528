internal import AnvilHTTP
internal import AnvilServer
internal import AnvilTestSupport
internal import Testing

@Suite(.timeLimit(.minutes(15)))
struct CountedBodyTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer(requestBodies: .counted)
    server.on(.put, "/") { .text("\($0.bodyByteCount) \($0.body.count)") }
  }

  private func exchange(_ request: String) async throws -> String {
    let client = try RawSocketClient(port: server.port)
    await client.send(request)
    return try await client.readToEnd().text
  }

  @Test func bodiesAreCountedSeparately() async throws {
    let text = try await exchange(
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        + "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    )
    #expect(text.contains("\r\n\r\n5 0HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n3 0"))
    #expect(server.requests.map(\.bodyByteCount) == [5, 3])
    #expect(server.requests.allSatisfy { $0.body.isEmpty })
  }

  @Test func countedBodiesMayExceedTheLimitOfStoredBodies() async throws {
    let size = 70 << 20
    let text = try await exchange(
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n"
        + String(repeating: "a", count: size))
    #expect(text.hasSuffix("\r\n\r\n\(size) 0"))
  }

  @Test func storedBodiesAreAlsoCounted() async throws {
    let server = try LoopbackServer()
    let client = try RawSocketClient(port: server.port)
    await client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    _ = try await client.readToEnd()
    #expect(server.requests.map(\.bodyByteCount) == [5])
  }
}
