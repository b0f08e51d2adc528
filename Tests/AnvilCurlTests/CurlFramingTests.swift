import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// What libcurl would do of its own accord, and a session does not let it.
@Suite(.timeLimit(.minutes(5))) struct CurlFramingTests {
  private func execute(
    _ request: HTTP.Request, on session: CurlSession = CurlSession()
  ) async -> Result<TransportSuccess, TransportFailure> {
    await TransportService(session: session).execute(request, options: TransportOptions(timeout: nil))
  }

  @Test(arguments: ["gzip, chunked", "gzip", "chunked, identity", "deflate, chunked"])
  func refusesTransferCodingsThatNobodyAskedFor(coding: String) async throws {
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

  @Test(arguments: [HTTP.Method.post, .put, .patch])
  func saysThatThereIsNoBody(method: HTTP.Method) async throws {
    let server = try LoopbackServer()
    server.on(method, "/") { _ in .text("ok") }
    _ = try await execute(HTTP.Request(method: method, url: server.url)).get()
    _ = try await execute(HTTP.Request(method: method, url: server.url, headers: [.contentLength: "0"])).get()
    #expect(server.requests.map { $0.headers.values(for: .contentLength) } == [["0"], ["0"]])
  }

  @Test func asksForRangesOfWhatIsMeant() async throws {
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

  @Test func aStreamOfSingleBytesHoldsNobodyUp() async throws {
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
  func aHostThatSpeaksHTTP1OnlyGetsItsConnectionsWhenThatIsKnown() async throws {
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
    // More than there may be of those that are shared.
    #expect(outcomes.count { $0.metrics?.isConnectionReused == false } > 8)
  }
}
