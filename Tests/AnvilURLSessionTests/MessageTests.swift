import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// What goes over the wire and what comes back, through the real URLSession.
@Suite(.timeLimit(.minutes(5))) struct MessageTests {
  let transport = TransportService(session: URLTransportSession())

  private func execute(_ request: HTTP.Request) async -> Result<TransportSuccess, TransportFailure> {
    await transport.execute(request, options: TransportOptions(timeout: .seconds(20)))
  }

  private func echoServer() throws -> LoopbackServer {
    let server = try LoopbackServer()
    for method in [HTTP.Method.get, .post, .put, .patch, .delete, .options, "PURGE"] {
      server.on(method, "/*") { .status(200, body: $0.body) }
    }
    return server
  }

  @Test(arguments: [HTTP.Method.post, .put, .patch, .delete, "PURGE"])
  func bytesArriveAsTheyWere(method: HTTP.Method) async throws {
    let server = try echoServer()
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let request = HTTP.Request(
      method: method, url: server.url("/echo"), headers: [.contentType: .applicationOctetStream], body: HTTP.Body(bytes)
    )
    #expect(try await execute(request).get().body.data == bytes)
    let received = try #require(server.requests.first)
    #expect(received.method == method && received.body == bytes)
    #expect(received.headers.values(for: .contentType) == [.applicationOctetStream])
  }

  @Test(arguments: [HTTP.Method.get, .head, .options, .delete])
  func requestsWithoutBodyHaveNone(method: HTTP.Method) async throws {
    let server = try echoServer()
    #expect(try await execute(HTTP.Request(method: method, url: server.url("/x"))).get().body.isEmpty)
    #expect(server.requests.first?.body.isEmpty == true)
    #expect(server.requests.first?.headers.contains(.contentType) == false)
  }

  @Test func untypedPostIsNotCalledAForm() async throws {
    let server = try echoServer()
    let request = HTTP.Request(method: .post, url: server.url("/x"), body: HTTP.Body(Data("a".utf8)))
    _ = try await execute(request).get()
    #expect(server.requests.first?.headers[.contentType] == .applicationOctetStream)
  }

  @Test func getWithBodyIsRefusedByName() async throws {
    let server = try echoServer()
    let failure = await execute(HTTP.Request(url: server.url("/x"), body: HTTP.Body("a"))).failure
    #expect(failure?.error.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func methodsKeepTheirCaseOrAreRefused() async throws {
    let server = try echoServer()
    for name in ["get", "Post", "dELETE"] {
      let request = HTTP.Request(method: HTTP.Method(rawValue: name), url: server.url("/x"))
      #expect(await execute(request).failure?.error.code == .invalidRequest)
    }
    server.on("purge", "/y") { _ in .text("own") }
    #expect(try await execute(HTTP.Request(method: "purge", url: server.url("/y"))).get().body.string == "own")
    #expect(server.requests.map(\.method) == ["purge"])
  }

  @Test func cookieLinesAreJoinedAsCookiesAre() async throws {
    let server = try echoServer()
    _ = try await execute(HTTP.Request(url: server.url("/x"), headers: [.cookie: "a=1", .cookie: "b=2"])).get()
    #expect(server.requests.first?.headers.values(for: .cookie) == ["a=1; b=2"])
  }

  @Test func framingFieldsNeverReachTheWire() async throws {
    let server = try echoServer()
    let smuggled = HTTP.Body("abcdGET /admin HTTP/1.1\r\nHost: x\r\n\r\n")
    for headers in [[.contentLength: "4"], [.transferEncoding: "chunked"]] as [HTTP.Headers] {
      let request = HTTP.Request(method: .post, url: server.url("/x"), headers: headers, body: smuggled)
      #expect(await execute(request).failure?.error.code == .invalidRequest)
    }
    #expect(server.requests.isEmpty)
    let stated = HTTP.Request(
      method: .post, url: server.url("/x"), headers: [.contentLength: "4"], body: HTTP.Body("four"))
    #expect(try await execute(stated).get().body.string == "four")
    #expect(server.requests.first?.headers.values(for: .contentLength) == ["4"])
  }

  @Test func headersArriveWithoutLoss() async throws {
    let server = try echoServer()
    let headers: HTTP.Headers = ["X-One": "1", "X-Two": "a", "X-Two": "b, c", "X-Empty": "", "X-Text": "grüße"]
    _ = try await execute(HTTP.Request(url: server.url("/x"), headers: headers)).get()
    let received = try #require(server.requests.first).headers
    #expect(received["X-One"] == "1" && received["X-Empty"] == "")
    #expect(received.values(for: "X-Two").map(\.rawValue).joined(separator: ",").filter { $0 != " " } == "a,b,c")
    #expect(received["X-Text"] == "grüße")
  }

  @Test(arguments: ["a\r\nX-Injected: yes", "a\nb", "a\0b"])
  func headerThatWouldSplitIsRefusedByTheSessionToo(value: String) async throws {
    let server = try echoServer()
    let request = HTTP.Request(url: server.url("/x"), headers: ["X-Token": "\(value)"])
    let error = await #expect(throws: TransportError.self) {
      try await URLTransportSession.shared.send(request, options: TransportOptions())
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func cookiesComeOneByOne() async throws {
    let server = try LoopbackServer()
    let cookies: [HTTP.HeaderValue] = [
      "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=x,y; HttpOnly", "c=",
      "d=4; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ]
    server.on(.get, "/") { _ in .status(200, headers: HTTP.Headers(cookies.map { .init(.setCookie, $0) })) }
    let success = try await execute(HTTP.Request(url: server.url)).get()
    #expect(success.response.headers.values(for: .setCookie) == cookies)
  }

  @Test func otherRepeatedHeadersKeepEveryValue() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, headers: ["X-Empty": "", "Link": "<a>", "Link": "<b>"]) }
    let headers = try await execute(HTTP.Request(url: server.url)).get().response.headers
    #expect(headers["Link"] == "<a>, <b>")
    #expect(headers["X-Empty"] == "")
  }

  @Test(arguments: [HTTP.Method.head, .get])
  func announcedLengthWithoutBodyIsNoTruncation(method: HTTP.Method) async throws {
    let server = try LoopbackServer()
    let status = method == .head ? 200 : 204
    server.on(method, "/") { _ in .raw([.send(Data("HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\n".utf8)), .close])
    }
    let success = try await execute(HTTP.Request(method: method, url: server.url)).get()
    #expect(success.response.code == status && success.body.isEmpty)
  }

  @Test func bodyWithoutLengthEndsWithTheConnection() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data("HTTP/1.1 200 OK\r\n\r\nto the end".utf8)), .close]) }
    #expect(try await execute(HTTP.Request(url: server.url)).get().body.string == "to the end")
  }

  @Test func chunksArriveAsTheyAreSent() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([
        .send(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n".utf8)), .hang,
      ])
    }
    let response = try await URLTransportSession.shared.send(HTTP.Request(url: server.url), options: TransportOptions())
    var iterator = response.body.makeAsyncIterator()
    #expect(response.head.code == 200)
    // The rest never comes: that this chunk is here shows that bodies are streamed.
    #expect(try await iterator.next() == Data("one".utf8))
  }

  @Test func largeBodyIsWhole() async throws {
    let server = try LoopbackServer()
    let bytes = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
    server.on(.get, "/") { _ in .status(200, body: bytes) }
    #expect(try await execute(HTTP.Request(url: server.url)).get().body.data == bytes)
  }

  @Test func defaultFieldsSayWhoAsksAndForWhat() async throws {
    let server = try echoServer()
    _ = try await execute(HTTP.Request(url: server.url("/x"))).get()
    _ = try await execute(
      HTTP.Request(url: server.url("/x"), headers: [.userAgent: "mine/1", .acceptEncoding: "gzip"])
    ).get()
    let headers = server.requests.map(\.headers)
    #expect(headers.first?[.userAgent]?.rawValue.hasPrefix("Anvil/") == true)
    #expect(headers.last?[.userAgent] == "mine/1")
    #expect(headers.map { $0[.acceptEncoding] } == ["identity", "gzip"])
  }

  @Test func ipv6LiteralIsRefusedByName() async throws {
    let url = try #require(URL(string: "http://[::1]:1/"))
    #expect(await execute(HTTP.Request(url: url)).failure?.error.code == .invalidRequest)
  }

  // MARK: Uploads

  @Test func filesAreSentWithTheirLength() async throws {
    let server = try echoServer()
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let bytes = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 11) })
    try bytes.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let success = try await execute(HTTP.Request(method: .put, url: server.url("/x"), body: .file(url))).get()
    #expect(success.body.data == bytes)
    #expect(server.requests.first?.headers[.contentLength] == "500000")
  }

  @Test(arguments: ["/no/such/file", "/tmp"])
  func unreadableFileIsNamed(path: String) async throws {
    let server = try echoServer()
    let body = HTTP.Body.file(URL(filePath: path))
    let failure = await execute(HTTP.Request(method: .put, url: server.url("/x"), body: body)).failure
    #expect(failure?.error.code == .requestBodyFailed)
    #expect(failure?.error.underlyingError is HTTP.BodyError)
    #expect(server.requests.isEmpty)
  }

  @Test func streamsAreSentWhole() async throws {
    let server = try echoServer()
    let stream = AsyncStream<Data> {
      for index in 0..<50 { $0.yield(Data(repeating: UInt8(index), count: 10_000)) }
      $0.finish()
    }
    let success = try await execute(HTTP.Request(method: .post, url: server.url("/x"), body: .stream(stream))).get()
    #expect(success.body.length == 500_000)
    #expect(server.requests.first?.body.last == 49)
  }

  @Test func streamThatFailsSendsNothing() async throws {
    struct Broken: Error {}
    let server = try echoServer()
    let stream = AsyncThrowingStream<Data, any Error> {
      $0.yield(Data("a".utf8))
      $0.finish(throwing: Broken())
    }
    let failure = await execute(HTTP.Request(method: .post, url: server.url("/x"), body: .stream(stream))).failure
    #expect(failure?.error.code == .requestBodyFailed && failure?.error.underlyingError is Broken)
    #expect(server.requests.isEmpty)
  }

  // MARK: Concurrency

  @Test func manyRequestsAtOnceGetTheirOwnAnswers() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/echo/:id") { .text($0.parameters["id"] ?? "") }
    let service = transport
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        let request = HTTP.Request(url: server.url("/echo/\(index)"))
        group.addTask { (try? await service.execute(request).get().body.string) == "\(index)" }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }

  @Test func connectionsAreUsedAgain() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("again") }
    for _ in 0..<5 { _ = try await execute(HTTP.Request(url: server.url)).get() }
    #expect(Set(server.requests.map(\.connection)).count == 1)
  }

  @Test func sessionCanGoWhileAnotherIsUsed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("ok") }
    for _ in 0..<20 {
      let service = TransportService(session: URLTransportSession())
      #expect(try await service.execute(HTTP.Request(url: server.url)).get().body.string == "ok")
    }
  }
}
