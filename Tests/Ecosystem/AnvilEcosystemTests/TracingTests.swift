#if SwiftTracing
import Anvil
import AnvilEcosystem
import AnvilTesting
import Foundation
import Synchronization
import Testing
import Tracing

@Suite struct TracingTests {
  private let tracer = RecordedTracer()

  private func gateway(_ session: any TransportSession) -> Gateway {
    var configuration = ClientConfiguration.standard
    configuration.addTracing(tracer)
    return Gateway("https://api.example.com", session: session, configuration: configuration)
  }

  @Test func aCallAndEachAttemptAreSpansAndEachAttemptSendsItsContext() async throws {
    let session = StubSession()
    session.on("first", where: { _ in true }, times: 1) { _ in .status(503, headers: [.retryAfter: "0"]) }
    session.on("second", where: { _ in true }) { _ in .json("[]") }
    var outer = ServiceContext.topLevel
    outer[SpanNumber.self] = 100
    try await ServiceContext.withValue(outer) { _ = try await gateway(session).request("users").send() }

    let spans = tracer.ended
    #expect(spans.map(\.name).sorted() == ["GET", "GET", "GET call"])
    let call = try #require(spans.first { $0.kind == .internal })
    #expect(call.parent == 100)
    #expect(call.status == nil)
    let attempts = spans.filter { $0.kind == .client }
    #expect(attempts.map(\.parent) == [call.number, call.number])
    #expect(attempts.map(\.status?.code) == [.error, nil])
    #expect(session.requests.map { $0.headers["x-span"]?.rawValue } == attempts.map { "\($0.number)" })
    #expect(attempts.first?.attributes["http.response.status_code"] == .int64(503))
    #expect(attempts.first?.attributes["error.type"] == .string("503"))
    #expect(attempts.last?.attributes["http.request.resend_count"] == .int64(1))
  }

  @Test func attributesAreThoseOfTheConventionsWithoutSecrets() async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .json("[]") }
    var request = gateway(session).request("users")
    request.query = ["token": "secret", "page": 2]
    _ = try await request.send()
    let attempt = try #require(tracer.ended.first { $0.kind == .client })
    #expect(attempt.attributes["http.request.method"] == .string("GET"))
    #expect(attempt.attributes["server.address"] == .string("api.example.com"))
    #expect(attempt.attributes["server.port"] == .int64(443))
    #expect(attempt.attributes["http.response.status_code"] == .int64(200))
    guard case .string(let url) = attempt.attributes["url.full"] else {
      Issue.record("no URL")
      return
    }
    #expect(url.contains("page=2") && !url.contains("secret"))
  }

  @Test func aBodyThatCannotBeDecodedIsAnErrorOfTheCall() async throws {
    struct User: Decodable, Sendable { var id: Int }
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .json(#"{"id": "secret"}"#) }
    await #expect(throws: AnyError.self) { try await gateway(session).get("users/1", as: User.self) }
    let call = try #require(tracer.ended.first { $0.kind == .internal })
    #expect(call.status?.code == .error)
    #expect(call.status?.message?.contains("secret") == false)
    #expect(call.attributes["error.type"] != nil)
    #expect(tracer.ended.first { $0.kind == .client }?.status == nil)
  }

  @Test func theErrorOfALogAndOfASpanAreTheSame() async throws {
    struct User: Decodable, Sendable { var id: Int }
    for (reply, type) in [
      (.status(204), "noData"), (.json("[]"), "decode.type-mismatch"),
      (.failure(TransportError(code: .noConnection)), "noConnection"),
    ] as [(StubSession.Reply, String)] {
      let session = StubSession()
      session.on("any", where: { _ in true }) { _ in reply }
      let tracer = RecordedTracer()
      let entries = Mutex<[RequestLog.Entry]>([])
      var configuration = ClientConfiguration.bare
      configuration.addTracing(tracer)
      configuration.logging = RequestLog { entry in entries.withLock { $0.append(entry) } }
      let gateway = Gateway("https://api.example.com", session: session, configuration: configuration)
      await #expect(throws: AnyError.self) { try await gateway.get("users/1", as: User.self) }
      let call = try #require(tracer.ended.first { $0.kind == .internal })
      #expect(call.attributes["error.type"] == .string(type))
      #expect(entries.withLock { $0.last?.metadata.first { $0.name == "error" }?.value } == type)
    }
  }

  @Test func aSpanHasTheAttributesOfTheRequestFromTheStart() async throws {
    let session = StubSession()
    let tracer = tracer
    let running = Mutex<[SpanAttributes]>([])
    session.on("any", where: { _ in true }) { _ in
      running.withLock { $0 = tracer.started.map(\.attributes) }
      return .json("[]")
    }
    _ = try await gateway(session).request("users").send()
    #expect(running.withLock { $0.count } == 2)
    for attributes in running.withLock({ $0 }) {
      #expect(attributes.get("http.request.method") == .string("GET"))
      #expect(attributes.get("server.address") == .string("api.example.com"))
      #expect(attributes.get("url.full") == .string("https://api.example.com/users"))
    }
  }

  @Test func theLineOfARetryIsWithinTheSpanOfTheCallAndThatOfTheOutcomeIsNot() async throws {
    let session = StubSession()
    session.on("first", where: { _ in true }, times: 1) { _ in .status(503, headers: [.retryAfter: "0"]) }
    session.on("second", where: { _ in true }) { _ in .json("[]") }
    let spans = Mutex<[Int?]>([])
    var configuration = ClientConfiguration.standard
    configuration.addTracing(tracer)
    configuration.logging = RequestLog { _ in spans.withLock { $0.append(ServiceContext.current?[SpanNumber.self]) } }
    let gateway = Gateway("https://api.example.com", session: session, configuration: configuration)
    var outer = ServiceContext.topLevel
    outer[SpanNumber.self] = 100
    try await ServiceContext.withValue(outer) { _ = try await gateway.request("users").send() }
    let call = try #require(tracer.ended.first { $0.kind == .internal })
    #expect(spans.withLock { $0 } == [call.number, 100])
  }

  @Test func aDecodedCallEndsOnceWithoutAnError() async throws {
    struct User: Decodable, Sendable { var id: Int }
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .json(#"{"id": 1}"#) }
    _ = try await gateway(session).get("users/1", as: User.self)
    #expect(tracer.ended.count == 2)
    #expect(tracer.ended.allSatisfy { $0.status == nil })
    #expect(tracer.started.count == 2)
  }

  @Test func aStreamThatIsDroppedEndsItsSpans() async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .chunks(repeatElement(Data(count: 1 << 16), count: .max)) }
    do {
      let response = try await gateway(session).request("stream").stream()
      for try await _ in response.body {
        #expect(tracer.ended.isEmpty)
        break
      }
    }
    try await waitForSpans(2)
    #expect(tracer.ended.count == 2)
  }

  @Test func aFailureIsAnErrorOfCallAndAttempt() async {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .failure(TransportError(code: .tlsFailure)) }
    await #expect(throws: AnyError.self) { try await gateway(session).request("users").send() }
    #expect(tracer.ended.map(\.status?.code) == [.error, .error])
    #expect(tracer.ended.allSatisfy { $0.attributes["error.type"] == .string("tlsFailure") })
  }

  @Test func aTraceparentOfTheRequestIsKept() async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .status(204) }
    var request = gateway(session).request("users")
    request.headers = ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]
    _ = try await request.send()
    #expect(session.requests.first?.headers.contains("x-span") == false)
  }

  private func waitForSpans(_ count: Int) async throws {
    while tracer.ended.count < count { try await Task.sleep(for: .milliseconds(1)) }
  }
}

private enum SpanNumber: ServiceContextKey {
  typealias Value = Int
}

/// A tracer that keeps its spans.
final class RecordedTracer: Tracer {
  struct Ended: Sendable {
    var number: Int
    var name: String
    var kind: SpanKind
    var parent: Int?
    var attributes: [String: SpanAttribute]
    var status: SpanStatus?
  }

  final class RecordedSpan: Tracing.Span {
    private struct State {
      var name: String
      var attributes: SpanAttributes = [:]
      var status: SpanStatus?
    }

    let context: ServiceContext
    private let number: Int
    private let kind: SpanKind
    private let parent: Int?
    private let tracer: RecordedTracer
    private let state: Mutex<State>

    init(_ name: String, _ kind: SpanKind, _ context: ServiceContext, _ number: Int, _ tracer: RecordedTracer) {
      var own = context
      own[SpanNumber.self] = number
      self.context = own
      self.number = number
      self.kind = kind
      self.tracer = tracer
      parent = context[SpanNumber.self]
      state = Mutex(State(name: name))
    }

    var operationName: String {
      get { state.withLock(\.name) }
      set { state.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
      get { state.withLock(\.attributes) }
      set { state.withLock { $0.attributes = newValue } }
    }
    var isRecording: Bool { true }
    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) {}
    func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func addLink(_ link: SpanLink) {}

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
      let state = state.withLock { $0 }
      var attributes: [String: SpanAttribute] = [:]
      state.attributes.forEach { attributes[$0] = $1 }
      tracer.add(
        Ended(
          number: number, name: state.name, kind: kind, parent: parent, attributes: attributes, status: state.status))
    }
  }

  private struct State {
    var ended: [Ended] = []
    var started: [RecordedSpan] = []
  }

  private let state = Mutex(State())

  var ended: [Ended] { state.withLock(\.ended) }
  var started: [RecordedSpan] { state.withLock(\.started) }

  private func add(_ span: Ended) { state.withLock { $0.ended.append(span) } }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> RecordedSpan {
    let context = context()
    return state.withLock { state in
      let span = RecordedSpan(operationName, kind, context, state.started.count + 1, self)
      state.started.append(span)
      return span
    }
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    if let number = context[SpanNumber.self] { injector.inject("\(number)", forKey: "x-span", into: &carrier) }
  }
}
#endif
