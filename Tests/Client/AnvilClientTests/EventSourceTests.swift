import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct EventSourceTests {
  let session = StubSession { Issue.record($0) }
  let clock = RecordingClock()
  let url: URL

  init() throws {
    url = try #require(URL(string: "https://example.com/events"))
  }

  /// Creates a source that sends through the stub.
  private func source(
    _ request: HTTP.Request? = nil, reconnectionTime: Duration = .seconds(3), statuses: Set<HTTP.Status> = [],
    clock: (any Clock<Duration>)? = nil
  ) -> EventSource {
    EventSource(
      request: request ?? HTTP.Request(url: url),
      reconnection: .init(
        time: reconnectionTime, statuses: statuses, backoff: ExponentialBackoff(base: .seconds(1), random: { 1 })),
      eventLimit: 100, clock: clock ?? self.clock
    ) { [session] request in try await session.response(to: request) }
  }

  private func answer(_ text: String, error: TransportError? = nil, status: HTTP.Status = 200) {
    session.on(
      .get, url, times: 1,
      .chunks([Data(text.utf8)], error: error, status: status, headers: [.contentType: "text/event-stream"]))
  }

  private var waits: [Duration] { clock.pauses.withLock { $0 } }

  private var sentIDs: [String?] { session.requests.map { $0.headers[.lastEventID]?.rawValue } }

  @Test func eventsAreReadFromSuccessiveConnections() async throws {
    answer("id: 1\ndata: a\n\ndata: b\n\n")
    answer("data: c\n\nid: 2\ndata: d\n\n")
    answer("")
    session.on(.get, url, times: 1, .status(204))
    let found = await source().all()
    #expect(found.error == nil)
    #expect(found.elements.map(\.data) == ["a", "b", "c", "d"])
    #expect(found.elements.map(\.lastEventID) == ["1", "1", "1", "2"])
    #expect(sentIDs == [nil, "1", "2", "2"])
    #expect(session.requests.allSatisfy { $0.headers[.accept] == "text/event-stream" })
    // The third connection had no event.
    #expect(waits == [.seconds(3), .seconds(3), .seconds(4)])
    try session.verify()
  }

  /// An interrupted event must be sent again, so its ID is ignored.
  @Test func reconnectionResumesAfterTheLastCompleteEvent() async throws {
    answer("id: 1\ndata: a\n\nid: 2\ndata: b\n", error: TransportError(code: .truncatedResponse))
    answer("id: 2\ndata: b\n\n", error: TransportError(code: .connectionLost))
    session.on(.get, url, times: 1, .status(204))
    let found = await source().all()
    #expect(found.elements.map(\.data) == ["a", "b"])
    #expect(sentIDs == [nil, "1", "2"])
    #expect(found.error == nil)
  }

  @Test func retryAndIDWithoutAnEventApply() async throws {
    answer("retry: 1100\n\n: just a comment\n\nid: 5\n\n")
    session.on(.get, url, times: 1, .status(204))
    let found = await source().all()
    #expect(found.elements.isEmpty && found.error == nil)
    #expect(sentIDs == [nil, "5"])
    #expect(waits == [.milliseconds(2_100)])
  }

  @Test func aServerThatRequestsNoDelayIsNotAskedInALoop() async throws {
    for _ in 0..<4 { answer("retry: 0\n\n: nothing\n\n") }
    session.on(.get, url, times: 1, .status(204))
    #expect(await source().all().error == nil)
    // The minimum, and the backoff after connections without an event.
    #expect(waits == [.milliseconds(1_500), .milliseconds(2_500), .milliseconds(4_500), .milliseconds(8_500)])
  }

  @Test func aServerThatClosesAfterEachEventIsNotAskedInALoop() async throws {
    for text in ["a", "b", "c"] { answer("retry: 0\ndata: \(text)\n\n") }
    session.on(.get, url, times: 1, .status(204))
    #expect(await source().all().elements.map(\.data) == ["a", "b", "c"])
    #expect(waits == [.milliseconds(500), .milliseconds(500), .milliseconds(500)])
  }

  @Test func delaysGrowWithFailedAttempts() async throws {
    session.on(.get, url, times: 2, .failure(TransportError(code: .noConnection)))
    answer("retry: 500\ndata: a\n\n")
    session.on(.get, url, times: 2, .failure(TransportError(code: .timedOut)))
    answer("data: b\n\n")
    session.on(.get, url, times: 1, .status(204))
    let found = await source().all()
    #expect(found.elements.map(\.data) == ["a", "b"])
    #expect(
      waits == [
        .seconds(4), .seconds(5), .milliseconds(500), .milliseconds(1_500), .milliseconds(2_500), .milliseconds(500),
      ])
  }

  @Test func anIteratorStartsAfterTheRequestsLastEventID() async throws {
    answer("data: a\n\n")
    session.on(.get, url, times: 1, .status(204))
    let found = await source(HTTP.Request(url: url, headers: [.lastEventID: "9"])).all()
    #expect(found.elements == [HTTP.ServerSentEvent(data: "a", lastEventID: "9")])
    #expect(sentIDs == ["9", "9"])
  }

  @Test func aResponseOfAnotherTypeEndsTheSequence() async throws {
    answer("data: a\n\n")
    session.on(.get, url, times: 1, .json("{}"))
    var events = source().makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
    let error = await #expect(throws: EventSource.UnexpectedResponse.self) { try await events.next() }
    #expect(error?.response.headers[.contentType] == .applicationJSON)
    #expect(try await error?.response.body.collect() == Data("{}".utf8))
    #expect(try await events.next() == nil)
    #expect(session.requests.count == 2)
  }

  @Test func aThrownStatusEndsTheSequence() async throws {
    let request = HTTP.Request(url: url)
    let failure = TransportFailure(code: .serverError(.badGateway), request: request)
    let found = await EventSource(request: request, clock: clock) { _ in throw failure }.all()
    #expect(found.error as? TransportFailure == failure)
    #expect(waits.isEmpty)
  }

  @Test func statusesCanBeTransient() async throws {
    answer("", status: 503)
    answer("data: a\n\n")
    session.on(.get, url, times: 1, .status(204))
    let found = await source(statuses: [503]).all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
    #expect(waits == [.seconds(4), .seconds(3)])
  }

  @Test func anEventThatIsTooLargeEndsTheSequence() async throws {
    answer("data: a\n\ndata: \(String(repeating: "x", count: 100))\n\n")
    let found = await source().all()
    #expect(found.elements.map(\.data) == ["a"])
    #expect(found.error as? HTTP.BodyError == .eventTooLarge(limit: 100))
    #expect(session.requests.count == 1)
  }

  @Test func eachIteratorHasItsOwnConnection() async throws {
    answer("id: 1\ndata: a\n\n")
    answer("data: b\n\n")
    let source = source()
    var first = source.makeAsyncIterator()
    var second = source.makeAsyncIterator()
    #expect(session.requests.isEmpty)
    #expect(try await first.next()?.data == "a")
    #expect(try await second.next() == HTTP.ServerSentEvent(data: "b"))
    #expect(sentIDs == [nil, nil])
  }

  @Test func cancellingEndsTheWait() async throws {
    answer("data: a\n\n")
    let source = source(reconnectionTime: .seconds(3_600), clock: ContinuousClock())
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      var events = source.makeAsyncIterator()
      _ = try await events.next()
      continuation.finish()
      return try await events.next()
    }
    for await _ in stream {}
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func cancellingEndsConnecting() async throws {
    session.on(.get, url, times: 1, .never)
    let source = source()
    let reading = Task { await source.all() }
    await waitUntil { !session.requests.isEmpty }
    reading.cancel()
    let error = await reading.value.error
    #expect((error as? TransportError)?.code == .cancelled || error is CancellationError)
    #expect(session.requests.count == 1 && waits.isEmpty)
  }

  @Test func cancellingEndsReading() async throws {
    let (body, writer) = TransportBody.makeStream()
    writer.yield(Data("data: a\n\n".utf8))
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let source = EventSource(request: HTTP.Request(url: url), clock: clock) {
      HTTP.Response(request: $0, status: 200, headers: [.contentType: "text/event-stream"], body: .stream(body))
    }
    let reading = Task {
      var events = source.makeAsyncIterator()
      _ = try await events.next()
      continuation.finish()
      return try await events.next()
    }
    for await _ in stream {}
    reading.cancel()
    await #expect(throws: (any Error).self) { try await reading.value }
    #expect(waits.isEmpty)
  }

  @Test func releasingTheIteratorEndsTheTransfer() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let source = EventSource(request: HTTP.Request(url: url), clock: clock) { request in
      let (body, writer) = TransportBody.makeStream { continuation.finish() }
      writer.yield(Data("data: a\n\n".utf8))
      return HTTP.Response(
        request: request, status: 200, headers: [.contentType: "text/event-stream"], body: .stream(body))
    }
    for try await event in source {
      #expect(event.data == "a")
      break
    }
    for await _ in stream {}
  }
}

extension StubSession {
  /// Returns the response to `request`, with its body as a stream.
  fileprivate func response(to request: HTTP.Request) async throws -> HTTP.Response {
    let answer = try await send(request, options: TransportOptions())
    var response = answer.head
    response.body = .stream(answer.body)
    return response
  }
}
