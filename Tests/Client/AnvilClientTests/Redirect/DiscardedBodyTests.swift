import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// Bodies that the client only discards, or reads for a failure, from a server that sends a head, two bytes of the body, and nothing more.
@Suite(.timeLimit(.minutes(2))) struct DiscardedBodyTests {
  private static let patience = Duration.seconds(2)

  private let clock = TestClock()
  private let abandoned = Counter()

  /// Returns the answer of a server that stops in the middle of the body.
  private func stalled(_ status: HTTP.Status, _ headers: HTTP.Headers = [:]) -> ScriptedSession.Answer {
    let (body, writer) = TransportBody.makeStream(onAbandon: { [abandoned] in _ = abandoned.next() })
    writer.yield(Data("ab".utf8))
    return ScriptedSession.respond(status, headers: headers.merging([.contentLength: "100"]), body: body)
  }

  private func options(_ delivery: ResponseDelivery) -> TransportOptions {
    TransportOptions(timeout: Self.patience, responseDelivery: delivery)
  }

  private func request() throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://api.example.com/a")))
  }

  /// Returns the result of `work` and the time that it took on the clock. The clock stops after an hour, and the work is then cancelled.
  private func timed<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, time: Duration) {
    let isDone = Mutex(false)
    let start = clock.now
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return await work()
    }
    while !isDone.withLock({ $0 }), start.duration(to: clock.now) < .seconds(3_600) {
      // A limit of the whole work sleeps, too, so the work has to have reached its own: until then, the number of sleepers changes.
      var (turns, sleepers, unchanged) = (0, 0, 0)
      await waitUntil {
        let count = clock.sleeperCount
        unchanged = count == sleepers ? unchanged + 1 : 0
        sleepers = count
        turns += 1
        return isDone.withLock { $0 } || (count > 0 ? unchanged >= 20 : turns > 200)
      }
      if !isDone.withLock({ $0 }) { clock.advance(by: sleepers == 0 ? .seconds(3_600) : .milliseconds(250)) }
    }
    task.cancel()
    return (await task.value, start.duration(to: clock.now))
  }

  private func execute(
    over session: ScriptedSession, _ interceptors: [any Interceptor], _ delivery: ResponseDelivery
  ) async throws -> (value: Result<TransportSuccess, TransportFailure>, time: Duration) {
    let service = TransportService(session: session, interceptors: interceptors, clock: clock)
    let (request, options) = (try request(), options(delivery))
    return await timed { await service.execute(request, options: options) }
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func r10_aRedirectIsFollowedAlthoughItsBodyStalls(delivery: ResponseDelivery) async throws {
    let answer = stalled(302, [.location: "/b"])
    let session = ScriptedSession { $0 == 0 ? answer : ScriptedSession.respond(204) }
    let ended = try await execute(over: session, [RedirectInterceptor()], delivery)
    #expect(ended.value.value?.response.code == 204)
    #expect(ended.time < Self.patience)
    #expect(abandoned.value == 1)
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func r10_aRefusedRedirectFailsAlthoughItsBodyStalls(delivery: ResponseDelivery) async throws {
    let answer = stalled(302, [.location: "http://api.example.com/b"])
    let ended = try await execute(over: ScriptedSession { _ in answer }, [RedirectInterceptor()], delivery)
    #expect(ended.value.failure?.error.code == .redirectRefused)
    #expect(ended.time < Self.patience)
    #expect(abandoned.value == 1)
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed], ["Digest realm=\"a\", nonce=\"b\"", "Basic realm=\"a\""])
  func r10_aChallengeIsAnsweredAlthoughItsBodyStalls(
    delivery: ResponseDelivery, challenge: HTTP.HeaderValue
  ) async throws {
    let answer = stalled(401, [.wwwAuthenticate: challenge])
    let session = ScriptedSession { $0 == 0 ? answer : ScriptedSession.respond(204) }
    let origin = try #require(HTTP.Origin(try request().url))
    let credential = try Credential.password(username: "ada", password: "secret")
    let ended = try await execute(
      over: session, [AuthenticationInterceptor(credentials: [origin: credential])], delivery)
    #expect(ended.value.value?.response.code == 204)
    #expect(ended.time < Self.patience)
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func r10_aTokenIsRefreshedAlthoughTheBodyStalls(delivery: ResponseDelivery) async throws {
    let answer = stalled(401)
    let session = ScriptedSession { $0 == 0 ? answer : ScriptedSession.respond(204) }
    let origin = try #require(HTTP.Origin(try request().url))
    let refresher = TokenRefresher(token: .init("old")) { _ in TokenRefresher.Token("new") }
    let ended = try await execute(over: session, [BearerAuthentication(refresher, origins: [origin])], delivery)
    #expect(ended.value.value?.response.code == 204)
    #expect(ended.time < Self.patience)
  }

  /// The connection can be reused if the rest of the body arrives in time.
  @Test func r10_aBodyThatArrivesSoonIsReadToItsEnd() async throws {
    let (body, writer) = TransportBody.makeStream(onAbandon: { [abandoned] in _ = abandoned.next() })
    writer.yield(Data("ab".utf8))
    let session = ScriptedSession {
      $0 == 0
        ? ScriptedSession.respond(302, headers: [.location: "/b", .contentLength: "4"], body: body)
        : ScriptedSession.respond(204)
    }
    let service = TransportService(session: session, interceptors: [RedirectInterceptor()], clock: clock)
    let request = try request()
    let following = Task { [options] in await service.execute(request, options: options(.streamed)) }
    await waitUntil { clock.sleeperCount > 0 }
    writer.yield(Data("cd".utf8))
    writer.finish()
    #expect(await following.value.value?.response.code == 204)
    #expect(abandoned.value == 0)
  }

  @Test(arguments: [401, 404, 500]) func t1_theBodyOfAStreamedFailureHasTheTimeoutOfTheAttempt(code: Int) async throws {
    let answer = stalled(HTTP.Status(code: code))
    let ended = try await execute(over: ScriptedSession { _ in answer }, [], .streamed)
    let failure = try #require(ended.value.failure)
    #expect(failure.error.code == .timedOut && failure.error.phase == .body)
    #expect(failure.response?.code == code && failure.response?.body.string == "ab")
    #expect(ended.time < Self.patience * 2)
    #expect(abandoned.value == 1)
  }

  @Test func t1_theDeadlineEndsTheBodyOfAStreamedFailureEarlier() async throws {
    let answer = stalled(500)
    let service = TransportService(session: ScriptedSession { _ in answer }, clock: clock)
    let request = try request()
    var options = options(.streamed)
    options.deadline = .seconds(1)
    let ended = await timed { [options] in await service.execute(request, options: options) }
    #expect(ended.value.failure?.error.code == .timedOut)
    #expect(ended.value.failure?.error.reason?.hasPrefix("the deadline of 1.000 s") == true)
    #expect(ended.time < Self.patience)
  }

  @Test(arguments: [404, 500]) func t1_theBodyOfAFailedDownloadHasItsIdleTimeout(code: Int) async throws {
    let folder = try TemporaryFolder()
    let answer = stalled(HTTP.Status(code: code))
    let session = ScriptedSession { _ in answer }
    let service = TransportService(session: session, clock: clock)
    var options = DownloadOptions.impatient
    options.idleTimeout = Self.patience
    let (request, target) = (try request(), folder.target)
    let ended = await timed { [options] in await service.download(request, to: target, options: options) }
    #expect(ended.value.failure?.error.code == .timedOut && ended.value.failure?.response?.code == code)
    #expect(ended.time < Self.patience * 2)
    #expect(session.sent.count == 1)
  }
}
