import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// The outcomes that count as failures for the circuit breaker, and its errors.
@Suite(.timeLimit(.minutes(15))) struct CircuitBreakerTests {
  private let clock = TestClock()

  private func request(_ host: String = "a") throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://\(host).example.com/x")))
  }

  private func isOpened(by answer: @escaping ScriptedSession.Answer) async throws -> Bool {
    let breaker = CircuitBreaker(failureLimit: 2, clock: clock)
    let session = ScriptedSession { _ in answer }
    for _ in 0..<3 { _ = await breaker.interceptor.outcome(of: try request(), over: session) }
    return session.sent.count == 2
  }

  @Test(arguments: [
    (200, false), (304, false), (400, false), (404, false), (408, false), (429, false), (500, true), (501, false),
    (502, true), (503, true), (504, true), (505, false),
    (520, true), (524, true), (525, false), (529, true), (403, false),
  ])
  func r11_certainStatusesOpenTheCircuit(code: Int, opens: Bool) async throws {
    #expect(try await isOpened(by: ScriptedSession.respond(HTTP.Status(code: code))) == opens)
  }

  @Test(arguments: [
    (TransportError.Code.noConnection, TransportError.Phase.connect, true), (.hostNotFound, .connect, true),
    (.connectionLost, .firstByte, true),
    (.timedOut, .firstByte, true), (.timedOut, .delay, false), (.cancelled, .firstByte, false),
    (.invalidRequest, .firstByte, false), (.tlsFailure, .tls, false),
  ])
  func r11_certainErrorsOpenTheCircuit(code: TransportError.Code, phase: TransportError.Phase, opens: Bool) async throws
  {
    #expect(try await isOpened(by: ScriptedSession.fail(code, phase)) == opens)
  }

  @Test func atLeastOneFailureOpensTheCircuit() async throws {
    let breaker = CircuitBreaker(failureLimit: 0, clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(.ok) }
    for _ in 0..<3 { _ = await breaker.interceptor.outcome(of: try request(), over: session) }
    #expect(session.sent.count == 3)
    let failing = ScriptedSession { _ in ScriptedSession.respond(.badGateway) }
    for _ in 0..<3 { _ = await breaker.interceptor.outcome(of: try request(), over: failing) }
    #expect(failing.sent.count == 1)
  }

  @Test(arguments: [TransportError.Code.tlsFailure, .malformedResponse, .truncatedResponse, .other])
  func r11_onlyCompleteResponsesResetTheCount(code: TransportError.Code) async throws {
    let breaker = CircuitBreaker(failureLimit: 2, pause: .seconds(30), clock: clock)
    let session = ScriptedSession {
      $0 % 2 == 0 ? ScriptedSession.fail(.noConnection, .connect) : ScriptedSession.fail(code, .tls)
    }
    for _ in 0..<4 { _ = await breaker.interceptor.outcome(of: try request(), over: session) }
    #expect(session.sent.count == 3)
    // The probe fails in the same way, and the next request is a probe again.
    clock.advance(by: .seconds(30))
    for _ in 0..<3 { _ = await breaker.interceptor.outcome(of: try request(), over: session) }
    #expect(session.sent.count == 5)
  }

  @Test func r11_theErrorOfAnOpenCircuitStatesReasonAndTime() async throws {
    let breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(30), clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    _ = await breaker.interceptor.outcome(of: try request(), over: session)
    clock.advance(by: .seconds(10))
    let error = await breaker.interceptor.outcome(of: try request(), over: session).failure
    #expect(error?.code == .circuitOpen)
    #expect(
      error?.description == """
        not sent: the circuit breaker is open: consecutive requests to https://a.example.com failed; \
        the next one may be sent in 20.000 s
        """)
    #expect(session.sent.count == 1)
  }

  @Test func r11_eachOriginHasASeparateCircuit() async throws {
    let breaker = CircuitBreaker(failureLimit: 1, clock: clock)
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.respond(503) : ScriptedSession.respond(200) }
    _ = await breaker.interceptor.outcome(of: try request("a"), over: session)
    #expect(try await breaker.interceptor.outcome(of: request("b"), over: session).get().head.code == 200)
    #expect(await breaker.interceptor.outcome(of: try request("a"), over: session).failure?.code == .circuitOpen)
  }

  @Test func r11_anOpenCircuitIsNotRetried() async throws {
    let breaker = CircuitBreaker(failureLimit: 1, clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let service = TransportService(
      session: session, interceptors: [RetryInterceptor(clock: RecordingClock()), breaker.interceptor])
    let failure = try #require(await service.execute(request()).failure)
    #expect(failure.error.code == .circuitOpen)
    #expect(failure.error.history.attempts.count == 1)
    #expect(session.sent.count == 1)
  }

  @Test func r11_aSuccessfulProbeClosesTheCircuit() async throws {
    let breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(30), clock: clock)
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.fail(.noConnection) : ScriptedSession.respond(200) }
    _ = await breaker.interceptor.outcome(of: try request(), over: session)
    clock.advance(by: .seconds(30))
    for _ in 0..<2 {
      #expect(try await breaker.interceptor.outcome(of: request(), over: session).get().head.code == 200)
    }
  }
}
