import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

/// The next action of an event source, without sockets and clocks. Source: the HTML standard, §9.2.
@Suite struct EventSourceMachineTests {
  /// A backoff of as many seconds as the attempt's number.
  struct Counting: BackoffStrategy {
    func delay(beforeAttempt attempt: Int) -> Duration { .seconds(attempt) }
  }

  let url: URL

  init() throws {
    url = try #require(URL(string: "https://example.com/events"))
  }

  func machine(headers: HTTP.Headers = [:], body: HTTP.Body = .empty) -> EventSourceMachine {
    EventSourceMachine(
      EventSource(
        request: HTTP.Request(url: url, headers: headers, body: body), reconnectionTime: .seconds(10),
        backoff: Counting()
      ) { HTTP.Response(request: $0, status: 200) })
  }

  func response(_ status: HTTP.Status, type: HTTP.HeaderValue? = "text/event-stream") -> HTTP.Response {
    HTTP.Response(request: HTTP.Request(url: url), status: status, headers: type.map { [.contentType: $0] } ?? [:])
  }

  @Test func requestsAcceptEventStreamsAndForbidStoring() {
    let request = machine(headers: [.accept: "*/*", .authorization: "Bearer x"]).request
    #expect(request.headers == [.accept: "text/event-stream", .cacheControl: "no-store", .authorization: "Bearer x"])
  }

  @Test func theLastEventIDIsSentIfThereIsOne() {
    var machine = machine()
    #expect(machine.request.headers[.lastEventID] == nil)
    machine.note(lastEventID: "é 1", retry: nil)
    #expect(machine.request.headers[.lastEventID] == "é 1")
    machine.note(lastEventID: "", retry: nil)
    #expect(machine.request.headers[.lastEventID] == nil)
  }

  @Test func theRequestsLastEventIDIsTheInitialID() {
    var machine = machine(headers: [.lastEventID: "7"])
    #expect(machine.lastEventID == "7")
    #expect(machine.request.headers[.lastEventID] == "7")
    machine.note(lastEventID: "", retry: nil)
    #expect(machine.request.headers[.lastEventID] == nil)
  }

  /// Such an ID would make every request invalid.
  @Test(arguments: ["\u{1}", "a\u{7F}", "a\u{1B}[0m"])
  func anIDThatIsInvalidInAFieldIsNotSent(id: String) throws {
    var machine = machine()
    machine.note(lastEventID: id, retry: nil)
    #expect(machine.lastEventID == id)
    try machine.request.validate()
  }

  @Test(arguments: [
    "text/event-stream", "text/event-stream;charset=utf-8", "TEXT/Event-Stream ; charset=UTF-8", " text/event-stream\t",
  ])
  func eventStreamResponsesAreAccepted(type: String) {
    var machine = machine()
    guard case .read = machine.receive(response(200, type: HTTP.HeaderValue(rawValue: type))) else {
      Issue.record("\(type) was refused")
      return
    }
  }

  @Test(
    arguments: [
      (200, "text/html"), (200, "text/event-streams"), (200, "application/json"), (200, ""),
      (200, ";text/event-stream"),
      (200, nil), (200, "text/event-stream, text/html"), (201, "text/event-stream"), (206, "text/event-stream"),
      (301, "text/event-stream"), (404, "text/event-stream"), (500, "text/event-stream"), (503, nil),
    ] as [(Int, String?)])
  func otherResponsesAreRejected(status: Int, type: String?) throws {
    var machine = machine()
    let answer = machine.receive(response(HTTP.Status(code: status), type: type.map(HTTP.HeaderValue.init(rawValue:))))
    guard case .fail(let error) = answer, let error = error as? EventSource.UnexpectedResponse else {
      Issue.record("\(status) \(type ?? "") was not refused")
      return
    }
    #expect(error.response.code == status)
    guard case .fail = machine.lose(error) else {
      Issue.record("\(status) \(type ?? "") was tried again")
      return
    }
  }

  @Test func errorsStateTheExpectedResponse() {
    let error = EventSource.UnexpectedResponse(response: response(200, type: "text/html"))
    #expect("\(error)" == "GET https://example.com/events → 200 OK text/html: expected 200 OK text/event-stream")
  }

  @Test func a204EndsTheSequence() {
    var machine = machine()
    guard case .end = machine.receive(response(204)) else {
      Issue.record("204 is not the end")
      return
    }
  }

  @Test func reconnectionWaitsForTheReconnectionTime() {
    var machine = machine()
    _ = machine.receive(response(200))
    #expect(machine.lose(nil).delay == .seconds(10))
    _ = machine.receive(response(200))
    #expect(machine.lose(TransportError(code: .connectionLost)).delay == .seconds(10))
    _ = machine.receive(response(200))
    machine.note(lastEventID: "", retry: .milliseconds(250))
    #expect(machine.lose(nil).delay == .milliseconds(250))
    machine.note(lastEventID: "", retry: nil)
    _ = machine.receive(response(200))
    #expect(machine.lose(nil).delay == .milliseconds(250))
  }

  @Test func delaysGrowWithFailedAttempts() {
    var machine = machine()
    let refused = TransportError(code: .noConnection)
    #expect(machine.lose(refused).delay == .seconds(11))
    #expect(machine.lose(refused).delay == .seconds(12))
    _ = machine.receive(response(200))
    #expect(machine.lose(nil).delay == .seconds(10))
    #expect(machine.lose(refused).delay == .seconds(11))
  }

  @Test(arguments: [
    (Duration.milliseconds(Int64.max), Duration.seconds(3_600)), (.seconds(3_600), .seconds(3_600)), (.zero, .zero),
    (.seconds(-5), .zero),
  ])
  func serverDelaysAreLimited(retry: Duration, delay: Duration) {
    var machine = machine()
    _ = machine.receive(response(200))
    machine.note(lastEventID: "", retry: retry)
    #expect(machine.lose(nil).delay == delay)
  }

  @Test func aRequestWithAStreamIsSentOnce() async throws {
    let body = HTTP.Body.stream(AsyncStream<Data> { $0.finish() })
    var machine = machine(body: body)
    _ = machine.receive(response(200))
    #expect(machine.lose(nil).delay == .seconds(10))
    _ = try await body.collect()
    #expect(machine.lose(nil).error as? HTTP.BodyError == .alreadyConsumed)
    #expect(
      machine.lose(TransportError(code: .connectionLost)).error as? TransportError
        == TransportError(code: .connectionLost))
  }

  @Test(arguments: [
    (TransportError(code: .noConnection) as any Error, true), (TransportError(code: .hostNotFound), true),
    (TransportError(code: .connectionLost), true),
    (TransportError(code: .timedOut), true), (TransportError(code: .truncatedResponse), true),
    (TransportError(code: .other), true), (TransportError(code: .cancelled), false),
    (TransportError(code: .tlsFailure), false),
    (TransportError(code: .invalidRequest), false), (TransportError(code: .serverError(.serviceUnavailable)), false),
    (TransportError(code: .clientError(.unauthorized)), false), (CancellationError(), false),
    (HTTP.BodyError.eventTooLarge(limit: 1), false), (HTTP.BodyError.wrongLength(expected: 2, found: 1), true),
    (HTTP.BodyError.wrongLength(expected: 1, found: 2), false), (URLError(.timedOut), false),
  ])
  func onlyConnectionFailuresAreTransient(error: any Error, isTransient: Bool) throws {
    #expect(EventSource.isTransient(error) == isTransient)
    guard let error = error as? TransportError else { return }
    let failure = TransportFailure(error: error, request: HTTP.Request(url: url))
    #expect(EventSource.isTransient(failure) == isTransient)
    #expect(EventSource.isTransient(AnyError(failure)) == isTransient)
  }
}

extension EventSourceMachine.Decision {
  fileprivate var delay: Duration? {
    if case .wait(let delay) = self { delay } else { nil }
  }

  fileprivate var error: (any Error)? {
    if case .fail(let error) = self { error } else { nil }
  }
}
