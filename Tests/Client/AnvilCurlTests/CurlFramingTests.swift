import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Defaults of libcurl that a session overrides.
@Suite(.timeLimit(.minutes(15))) struct CurlFramingTests {
  private func execute(
    _ request: HTTP.Request, on session: CurlSession = CurlSession()
  ) async -> Result<TransportSuccess, TransportFailure> {
    await TransportService(session: session).execute(request, options: TransportOptions(timeout: nil))
  }

  @Test(arguments: ["gzip, chunked", "gzip", "chunked, identity", "deflate, chunked"])
  func rejectsTransferCodingsThatWereNotRequested(coding: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\nab\r\n0\r\n\r\n".utf8)), .close])
    }
    guard case .failure(let failure) = await execute(HTTP.Request(url: server.url)) else {
      Issue.record("\(coding) was taken")
      return
    }
    #expect(failure.error.code == .malformedResponse)
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: [
    chunked + "2\nok\r\n0\r\n\r\n", chunked + "2\r\nok\n0\r\n\r\n", chunked + "2\r\nok\r\n0\n\r\n",
    chunked + "2\r\nok\r\n0\r\n\n", chunked + "2g\r\nok\r\n0\r\n\r\n", chunked + "0x2\r\nok\r\n0\r\n\r\n",
    chunked + "2 2\r\nok\r\n0\r\n\r\n", chunked + "2;a\rb\r\nok\r\n0\r\n\r\n",
    chunked + "2;\(String(repeating: "x", count: 5_000))\r\nok\r\n0\r\n\r\n",
    chunked + String(repeating: "1;\(String(repeating: "x", count: 1_000))\r\nx\r\n", count: 100) + "0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n , identity\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok",
    "HTTP/1.1 200 OK\r\n X: y\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n 0\r\n\r\nok",
  ])
  func rejectsAmbiguousFraming(response: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data(response.utf8)), .close]) }
    let outcome = await CurlSession().get(server.url("/"))
    #expect(outcome.error?.code == .malformedResponse, "\(outcome)")
  }

  /// libcurl would send the request again without `Expect`. It may leave out the body of the response.
  @Test(
    arguments: [
      "Content-Length: 3\r\n\r\nbad", "Connection: close\r\n\r\nbad",
      "Transfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n",
    ], [10, 3_000_000])
  func aRefusedExpectationIsTheResponse(rest: String, size: Int) async throws {
    let server = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      _ = socket.write("HTTP/1.1 417 Expectation Failed\r\n\(rest)")
      socket.finish()
      while let bytes = socket.read(), !bytes.isEmpty {}
    }
    let request = HTTP.Request(
      method: .put, url: try server.url(), headers: ["Expect": "100-continue"], body: HTTP.Body(Data(count: size)))
    for delivery in [ResponseDelivery.collected, .streamed] {
      let outcome = await CurlSession().exchange(request, delivery: delivery)
      #expect(outcome.head?.code == 417 && outcome.error == nil, "\(outcome)")
    }
  }

  @Test(arguments: ["2  \r\n", "2\t\r\n", "0002\r\n", "2;a=b;c=\"d e\"\r\n", "2 ; a\r\n"])
  func acceptsPaddedAndExtendedChunkSizes(line: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data("\(Self.chunked)\(line)ok\r\n0\r\n\r\n".utf8)), .close]) }
    let outcome = await CurlSession().get(server.url("/"))
    #expect(outcome.text == "ok" && outcome.error == nil, "\(outcome)")
  }

  @Test func readsManyChunksWithAShortExtensionEach() async throws {
    let server = try LoopbackServer()
    let chunk = "400;signature=\(String(repeating: "f", count: 64))\r\n\(String(repeating: "x", count: 1_024))\r\n"
    let body = Data("\(Self.chunked)\(String(repeating: chunk, count: 2_000))0\r\n\r\n".utf8)
    server.on(.get, "/") { _ in .raw([.send(body), .close]) }
    let outcome = await CurlSession().get(server.url("/"))
    #expect(outcome.body.count == 2_048_000 && outcome.error == nil, "\(outcome.error as Any)")
  }

  @Test(arguments: [(5, true), (6, false), (100, false)]) func limitsContentCodings(
    count: Int, isRead: Bool
  ) async throws {
    let server = try LoopbackServer()
    let codings = (["gzip"] + repeatElement("identity", count: 10) + repeatElement("deflate", count: count - 1))
      .joined(separator: ", ")
    var body = Packed.gzip
    for _ in 1..<count { body = Packed.stored(body) }
    server.on(.get, "/") { [body] _ in .status(200, headers: [.contentEncoding: .init(rawValue: codings)], body: body) }
    let outcome = await CurlSession().get(server.url("/"))
    #expect(outcome.error?.code == (isRead ? nil : .malformedResponse), "\(outcome)")
    if isRead { #expect(outcome.body == Packed.text) }
  }

  @Test(arguments: [HTTP.Method.post, .put, .patch])
  func sendsContentLengthZeroWithoutABody(method: HTTP.Method) async throws {
    let server = try LoopbackServer()
    server.on(method, "/") { _ in .text("ok") }
    _ = try await execute(HTTP.Request(method: method, url: server.url)).get()
    _ = try await execute(HTTP.Request(method: method, url: server.url, headers: [.contentLength: "0"])).get()
    #expect(server.requests.map { $0.headers.values(for: .contentLength) } == [["0"], ["0"]])
  }

  @Test func requestsRangesWithoutAContentCoding() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(206, headers: [.contentEncoding: "gzip"], body: Data("part".utf8)) }
    let request = HTTP.Request(url: server.url, headers: [.range: "bytes=0-3"])
    #expect(try await execute(request).get().body.string == "part")
    #expect(server.requests.first?.headers[.acceptEncoding] == "identity")
  }

  @Test func badTrailersAreMalformed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([
        .send(
          Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\nbroken line\r\n\r\n".utf8)),
        .close,
      ])
    }
    guard case .failure(let failure) = await execute(HTTP.Request(url: server.url)) else {
      Issue.record("bad trailers were taken")
      return
    }
    #expect(failure.error.code == .malformedResponse)
  }

  @Test func aStreamOfSingleBytesDoesNotBlockOtherTransfers() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/") { .text("\($0.body.count)") }
    let bytes = AsyncStream<Data> {
      for index in 0..<200_000 { $0.yield(Data([UInt8(truncatingIfNeeded: index)])) }
      $0.finish()
    }
    let request = HTTP.Request(method: .post, url: server.url, body: .stream(bytes))
    #expect(try await execute(request).get().body.string == "200000")
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func anHTTP1HostGetsMoreConnectionsOnceItIsKnown() async throws {
    let nginx = try #require(Nginx.shared)
    let text = try #require(nginx["HTTP1_URL"])
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("ok").after(.milliseconds(300)) }
    let url = try #require(URL(string: "\(text)/to/\(server.port)/"))
    let session = CurlSession(configuration: nginx.configuration)
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<64 { group.addTask { await session.get(url, timeout: nil) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0.text == "ok" })
    // More than the maximum number of shared connections.
    #expect(outcomes.count { $0.metrics?.isConnectionReused == false } > 8)
  }
}
