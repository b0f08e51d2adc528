import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

extension Request {
  /// Returns the request with a closure that waits and then has the request sent again.
  func recovering(after delay: Duration, by clock: TestClock) -> Request {
    recovering { _, request in
      do {
        try await clock.sleep(for: delay)
        return request
      } catch {
        return nil
      }
    }
  }
}

/// Closures that recover from failures.
@Suite(.timeLimit(.minutes(15))) struct RecoveryTests {
  private let world: World
  private let request: Request<User, APIError>
  /// The names of the closures that were called.
  private let calls = Log<String>()

  init() throws {
    world = try World()
    request = Request(url: world.url)
  }

  private func answer(_ statuses: Int...) {
    for status in statuses { world.session.on(.get, world.url, times: 1, .status(HTTP.Status(code: status))) }
    world.session.on(.get, world.url, .json(#"{"id": 1, "login": "octocat"}"#))
  }

  @Test func aClosureReturnsTheRequestThatIsSentNext() async throws {
    world.session.on("without token", where: { $0.headers[.authorization] == nil }) { _ in .status(401) }
    world.session.on("with token", where: { $0.headers[.authorization] == "Bearer new" }) { _ in .json("[]") }
    let request = Request<[User], APIError>(url: world.url).recovering { failure, request in
      guard failure.transportError?.code == .clientError(.unauthorized) else { return nil }
      var request = request
      request.headers[.authorization] = .authorizationBearer(token: "new")
      return request
    }
    #expect(try await world.backend.execute(request).isEmpty)
    #expect(world.session.requests.count == 2)
  }

  @Test func everyPartOfTheMessageCanBeReplaced() async throws {
    world.session.on(.get, world.url, .status(405))
    let other = try #require(URL(string: "https://other.example/users"))
    world.session.on(.post, other, .json(#"{"id": 1, "login": "ada"}"#))
    let request = request.recovering { _, _ in
      HTTP.Request(method: .post, url: other, headers: ["A": "1"], body: HTTP.Body("b"))
    }
    #expect(try await world.backend.execute(request).login == "ada")
    let sent = try #require(world.session.requests.last)
    #expect(sent.headers["A"] == "1" && sent.body.string == "b")
  }

  @Test func closuresAreCalledInOrderUntilOneRecovers() async throws {
    answer(503, 503)
    let request = request.recovering { [calls] _, _ in
      calls.note("first")
      return nil
    }.recovering { [calls] _, request in
      calls.note("second")
      return request
    }.recovering { [calls] _, request in
      calls.note("third")
      return request
    }
    #expect(try await world.backend.execute(request).id == 1)
    #expect(calls.entries == ["first", "second", "first", "second"])
  }

  @Test func theClosuresOfARequestAreCalledBeforeThoseOfItsGateway() async throws {
    answer(503)
    let gateway = Gateway(baseURL: try #require(URL(string: "https://api.example.com")), backend: world.backend)
      .recovering { [calls] _, request in
        calls.note("gateway")
        return request
      }
    let request = gateway.request("users/1").recovering { [calls] _, _ in
      calls.note("request")
      return nil
    }
    #expect(try await request.execute(as: User.self).id == 1)
    #expect(calls.entries == ["request", "gateway"])
  }

  /// The ways of a gateway's call.
  enum Road: CaseIterable {
    case short, sent, streamed, promised, paged, typed
  }

  @Test(arguments: Road.allCases) func aGatewayRecoversEveryKindOfCall(road: Road) async throws {
    world.session.on("any", where: { _ in true }, times: 1) { _ in .status(503) }
    world.session.on("any", where: { _ in true }) { _ in .json(#"[{"id": 1, "login": "octocat"}]"#) }
    let gateway = Gateway(baseURL: try #require(URL(string: "https://api.example.com")), backend: world.backend)
      .failing(as: APIError.self).recovering { failure, request in
        failure.transportError?.code == .serverError(.serviceUnavailable) ? request : nil
      }
    let request = gateway.request("users")
    switch road {
    case .short: _ = try await gateway.get("users", as: [User].self)
    case .sent: try await request.send()
    case .streamed: _ = try await request.stream()
    case .promised: _ = try await request.execute().decode(as: [User].self).value
    case .paged: for try await _ in request.pages(of: [User].self, by: .linkHeader) {}
    case .typed: _ = try await gateway.execute(Request<[User], AnyError>(url: world.url))
    }
    #expect(world.session.requests.count == 2)
  }

  @Test func decodingFailuresCanBeRecovered() async throws {
    world.session.on(.get, world.url, times: 1, .json("{"))
    answer()
    let gateway = Gateway(baseURL: try #require(URL(string: "https://api.example.com")), backend: world.backend)
      .failing(as: APIError.self).recovering { failure, request in
        if case .undecodable = failure { request } else { nil }
      }
    #expect(try await gateway.get("users/1", as: User.self).id == 1)
  }

  @Test func aClosureThatAlwaysRecoversIsCalledAtMostTenTimes() async throws {
    world.session.on(.get, world.url, .status(503))
    let failure = await world.backend.outcome(request.recovering { $1 }).failure
    #expect(failure?.transportError?.code == .serverError(.serviceUnavailable))
    #expect(world.session.requests.count == 11)
  }

  @Test func allAttemptsHaveOneIdempotencyKey() async throws {
    answer(503, 503)
    var request = request.recovering { $1 }
    request.idempotency = .keyed
    _ = await world.backend.outcome(request)
    let keys = world.session.requests.map { $0.headers[.idempotencyKey] }
    #expect(keys.count == 3 && keys[0] != nil && Set(keys).count == 1)
  }

  @Test func cancellationIsNeverRecovered() async throws {
    world.session.on(.get, world.url, .never)
    let request = request.recovering { [calls] _, request in
      calls.note("called")
      return request
    }
    let task = Task { await world.backend.outcome(request) }
    await world.waitUntilSent()
    task.cancel()
    #expect(await task.value.failure?.transportError?.code == .cancelled)
    #expect(world.session.requests.count == 1)
    #expect(calls.entries.isEmpty)
  }

  @Test func cancellationEndsAClosureThatWaits() async throws {
    let clock = TestClock()
    world.session.on(.get, world.url, .status(503))
    let request = request.recovering(after: .seconds(10), by: clock)
    let task = Task { await world.backend.outcome(request) }
    await clock.waitForSleepers(1)
    task.cancel()
    let failure = await task.value.failure
    #expect(failure?.transportError?.code == .cancelled)
    #expect(failure?.transportError?.reason == "while recovering from 503 Service Unavailable")
    #expect(world.session.requests.count == 1)
  }

  @Test func aConsumedStreamIsNotSentAgain() async throws {
    world.session.on(.put, world.url, .status(503))
    let stream = AsyncStream<Data> {
      $0.yield(Data("once".utf8))
      $0.finish()
    }
    let request = Request<User, APIError>(method: .put, url: world.url, body: .stream(stream)).recovering { $1 }
    let failure = await world.backend.outcome(request).failure
    #expect(failure?.transportError?.code == .serverError(.serviceUnavailable))
    #expect(world.session.requests.map(\.body.string) == ["once"])
  }

  @Test func aRecoveredRequestKeepsTheCredentialOfItsGateway() async throws {
    let session = StubSession { Issue.record($0) }
    session.on("first", where: { _ in true }, times: 1) { _ in .status(503) }
    session.on("second", where: { _ in true }) { _ in .json("3") }
    var configuration = ClientConfiguration.bare
    configuration.authentication = [.credential(try .basic(username: "ada", password: "secret"))]
    let url = try #require(URL(string: "https://api.example.com"))
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration).recovering { _, request in
      HTTP.Request(url: request.url.appending(path: "b"))
    }
    #expect(try await gateway.get("a", as: Int.self) == 3)
    #expect(session.requests.map { $0.headers.contains(.authorization) } == [true, true])
  }

  // MARK: Backoff

  @Test func delaysDoubleUpToTheLimit() {
    let backoff = ExponentialBackoff(base: .milliseconds(300), delayLimit: .seconds(1), random: { 1 })
    #expect(
      (1...4).map { backoff.delay(beforeAttempt: $0) }
        == [.milliseconds(300), .milliseconds(600), .seconds(1), .seconds(1)])
  }

  @Test(arguments: [-5, 0, 1, 2, 63, 64, 1000, .max, .min])
  func delayIsNeverBeyondTheLimit(attempt: Int) {
    let delay = ExponentialBackoff().delay(beforeAttempt: attempt)
    #expect(delay >= .zero && delay <= .seconds(20))
  }
}
