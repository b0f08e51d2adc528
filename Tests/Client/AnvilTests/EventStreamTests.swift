import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Streams of events over real sockets, by the platform's default session: what one connection shows of the end of its body.
@Suite(.timeLimit(.minutes(15))) struct EventStreamTests {
  private let server: LoopbackServer
  private let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    gateway = Gateway(baseURL: server.url)
  }

  private func raw(_ framing: String, _ body: String, then end: LoopbackServer.Step = .close) -> LoopbackServer.Reply {
    .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(framing)\r\n\(body)".utf8)), end])
  }

  private func events(
    _ method: HTTP.Method, _ reply: LoopbackServer.Reply
  ) async -> (elements: [HTTP.ServerSentEvent], error: (any Error)?) {
    server.on(method, "/chat") { _ in reply }
    var request = gateway.request("chat", method: method)
    request.idempotency = .idempotent
    return await request.events().all()
  }

  @Test(arguments: [
    ("Transfer-Encoding: chunked\r\n", "9\r\ndata: a\n\n\r\n0\r\n\r\n"), ("Content-Length: 9\r\n", "data: a\n\n"),
    ("", "data: a\n\n"), ("Content-Length: 16\r\n", "data: a\n\ndata: b"),
  ])
  func aCompleteBodyEndsTheEventsOfAPOST(framing: String, body: String) async {
    let found = await events(.post, raw(framing, body))
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("Transfer-Encoding: chunked\r\n", "9\r\ndata: a\n\n\r\n9\r\ndat"),
    ("Content-Length: 99\r\n", "data: a\n\ndata: b\n"),
    ("Transfer-Encoding: chunked\r\n", "9\r\ndata: a\n\n\r\n"), ("", "data: a\n\ndata: b\n"), ("", "data: a\n\nda"),
  ])
  func aTruncatedBodyIsAnErrorOfAPOST(framing: String, body: String) async {
    let found = await events(.post, raw(framing, body))
    #expect(found.elements.map(\.data) == ["a"])
    #expect((found.error as? AnyError)?.transportError?.code == .truncatedResponse)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [HTTP.Method.post, .put, .patch, .delete]) func aResetIsAnErrorOfAnUnsafeRequest(
    method: HTTP.Method
  ) async {
    let found = await events(method, raw("Transfer-Encoding: chunked\r\n", "9\r\ndata: a\n\n\r\n", then: .reset))
    #expect((found.error as? AnyError)?.transportError != nil)
    #expect(server.requests.count == 1)
  }

  private struct Explanation: FailureBody, Decodable {
    let error: String
  }

  @Test func theFailureHasTheBodyThatWasRejected() async throws {
    server.on(.get, "/error") { _ in .json(#"{"error": "overloaded"}"#) }
    server.on(.get, "/page") { _ in .status(200, headers: [.contentType: "text/html"], body: Data("<p>".utf8)) }
    let typed = gateway.failing(as: TypedFailure<Explanation>.self)
    for found in [
      await typed.request("error").events().all().error, await typed.request("error").events(of: Int.self).all().error,
    ] {
      #expect((found as? TypedFailure<Explanation>)?.body?.error == "overloaded")
    }
    for found in [
      await typed.request("page").elements(of: Int.self).all().error,
      await typed.request("page").jsonLines(of: Int.self).all().error,
      await typed.request("page").jsonSequence(of: Int.self).all().error,
    ] {
      #expect((found as? TypedFailure<Explanation>)?.underlyingDecodingFailure?.response.body.string == "<p>")
    }
  }

  /// A stream whose type is wrong may have no end.
  @Test func theEndOfABodyThatWasRejectedIsNotAwaited() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n: ping\n"
    server.on(.get, "/log") { _ in .raw([.send(Data(head.utf8)), .hang]) }
    let clock = TestClock()
    var request = gateway.configured { $0.clock = clock }.request("log")
    request.timeout = .unlimited
    let events = request.events()
    async let found = events.all()
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    #expect((await found.error as? AnyError)?.transportError?.underlyingError is EventSource.UnexpectedResponse)
  }

  @Test func aBodyOfAnotherTypeIsAnError() async throws {
    server.on(.post, "/chat") { _ in .json(#"{"error": "overloaded"}"#) }
    let found = await gateway.request("chat", method: .post).events().all()
    #expect((found.error as? AnyError)?.transportError?.underlyingError is EventSource.UnexpectedResponse)
    let body = try await gateway.request("chat", method: .post).stream().body
    #expect(await body.events.all().error as? HTTP.BodyError == .notAnEventStream(contentType: "application/json"))
  }
}
