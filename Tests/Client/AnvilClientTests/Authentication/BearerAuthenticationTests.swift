import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

@Suite(.timeLimit(.minutes(15))) struct BearerAuthenticationTests {
  private struct Odd: Error, Equatable {}

  let server: LoopbackServer
  let session = StubSession { Issue.record($0) }
  /// The token that the server accepts.
  let accepted: Accepted

  final class Accepted: Sendable {
    private let token = Mutex("t1")
    var value: String {
      get { token.withLock { $0 } }
      set { token.withLock { $0 = newValue } }
    }
  }

  init() throws {
    let accepted = Accepted()
    self.accepted = accepted
    server = try LoopbackServer()
    for method in [HTTP.Method.get, .post] {
      server.on(method, "/data") { request in
        request.headers[.authorization]?.rawValue == "Bearer \(accepted.value)"
          ? .text("data") : .text("who?", status: 401)
      }
    }
    session.answer(as: server)
  }

  private func service(
    _ refresher: TokenRefresher, before others: [any Interceptor] = []
  ) throws -> TransportService {
    let origin = try #require(HTTP.Origin(server.url))
    let bearer = BearerAuthentication(refresher, origins: [origin])
    return TransportService(session: session, interceptors: [RedirectInterceptor(), bearer] + others)
  }

  private var request: HTTP.Request { HTTP.Request(url: server.url("/data")) }
  private var tokens: [String] { server.requests.map { $0.headers[.authorization]?.rawValue ?? "-" } }

  /// Holds responses of 401 back until `count` of them have been received.
  private struct Holding: Interceptor {
    let count: Int
    let rejected = Counter()

    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      let response = try await next.send(request, options: options)
      if response.head.code == 401 {
        _ = rejected.next()
        await waitUntil { rejected.value >= count }
      }
      return response
    }
  }

  /// For example because it is notified of the new token, and loads again.
  @Test func aTaskThatRefreshingStartedSendsTheTokenAfterIt() async throws {
    let (begun, end) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    final class Program: Sendable {
      let service = Mutex<TransportService?>(nil)
      let loading = Mutex<Task<Void, Never>?>(nil)
    }
    let program = Program()
    let request = request
    let refresher = TokenRefresher { _ in
      let task = Task {
        let service = program.service.withLock { $0 }
        _ = await service?.execute(request)
        begun.continuation.finish()
        for await _ in end.stream {}
        _ = await service?.execute(request)
      }
      program.loading.withLock { $0 = task }
      for await _ in begun.stream {}
      return TokenRefresher.Token("t1")
    }
    let service = try service(refresher)
    program.service.withLock { $0 = service }
    #expect(await service.execute(request).value?.body.string == "data")
    end.continuation.finish()
    await program.loading.withLock { $0 }?.value
    #expect(tokens == ["-", "Bearer t1", "Bearer t1"])
  }

  @Test func a4_fiftyRejectedRequestsRefreshTheTokenOnce() async throws {
    let refreshes = Counter()
    let refresher = TokenRefresher(token: .init("t0")) { old in
      #expect(old?.value == "t0")
      return TokenRefresher.Token("t\(refreshes.next())")
    }
    let service = try service(refresher, before: [Holding(count: 50)])
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<50 { group.addTask { await service.execute(request).value?.body.string } }
      for await text in group { #expect(text == "data") }
    }
    #expect(refreshes.value == 1 && server.requests.count == 100)
    #expect(tokens.filter { $0 == "Bearer t0" }.count == 50 && tokens.filter { $0 == "Bearer t1" }.count == 50)
  }

  @Test func a4_aRejectedOldTokenIsReplacedWithoutARefresh() async throws {
    let refreshes = Counter()
    let refresher = TokenRefresher(token: .init("t0")) { _ in TokenRefresher.Token("t\(refreshes.next())") }
    let old = try await refresher.grant(for: TransportOptions())
    _ = try await service(refresher).execute(request).get()
    #expect(try await refresher.grant(for: TransportOptions(), insteadOf: old).token.value == "t1")
    #expect(refreshes.value == 1)
  }

  @Test func a4_aFailedRefreshFailsAllWaitingRequestsAndIsRepeatedLater() async throws {
    let refreshes = Counter()
    let gate = Gate()
    let refresher = TokenRefresher(token: .init("t0")) { _ in
      try await gate.pass()
      if refreshes.next() == 1 { throw Odd() }
      return TokenRefresher.Token("t1")
    }
    let service = try service(refresher)
    await withTaskGroup(of: TransportFailure?.self) { group in
      for _ in 0..<10 { group.addTask { await service.execute(request).failure } }
      await waitUntil { refresher.waiterCount >= 10 }
      gate.open()
      for await failure in group {
        #expect(failure?.error.code == .authenticationFailed && failure?.error.underlyingError as? Odd == Odd())
        #expect(failure?.error.description == "authentication failed: the token could not be refreshed: Odd")
      }
    }
    #expect(refreshes.value == 1)
    #expect(await service.execute(request).value?.body.string == "data")
    #expect(refreshes.value == 2)
  }

  @Test func a4_requestsOfTheRefreshAreNotAuthenticated() async throws {
    server.on(.get, "/token") { request in .text(request.headers[.authorization]?.rawValue ?? "t1") }
    let service = Mutex<TransportService?>(nil)
    let url = server.url("/token")
    let refresher = TokenRefresher(token: .init("t0")) { _ in
      let service = try #require(service.withLock { $0 })
      return TokenRefresher.Token(try await service.execute(HTTP.Request(url: url)).get().body.string ?? "")
    }
    let bearing = try self.service(refresher)
    service.withLock { $0 = bearing }
    // Breaks the retain cycle of the service.
    defer { service.withLock { $0 = nil } }
    #expect(await bearing.execute(request).value?.body.string == "data")
    #expect(tokens == ["Bearer t0", "-", "Bearer t1"])
  }

  /// The refresh needs the only slot, which the body of the rejected response would occupy.
  @Test func a4_theRejectedResponseIsReleasedBeforeTheRefresh() async throws {
    let stub = StubSession { Issue.record($0) }
    let (url, tokenURL) = (server.url("/data"), server.url("/fresh"))
    stub.on(.get, tokenURL, .chunks([Data("t1".utf8)]))
    stub.on(.get, url) { request in
      request.headers[.authorization] == "Bearer t1"
        ? .chunks([Data("data".utf8)]) : .chunks(Array(repeating: Data(count: 10_000), count: 10), status: 401)
    }
    let limiter = RateLimiter(concurrencyLimit: 1)
    let plain = TransportService(session: stub, interceptors: [limiter.interceptor])
    let refresher = TokenRefresher(token: .init("t0")) { _ in
      .init(try await plain.execute(HTTP.Request(url: tokenURL)).get().body.string ?? "")
    }
    let origin = try #require(HTTP.Origin(url))
    let service = TransportService(
      session: stub, interceptors: [BearerAuthentication(refresher, origins: [origin]), limiter.interceptor])
    #expect(await service.execute(HTTP.Request(url: url)).value?.body.string == "data")
  }

  @Test func a4_moreThanFiveRefreshesInThirtySecondsFail() async throws {
    let clock = TestClock()
    let refreshes = Counter()
    let refresher = TokenRefresher(token: .init("x"), clock: clock) { _ in .init("x\(refreshes.next())") }
    let service = try service(refresher)
    for _ in 0..<5 { #expect(await service.execute(request).failure?.response?.code == 401) }
    #expect(await service.execute(request).failure?.error.code == .authenticationFailed)
    #expect(refreshes.value == 5)
    clock.advance(by: .seconds(30))
    #expect(await service.execute(request).failure?.response?.code == 401)
    // The token was rejected, so another one is fetched before the attempt, and renewed once.
    #expect(refreshes.value == 7)
  }

  @Test func a4_cancellingAWaitingRequestDoesNotAffectTheRefresh() async throws {
    let gate = Gate()
    let refresher = TokenRefresher(token: .init("t0")) { _ in
      try await gate.pass()
      try Task.checkCancellation()
      return TokenRefresher.Token("t1")
    }
    let service = try service(refresher)
    let first = Task { await service.execute(request) }
    await waitUntil { refresher.waiterCount >= 1 }
    let second = Task { await service.execute(request) }
    await waitUntil { refresher.waiterCount >= 2 }
    first.cancel()
    #expect(await first.value.failure?.error.code == .cancelled)
    #expect(refresher.waiterCount == 1)
    gate.open()
    #expect(await second.value.value?.body.string == "data")
  }

  @Test func a4_aCancelledTaskStartsNoRefresh() async {
    let refresher = TokenRefresher { _ in
      Issue.record("a token that nobody waits for")
      return .init("t1")
    }
    let task = Task { () async -> TransportError? in
      await waitForCancellation()
      do throws(TransportError) {
        _ = try await refresher.grant(for: TransportOptions())
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test func a4_aTokenIsRefreshedBeforeItExpires() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 0))
    let refresher = TokenRefresher(
      token: .init("t0", expiry: Date(timeIntervalSince1970: 100)), skew: .seconds(10), now: { now.withLock { $0 } }
    ) { _ in .init("t1", expiry: Date(timeIntervalSince1970: 1000)) }
    let service = try service(refresher)
    now.withLock { $0 = Date(timeIntervalSince1970: 90) }
    _ = try await service.execute(request).get()
    _ = try await service.execute(request).get()
    #expect(tokens == ["Bearer t1", "Bearer t1"])
  }

  @Test func a4_aOneShotBodyGetsThe401AndTheNextRequestANewToken() async throws {
    let refresher = TokenRefresher(token: .init("t0")) { _ in .init("t1") }
    let service = try service(refresher)
    let stream = HTTP.Body.stream(
      AsyncStream<Data> {
        $0.yield(Data("x".utf8)); $0.finish()
      })
    let once = HTTP.Request(method: .post, url: server.url("/data"), body: stream)
    #expect(await service.execute(once).failure?.response?.code == 401)
    #expect(await service.execute(request).value?.body.string == "data")
    #expect(tokens == ["Bearer t0", "Bearer t1"])
  }

  @Test func a4_aRejectedNewTokenReturnsThe401() async throws {
    let refreshes = Counter()
    let refresher = TokenRefresher(token: .init("x")) { _ in .init("x\(refreshes.next())") }
    let failure = try await service(refresher).execute(request).failure
    #expect(failure?.response?.code == 401 && failure?.response?.body.string == "who?")
    #expect(refreshes.value == 1 && tokens == ["Bearer x", "Bearer x1"])
  }

  @Test func a4_aMissingTokenIsFetchedBeforeTheFirstRequest() async throws {
    let refresher = TokenRefresher { old in
      #expect(old == nil)
      return .init("t1")
    }
    _ = try await service(refresher).execute(request).get()
    #expect(tokens == ["Bearer t1"] && refresher.token?.value == "t1")
  }

  @Test func a4_otherOriginsGetNoToken() async throws {
    let other = try #require(URL(string: "http://localhost:\(server.port)/data"))
    session.on(.get, other, .status(401))
    let refresher = TokenRefresher(token: .init("t1")) { _ in throw Odd() }
    _ = try await service(refresher).execute(HTTP.Request(url: other))
    #expect(session.requests.map { $0.headers.contains(.authorization) } == [false])
  }

  /// Requests are cancelled at random moments while tokens expire. Each request ends, and requests that were not
  /// cancelled succeed.
  @Test func a4_cancellationAtAnyTimeDoesNotAffectOtherRequests() async throws {
    let clock = TestClock()
    let refreshing = Mutex(false)
    let refresher = TokenRefresher(token: .init("t0"), clock: clock) { [accepted] _ in
      #expect(
        refreshing.withLock { was in
          defer { was = true }; return !was
        }, "two refreshes at once")
      for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
      refreshing.withLock { $0 = false }
      return .init(accepted.value)
    }
    let service = try service(refresher)
    for round in 2..<60 {
      clock.advance(by: .seconds(30))
      let tasks = (0..<12).map { _ in Task { await service.execute(request) } }
      accepted.value = "t\(round)"
      for (index, task) in tasks.enumerated() where !index.isMultiple(of: 3) {
        for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
        task.cancel()
      }
      for (index, task) in tasks.enumerated() {
        let result = await task.value
        let isRight = result.value?.body.string == "data"
        #expect(isRight || !index.isMultiple(of: 3) && result.failure?.error.code == .cancelled, "\(result)")
      }
    }
    #expect(refresher.waiterCount == 0)
  }

  /// The token of another source may have been revoked before its first use.
  @Test func a4_aTokenFetchedForARequestIsRenewedOnceIfItIsRejected() async throws {
    let refreshes = Counter()
    let refresher = TokenRefresher { _ in TokenRefresher.Token(refreshes.next() == 1 ? "revoked" : "t1") }
    #expect(try await service(refresher).execute(request).get().body.string == "data")
    #expect(tokens == ["Bearer revoked", "Bearer t1"] && refreshes.value == 2)
  }

  @Test func a4_aTokenIsNotRenewedTwiceForARequest() async throws {
    let refreshes = Counter()
    let refresher = TokenRefresher { _ in TokenRefresher.Token("bad\(refreshes.next())") }
    #expect(try await service(refresher).execute(request).failure?.error.code == .clientError(.unauthorized))
    #expect(tokens == ["Bearer bad1", "Bearer bad2"] && refreshes.value == 2)
  }

  /// The user need not sign in again if the server of the tokens is down. All texts state this.
  @Test func a4_aServerThatIsDownDuringARefreshIsReported() async throws {
    let tokens = try #require(URL(string: "https://login.example.com/token?k=s3cret"))
    let refresher = TokenRefresher { _ in
      throw TransportFailure(
        error: TransportError(code: .noConnection, phase: .connect, reason: "connection refused"),
        request: HTTP.Request(method: .post, url: tokens))
    }
    let failure = try #require(try await service(refresher).execute(request).failure)
    #expect(failure.error.code == .noConnection && server.requests.isEmpty)
    let report = FailureReport(failure)
    var log = ""
    dump(failure, to: &log)
    for text in [
      "\(failure)", "\(failure.error)", report.description, report.detailedDescription, report.line,
      "\(report.json)", log, failure.localizedDescription,
    ] {
      #expect(text.contains("refreshed") && text.contains("refused"))
      #expect(!text.contains("s3cret"))
    }
    #expect(report.code == "transport.no-connection")
  }
}
