import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Bytes that a server sends on an idle connection are not a response to the next request. Source: RFC 9112 §9.2.
@Suite(.timeLimit(.minutes(15))) struct CurlUnaskedBytesTests {
  /// Answers the first request of its first connection, and sends `unasked` there on request. Requests on other
  /// connections are answered with their method and body.
  private final class Server: Sendable {
    private let gate = Recorder<Bool>()
    private let sent = Recorder<Bool>()
    /// The heads that were received on the first connection.
    let heads: Recorder<String>
    private let server: RawServer

    init(unasked: String) throws {
      let (gate, sent, heads, isFirst) = (gate, sent, Recorder<String>(), Recorder<Bool>())
      self.heads = heads
      server = try RawServer { socket in
        guard isFirst.all.isEmpty else {
          while let head = socket.readHead() {
            let body = head.contains("chunked") ? socket.read(exactly: 10) : socket.read(exactly: 4)
            guard body != nil else { return }
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nasked \(head.prefix(2))")
          }
          return
        }
        isFirst.add(true)
        guard let head = socket.readHead() else { return }
        heads.add(head)
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
        while gate.all.isEmpty { usleep(500) }
        socket.write(unasked)
        sent.add(true)
        while let head = socket.readHead() { heads.add(head) }
      }
    }

    /// Lets the server send the bytes, and blocks the thread until they have been sent.
    func sendUnasked() {
      gate.add(true)
      while sent.all.isEmpty { usleep(500) }
    }

    func url(_ path: String) throws -> URL { try server.url(path) }
  }

  static let unasked = [
    "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked",
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n",
  ]

  static let bodies: [(String, @Sendable () -> HTTP.Body)] = [
    ("in memory", { HTTP.Body("body") }),
    (
      "a stream that is read once",
      {
        .stream(
          AsyncStream<Data> {
            $0.yield(Data("body".utf8))
            $0.finish()
          }, length: 4)
      }
    ),
  ]

  @Test(arguments: unasked, bodies.indices) func unsolicitedBytesAreNotTheNextResponse(
    unasked: String, body: Int
  ) async throws {
    let server = try Server(unasked: unasked)
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    #expect(await session.get(try server.url("/a")).text == "first")
    server.sendUnasked()
    let request = HTTP.Request(method: .post, url: try server.url("/b"), body: Self.bodies[body].1())
    let outcome = await session.exchange(request)
    #expect(outcome.text == "asked PO", "\(outcome)")
    #expect(outcome.metrics?.isConnectionReused == false)
    #expect(server.heads.all.count == 1)
  }

  /// The session's thread has not noticed the bytes yet: it runs the code that sends the next request.
  @Test(arguments: unasked) func unsolicitedBytesAreDetectedJustBeforeARequest(unasked: String) async throws {
    let server = try Server(unasked: unasked)
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    let url = try server.url("/")
    let outcome = await withTaskExecutorPreference(session.executor) {
      #expect(await session.get(url).text == "first")
      server.sendUnasked()
      return await session.exchange(HTTP.Request(method: .post, url: url, body: HTTP.Body("body")))
    }
    #expect(outcome.text == "asked PO", "\(outcome)")
    #expect(server.heads.all.count == 1)
  }

  @Test func pausedTransfersAreNotMistakenForUnsolicitedBytes() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .status(200, length: 64 << 20, body: repeatElement(Data(count: 1 << 16), count: 1 << 10))
    }
    server.on(.get, "/ok") { _ in .text("ok") }
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    let response = try await session.send(
      HTTP.Request(url: server.url("/")), options: TransportOptions(responseDelivery: .streamed))
    // The server sends more than the client reads.
    for _ in 0..<20 { #expect(await session.get(server.url("/ok")).text == "ok") }
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    #expect(count == 64 << 20)
  }

  @Test func bytesAfterTheLastChunkCloseTheConnection() async throws {
    let server = try RawServer { socket in
      while socket.readHead() != nil {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 200 O")
      }
    }
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    for _ in 0..<3 {
      let outcome = await session.get(try server.url())
      #expect(outcome.text == "ok", "\(outcome)")
      #expect(outcome.metrics?.isConnectionReused == false)
    }
  }

  static let bodiless: [(HTTP.Method, String)] = [
    (.get, "HTTP/1.1 204 No Content\r\n\r\n"), (.get, "HTTP/1.1 304 Not Modified\r\n\r\n"),
    (.get, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), (.head, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
  ]

  /// libcurl 7.88 discards the bytes that it has read after such a head, and continues with the rest of them.
  @Test(arguments: bodiless.indices) func bytesAfterABodilessResponseCloseTheConnection(index: Int) async throws {
    let (method, head) = Self.bodiless[index]
    let server = try RawServer { socket in
      while socket.readHead() != nil { socket.write("\(head)HTTP/1.1 ") }
    }
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    for _ in 0..<3 {
      let outcome = await session.exchange(HTTP.Request(method: method, url: try server.url()))
      #expect(outcome.error == nil && outcome.body.isEmpty, "\(outcome)")
      #expect(outcome.metrics?.isConnectionReused == false)
    }
  }

  @Test func connectionsWithoutUnsolicitedBytesAreReused() async throws {
    for (method, head) in Self.bodiless {
      let server = try RawServer { socket in
        while socket.readHead() != nil { socket.write(head) }
      }
      let session = CurlSession(configuration: configured { $0.proxy = .none })
      for isReused in [false, true, true] {
        let outcome = await session.exchange(HTTP.Request(method: method, url: try server.url()))
        #expect(outcome.metrics?.isConnectionReused == isReused, "\(outcome)")
      }
    }
  }

  /// The time at which the bytes arrive: with the end of the body, or after the body was read.
  enum Arrival: CaseIterable, Sendable {
    case withTheEnd
    case afterTheEnd
  }

  /// The session buffers the last bytes for a slow reader, so reading them causes no event on the socket.
  @Test(arguments: unasked, Arrival.allCases) func unsolicitedBytesAreDetectedAfterAPausedBody(
    unasked: String, arrival: Arrival
  ) async throws {
    // Large enough to exceed the reader's buffer.
    let body = [UInt8](repeating: 0x78, count: 1 << 20)
    let (steps, done, isFirst) = (Recorder<Bool>(), Recorder<Bool>(), Recorder<Bool>())
    let server = try RawServer { socket in
      guard isFirst.all.isEmpty else {
        while socket.readHead() != nil { socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nasked") }
        return
      }
      isFirst.add(true)
      guard socket.readHead() != nil else { return }
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count + 4)\r\n\r\n")
      let parts = [body, Array("last".utf8) + (arrival == .withTheEnd ? Array(unasked.utf8) : []), Array(unasked.utf8)]
      for (index, part) in parts.prefix(arrival == .withTheEnd ? 2 : 3).enumerated() {
        while steps.all.count < index { usleep(500) }
        socket.write(part)
        done.add(true)
      }
      while socket.readHead() != nil {}
    }
    let other = try LoopbackServer()
    other.on(.get, "/") { _ in .text("ok") }
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    let response = try await session.send(
      HTTP.Request(url: server.url()), options: TransportOptions(responseDelivery: .streamed))
    for count in 1...2 {
      await waitUntil { done.all.count == count }
      // The session's thread checks all sockets for each of these.
      for _ in 0..<20 { #expect(await session.get(other.url("/")).text == "ok") }
      if count == 1 { steps.add(true) }
    }
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    #expect(count == body.count + 4)
    if arrival == .afterTheEnd {
      steps.add(true)
      await waitUntil { done.all.count == 3 }
    }
    let outcome = await session.get(try server.url())
    #expect(outcome.text == "asked", "\(outcome)")
    #expect(outcome.metrics?.isConnectionReused == false)
  }

  /// Bytes that OpenSSL has decrypted, but that are unread, are no longer on the socket.
  @Test(.enabled(if: TLSServer.program != nil, "openssl is not here"), arguments: unasked)
  func unsolicitedBytesInTheLastTLSRecordAreDetected(unasked: String) async throws {
    let server = try TLSServer()
    let session = CurlSession(configuration: server.configuration)
    async let first = session.send(
      HTTP.Request(url: server.url.appending(path: "a")), options: TransportOptions(responseDelivery: .streamed))
    try await server.waitForRequest("GET /a")
    try server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
    let response = try await first
    // A separate record: libcurl requests only the rest of the body.
    try server.send("first\(unasked)")
    var body = Data()
    for try await chunk in response.body { body += chunk }
    #expect(String(decoding: body, as: UTF8.self) == "first")
    async let second = session.get(server.url.appending(path: "b"))
    try await server.waitForRequest("GET /b")
    try server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nasked")
    let outcome = await second
    #expect(outcome.text == "asked", "\(outcome)")
    #expect(outcome.metrics?.isConnectionReused == false)
  }

  /// The bytes are in a separate record, and arrive when the connection is idle.
  @Test(.enabled(if: TLSServer.program != nil, "openssl is not here"), arguments: unasked, [false, true])
  func unsolicitedBytesOnAnIdleTLSConnectionAreDetected(unasked: String, isNoticed: Bool) async throws {
    let server = try TLSServer()
    let other = try LoopbackServer()
    other.on(.get, "/") { _ in .text("ok") }
    let session = CurlSession(configuration: server.configuration)
    async let first = session.get(server.url.appending(path: "a"))
    try await server.waitForRequest("GET /a")
    try server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
    #expect(await first.text == "first")
    let connections = RawSocket.connections(to: server.port)
    #expect(connections.count == 1)
    try server.send(unasked)
    await waitUntil { connections.allSatisfy { RawSocket.hasUnreadBytes($0, to: server.port) } }
    // The session's thread checks all sockets for each of these.
    for _ in 0..<(isNoticed ? 20 : 0) { #expect(await session.get(other.url("/")).text == "ok") }
    async let second = session.exchange(
      HTTP.Request(method: .post, url: server.url.appending(path: "b"), body: HTTP.Body("body")))
    try await server.waitForRequest("POST /b")
    try server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nasked")
    let outcome = await second
    #expect(outcome.text == "asked", "\(outcome)")
    #expect(outcome.metrics?.isConnectionReused == false)
  }

  // MARK: Data that a server may send at any time

  @Test(.enabled(if: TLSServer.program != nil, "openssl is not here"))
  func bytesOfATLSRecordBelongToTheBody() async throws {
    let server = try TLSServer()
    let session = CurlSession(configuration: server.configuration)
    for isReused in [false, true, true] {
      async let pending = session.get(server.url.appending(path: "\(isReused)"))
      try await server.waitForRequest("GET /")
      server.received.removeAll()
      try server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      try server.send("asked")
      let outcome = await pending
      #expect(outcome.text == "asked", "\(outcome)")
      #expect(outcome.metrics?.isConnectionReused == isReused)
    }
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func tlsMessagesDoNotPreventReuse() async throws {
    let nginx = try #require(Nginx.shared)
    let other = try LoopbackServer()
    other.on(.get, "/") { _ in .text("ok") }
    for version in [CurlSession.Configuration.HTTPVersion.http1, .automatic] {
      let session = CurlSession(configuration: configured(nginx.configuration) { $0.httpVersion = version })
      #expect(await session.get(nginx.url).metrics?.isConnectionReused == false)
      for _ in 0..<10 {
        #expect(await session.get(nginx.url).metrics?.isConnectionReused == true)
        // The session's thread checks all sockets for each of these.
        for _ in 0..<5 { #expect(await session.get(other.url("/")).text == "ok") }
      }
    }
  }
}
