import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Streamed pieces and event sources over sockets.
@Suite(.timeLimit(.minutes(15))) struct StreamedEventTests {
  private static func response(to request: HTTP.Request) async throws -> HTTP.Response {
    let answer = try await URLTransportSession.shared.send(request, options: TransportOptions())
    var response = answer.head
    response.body = .stream(answer.body)
    return response
  }

  private static func source(_ request: HTTP.Request) -> EventSource {
    let backoff = ExponentialBackoff(base: .milliseconds(1))
    return EventSource(request: request, reconnection: .init(time: .zero, backoff: backoff)) {
      try await response(to: $0)
    }
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

  /// A server that interrupts the stream in every way. Each connection continues where the previous one ended.
  @Test func brokenConnectionsAreResumed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { request in
      switch request.headers[.lastEventID]?.rawValue {
      case nil:
        .raw([
          .send(Data("\(Self.head)Content-Length: 1000\r\n\r\nid: 1\ndata: a\n\nid: 2\ndata: lo".utf8)), .close,
        ])
      case "1": .raw([.send(Data("\(Self.head)\r\nid: 2\ndata: b\n\n".utf8)), .close])
      case "2":
        .chunked(
          [Data("id: 3\r".utf8), Data("\ndata: c\r\n\r".utf8), Data("\n".utf8)], every: .milliseconds(5),
          headers: [.contentType: "text/event-stream"])
      case "3": .raw([.send(Data("\(Self.head)\r\nid: 4\ndata: d\n\n".utf8)), .wait(.milliseconds(50)), .reset])
      default: .status(204)
      }
    }
    var found: [HTTP.ServerSentEvent] = []
    for try await event in Self.source(HTTP.Request(url: server.url)) { found.append(event) }
    #expect(found.map(\.data) == ["a", "b", "c", "d"])
    #expect(found.map(\.lastEventID) == ["1", "2", "3", "4"])
    // A reset may overtake earlier bytes. Then the client requests the same events again.
    let ids = server.requests.map { $0.headers[.lastEventID]?.rawValue ?? "" }
    #expect(Set(ids) == ["", "1", "2", "3", "4"] && ids == ids.sorted())
    #expect(server.requests.allSatisfy { $0.headers[.accept] == "text/event-stream" })
  }

  /// The end of an HTTP/1 body without a length is that of the connection.
  @Test(arguments: [("", true), ("Connection: close\r\n", true), ("Content-Length: 17\r\n", false)])
  func aTruncatedStreamOfAPOSTIsAnError(framing: String, isTruncated: Bool) async throws {
    let server = try LoopbackServer()
    server.on(.post, "/") { _ in .raw([.send(Data("\(Self.head)\(framing)\r\ndata: a\n\ndata: b\n".utf8)), .close]) }
    var events = Self.source(HTTP.Request(method: .post, url: server.url)).makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
    guard isTruncated else {
      #expect(try await events.next() == nil)
      return
    }
    let error = await #expect(throws: TransportError.self) { try await events.next() }
    #expect(error?.code == .truncatedResponse)
  }

  @Test func eventsArriveWhileTheConnectionIsOpen() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data("\(Self.head)\r\ndata: a\n\n".utf8)), .hang]) }
    var events = Self.source(HTTP.Request(url: server.url)).makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
    #expect(server.requests.count == 1)
  }

  @Test func cancellingClosesTheConnection() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data("\(Self.head)\r\ndata: a\n\n".utf8)), .hang]) }
    let source = Self.source(HTTP.Request(url: server.url))
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      for try await _ in source { continuation.finish() }
    }
    for await _ in stream {}
    reading.cancel()
    await #expect(throws: (any Error).self) { try await reading.value }
    await waitUntil { !server.abandonedConnections.isEmpty }
    #expect(server.requests.count == 1)
  }

  @Test func elementsArriveBeforeTheArrayEnds() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{\"id\": 1}, {\"id".utf8)), .hang])
    }
    let response = try await Self.response(to: HTTP.Request(url: server.url))
    var elements = response.body.elements(of: [String: Int].self).makeAsyncIterator()
    #expect(try await elements.next() == ["id": 1])
  }

  @Test func aTruncatedArrayIsAnError() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1, 2".utf8)), .close])
    }
    let response = try await Self.response(to: HTTP.Request(url: server.url))
    var elements = response.body.elements(of: Int.self).makeAsyncIterator()
    #expect(try await elements.next() == 1)
    let error = await #expect(throws: TransportError.self) { try await elements.next() }
    #expect(error?.code == .truncatedResponse)
  }
}
