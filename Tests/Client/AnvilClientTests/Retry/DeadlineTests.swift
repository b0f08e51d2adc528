import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// A deadline for the whole call, in addition to the limit of each attempt.
@Suite(.timeLimit(.minutes(15))) struct DeadlineTests {
  private let clock = TestClock()
  private let url: URL

  init() throws {
    url = try #require(URL(string: "https://api.example.com/x"))
  }

  private func options(_ deadline: Duration, timeout: Duration? = nil) -> TransportOptions {
    var options = TransportOptions(timeout: timeout)
    options.deadline = deadline
    return options
  }

  private var retrying: RetryInterceptor {
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .seconds(2), random: { 1 })
    policy.attemptLimit = 5
    return RetryInterceptor(policy: policy, clock: clock)
  }

  @Test(
    arguments: [
      (nil, Duration.seconds(10)), (.seconds(3), .seconds(3)), (.seconds(30), .seconds(10)),
    ] as [(Duration?, Duration)])
  func r9_anAttemptsTimeoutIsAtMostTheRemainingTime(timeout: Duration?, given: Duration) async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, clock: clock)
    _ = try await service.execute(HTTP.Request(url: url), options: options(.seconds(10), timeout: timeout)).get()
    #expect(session.sent.map(\.options.timeout) == [given])
  }

  @Test func r9_withoutADeadlineTheTimeoutIsUnchanged() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, clock: clock)
    _ = try await service.execute(HTTP.Request(url: url), options: TransportOptions(timeout: .seconds(5))).get()
    var endless = TransportOptions()
    endless.deadline = .seconds(Int64.max)
    _ = try await service.execute(HTTP.Request(url: url), options: endless).get()
    #expect(session.sent.map(\.options.timeout) == [.seconds(5), nil])
  }

  @Test func r9_waitsCountAgainstTheDeadline() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(503) }
    let service = TransportService(session: session, interceptors: [retrying], clock: clock)
    let task = Task {
      await service.execute(HTTP.Request(url: url), options: options(.seconds(10), timeout: .seconds(9)))
    }
    // The task that watches the deadline sleeps as well.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(4))
    let failure = try #require(await task.value.failure)
    #expect(session.sent.map(\.options.timeout) == [.seconds(9), .seconds(8), .seconds(4)])
    #expect(failure.error.code == .serverError(.serviceUnavailable))
    #expect(failure.error.reason == "not sent again: the delay of 8.000 s is longer than the remaining time of 4.000 s")
    #expect(failure.history.attempts.count == 2)
  }

  @Test func r9_anAttemptEndedByTheDeadlineHasItsPhase() async throws {
    let clock = clock
    let session = ScriptedSession { _ in
      { _, options throws(TransportError) in
        clock.advance(by: options.timeout ?? .zero)
        throw TransportError(code: .timedOut, phase: .firstByte)
      }
    }
    let service = TransportService(session: session, interceptors: [retrying], clock: clock)
    let failure = try #require(await service.execute(HTTP.Request(url: url), options: options(.seconds(3))).failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .firstByte)
    #expect(failure.error.elapsed == .seconds(3))
    #expect(failure.error.reason == "the deadline of 3.000 s for the whole request")
    #expect(session.sent.count == 1)
  }

  @Test func r9_anAttemptsOwnTimeoutIsNotTheDeadline() async throws {
    let session = ScriptedSession { _ in ScriptedSession.fail(.timedOut, .firstByte) }
    let service = TransportService(session: session, clock: clock)
    let failure = await service.execute(HTTP.Request(url: url), options: options(.seconds(3), timeout: .seconds(1)))
      .failure
    #expect(failure?.error.code == .timedOut && failure?.error.reason == nil)
  }

  /// An interceptor that ignores deadlines.
  private struct Waiting: Interceptor {
    let clock: TestClock

    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      do { try await clock.sleep(for: .seconds(3600)) } catch {
        throw TransportError(code: .cancelled, reason: "while waiting for nothing")
      }
      return try await next.send(request, options: options)
    }
  }

  @Test func r9_theDeadlineEndsAnInterceptorsWait() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, interceptors: [Waiting(clock: clock)], clock: clock)
    let task = Task { await service.execute(HTTP.Request(url: url), options: options(.seconds(3))) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    let failure = try #require(await task.value.failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .delay)
    #expect(failure.error.reason == "the deadline of 3.000 s for the whole request, while waiting for nothing")
    #expect(session.sent.isEmpty)
  }

  @Test func r9_theCallersCancellationIsNotATimeout() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, interceptors: [Waiting(clock: clock)], clock: clock)
    let task = Task { await service.execute(HTTP.Request(url: url), options: options(.seconds(3))) }
    await clock.waitForSleepers(2)
    task.cancel()
    #expect(await task.value.failure?.error.code == .cancelled)
  }

  @Test func r9_theDeadlineEndsReadingTheBody() async throws {
    let (body, writer) = TransportBody.makeStream()
    writer.yield(Data("half".utf8))
    let session = ScriptedSession { _ in ScriptedSession.respond(200, body: body) }
    let service = TransportService(session: session, clock: clock)
    let task = Task { await service.execute(HTTP.Request(url: url), options: options(.seconds(3))) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(3))
    let failure = try #require(await task.value.failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .body)
    #expect(failure.response?.code == 200)
  }

  @Test func r9_recoveryCountsAgainstTheDeadline() async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(401) }
    let backend = backend(session)
    var request = Request<HTTP.Response, TransportFailure>(url: url).recovering(after: .seconds(10), by: clock)
    request.timeout = .seconds(60)
    request.deadline = .seconds(15)
    let task = Task { [request] in await backend.outcome(request) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    let failure = try #require(await task.value.failure)
    #expect(session.sent.map(\.options.timeout) == [.seconds(15), .seconds(5)])
    #expect(failure.error.code == .timedOut && failure.error.phase == .delay)
    #expect(
      failure.error.reason
        == "the deadline of 15.000 s for the whole request, while recovering from 401 Unauthorized")
    #expect(failure.response?.code == 401)
  }

  private func backend(_ session: any TransportSession) -> BackendService {
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    return BackendService(session: session, configuration: configuration)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func r9_anElapsedDeadlineFailsBeforeAnythingIsSent(deadline: Duration) async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, clock: clock)
    let failure = await service.execute(HTTP.Request(url: url), options: options(deadline)).failure
    #expect(failure?.error.code == .timedOut && failure?.error.phase == .delay)
    #expect(session.sent.isEmpty)
  }

  /// Measured by the system clock. The deadline may expire before the request is sent.
  @Test func r9_aDeadlineEndsARequestWithoutAResponse() async throws {
    let session = StubSession { Issue.record($0) }
    session.on(.get, url, .never)
    let limits = options(.milliseconds(50), timeout: .seconds(3000))
    let failure = await TransportService(session: session).execute(HTTP.Request(url: url), options: limits).failure
    #expect(failure?.error.code == .timedOut)
    #expect(failure?.error.phase == .firstByte || failure?.error.phase == .delay)
    #expect(failure?.error.reason == "the deadline of 0.050 s for the whole request")
  }

  @Test func aClockThatIsAdvancedMeanwhileDelaysNoDeadline() async throws {
    let clock = HastyClock()
    let deadline = try #require(RequestDeadline(.seconds(30), clock: clock))
    try await deadline.wait()
    #expect(clock.waits == [clock.first.advanced(by: .seconds(30))])
    let attempt = try #require(RequestDeadline(.seconds(60), clock: clock, isOfAttempt: true, of: deadline))
    try await attempt.wait()
    #expect(try #require(clock.waits.last) <= clock.first.advanced(by: .seconds(30)))
  }
}

/// A clock that is advanced by a second whenever its time is read, and does not wait.
private final class HastyClock: Clock {
  private let clock = TestClock()
  private let ends = Mutex<[TestClock.Instant]>([])
  /// The time that is read first.
  let first: TestClock.Instant

  init() { first = clock.now.advanced(by: .seconds(1)) }

  var now: TestClock.Instant {
    clock.advance(by: .seconds(1))
    return clock.now
  }

  var minimumResolution: Duration { clock.minimumResolution }
  var waits: [TestClock.Instant] { ends.withLock(\.self) }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    ends.withLock { $0.append(deadline) }
  }
}
