import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// Concurrent requests for the same response.
@Suite(.timeLimit(.minutes(15)))
struct CacheConcurrencyTests {
  private let session = PausedSession()
  private let time = TestTime()
  private let cache: CacheInterceptor
  private let url: URL

  init() throws {
    let time = time
    cache = CacheInterceptor(maximumBodyLength: 1 << 16, now: { time.date })
    url = try #require(URL(string: "https://api.example.com/users/1"))
  }

  private func send(
    _ headers: HTTP.Headers = [:], method: HTTP.Method = .get, timeout: Duration? = nil
  ) async throws -> (body: String, outcome: HTTP.History.CacheOutcome?) {
    let request = HTTP.Request(method: method, url: url, headers: headers)
    let response = try await cache.intercept(request, options: TransportOptions(timeout: timeout), next: session)
    var body = Data()
    for try await chunk in response.body { body.append(chunk) }
    return (String(decoding: body, as: UTF8.self), response.head.history.cacheOutcome)
  }

  /// Sends a GET and returns the first response at its head.
  private func open(_ body: TransportBody) async throws -> TransportResponse {
    async let response = cache.intercept(HTTP.Request(url: url), options: TransportOptions(), next: session)
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=100"], body)
    return try await response
  }

  /// Waits until `count` callers share the current fetch.
  private func waitForInterest(_ count: Int) async {
    await waitUntil { cache.callerCount == count }
  }

  @Test func k10_identicalMissesShareOneFetch() async throws {
    let tasks = (0..<50).map { _ in Task { try await send() } }
    await waitForInterest(50)
    await session.waitForRequests(1)
    #expect(session.requests.count == 1)
    session.answer()
    var outcomes: [HTTP.History.CacheOutcome?] = []
    for task in tasks {
      let answer = try await task.value
      #expect(answer.body == "body")
      outcomes.append(answer.outcome)
    }
    #expect(outcomes.filter { $0 == .miss }.count == 1)
    #expect(outcomes.filter { $0 == .hit }.count == 49)
    #expect(session.requests.count == 1)
  }

  @Test func k10_identicalRevalidationsShareOneFetch() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=1"])
    _ = try await first.value
    time.advance(by: 10)
    let tasks = (0..<10).map { _ in Task { try await send() } }
    await waitForInterest(10)
    await session.waitForRequests(2)
    session.answer(304, [:], TransportBody(Data()))
    for task in tasks { #expect(try await task.value == ("body", .revalidated)) }
    #expect(session.requests.count == 2)
  }

  @Test(arguments: 0..<4) func k10_cancellingOneDoesNotCancelTheOthers(cancelled: Int) async throws {
    var tasks: [Task<(body: String, outcome: HTTP.History.CacheOutcome?), any Error>] = []
    for count in 1...4 {
      tasks.append(Task { try await send() })
      await waitForInterest(count)
    }
    await session.waitForRequests(1)
    tasks[cancelled].cancel()
    await #expect(throws: TransportError(code: .cancelled)) { try await tasks[cancelled].value }
    session.answer()
    for (index, task) in tasks.enumerated() where index != cancelled {
      #expect(try await task.value.body == "body")
    }
    #expect(session.requests.count == 1)
    #expect(session.cancelledCount == 0)
  }

  @Test func k10_cancellingAllCallersCancelsTheFetch() async throws {
    let tasks = (0..<3).map { _ in Task { try await send() } }
    await waitForInterest(3)
    await session.waitForRequests(1)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: TransportError(code: .cancelled)) { try await task.value } }
    #expect(session.cancelledCount == 1)
    // A later request starts a new fetch.
    let next = Task { try await send() }
    await session.waitForRequests(2)
    session.answer()
    #expect(try await next.value.body == "body")
  }

  @Test func aCancelledTaskGetsNoCachedResponse() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer()
    _ = try await first.value
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await send()
    }
    await #expect(throws: TransportError(code: .cancelled)) { try await task.value }
  }

  @Test func k10_aCancelledTaskSendsNoRequest() async throws {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await send()
    }
    await #expect(throws: TransportError(code: .cancelled)) { try await task.value }
    #expect(session.requests.isEmpty)
    #expect(cache.callerCount == 0)
  }

  @Test func k10_theBodyIsReadOnForOtherCallersIfItsReaderLeaves() async throws {
    let (body, writer) = TransportBody.makeStream()
    var response: TransportResponse? = try await open(body)
    let second = Task { try await send() }
    await waitForInterest(2)
    #expect(response?.head.code == 200)
    response = nil
    writer.yield(Data("bo".utf8))
    writer.yield(Data("dy".utf8))
    writer.finish()
    #expect(try await second.value == ("body", .hit))
    #expect(session.requests.count == 1)
  }

  @Test func k10_theTransferEndsIfItsOnlyReaderLeaves() async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let (body, writer) = TransportBody.makeStream(onAbandon: { end.finish() })
    var response: TransportResponse? = try await open(body)
    #expect(response?.head.code == 200)
    writer.yield(Data("bo".utf8))
    response = nil
    for await _ in ended {}
    #expect(writer.flow == .pause)
  }

  @Test(
    arguments: [
      [.cacheControl: "no-store"], [.cacheControl: "max-age=0"], [.cacheControl: "no-cache"], [:],
      [.vary: "*", .cacheControl: "max-age=100"],
    ] as [HTTP.Headers])
  func k10_aResponseThatMayNotBeReusedIsFetchedByEachCaller(headers: HTTP.Headers) async throws {
    let tasks = (0..<3).map { _ in Task { try await send() } }
    await waitForInterest(3)
    await session.waitForRequests(1)
    session.answer(200, headers)
    await session.waitForRequests(3)
    session.answer(200, headers)
    session.answer(200, headers)
    for task in tasks { #expect(try await task.value == ("body", .miss)) }
    #expect(session.requests.count == 3)
  }

  @Test func k10_anErrorIsReturnedToAllWaitingCallers() async throws {
    let tasks = (0..<3).map { _ in Task { try await send() } }
    await waitForInterest(3)
    await session.waitForRequests(1)
    session.fail(.noConnection)
    for task in tasks { await #expect(throws: TransportError(code: .noConnection)) { try await task.value } }
    #expect(session.requests.count == 1)
  }

  @Test func k10_differentRequestsAreFetchedSeparately() async throws {
    let headers: [HTTP.Headers] = [
      [:], [.accept: "a"], [.authorization: "a"], [.cookie: "a"], [.cacheControl: "no-cache"],
      [.cacheControl: "no-cache"],
    ]
    let tasks =
      headers.map { headers in Task { try await send(headers) } } + [Task { try await send(timeout: .seconds(9)) }]
    await session.waitForRequests(7)
    for _ in tasks { session.answer() }
    for task in tasks { #expect(try await task.value.outcome == .miss) }
  }

  @Test func k10_aBodyThatIsTooLargeIsFetchedByEachCaller() async throws {
    let large = Data(repeating: 0x61, count: 1 << 17)
    let tasks = (0..<2).map { _ in Task { try await send() } }
    await waitForInterest(2)
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=100"], TransportBody(large))
    await session.waitForRequests(2)
    session.answer(200, [.cacheControl: "max-age=100"], TransportBody(large))
    for task in tasks { #expect(try await task.value.body.utf8.count == large.count) }
  }

  @Test func k10_theTransferOfABodyThatIsTooLargeEndsWithItsReader() async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let (body, writer) = TransportBody.makeStream(onAbandon: { end.finish() })
    var response: TransportResponse? = try await open(body)
    let other = Task { try await send() }
    await waitForInterest(2)
    // Exceeds the limits of the store and of a reader's buffer: the other caller fetches separately, and reading stops.
    for _ in 0..<32 { writer.yield(Data(count: 1 << 16)) }
    await session.waitForRequests(2)
    session.answer()
    #expect(try await other.value.body == "body")
    #expect(response?.head.code == 200)
    response = nil
    for await _ in ended {}
    #expect(session.requests.count == 2)
  }

  @Test func k9_aResponseInProgressDuringAnInvalidationIsNotStored() async throws {
    let get = Task { try await send() }
    await session.waitForRequests(1)
    let put = Task { try await send(method: .put) }
    await session.waitForRequests(2)
    session.answerLast(204)
    _ = try await put.value
    session.answer()
    _ = try await get.value
    let again = Task { try await send() }
    await session.waitForRequests(3)
    session.answer(200, [:], TransportBody(Data("new".utf8)))
    #expect(try await again.value.body == "new")
  }

  @Test func k8_staleWhileRevalidateAnswersAtOnceAndRevalidatesOnce() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 15)
    for _ in 1...5 { #expect(try await send() == ("body", .stale)) }
    await session.waitForRequests(2)
    #expect(session.requests.count == 2)
    #expect(session.requests[1].headers[.ifNoneMatch] == "\"a\"")
    session.answer(304, [:], TransportBody(Data()))
    await waitForInterest(0)
    #expect(try await send() == ("body", .hit))
    #expect(session.requests.count == 2)
  }

  @Test func k8_theBackgroundFetchStoresTheNewResponse() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 15)
    #expect(try await send() == ("body", .stale))
    await session.waitForRequests(2)
    session.answer(200, [.cacheControl: "max-age=10"], TransportBody(Data("new".utf8)))
    await waitForInterest(0)
    #expect(try await send() == ("new", .hit))
  }

  @Test func k8_aHEADRefreshesTheEntryOfGETInTheBackground() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 15)
    #expect(try await send(method: .head) == ("", .stale))
    await session.waitForRequests(2)
    #expect(session.requests.map(\.method) == [.get, .get])
    session.answer(200, [.cacheControl: "max-age=10"], TransportBody(Data("new".utf8)))
    await waitForInterest(0)
    #expect(try await send() == ("new", .hit))
  }

  /// A body that nobody reads as a stream has the timeout of the attempt.
  @Test func k8_theBackgroundFetchOfAStreamedRequestIsCollected() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 15)
    var options = TransportOptions(responseDelivery: .streamed)
    options.timeout = .seconds(2)
    _ = try await cache.intercept(HTTP.Request(url: url), options: options, next: session)
    await session.waitForRequests(2)
    #expect(session.options.map(\.responseDelivery) == [.collected, .collected])
    #expect(session.options.last?.timeout == .seconds(2))
    session.answer()
    await waitForInterest(0)
  }

  /// A caller that waits for the stream of another caller could not limit the time for which it waits.
  @Test func k10_streamedRequestsAreNotShared() async throws {
    let options = TransportOptions(responseDelivery: .streamed)
    let tasks = (1...2).map { _ in
      Task { [cache, url, session] in
        try await cache.intercept(HTTP.Request(url: url), options: options, next: session)
      }
    }
    await session.waitForRequests(2)
    session.answer()
    session.answer()
    for task in tasks { #expect(try await task.value.head.code == 200) }
  }

  @Test func k8_aFailedBackgroundFetchIsRepeatedByTheNextRequest() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 15)
    for count in 2...3 {
      #expect(try await send() == ("body", .stale))
      await session.waitForRequests(count)
      session.fail(.noConnection)
      await waitForInterest(0)
    }
  }

  @Test func k8_staleWhileRevalidateEndsAfterItsTime() async throws {
    let first = Task { try await send() }
    await session.waitForRequests(1)
    session.answer(200, [.cacheControl: "max-age=10, stale-while-revalidate=20"])
    _ = try await first.value
    time.advance(by: 31)
    let second = Task { try await send() }
    await session.waitForRequests(2)
    session.answer(200, [:], TransportBody(Data("new".utf8)))
    #expect(try await second.value == ("new", .miss))
  }
}

extension CacheInterceptor {
  /// The number of callers that share the current fetches. A background fetch counts as one.
  var callerCount: Int { fetches.callerCount }
}
