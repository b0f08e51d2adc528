import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// The effect of a request's deadline and place in the queue on the fetches of the cache.
@Suite(.timeLimit(.minutes(15)))
struct CacheDeadlineTests {
  private let session = PausedSession()
  private let clock = TestClock()
  private let time = TestTime()
  private let cache: CacheInterceptor
  private let url: URL

  init() throws {
    let time = time
    cache = CacheInterceptor(now: { time.date })
    url = try #require(URL(string: "https://api.example.com/users/1"))
  }

  private func execute(
    deadline: Duration? = nil, delivery: ResponseDelivery = .collected
  ) async -> Result<TransportSuccess, TransportFailure> {
    var options = TransportOptions(responseDelivery: delivery)
    options.deadline = deadline
    let service = TransportService(session: session, interceptors: [cache], clock: clock)
    return await service.execute(HTTP.Request(url: url), options: options)
  }

  /// Waits until `count` callers share the current fetch.
  private func waitForInterest(_ count: Int) async {
    await waitUntil { cache.callerCount == count }
  }

  /// Stores a response that is stale but may be used for 20 s more.
  private func storeStale() async throws {
    let first = Task { await execute() }
    await session.waitForRequests(1)
    session.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value.get()
    time.advance(by: 15)
  }

  @Test func k10_aDeadlineEndsOnlyTheWaitOfItsCaller() async throws {
    let bound = Task { await execute(deadline: .milliseconds(300)) }
    await waitForInterest(1)
    let free = Task { await execute() }
    await waitForInterest(2)
    await session.waitForRequests(1)
    try #require(session.options.map(\.timeout) == [nil])
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(300))
    let error = try #require(await bound.value.failure).error
    #expect(error.code == .timedOut)
    #expect(error.phase == .firstByte)
    session.answer()
    #expect(try await free.value.get().response.body.string == "body")
    #expect(session.requests.count == 1)
    #expect(session.cancelledCount == 0)
  }

  @Test func k10_aDeadlineDuringTheBodyEndsOnlyTheWaitOfItsCaller() async throws {
    let bound = Task { await execute(deadline: .milliseconds(300)) }
    await waitForInterest(1)
    let free = Task { await execute() }
    await waitForInterest(2)
    await session.waitForRequests(1)
    try #require(session.options.map(\.timeout) == [nil])
    let (body, writer) = TransportBody.makeStream()
    session.answer(200, [.cacheControl: "max-age=100"], body)
    writer.yield(Data("bo".utf8))
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(300))
    let error = try #require(await bound.value.failure).error
    #expect(error.code == .timedOut)
    writer.yield(Data("dy".utf8))
    writer.finish()
    #expect(try await free.value.get().response.body.string == "body")
    #expect(session.requests.count == 1)
  }

  @Test func r9_theDeadlineEndsAStreamedBodyThatTheCacheStores() async throws {
    let bound = Task { await execute(deadline: .milliseconds(300), delivery: .streamed) }
    await session.waitForRequests(1)
    let (ended, end) = AsyncStream<Void>.makeStream()
    let (body, writer) = TransportBody.makeStream(onAbandon: { end.finish() })
    session.answer(200, [.cacheControl: "max-age=100"], body)
    let success = try await bound.value.get()
    var chunks = success.body.makeAsyncIterator()
    writer.yield(Data("bo".utf8))
    #expect(try await chunks.next() == Data("bo".utf8))
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(300))
    await #expect { _ = try await chunks.next() } throws: { error in
      let error = error as? TransportError
      return error?.code == .timedOut && error?.phase == .body
    }
    // No other caller needs it, so the transfer ends as well.
    for await _ in ended {}
  }

  @Test func k8_theBackgroundFetchIsNotLimitedByTheCallersDeadline() async throws {
    try await storeStale()
    #expect(try await execute(deadline: .milliseconds(300)).get().response.history.cacheOutcome == .stale)
    await session.waitForRequests(2)
    #expect(session.options.last?.timeout == nil)
    #expect(session.options.last?.expiry == nil)
    clock.advance(by: .milliseconds(300))
    session.answer(304, [:], TransportBody(Data()))
    await waitForInterest(0)
    #expect(try await execute().get().response.history.cacheOutcome == .hit)
  }

  @Test func k8_theBackgroundFetchDoesNotUseTheCallersFollowUpLimit() async throws {
    try await storeStale()
    var options = TransportOptions()
    options.followUps = FollowUpLimit()
    _ = try await cache.intercept(HTTP.Request(url: url), options: options, next: session)
    await session.waitForRequests(2)
    #expect(session.options.last?.followUps == nil)
    session.answer()
  }

  @Test func k7_aMismatched304ReleasesItsPlaceInTheRateLimiter() async throws {
    let service = try CachedService()
    let limiter = RateLimiter(concurrencyLimit: 1)
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "no-cache"], "old")
    service.answer(304, [.eTag: "\"b\""])
    service.answer(200, [.eTag: "\"b\""], "new")
    let transport = TransportService(session: service.session, interceptors: [service.cache, limiter.interceptor])
    let bodies = Task {
      var bodies: [String?] = []
      for _ in 1...2 {
        bodies.append(try await transport.execute(HTTP.Request(url: service.url)).get().response.body.string)
      }
      return bodies
    }
    // It must not wait for a slot that it occupies itself.
    let request = HTTP.Request(url: service.url)
    while service.requestCount < 3 {
      guard service.requestCount < 2 || limiter.waitingCount(for: request) == 0 else {
        Issue.record("the next request waits for the turn of the answer before it")
        return bodies.cancel()
      }
      await Task.yield()
    }
    #expect(try await bodies.value == ["old", "new"])
  }
}
