import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Server-sent events through a gateway: its headers, middleware and strategies apply to each connection.
@Suite(.timeLimit(.minutes(15))) struct GatewayEventTests {
  let session = StubSession { Issue.record($0) }
  let url: URL
  var gateway: Gateway

  init() throws {
    url = try #require(URL(string: "https://api.example.com/feed"))
    gateway = Gateway(
      baseURL: try #require(URL(string: "https://api.example.com")), headers: [.authorization: "Bearer t"],
      backend: BackendService(transportService: TransportService(session: session)))
  }

  private func feed(_ text: String) -> StubSession.Reply {
    .status(200, headers: [.contentType: "text/event-stream"], body: Data(text.utf8))
  }

  @Test func reconnectionResumesAfterTheLastEvent() async throws {
    session.on(.get, url, times: 1, feed("id: 7\ndata: a\n\n"))
    session.on(.get, url, times: 1, feed("data: b\n\n"))
    session.on(.get, url, times: 1, .status(204))
    let clock = TestClock()
    let source = gateway.request("feed").events(clock: clock)
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
    let response = try await gateway.request("feed").stream().value
    for try await event in response.body.events { #expect(try event.decode(as: Entry.self) == expected) }

    // The format is not part of the message.
    let same = HTTP.ServerSentEvent(data: event.data)
    #expect(event == same && event.hashValue == same.hashValue)
    #expect(throws: DecodingError.self) { try same.decode(as: Entry.self) }
    #expect(throws: DecodingError.self) { try event.decode(as: Entry.self, with: JSON.Decoder()) }
  }

  @Test func eventConnectionsHaveNoTimeout() async throws {
    struct Limits: Interceptor {
      let log: Log<Duration?>

      func intercept(
        _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
      ) async throws(TransportError) -> TransportResponse {
        log.note(options.timeout)
        return try await next.send(request, options: options)
      }
    }
    session.on(.get, url, .status(204))
    let limits = Limits(log: Log())
    var gateway = Gateway(
      baseURL: gateway.baseURL,
      backend: BackendService(transportService: TransportService(session: session, interceptors: [limits])))
    gateway.timeout = 5
    for try await event in gateway.request("feed").events() { Issue.record("\(event)") }
    #expect(limits.log.entries == [nil])
  }

  @Test func aFailureStatusEndsTheEvents() async throws {
    session.on(.get, url, .status(403))
    let failure = await #expect(throws: TransportFailure.self) {
      for try await event in gateway.request("feed").events() { Issue.record("\(event)") }
    }
    #expect(failure?.error.code == .clientError(.forbidden))
  }

  @Test func anInvalidPathEndsTheEvents() async throws {
    let failure = await #expect(throws: TransportFailure.self) {
      for try await event in gateway.request("..").events() { Issue.record("\(event)") }
    }
    #expect(failure?.error.code == .invalidRequest)
  }

  @Test func cancellingEndsTheEvents() async throws {
    session.on(.get, url, .never)
    let source = gateway.request("feed").events()
    let task = Task { for try await event in source { Issue.record("\(event)") } }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(session.requests.count == 1)
  }
}
