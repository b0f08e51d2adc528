import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The interceptor's execution of retry decisions.
@Suite(.timeLimit(.minutes(15))) struct RetryInterceptorTests {
  private let clock = TestClock()
  private let request: HTTP.Request

  init() throws {
    request = HTTP.Request(url: try #require(URL(string: "https://api.example.com/x?key=secret")))
  }

  private func retrying(
    on clock: (any Clock<Duration>)? = nil, _ change: (inout RetryPolicy) -> Void = { _ in }
  ) -> RetryInterceptor {
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(random: { 1 })
    policy.budget = nil
    change(&policy)
    return RetryInterceptor(
      policy: policy, clock: clock ?? self.clock, now: { Date(timeIntervalSince1970: 784_111_770) })
  }

  // MARK: The closure

  @Test func aSuccessfulResponseIsSentAgainIfTheClosureSaysSo() async throws {
    let session = ScriptedSession { ScriptedSession.respond(.ok, headers: $0 == 0 ? ["X-State": "pending"] : [:]) }
    let interceptor = retrying(on: RecordingClock()) {
      $0.decide = { $0.response?.headers["X-State"] == "pending" ? .retry(after: .zero) : .byPolicy }
    }
    let response = try await interceptor.outcome(of: request, over: session).get()
    #expect(session.sent.count == 2)
    #expect(response.head.history.attempts.count == 1)
    #expect(response.head.headers["X-State"] == nil)
  }

  // MARK: R1

  @Test func r1_theIdempotencyKeyIsTheSameOnEveryAttempt() async throws {
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.respond(503) : ScriptedSession.respond(201) }
    let service = TransportService(session: session, interceptors: [retrying(on: RecordingClock())])
    var options = TransportOptions()
    options.idempotency = .keyed
    var post = request
    post.method = .post
    for _ in 0..<2 { _ = await service.execute(post, options: options) }
    let keys = session.sent.compactMap { $0.request.headers[.idempotencyKey]?.rawValue }
    #expect(keys.count == 3)
    #expect(keys[0] == keys[1] && keys[1] != keys[2])
    #expect(keys.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count == 38 })
  }

  @Test func r1_theIdempotencyKeyOutlivesRecovery() async throws {
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.respond(401) : ScriptedSession.respond(201) }
    let backend = BackendService(transportService: TransportService(session: session))
    var typed = Request<HTTP.Response, AnyError>(method: .post, url: request.url).recovering { $1 }
    typed.idempotency = .keyed
    _ = try await backend.execute(typed)
    #expect(Set(session.sent.map { $0.request.headers[.idempotencyKey] }).count == 1)
    #expect(session.sent.first?.request.headers.contains(.idempotencyKey) == true)
  }

  @Test func r1_theCallersIdempotencyKeyIsKept() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(201) }
    var options = TransportOptions()
    options.idempotency = .keyed
    var post = request
    post.headers[.idempotencyKey] = "mine"
    _ = await TransportService(session: session).execute(post, options: options)
    #expect(session.sent.map { $0.request.headers.values(for: .idempotencyKey) } == [["mine"]])
  }

  // MARK: R2–R5

  @Test func r2_aMisdirectedRequestIsRetriedOnANewConnection() async throws {
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.respond(421) : ScriptedSession.respond(200) }
    #expect(try await retrying().outcome(of: request, over: session).get().head.code == 200)
    #expect(session.sent.map(\.options.connection) == [.any, .new])
  }

  @Test func r3_aConnectionLostBeforeTheHeadIsRetried() async throws {
    let session = ScriptedSession {
      $0 < 2 ? ScriptedSession.fail(.connectionLost, .firstByte) : ScriptedSession.respond(200)
    }
    let response = try await retrying(on: RecordingClock()).outcome(of: request, over: session).get()
    #expect(response.head.code == 200)
    #expect(response.head.history.attempts.count == 2)
  }

  @Test func r4_aFileBodyIsSentAgainFromItsBeginning() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-\(UUID().uuidString)")
    try Data("contents".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = StubSession { Issue.record($0) }
    session.on(.put, request.url, times: 1, .status(503))
    session.on(.put, request.url, .status(204))
    let put = HTTP.Request(method: .put, url: request.url, body: .file(file))
    #expect(try await retrying(on: RecordingClock()).outcome(of: put, over: session).get().head.code == 204)
    #expect(session.requests.map(\.body.string) == ["contents", "contents"])
  }

  @Test func r4_aStreamThatWasReadIsSentOnce() async throws {
    let session = StubSession { Issue.record($0) }
    session.on(.put, request.url, .status(503))
    let stream = AsyncStream<Data> {
      $0.yield(Data("once".utf8))
      $0.finish()
    }
    let put = HTTP.Request(method: .put, url: request.url, body: .stream(stream))
    let service = TransportService(session: session, interceptors: [retrying()])
    let failure = await service.execute(put).failure
    #expect(failure?.error.code == .serverError(.serviceUnavailable))
    #expect(failure?.error.reason == "not sent again: its body is a stream that has been read")
    #expect(session.requests.count == 1)
  }

  @Test func r5_delaysUseTheInjectedClock() async throws {
    let recording = RecordingClock()
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let response = try await retrying(on: recording) { $0.attemptLimit = 4 }.outcome(of: request, over: session)
      .get()
    #expect(response.head.code == 503)
    #expect(recording.pauses.withLock { $0 } == [.milliseconds(300), .milliseconds(600), .milliseconds(1_200)])
  }

  // MARK: R6

  @Test func r6_datesAreComparedWithTheInjectedTime() async throws {
    let recording = RecordingClock()
    let session = ScriptedSession {
      $0 == 0
        ? ScriptedSession.respond(503, headers: [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"])
        : ScriptedSession.respond(200)
    }
    _ = try await retrying(on: recording).outcome(of: request, over: session).get()
    #expect(recording.pauses.withLock { $0 } == [.seconds(7)])
  }

  @Test func r6_aDelayBeyondTheLimitReturnsTheResponseWithAReason() async throws {
    let session = StubSession { Issue.record($0) }
    session.on(.get, request.url, .status(429, headers: [.retryAfter: "3600"], body: Data("slow down".utf8)))
    let service = TransportService(session: session, interceptors: [retrying()])
    let failure = try #require(await service.execute(request).failure)
    #expect(failure.error.code == .clientError(.tooManyRequests))
    #expect(failure.response?.body.string == "slow down")
    #expect(
      failure.error.reason
        == "not sent again: the server requests a delay of 3600.000 s, more than the limit of 60.000 s")
    #expect(
      failure.description == """
        GET https://api.example.com/x?key=<redacted> → 429 Too Many Requests, not sent again: the server requests a delay of \
        3600.000 s, more than the limit of 60.000 s
        """)
    #expect(session.requests.count == 1)
  }

  // MARK: R8

  @Test func r8_theLastErrorListsEveryAttempt() async throws {
    let session = ScriptedSession {
      $0 == 0 ? ScriptedSession.respond(503) : ScriptedSession.fail(.noConnection, .connect)
    }
    let error = try #require(await retrying(on: RecordingClock()).outcome(of: request, over: session).failure)
    #expect(error.code == .noConnection)
    #expect(
      error.history.attempts.map(\.description) == [
        "503 Service Unavailable, then 0.300 s", "no connection, then 0.600 s",
      ])
    #expect(error.description == "no connection (attempt 3)")
  }

  @Test func r8_theLastResponseListsEveryAttempt() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let service = TransportService(session: session, interceptors: [retrying(on: RecordingClock())])
    let failure = try #require(await service.execute(request).failure)
    #expect(failure.history.attempts.count == 2)
    #expect(failure.error.history.attempts.count == 2)
    #expect(
      failure.description == "GET https://api.example.com/x?key=<redacted> → 503 Service Unavailable (attempt 3)")
  }

  @Test func r8_requestsShareABudget() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let budget = RetryPolicy.Budget(ratio: 0.2, minimum: 1, clock: clock)
    let retrying = retrying(on: RecordingClock()) { $0.budget = budget }
    for _ in 0..<10 { _ = await retrying.outcome(of: request, over: session) }
    // Ten requests, a fifth of them as retries, and the minimum of one.
    #expect(session.sent.count == 13)
    let last = try await retrying.outcome(of: request, over: session).get()
    #expect(last.head.history.reasonForEnd == "not sent again: the retry budget of the origin is used up")
  }

  /// Without the budget, the server would receive more than one and a half times the requests.
  @Test func r8_theBudgetLimitsRetriesToAFailingServer() async throws {
    let session = ScriptedSession { ScriptedSession.respond($0 % 2 == 0 ? 503 : 200) }
    let retrying = retrying(on: RecordingClock()) {
      $0.budget = RetryPolicy.Budget(ratio: 0.2, minimum: 10, clock: clock)
    }
    for _ in 0..<1_000 { _ = await retrying.outcome(of: request, over: session) }
    #expect((1_190...1_210).contains(session.sent.count))
  }

  @Test func eachRetryIsReportedBeforeItsDelay() async throws {
    let told = Mutex<[String]>([])
    let session = ScriptedSession { $0 == 0 ? ScriptedSession.respond(503) : ScriptedSession.respond(200) }
    let options = TransportOptions(
      eventHandler: { if case .retrying(let attempt) = $0 { told.withLock { $0.append("\(attempt)") } } })
    let task = Task { await retrying().outcome(of: request, options: options, over: session) }
    await clock.waitForSleepers(1)
    #expect(told.withLock { $0 } == ["503 Service Unavailable, then 0.300 s"])
    clock.advance(by: .seconds(1))
    #expect(try await task.value.get().head.code == 200)
  }

  // MARK: R9

  /// Without a delay, no sleep would notice the cancellation.
  @Test func r9_aCancelledRequestIsNotRetriedWithoutADelay() async throws {
    let session = ScriptedSession { _ in
      { request, _ in
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        return TransportResponse(HTTP.Response(request: request, status: 503), body: Data())
      }
    }
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .zero)
    let retrying = RetryInterceptor(policy: policy, clock: clock)
    let task = Task { await retrying.outcome(of: request, over: session) }
    let error = try #require(await task.value.failure)
    #expect(error.code == .cancelled && error.phase == .delay)
    #expect(session.sent.count == 1)
  }

  @Test func r9_cancellationEndsADelayAtOnce() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let task = Task { await retrying().outcome(of: request, over: session) }
    await clock.waitForSleepers(1)
    task.cancel()
    let error = try #require(await task.value.failure)
    #expect(error.code == .cancelled && error.phase == .delay)
    #expect(error.reason == "while waiting after 503 Service Unavailable")
    #expect(error.history.attempts.count == 1)
    #expect(session.sent.count == 1)
    #expect(clock.sleeperCount == 0)
  }

  // MARK: R10

  /// The body of the first response, a 503, which only its recipient retains. Later responses are 200 and empty.
  private final class OnlyBody: Sendable {
    private let body: Mutex<TransportBody?>

    private init(_ body: TransportBody) {
      self.body = Mutex(body)
    }

    static func make(onAbandon: @escaping @Sendable () -> Void) -> (OnlyBody, TransportBody.Writer) {
      let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon)
      return (OnlyBody(body), writer)
    }

    var session: ScriptedSession {
      ScriptedSession { number in
        { request, _ in
          guard number == 0, let body = self.body.withLock({ $0.take() }) else {
            return TransportResponse(HTTP.Response(request: request, status: 200), body: Data())
          }
          return TransportResponse(head: HTTP.Response(request: request, status: 503), body: body)
        }
      }
    }
  }

  @Test func r10_theBodyOfAFailedAttemptIsDrained() async throws {
    let isAbandoned = Atomic(false)
    let (body, writer) = OnlyBody.make { isAbandoned.store(true, ordering: .relaxed) }
    writer.yield(Data("busy".utf8))
    let session = body.session
    let task = Task { await retrying().outcome(of: request, over: session) }
    await clock.waitForSleepers(1)
    writer.yield(Data("more".utf8))
    writer.finish()
    clock.advance(by: .seconds(1))
    #expect(try await task.value.get().head.code == 200)
    let wasAbandoned = isAbandoned.load(ordering: .relaxed)
    #expect(!wasAbandoned)
  }

  @Test(arguments: [100, 101]) func r10_aBodyBeyondTheDrainLimitIsDropped(count: Int) async throws {
    let (ends, ending) = AsyncStream<Bool>.makeStream()
    let (body, writer) = OnlyBody.make { ending.yield(true) }
    writer.yield(Data(count: count))
    let session = body.session
    let task = Task { await retrying { $0.drainLimit = 100 }.outcome(of: request, over: session) }
    await clock.waitForSleepers(1)
    // The delay ends before the body does.
    clock.advance(by: .seconds(1))
    #expect(try await task.value.get().head.code == 200)
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == true)
  }

  /// Endless chunks, counted as they are taken.
  private final class Chunks: Sequence, IteratorProtocol, Sendable {
    let taken = Mutex(0)

    func next() -> Data? {
      taken.withLock { $0 += 1 }
      return Data(count: 1 << 16)
    }
  }

  @Test func r10_drainingReadsAtMostTheLimit() async throws {
    let chunks = Chunks()
    let session = StubSession { Issue.record($0) }
    session.on(.get, request.url, times: 1, .chunks(chunks, status: 503))
    session.on(.get, request.url, .status(200))
    let task = Task { await retrying { $0.drainLimit = 8 << 20 }.outcome(of: request, over: session) }
    await clock.waitForSleepers(1)
    // The limit, the chunks before the first read, and those that refill the buffer.
    await waitUntil { chunks.taken.withLock { $0 } >= 128 }
    clock.advance(by: .seconds(1))
    #expect(try await task.value.get().head.code == 200)
    #expect(chunks.taken.withLock { $0 } <= 128 + 17)
  }

  @Test func r10_aDroppedBodyDoesNotDelayTheRetry() async throws {
    let session = ScriptedSession { number in
      { request, _ in
        // An endless body without a writer.
        let body = TransportBody.makeStream().body
        return TransportResponse(head: HTTP.Response(request: request, status: number == 0 ? 503 : 200), body: body)
      }
    }
    let response = try await retrying(on: RecordingClock()).outcome(of: request, over: session).get()
    #expect(response.head.code == 200)
  }
}
