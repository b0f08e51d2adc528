import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct RecoveryTests {
  static let json = #"{"id": 1, "login": "octocat"}"#

  /// Answers a 401 with a new token.
  struct Reauthorize: RecoveryStrategy {
    func attemptRecovery<R, F>(
      from error: F, executing request: Request<R, F>
    ) async -> RecoveryDisposition<R, F> {
      guard case .clientError(.unauthorized) = error.transportError?.code else { return .notAttempted }
      return .retry(request.addingHeaders([.authorization: .authorizationBearer(token: "new")]))
    }
  }

  /// A strategy that records its calls and returns a fixed answer.
  final class Recorder: RecoveryStrategy {
    enum Answer { case pass, retry, fail }
    let answer: Answer
    let counts = Mutex<[Int]>([])

    init(_ answer: Answer) { self.answer = answer }

    func attemptRecovery<R, F>(
      from error: F, executing request: Request<R, F>
    ) async -> RecoveryDisposition<R, F> {
      counts.withLock { $0.append(request.recoveryAttemptCount) }
      switch answer {
      case .pass: return .notAttempted
      case .retry: return .retry(request)
      case .fail: return .failure(error)
      }
    }
  }

  @Test func aStrategyCanRecoverARequest() async throws {
    let world = try World(recovering: [Reauthorize()])
    world.session.on("without token", where: { $0.headers[.authorization] == nil }) { _ in .status(401) }
    world.session.on("with token", where: { $0.headers[.authorization] == "Bearer new" }) { _ in .json(Self.json) }
    #expect(try await world.backend.execute(Request<User, APIError>(url: world.url)).login == "octocat")
    #expect(world.session.requests.count == 2)
  }

  @Test func strategiesAreConsultedInOrderUntilOneRecovers() async throws {
    let (first, second, third) = (Recorder(.pass), Recorder(.retry), Recorder(.retry))
    let world = try World(recovering: [first, second, third])
    world.session.on(.get, world.url, .status(503))
    var request = Request<User, APIError>(url: world.url)
    request.maxRecoveryAttempts = 2
    let failure = await world.backend.outcome(request).failure
    #expect(failure?.transportError?.code == .serverError(.serviceUnavailable))
    #expect(first.counts.withLock { $0 } == [0, 1])
    #expect(second.counts.withLock { $0 } == [0, 1])
    #expect(third.counts.withLock { $0 }.isEmpty)
    #expect(world.session.requests.count == 3)
  }

  @Test func aStrategyThatFailsIsTheLastOneConsulted() async throws {
    let (first, second) = (Recorder(.fail), Recorder(.retry))
    let world = try World(recovering: [first, second])
    world.session.on(.get, world.url, .status(503))
    _ = await world.backend.outcome(Request<User, APIError>(url: world.url))
    #expect(second.counts.withLock { $0 }.isEmpty)
    #expect(world.session.requests.count == 1)
  }

  /// A strategy that replaces all fields.
  private struct Replace: PreparationStrategy {
    func prepare<R, F>(_ request: Request<R, F>) async throws(F) -> Request<R, F> { request.usingHeaders(["A": "1"]) }
  }

  @Test func allAttemptsHaveOneIdempotencyKeyEvenIfAStrategyRemovesIt() async throws {
    let world = try World(preparing: [Replace()], recovering: [Recorder(.retry)])
    world.session.on(.get, world.url, .status(503))
    var request = Request<User, APIError>(url: world.url)
    request.policy.idempotency = .keyed
    request.maxRecoveryAttempts = 2
    _ = await world.backend.outcome(request)
    let keys = world.session.requests.map { $0.headers[.idempotencyKey] }
    #expect(keys.count == 3 && keys[0] != nil && Set(keys).count == 1)
    #expect(world.session.requests.allSatisfy { $0.headers["A"] == "1" })
  }

  /// A strategy that does not count its attempts cannot cause an endless loop.
  @Test func attemptsAreCountedByTheService() async throws {
    let world = try World(recovering: [Recorder(.retry)])
    world.session.on(.get, world.url, .status(503))
    var request = Request<User, APIError>(url: world.url)
    request.maxRecoveryAttempts = 4
    _ = await world.backend.outcome(request)
    #expect(world.session.requests.count == 5)
  }

  @Test func aRequestWithoutRecoveryAttemptsIsSentOnce() async throws {
    let recorder = Recorder(.retry)
    let world = try World(recovering: [recorder])
    world.session.on(.get, world.url, .status(503))
    var request = Request<User, APIError>(url: world.url)
    request.maxRecoveryAttempts = 0
    _ = await world.backend.outcome(request)
    #expect(world.session.requests.count == 1)
    #expect(recorder.counts.withLock { $0 }.isEmpty)
  }

  @Test func decodingFailuresCanBeRecoveredToo() async throws {
    let world = try World(recovering: [Recorder(.retry)])
    world.session.on(.get, world.url, times: 1, .json("{"))
    world.session.on(.get, world.url, .json(Self.json))
    #expect(try await world.backend.execute(Request<User, APIError>(url: world.url)).id == 1)
  }

  @Test func cancellationIsNeverRecovered() async throws {
    let recorder = Recorder(.retry)
    let world = try World(recovering: [recorder])
    world.session.on(.get, world.url, .never)
    let task = Task { await world.backend.outcome(Request<User, APIError>(url: world.url)) }
    await world.waitUntilSent()
    task.cancel()
    #expect(await task.value.failure?.transportError?.code == .cancelled)
    #expect(world.session.requests.count == 1)
    #expect(recorder.counts.withLock { $0 }.isEmpty)
  }

  /// Waits with its clock and then sends the request again.
  struct Patience: RecoveryStrategy {
    let clock: TestClock

    func attemptRecovery<R, F>(
      from error: F, executing request: Request<R, F>
    ) async -> RecoveryDisposition<R, F> {
      do {
        try await clock.sleep(for: .seconds(10))
        return .retry(request)
      } catch {
        return .notAttempted
      }
    }
  }

  @Test func cancellationEndsThePauseBetweenAttempts() async throws {
    let clock = TestClock()
    let world = try World(recovering: [Patience(clock: clock)])
    world.session.on(.get, world.url, .status(503))
    let task = Task { await world.backend.outcome(Request<User, APIError>(url: world.url)) }
    await clock.waitForSleepers(1)
    task.cancel()
    let failure = await task.value.failure
    #expect(failure?.transportError?.code == .cancelled)
    #expect(failure?.transportError?.reason == "while recovering from 503 Service Unavailable")
    #expect(world.session.requests.count == 1)
  }

  @Test func consumedStreamIsNotSentAgain() async throws {
    let world = try World(recovering: [Recorder(.retry)])
    world.session.on(.put, world.url, .status(503))
    let stream = AsyncStream<Data> {
      $0.yield(Data("once".utf8))
      $0.finish()
    }
    let request = Request<User, APIError>(method: .put, url: world.url, body: .stream(stream))
    let failure = await world.backend.outcome(request).failure
    #expect(failure?.transportError?.code == .serverError(.serviceUnavailable))
    #expect(world.session.requests.map(\.body.string) == ["once"])
  }

  // MARK: Preparation

  struct Append: PreparationStrategy {
    let value: HTTP.HeaderValue
    func prepare<R, F>(_ request: Request<R, F>) async throws(F) -> Request<R, F> {
      var request = request
      request.headers.add("X-Prepared", value)
      return request
    }
  }

  struct Refuse: PreparationStrategy {
    func prepare<R, F>(_ request: Request<R, F>) async throws(F) -> Request<R, F> {
      throw F(transportFailure: TransportFailure(code: .other, request: request.httpRequest))
    }
  }

  @Test func preparationStrategiesApplyInOrderToEveryAttempt() async throws {
    let world = try World(preparing: [Append(value: "1"), Append(value: "2")], recovering: [Recorder(.retry)])
    world.session.on(.get, world.url, times: 1, .status(503))
    world.session.on(.get, world.url, .json(Self.json))
    _ = try await world.backend.execute(Request<User, APIError>(url: world.url))
    #expect(world.session.requests.map { $0.headers.values(for: "X-Prepared") } == [["1", "2"], ["1", "2"]])
  }

  @Test func failedPreparationFailsTheRequest() async throws {
    let world = try World(preparing: [Refuse()])
    let failure = await world.backend.outcome(Request<User, APIError>(url: world.url)).failure
    #expect(failure?.transportError?.code == .other)
    #expect(world.session.requests.isEmpty)
  }

  // MARK: Backoff

  @Test func delaysDoubleUpToTheLimit() {
    let backoff = ExponentialBackoff(base: .milliseconds(300), limit: .seconds(1), random: { 1 })
    #expect(
      (1...4).map { backoff.delay(beforeAttempt: $0) }
        == [.milliseconds(300), .milliseconds(600), .seconds(1), .seconds(1)])
  }

  @Test(arguments: [-5, 0, 1, 2, 63, 64, 1000, .max, .min])
  func delayIsNeverBeyondTheLimit(attempt: Int) {
    let delay = ExponentialBackoff().delay(beforeAttempt: attempt)
    #expect(delay >= .zero && delay <= .seconds(20))
  }

  // MARK: Recoverable

  struct Job: Recoverable {
    var recoveryAttemptCount = 0
    var maxRecoveryAttempts: Int?
  }

  @Test func recoverableCountsItsAttempts() {
    #expect(Job(recoveryAttemptCount: 0, maxRecoveryAttempts: 3).isRecoverable)
    #expect(!Job(recoveryAttemptCount: 3, maxRecoveryAttempts: 3).isRecoverable)
    #expect(!Job(recoveryAttemptCount: 5, maxRecoveryAttempts: 3).isRecoverable)
    #expect(!Job(recoveryAttemptCount: 0, maxRecoveryAttempts: 0).isRecoverable)
    #expect(!Job(recoveryAttemptCount: 0, maxRecoveryAttempts: -1).isRecoverable)
    #expect(Job(recoveryAttemptCount: 99, maxRecoveryAttempts: nil).isRecoverable)
    #expect(Job(recoveryAttemptCount: .max, maxRecoveryAttempts: nil).updatedForNextAttempt() == nil)
    #expect(Job(recoveryAttemptCount: 1, maxRecoveryAttempts: 2).updatedForNextAttempt()?.recoveryAttemptCount == 2)
  }
}
