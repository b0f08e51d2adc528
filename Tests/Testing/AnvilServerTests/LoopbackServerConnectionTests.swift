internal import AnvilBase
internal import AnvilHTTP
internal import AnvilServer
internal import AnvilTestSupport
internal import Testing

@Suite(.timeLimit(.minutes(15))) struct LoopbackServerConnectionTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/hello") { _ in .text("hello") }
    server.echo(.post, "/echo/*")
  }

  private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"

  /// Source: RFC 9112 §6.1.
  @Test func anEchoToHTTP10HasNoChunks() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("POST /echo/a HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc")
    #expect(try await client.readToEnd().text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
  }

  @Test func echoesPartsOfABodyAsTheyArrive() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("POST /echo/a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "\(Self.head)Content-Type: text/plain\r\n\r\n")
    await client.send("ab")
    #expect(try await client.read(through: "b\r\n") == "2\r\nab\r\n")
    #expect(server.requests.isEmpty)
    await client.send("cde")
    #expect(try await client.read(through: "0\r\n\r\n") == "3\r\ncde\r\n0\r\n\r\n")
    #expect(server.requests.map(\.bodyByteCount) == [5] && server.requests.first?.body.isEmpty == true)
    // The connection goes on, to another kind of route and another framing.
    await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try await client.read(through: "hello").hasSuffix("\r\n\r\nhello"))
    await client.send(
      "POST /echo/b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\n0\r\n\r\n")
    #expect(
      try await client.readToEnd()
        == .init(text: "\(Self.head)Connection: close\r\n\r\n1\r\nz\r\n0\r\n\r\n", ending: .fin))
  }

  @Test func endsAnEchoWhoseRequestIsMalformed() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("POST /echo/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\nnonsense\r\n")
    #expect(try await client.readToEnd() == .init(text: "\(Self.head)\r\n1\r\nz\r\n", ending: .fin))
    #expect(server.requests.isEmpty)
  }

  @Test func closesOnlyIdleConnections() async throws {
    let idle = try RawSocketClient(port: server.port)
    await idle.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try await idle.read(through: "hello")
    let busy = try RawSocketClient(port: server.port)
    await busy.send("POST /echo/a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
    _ = try await busy.read(through: "a\r\n")
    var closed = 0
    while closed == 0 { closed = server.closeIdleConnections() }
    #expect(closed == 1 && server.closeIdleConnections() == 0)
    #expect(try await idle.readToEnd() == .init(text: "", ending: .fin))
    await busy.send("b")
    #expect(try await busy.read(through: "0\r\n\r\n") == "1\r\nb\r\n0\r\n\r\n")
  }

  private static let hasIPv6: Bool = {
    guard let server = try? LoopbackServer(address: .ipv6) else { return false }
    server.stop()
    return true
  }()

  @Test(.enabled(if: hasIPv6, "the machine has no IPv6")) func listensOnIPv6() throws {
    let server = try LoopbackServer(address: .ipv6)
    #expect(server.url.absoluteString == "http://[::1]:\(server.port)")
    #expect(server.url("/a?b").absoluteString == "http://[::1]:\(server.port)/a?b")
    server.stop()
  }
}
