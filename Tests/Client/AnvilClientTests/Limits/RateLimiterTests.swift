import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The queue of waiting requests: their order and their waiting times.
@Suite(.timeLimit(.minutes(15))) struct RateLimiterTests {
  private let clock = TestClock()

  private func request(_ path: String = "x") throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://api.example.com/\(path)")))
  }

  /// A session whose responses have bodies that a test ends.
  private final class Server: Sendable {
    let writers = Mutex<[TransportBody.Writer]>([])

    var session: ScriptedSession {
      ScriptedSession { _ in
        { request, _ in
          let (body, writer) = TransportBody.makeStream()
          self.writers.withLock { $0.append(writer) }
          return TransportResponse(head: HTTP.Response(request: request, status: 200), body: body)
        }
      }
    }
  }

  @Test func requestsBeyondTheRateWaitInOrder() async throws {
    let limiter = RateLimiter(requests: 2, per: .seconds(1), clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    var tasks: [Task<Int, any Error>] = []
    for index in 0..<6 {
      let request = try request("\(index)")
      // One after another, so that the order is defined.
      tasks.append(Task { try await limiter.interceptor.outcome(of: request, over: session).get().head.code })
      if index < 2 {
        await waitUntil { session.sent.count == index + 1 }
      } else {
        await waitUntil { limiter.waitingCount(for: request) == index - 1 }
      }
    }
    for round in 2...3 {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
      await waitUntil { session.sent.count == round * 2 }
    }
    for task in tasks { #expect(try await task.value == 200) }
    #expect(Set(session.sent[2...3].map(\.request.url.path)) == ["/2", "/3"])
    #expect(Set(session.sent[4...5].map(\.request.url.path)) == ["/4", "/5"])
  }

  @Test func aRequestCountsAgainstTheLimitUntilItsBodyIsRead() async throws {
    let limiter = RateLimiter(concurrencyLimit: 1, clock: clock)
    let server = Server()
    let session = server.session
    let request = try request()
    let first = try await limiter.interceptor.outcome(of: request, over: session).get()
    let second = Task { await limiter.interceptor.outcome(of: request, over: session) }
    await waitUntil { limiter.waitingCount(for: request) == 1 }
    let writer = try #require(server.writers.withLock { $0.first })
    writer.yield(Data("half".utf8))
    var chunks = first.body.makeAsyncIterator()
    #expect(try await chunks.next() == Data("half".utf8))
    #expect(session.sent.count == 1)
    writer.finish()
    #expect(try await chunks.next() == nil)
    _ = try await second.value.get()
    #expect(session.sent.count == 2)
    withExtendedLifetime(first) {}
  }

  @Test func aFailedOrReleasedBodyFreesItsPlace() async throws {
    let limiter = RateLimiter(concurrencyLimit: 1, clock: clock)
    let server = Server()
    let session = server.session
    let request = try request()
    let first = try await limiter.interceptor.outcome(of: request, over: session).get()
    try #require(server.writers.withLock { $0.first }).finish(TransportError(code: .truncatedResponse, phase: .body))
    await #expect(throws: TransportError.self) { for try await _ in first.body {} }
    // The responses are not retained.
    _ = try await limiter.interceptor.outcome(of: request, over: session).get()
    _ = try await limiter.interceptor.outcome(of: request, over: session).get()
    #expect(session.sent.count == 3)
  }

  @Test func aFailureFreesItsPlace() async throws {
    let limiter = RateLimiter(concurrencyLimit: 1, clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.fail(.noConnection, .connect) }
    for _ in 0..<3 {
      #expect(await limiter.interceptor.outcome(of: try request(), over: session).failure?.code == .noConnection)
    }
  }

  @Test func cancellingAWaitingRequestLetsTheNextOneStart() async throws {
    let limiter = RateLimiter(concurrencyLimit: 1, clock: clock)
    let server = Server()
    let session = server.session
    let request = try request()
    let first = try await limiter.interceptor.outcome(of: request, over: session).get()
    let second = Task { await limiter.interceptor.outcome(of: request, over: session) }
    await waitUntil { limiter.waitingCount(for: request) == 1 }
    let third = Task { await limiter.interceptor.outcome(of: request, over: session) }
    await waitUntil { limiter.waitingCount(for: request) == 2 }
    second.cancel()
    let error = await second.value.failure
    #expect(error?.code == .cancelled && error?.phase == .delay)
    try #require(server.writers.withLock { $0.first }).finish()
    for try await _ in first.body {}
    _ = try await third.value.get()
    #expect(session.sent.count == 2)
  }

  @Test func aCancelledRequestDoesNotWait() async throws {
    let limiter = RateLimiter(requests: 1, clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let request = try request()
    let task = Task {
      // Until the task is cancelled.
      try? await clock.sleep(for: .seconds(1))
      return await limiter.interceptor.outcome(of: request, over: session)
    }
    task.cancel()
    #expect(await task.value.failure?.code == .cancelled)
    #expect(try await limiter.interceptor.outcome(of: request, over: session).get().head.code == 200)
  }

  @Test func aWaitBeyondTheDeadlineFailsAtOnce() async throws {
    let limiter = RateLimiter(requests: 1, per: .seconds(60), clock: clock)
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session, interceptors: [limiter.interceptor], clock: clock)
    var options = TransportOptions()
    options.deadline = .seconds(5)
    _ = try await service.execute(request(), options: options).get()
    let failure = try #require(await service.execute(request(), options: options).failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .delay)
    #expect(failure.error.reason == "the rate limit allows the request only in 60.000 s, after the deadline")
    #expect(session.sent.count == 1)
  }

  @Test func r9_theDeadlineEndsTheWaitForAPlace() async throws {
    let limiter = RateLimiter(concurrencyLimit: 1, clock: clock)
    let server = Server()
    let session = server.session
    let first = try await limiter.interceptor.outcome(of: request(), over: session).get()
    let service = TransportService(session: session, interceptors: [limiter.interceptor], clock: clock)
    var options = TransportOptions()
    options.deadline = .seconds(5)
    let second = Task { [options] in await service.execute(try request(), options: options) }
    await clock.waitForSleepers(1)
    await waitUntil { (try? limiter.waitingCount(for: request())) == 1 }
    clock.advance(by: .seconds(5))
    let failure = try #require(try await second.value.failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .delay)
    withExtendedLifetime(first) {}
  }

  @Test func a429PausesItsOrigin() async throws {
    let limiter = RateLimiter(clock: clock)
    let session = ScriptedSession {
      $0 == 0 ? ScriptedSession.respond(429, headers: [.retryAfter: "7"]) : ScriptedSession.respond(200)
    }
    let request = try request()
    _ = await limiter.interceptor.outcome(of: request, over: session)
    let other = HTTP.Request(url: try #require(URL(string: "https://other.example.com")))
    #expect(try await limiter.interceptor.outcome(of: other, over: session).get().head.code == 200)
    let next = Task { await limiter.interceptor.outcome(of: request, over: session) }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(6_999))
    #expect(session.sent.count == 2)
    clock.advance(by: .milliseconds(1))
    #expect(try await next.value.get().head.code == 200)
  }

  @Test func manyConcurrentRequestsAreAllSent() async throws {
    let limiter = RateLimiter(concurrencyLimit: 3)
    let most = Mutex((now: 0, most: 0))
    let session = ScriptedSession { _ in
      { request, _ in
        most.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        await Task.yield()
        most.withLock { $0.now -= 1 }
        return TransportResponse(HTTP.Response(request: request, status: 200), body: Data("x".utf8))
      }
    }
    let service = TransportService(session: session, interceptors: [limiter.interceptor])
    let request = try request()
    let whole = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<300 {
        group.addTask {
          let task = Task { await service.execute(request) }
          if index % 3 == 0 { task.cancel() }
          return await task.value.value != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(whole >= 200)
    #expect(most.withLock { $0.most } <= 3)
    #expect(limiter.waitingCount(for: request) == 0)
  }
}
