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

  func machine(
    headers: HTTP.Headers = [:], body: HTTP.Body = .empty, method: HTTP.Method = .get,
    reconnects: RequestSettings.Reconnection = .byMethod, reconnectionTime: Duration = .seconds(10),
    timeout: Duration? = nil, statuses: Set<HTTP.Status> = []
  ) -> EventSourceMachine {
    EventSourceMachine(
      EventSource(
        request: HTTP.Request(method: method, url: url, headers: headers, body: body), reconnects: reconnects,
        reconnection: .init(
          time: reconnectionTime, outageTimeout: timeout, statuses: statuses, backoff: Counting())
      ) { HTTP.Response(request: $0, status: 200) })
  }

  func response(_ status: HTTP.Status, type: HTTP.HeaderValue? = "text/event-stream") -> HTTP.Response {
    HTTP.Response(request: HTTP.Request(url: url), status: status, headers: type.map { [.contentType: $0] } ?? [:])
  }

  /// The last valid media type counts. Source: RFC 9110 §8.3.
  @Test func repeatedMediaTypesAreAccepted() {
    var machine = machine()
    var twice = response(200)
    twice.headers.add(.contentType, "text/event-stream; charset=utf-8")
    let types: [HTTP.HeaderValue] = ["text/html, text/event-stream", "text/event-stream, "]
    for response in [twice] + types.map({ response(200, type: $0) }) {
      guard case .read = machine.receive(response) else {
        Issue.record("\(response.headers)")
        continue
      }
    }
    twice.headers.add(.contentType, "text/html")
    guard case .fail = machine.receive(twice) else {
      Issue.record("the last media type was ignored")
      return
    }
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

  /// Receives a response with an event.
  private func connect(_ machine: inout EventSourceMachine, at time: Duration = .zero) {
    _ = machine.receive(response(200), at: time)
    machine.noteEvent()
  }

  @Test func reconnectionWaitsForTheReconnectionTime() {
    var machine = machine()
    connect(&machine)
    #expect(machine.lose(nil).delay == .seconds(10))
    connect(&machine)
    #expect(machine.lose(TransportError(code: .connectionLost)).delay == .seconds(10))
    connect(&machine)
    machine.note(lastEventID: "", retry: .milliseconds(750))
    #expect(machine.lose(nil).delay == .milliseconds(750))
    machine.note(lastEventID: "", retry: nil)
    connect(&machine)
    #expect(machine.lose(nil).delay == .milliseconds(750))
  }

  @Test func delaysGrowWithFailedAttempts() {
    var machine = machine()
    let refused = TransportError(code: .noConnection)
    #expect(machine.lose(refused).delay == .seconds(11))
    #expect(machine.lose(refused).delay == .seconds(12))
    connect(&machine)
    #expect(machine.lose(nil).delay == .seconds(10))
    #expect(machine.lose(refused).delay == .seconds(11))
  }

  @Test(arguments: [
    (Duration.milliseconds(Int64.max), Duration.seconds(3_600)), (.seconds(3_600), .seconds(3_600)),
    (.milliseconds(500), .milliseconds(500)), (.milliseconds(499), .milliseconds(500)), (.zero, .milliseconds(500)),
    (.seconds(-5), .milliseconds(500)),
  ])
  func serverDelaysAreLimited(retry: Duration, delay: Duration) {
    var machine = machine()
    _ = machine.receive(response(200))
    machine.noteEvent()
    machine.note(lastEventID: "", retry: retry)
    #expect(machine.lose(nil).delay == delay)
  }

  /// Otherwise a stream of short connections, each with an event, would be a loop without a pause.
  @Test(arguments: [Duration.zero, .milliseconds(10), .milliseconds(499), .seconds(-5)])
  func theMinimumHoldsForTheCallersTime(time: Duration) {
    var machine = machine(reconnectionTime: time)
    _ = machine.receive(response(200))
    machine.noteEvent()
    #expect(machine.lose(nil).delay == .milliseconds(500))
    #expect(machine.lose(TransportError(code: .noConnection)).delay == .milliseconds(1_500))
    _ = machine.receive(response(200))
    machine.noteEvent()
    machine.note(lastEventID: "", retry: .zero)
    #expect(machine.lose(nil).delay == .milliseconds(500))
  }

  /// Otherwise a server that ends each connection at once would be asked again without end.
  @Test func delaysGrowWithConnectionsThatHadNoEvent() {
    var machine = machine()
    for attempt in 1...3 {
      _ = machine.receive(response(200))
      #expect(machine.lose(nil).delay == .seconds(10 + attempt))
    }
    _ = machine.receive(response(200))
    machine.noteEvent()
    #expect(machine.lose(nil).delay == .seconds(10))
    _ = machine.receive(response(200))
    #expect(machine.lose(nil).delay == .seconds(11))
  }

  /// A quiet stream is not a failure.
  @Test(arguments: [
    (Duration.zero, true), (.milliseconds(9_999), true), (.seconds(10), false), (.seconds(3_600), false),
  ])
  func onlyShortConnectionsWithoutAnEventAreFailures(lasted: Duration, isFailure: Bool) {
    var machine = machine()
    _ = machine.receive(response(200), at: .seconds(5))
    #expect(machine.lose(nil, at: .seconds(5) + lasted).delay == .seconds(isFailure ? 11 : 10))
  }

  @Test func theTimeoutCountsFromTheLossOfTheLastConnection() throws {
    var machine = machine(timeout: .seconds(30))
    let refused = TransportError(code: .noConnection)
    #expect(machine.lose(refused, at: .zero).delay == .seconds(11))
    connect(&machine, at: .seconds(20))
    #expect(machine.lose(refused, at: .seconds(100)).delay == .seconds(10))
    #expect(machine.lose(refused, at: .seconds(110)).delay == .seconds(11))
    // 21 seconds after the loss; the next attempt would be made after 33.
    #expect(machine.lose(refused, at: .seconds(121)).error as? TransportError == refused)
    // A regular end is not an error that could be thrown.
    var quiet = self.machine(timeout: .zero)
    _ = quiet.receive(response(200))
    #expect(quiet.lose(nil).delay == .seconds(11))
  }

  @Test(arguments: [
    (HTTP.Method.get, RequestSettings.Reconnection.byMethod, true), (.query, .byMethod, true),
    (.post, .byMethod, false),
    (.put, .byMethod, false), (.patch, .byMethod, false), (.delete, .byMethod, false), ("get", .byMethod, false),
    (.get, .never, false), (.post, .never, false), (.get, .always, true), (.post, .always, true),
  ])
  func r1_theMethodOrTheCallerDecidesAboutReconnection(
    method: HTTP.Method, reconnects: RequestSettings.Reconnection, isExpected: Bool
  ) {
    let lost = TransportError(code: .connectionLost)
    for isConnected in [true, false] {
      var machine = machine(method: method, reconnects: reconnects)
      if isConnected { connect(&machine) }
      let delay = machine.lose(lost).delay
      #expect((delay != nil) == isExpected)
      guard !isExpected else { continue }
      #expect(machine.lose(lost).error as? TransportError == lost)
      guard case .end = machine.lose(nil) else {
        Issue.record("\(method) does not end")
        continue
      }
    }
  }

  @Test func aRequestedDelayIsRespected() throws {
    let statuses: Set<HTTP.Status> = .transient
    func error(_ status: HTTP.Status, _ headers: HTTP.Headers) -> any Error {
      EventSource.UnexpectedResponse(
        response: HTTP.Response(request: HTTP.Request(url: url), status: status, headers: headers))
    }
    for (headers, delay) in [
      ([.retryAfter: "60"], .seconds(60)), ([.retryAfter: "1"], .seconds(11)), ([:], .seconds(11)),
      ([.retryAfter: "9999999999999999999999"], .seconds(3_600)),
    ] as [(HTTP.Headers, Duration)] {
      var machine = machine(statuses: statuses)
      #expect(machine.lose(error(503, headers)).delay == delay)
    }
    var machine = machine(statuses: [403])
    #expect(machine.lose(error(503, [:])).error != nil)
    #expect(machine.lose(error(403, [:])).error != nil)
    #expect(machine.lose(error(403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"])).delay == .seconds(30))
  }

  /// If only the end of the connection marks the end of the body, only the content shows that the body was truncated.
  @Test(arguments: [true, false]) func aBodyThatEndsWithinAnEventIsTruncated(isDelimitedByClose: Bool) {
    var machine = machine()
    var response = response(200)
    response.isDelimitedByClose = isDelimitedByClose
    _ = machine.receive(response)
    #expect((machine.truncation(isWithinEvent: true) != nil) == isDelimitedByClose)
    #expect(machine.truncation(isWithinEvent: false) == nil)
  }

  @Test func aRequestWithAStreamIsSentOnce() async throws {
    let body = HTTP.Body.stream(AsyncStream<Data> { $0.finish() })
    var machine = machine(body: body)
    connect(&machine)
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
    #expect(error.mayBeTransient() == isTransient)
    guard let error = error as? TransportError else { return }
    let failure = TransportFailure(error: error, request: HTTP.Request(url: url))
    #expect(failure.mayBeTransient() == isTransient)
    #expect(AnyError(failure).mayBeTransient() == isTransient)
    // The status of a response that was received with the error decides, unless it is a success.
    for (status, isTransient) in [(200, isTransient), (404, false), (503, error.code != .cancelled)] {
      let received = HTTP.Response(request: HTTP.Request(url: url), status: HTTP.Status(code: status))
      let other = TransportFailure(error: error, request: received.request, response: received)
      #expect(other.mayBeTransient(among: .transient) == isTransient)
    }
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
