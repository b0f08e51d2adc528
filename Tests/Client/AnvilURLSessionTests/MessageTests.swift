import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Messages that are specific to URLSession. See also `TransportContractTests`.
@Suite(.timeLimit(.minutes(15))) struct MessageTests {
  let transport = TransportService(session: URLTransportSession())

  private func execute(_ request: HTTP.Request) async -> Result<TransportSuccess, TransportFailure> {
    await transport.execute(request, options: TransportOptions(timeout: .seconds(240)))
  }

  private func echoServer() throws -> LoopbackServer {
    let server = try LoopbackServer()
    for method in [HTTP.Method.get, .post, .put, .patch, .delete, .options, "PURGE"] {
      server.on(method, "/*") { .status(200, body: $0.body) }
    }
    return server
  }

  @Test func aPostWithoutAMediaTypeIsNotAForm() async throws {
    let server = try echoServer()
    let request = HTTP.Request(method: .post, url: server.url("/x"), body: HTTP.Body(Data("a".utf8)))
    _ = try await execute(request).get()
    #expect(server.requests.first?.headers[.contentType] == .applicationOctetStream)
  }

  @Test func aGETWithABodyIsRejectedWithAReason() async throws {
    let server = try echoServer()
    let failure = await execute(HTTP.Request(url: server.url("/x"), body: HTTP.Body("a"))).failure
    #expect(failure?.error.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func trailersAreRejectedWithAReason() async throws {
    let server = try echoServer()
    let body = HTTP.Body.stream(AsyncStream<Data> { $0.finish() }) { ["X-Sum": "1"] }
    let failure = await execute(HTTP.Request(method: .put, url: server.url("/x"), body: body)).failure
    #expect(failure?.error.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func methodsKeepTheirCaseOrAreRejected() async throws {
    let server = try echoServer()
    for name in ["get", "Post", "dELETE"] {
      let request = HTTP.Request(method: HTTP.Method(rawValue: name), url: server.url("/x"))
      #expect(await execute(request).failure?.error.code == .invalidRequest)
    }
    server.on("purge", "/y") { _ in .text("own") }
    #expect(try await execute(HTTP.Request(method: "purge", url: server.url("/y"))).get().body.string == "own")
    #expect(server.requests.map(\.method) == ["purge"])
  }

  @Test func cookieLinesAreJoinedWithSemicolons() async throws {
    let server = try echoServer()
    _ = try await execute(HTTP.Request(url: server.url("/x"), headers: [.cookie: "a=1", .cookie: "b=2"])).get()
    #expect(server.requests.first?.headers.values(for: .cookie) == ["a=1; b=2"])
  }

  @Test func defaultUserAgentAndAcceptEncodingAreSent() async throws {
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

  @Test func ipv6LiteralsAreRejected() async throws {
    let url = try #require(URL(string: "http://[::1]:1/"))
    #expect(await execute(HTTP.Request(url: url)).failure?.error.code == .invalidRequest)
  }

  @Test func aSessionCanBeReleasedWhileAnotherIsUsed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("ok") }
    for _ in 0..<20 {
      let service = TransportService(session: URLTransportSession())
      #expect(try await service.execute(HTTP.Request(url: server.url)).get().body.string == "ok")
    }
  }
}
