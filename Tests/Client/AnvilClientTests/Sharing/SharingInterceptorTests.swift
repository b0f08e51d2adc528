import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// Requests that share one exchange.
@Suite(.timeLimit(.minutes(15)))
struct SharingInterceptorTests {
  private let session = PausedSession()
  private let sharing = SharingInterceptor(maximumBodyLength: 1 << 10)
  private let url: URL

  init() throws {
    url = try #require(URL(string: "https://api.example.com/users/1"))
  }

  private func send(
    _ request: HTTP.Request, options: TransportOptions = TransportOptions()
  ) async throws -> (status: Int, body: String) {
    let response = try await sharing.intercept(request, options: options, next: session)
    var body = Data()
    for try await chunk in response.body { body.append(chunk) }
    #expect(response.head.request == request)
    return (response.head.code, String(decoding: body, as: UTF8.self))
  }

  private func begin(
    _ headers: HTTP.Headers = [:], _ options: TransportOptions = TransportOptions()
  ) -> Task<(status: Int, body: String), any Error> {
    Task { try await send(HTTP.Request(url: url, headers: headers), options: options) }
  }

  private func waitForInterest(_ count: Int) async {
    await waitUntil { sharing.callerCount == count }
  }

  @Test(arguments: [200, 404, 500]) func identicalRequestsShareOneResponse(status: Int) async throws {
    let tasks = (0..<50).map { _ in begin([.authorization: "Bearer a"]) }
    await waitForInterest(50)
    await session.waitForRequests(1)
    session.answer(HTTP.Status(code: status), [.cacheControl: "no-store"])
    for task in tasks { #expect(try await task.value == (status, "body")) }
    #expect(session.requests.count == 1)
    // No response was stored.
    let next = begin([.authorization: "Bearer a"])
    await session.waitForRequests(2)
    session.answer(204, [:], TransportBody(Data()))
    #expect(try await next.value == (204, ""))
  }

  @Test func differentRequestsAreNotShared() async throws {
    let requests = [
      HTTP.Request(url: url), HTTP.Request(url: url, headers: [.authorization: "Bearer a"]),
      HTTP.Request(url: url, headers: [.authorization: "Bearer b"]), HTTP.Request(url: url, headers: [.cookie: "a=1"]),
      HTTP.Request(method: .head, url: url), HTTP.Request(url: url, body: HTTP.Body("a")),
      HTTP.Request(url: url.appending(queryItems: [URLQueryItem(name: "a", value: "1")])),
    ]
    var tasks = requests.map { request in Task { try await send(request) } }
    tasks.append(begin([:], TransportOptions(timeout: .seconds(9))))
    for delivery in [ResponseDelivery.streamed, .streamed] {
      tasks.append(begin([:], TransportOptions(responseDelivery: delivery)))
    }
    await session.waitForRequests(10)
    for _ in 0..<10 { session.answer() }
    for task in tasks { #expect(try await task.value == (200, "body")) }
    #expect(session.requests.count == 10)
  }

  @Test(arguments: [
    CachePolicy.reload, .noCache, .maxStale,
  ])
  func aReloadingRequestIsNotShared(policy: CachePolicy) async throws {
    let first = begin()
    await session.waitForRequests(1)
    let others = [begin([:], TransportOptions(cachePolicy: policy)), begin([.cacheControl: "no-cache"])]
    await session.waitForRequests(3)
    for _ in 0..<3 { session.answer() }
    for task in [first] + others { #expect(try await task.value == (200, "body")) }
  }

  @Test func aResponseThatSetsACookieIsNotShared() async throws {
    let tasks = (0..<3).map { _ in begin() }
    await waitForInterest(3)
    await session.waitForRequests(1)
    session.answer(200, [.setCookie: "session=a"])
    await session.waitForRequests(3)
    for _ in 0..<2 { session.answer() }
    for task in tasks { #expect(try await task.value == (200, "body")) }
    #expect(session.requests.count == 3)
  }

  @Test func tracingFieldsAreIgnoredForSharing() async throws {
    let tasks = (0..<5).map { begin([.traceparent: "00-\($0)", .tracestate: "a=\($0)", .accept: "*/*"]) }
    await waitForInterest(5)
    await session.waitForRequests(1)
    session.answer()
    for task in tasks { #expect(try await task.value == (200, "body")) }
    #expect(session.requests.count == 1)
  }

  @Test func anErrorIsReturnedToAllCallers() async throws {
    let tasks = (0..<5).map { _ in begin() }
    await waitForInterest(5)
    await session.waitForRequests(1)
    session.fail(.connectionLost)
    for task in tasks {
      let error = await #expect(throws: TransportError.self) { try await task.value }
      #expect(error?.code == .connectionLost)
    }
  }

  @Test(arguments: 0..<3) func cancellingOneCallerDoesNotAffectTheOthers(cancelled: Int) async throws {
    var tasks: [Task<(status: Int, body: String), any Error>] = []
    for count in 1...3 {
      tasks.append(begin())
      await waitForInterest(count)
    }
    await session.waitForRequests(1)
    tasks[cancelled].cancel()
    await waitForInterest(2)
    session.answer()
    for (index, task) in tasks.enumerated() {
      if index == cancelled {
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
      } else {
        #expect(try await task.value == (200, "body"))
      }
    }
    #expect(session.cancelledCount == 0)
  }

  @Test func cancellingAllCallersEndsTheExchange() async throws {
    let tasks = (0..<3).map { _ in begin() }
    await waitForInterest(3)
    await session.waitForRequests(1)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    await waitUntil { session.cancelledCount != 0 }
    #expect(sharing.callerCount == 0)
  }

  @Test func aFetchThatOthersHaveJoinedIsKeptWhenItsFirstCallerIsCancelled() async throws {
    let fetches = SharedFetches<Void>()
    let key = try #require(CacheKey(url))
    let identity = FetchIdentity(HTTP.Request(url: url), timeout: nil)
    let fetch = fetches.joined(identity, for: key)
    #expect(fetches.joined(identity, for: key) === fetch)
    let cancelled = Task {
      await waitForCancellation()
      return await fetch.wait { _ in Issue.record("a cancelled caller started the fetch") }
    }
    cancelled.cancel()
    _ = await cancelled.value
    #expect(!fetch.isAbandoned)
    fetch.leave()
    #expect(fetch.isAbandoned)
    #expect(fetches.joined(identity, for: key) !== fetch)
  }

  @Test func aDeadlineEndsOnlyTheWaitOfItsCaller() async throws {
    let clock = TestClock()
    let service = TransportService(session: session, interceptors: [sharing], clock: clock)
    var options = TransportOptions()
    options.deadline = .milliseconds(300)
    let bound = Task { [options, url] in await service.execute(HTTP.Request(url: url), options: options) }
    await waitForInterest(1)
    let free = begin()
    await waitForInterest(2)
    await session.waitForRequests(1)
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(300))
    let failure = await #expect(throws: TransportFailure.self) { try await bound.value.get() }
    #expect(failure?.error.code == .timedOut)
    session.answer()
    #expect(try await free.value == (200, "body"))
    #expect(session.requests.count == 1)
  }

  @Test func aBodyOverTheLimitIsNotShared() async throws {
    let large = String(repeating: "a", count: 1 << 11)
    let tasks = (0..<3).map { _ in begin() }
    await waitForInterest(3)
    await session.waitForRequests(1)
    session.answer(200, [:], TransportBody(Data(large.utf8)))
    await session.waitForRequests(3)
    for _ in 0..<2 { session.answer(200, [:], TransportBody(Data(large.utf8))) }
    for task in tasks { #expect(try await task.value == (200, large)) }
  }

  @Test func aChangeOfTheTargetEndsTheSharing() async throws {
    let before = begin()
    await session.waitForRequests(1)
    let change = Task { try await send(HTTP.Request(method: .put, url: url, body: HTTP.Body("new"))) }
    await session.waitForRequests(2)
    let during = begin()
    await session.waitForRequests(3)
    session.answer(200, [:], TransportBody(Data("old".utf8)))
    session.answer(204, [:], TransportBody(Data()))
    _ = try await change.value
    let after = begin()
    await session.waitForRequests(4)
    for body in ["either", "new"] { session.answer(200, [:], TransportBody(Data(body.utf8))) }
    #expect(try await before.value.body == "old")
    #expect(try await during.value.body == "either")
    #expect(try await after.value.body == "new")
  }

  @Test func sharingIsEnabledByTheConfiguration() async throws {
    var configuration = ClientConfiguration.standard
    #expect(!configuration.orderedInterceptors(for: nil).contains { $0 is SharingInterceptor })
    configuration.sharesIdenticalRequests = true
    let sharing = configuration.orderedInterceptors(for: nil).compactMap { $0 as? SharingInterceptor }
    #expect(sharing.count == 1)
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    async let value = gateway.get("a", as: [Int].self)
    await session.waitForRequests(1)
    session.answer(200, [:], TransportBody(Data("[1]".utf8)))
    #expect(try await value == [1])
  }
}
