import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Server-sent events through a gateway: its headers, middleware and strategies apply to each connection.
@Suite(.timeLimit(.minutes(15))) struct GatewayEventTests {
  let session = StubSession { Issue.record($0) }
  let url: URL
  var gateway: Gateway

  init() throws {
    url = try #require(URL(string: "https://api.example.com/feed"))
    gateway = Gateway(
      baseURL: try #require(URL(string: "https://api.example.com")),
      backend: BackendService(transportService: TransportService(session: session, clock: RecordingClock())))
    gateway.headers = [.authorization: "Bearer t"]
  }

  private func feed(_ text: String) -> StubSession.Reply {
    .status(200, headers: [.contentType: "text/event-stream"], body: Data(text.utf8))
  }

  @Test func reconnectionResumesAfterTheLastEvent() async throws {
    session.on(.get, url, times: 1, feed("id: 7\ndata: a\n\n"))
    session.on(.get, url, times: 1, feed("data: b\n\n"))
    session.on(.get, url, times: 1, .status(204))
    let clock = TestClock()
    let source = gateway.configured { $0.clock = clock }.request("feed").events()
    let events = Task {
      var seen: [String] = []
      for try await event in source { seen.append(event.data) }
      return seen
    }
    for _ in 0..<2 {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(60))
    }
    #expect(try await events.value == ["a", "b"])
    #expect(session.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7", "7"])
    #expect(session.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
    #expect(session.requests.allSatisfy { $0.headers[.accept] == "text/event-stream" })
  }

  private struct Entry: Decodable, Equatable {
    var createdAt: Date
  }

  @Test func eventsDecodeInTheGatewaysFormat() async throws {
    session.on(.get, url, times: 2, feed("data: {\"created_at\": 60}\n\n"))
    session.on(.get, url, .status(204))
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    var gateway = gateway
    gateway.decodingFormat = decoder
    let expected = Entry(createdAt: Date(timeIntervalSince1970: 60))

    var events = gateway.request("feed").events().makeAsyncIterator()
    let event = try #require(try await events.next())
    #expect(try event.decode(as: Entry.self) == expected)
    let response = try await gateway.request("feed").stream()
    for try await event in response.body.events { #expect(try event.decode(as: Entry.self) == expected) }

    // The format is not part of the message.
    let same = HTTP.ServerSentEvent(data: event.data)
    #expect(event == same && event.hashValue == same.hashValue)
    #expect(throws: DecodingError.self) { try same.decode(as: Entry.self) }
    #expect(throws: DecodingError.self) { try event.decode(as: Entry.self, with: JSON.Decoder()) }
  }

  @Test func aFailureStatusEndsTheEvents() async throws {
    session.on(.get, url, .status(403))
    let failure = await #expect(throws: AnyError.self) {
      for try await event in gateway.request("feed").events() { Issue.record("\(event)") }
    }
    #expect(failure?.transportError?.code == .clientError(.forbidden))
  }

  @Test func anInvalidPathEndsTheEvents() async throws {
    let failure = await #expect(throws: AnyError.self) {
      for try await event in gateway.request("..").events() { Issue.record("\(event)") }
    }
    #expect(failure?.transportError?.code == .invalidRequest)
  }

  @Test func cancellingEndsTheEvents() async throws {
    session.on(.get, url, .never)
    let source = gateway.configured { $0.clock = TestClock() }.request("feed").events()
    let task = Task { for try await event in source { Issue.record("\(event)") } }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(session.requests.count == 1)
  }

  private static let unsafeMethods: [HTTP.Method] = [.post, .put, .patch, .delete, "LOCK"]

  private func cut(_ text: String, _ code: TransportError.Code = .truncatedResponse) -> StubSession.Reply {
    .chunks(
      [Data(text.utf8)], error: TransportError(code: code, phase: .body), status: 200,
      headers: [.contentType: "text/event-stream"])
  }

  private func request(
    _ method: HTTP.Method, idempotency: RequestSettings.Idempotency = .byMethod
  ) -> GatewayRequest {
    var request = gateway.request("feed", method: method)
    request.idempotency = idempotency
    return request
  }

  @Test(arguments: unsafeMethods, [RequestSettings.Idempotency.byMethod, .idempotent, .notIdempotent, .keyed])
  func r1_anUnsafeRequestIsSentOnceAndEndsWithItsBody(
    method: HTTP.Method, idempotency: RequestSettings.Idempotency
  ) async throws {
    session.on(method, url, times: 1, feed("id: 1\ndata: a\n\ndata: b\n\n"))
    let found = await request(method, idempotency: idempotency).events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a", "b"])
    #expect(session.requests.count == 1)
  }

  @Test(arguments: unsafeMethods, [TransportError.Code.truncatedResponse, .connectionLost, .timedOut])
  func r1_aCutStreamOfAnUnsafeRequestThrows(method: HTTP.Method, code: TransportError.Code) async throws {
    session.on(method, url, times: 1, cut("data: a\n\ndata: b\n", code))
    let found = await request(method, idempotency: .idempotent).events().all()
    #expect(found.elements.map(\.data) == ["a"])
    #expect((found.error as? AnyError)?.transportError?.code == code)
    #expect(session.requests.count == 1)
  }

  @Test func r1_aSafeRequestThatIsMarkedAsNotIdempotentIsSentOnce() async throws {
    session.on(.get, url, times: 1, feed("data: a\n\n"))
    let found = await request(.get, idempotency: .notIdempotent).events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(session.requests.count == 1)
  }

  /// The stream is the response to the GET, but a new connection would send the POST again.
  @Test func r1_aRedirectedPOSTIsSentOnce() async throws {
    let other = try #require(URL(string: "https://api.example.com/stream"))
    session.on(.post, url, times: 1, .status(303, headers: [.location: "/stream"]))
    session.on(.get, other, times: 1, feed("data: a\n\n"))
    let gateway = Gateway(baseURL: gateway.baseURL, session: session)
    let found = await gateway.request("feed", method: .post).events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(session.requests.map(\.method) == [.post, .get])
  }

  @Test func eventsOfAPOSTEndAfterA204() async throws {
    session.on(.post, url, times: 1, .status(204))
    let found = await request(.post).events().all()
    #expect(found.error == nil && found.elements.isEmpty)
  }

  @Test func aPOSTWithAStreamAsBodyEndsWithItsResponse() async throws {
    session.on(.post, url, times: 1, feed("data: a\n\n"))
    var request = request(.post)
    request.body = .stream(AsyncStream<Data> { $0.finish() })
    let found = await request.events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
  }

  @Test(arguments: [HTTP.Method.post, .delete]) func r1_anUnsafeRequestReconnectsIfTheCallerAllowsIt(
    method: HTTP.Method
  ) async throws {
    session.on(method, url, times: 1, cut("id: 1\ndata: a\n\ndata: b"))
    session.on(method, url, times: 1, feed("data: b\n\n"))
    session.on(method, url, times: 1, .status(204))
    var request = request(method)
    request.reconnects = .always
    let found = await request.events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a", "b"])
    #expect(session.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1"])
  }

  @Test func aSafeRequestCanBeSentOnce() async throws {
    session.on(.get, url, times: 1, feed("data: a\n\n"))
    var gateway = gateway
    gateway.reconnects = .never
    let found = await gateway.request("feed").events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(session.requests.count == 1)
  }

  /// Attempts until the head arrives are repeated by the retry policy.
  @Test func r1_anIdempotentPOSTIsRepeatedUntilItsHeadArrives() async throws {
    session.on(.post, url, times: 1, .failure(TransportError(code: .connectionLost, phase: .firstByte)))
    session.on(.post, url, times: 1, .status(503))
    session.on(.post, url, times: 1, cut("data: a\n\n"))
    var configuration = ClientConfiguration.standard
    configuration.clock = RecordingClock()
    let gateway = Gateway(baseURL: gateway.baseURL, session: session, configuration: configuration)
    var request = gateway.request("feed", method: .post)
    request.idempotency = .idempotent
    let found = await request.events().all()
    #expect(found.elements.map(\.data) == ["a"])
    #expect((found.error as? AnyError)?.transportError?.code == .truncatedResponse)
    #expect(session.requests.count == 3)
  }

  /// The first attempt of the stream is rejected, which is not its end.
  @Test func aTokenIsRefreshedForAPOSTWithEvents() async throws {
    session.on(.post, url, times: 1, .status(401))
    session.on(.post, url, times: 1, feed("data: a\n\n"))
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.bearer(TokenRefresher(token: .init("old")) { _ in .init("new") })]
    let gateway = Gateway(baseURL: gateway.baseURL, session: session, configuration: configuration)
    let found = await gateway.request("feed", method: .post).events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(session.requests.map { $0.headers[.authorization]?.rawValue } == ["Bearer old", "Bearer new"])
  }

  @Test func statusesCanBeTransient() async throws {
    session.on(.get, url, times: 2, .status(529, headers: [.retryAfter: "90"]))
    session.on(.get, url, times: 1, feed("data: a\n\n"))
    session.on(.get, url, times: 1, .status(404))
    let clock = RecordingClock()
    let found = await gateway.configured { $0.clock = clock }.request("feed").events(
      reconnection: .init(statuses: .transient, backoff: ExponentialBackoff(base: .zero))
    ).all()
    #expect(found.elements.map(\.data) == ["a"])
    #expect((found.error as? AnyError)?.failureResponse?.code == 404)
    #expect(clock.pauses.withLock { $0 } == [.seconds(90), .seconds(90), .seconds(3)])
  }

  @Test func reconnectionCanHaveATimeout() async throws {
    session.on(.get, url, .failure(TransportError(code: .noConnection)))
    let found = await gateway.request("feed").events(reconnection: .init(outageTimeout: .seconds(2))).all()
    #expect((found.error as? AnyError)?.transportError?.code == .noConnection)
    #expect(session.requests.count == 1)
  }

  @Test func typedRequestsAreSentOnceToo() async throws {
    session.on(.post, url, times: 1, feed("data: a\n\n"))
    let found = await gateway.failing(as: APIError.self).request("feed", method: .post).events().all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
  }

  @Test func cancellingEndsTheBackoff() async throws {
    session.on(.get, url, .failure(TransportError(code: .noConnection)))
    let clock = TestClock()
    let source = gateway.configured { $0.clock = clock }.request("feed").events()
    let task = Task { for try await event in source { Issue.record("\(event)") } }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(session.requests.count == 1)
  }

  @Test func theBodyOfAFailureIsNotAStreamWithoutEvents() async throws {
    session.on(.post, url, times: 2, .json(#"{"error": "overloaded"}"#))
    let found = await request(.post).events().all()
    let error = (found.error as? AnyError)?.transportError
    #expect(error?.code == .malformedResponse && error?.underlyingError is EventSource.UnexpectedResponse)
    #expect((found.error as? AnyError)?.failureResponse?.body.string == #"{"error": "overloaded"}"#)
    let body = try await request(.post).stream().body
    #expect(await body.events.all().error as? HTTP.BodyError == .notAnEventStream(contentType: "application/json"))
  }
}
