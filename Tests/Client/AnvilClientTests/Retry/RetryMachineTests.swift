import AnvilHTTP
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The decision after an attempt, without a socket or a clock.
@Suite struct RetryMachineTests {
  private var policy = RetryPolicy()
  private let url: URL
  private let now = Date(timeIntervalSince1970: 784_111_770)

  init() throws {
    url = try #require(URL(string: "https://api.example.com/x"))
    // Always the full ceiling.
    policy.backoff = ExponentialBackoff(random: { 1 })
  }

  private func response(_ status: Int, _ headers: HTTP.Headers = [:]) -> RetryMachine.Outcome {
    .success(HTTP.Response(request: HTTP.Request(url: url), status: HTTP.Status(code: status), headers: headers))
  }

  private func failure(_ code: TransportError.Code, _ phase: TransportError.Phase? = nil) -> RetryMachine.Outcome {
    .failure(TransportError(code: code, phase: phase))
  }

  private func action(
    after outcome: RetryMachine.Outcome, _ method: HTTP.Method = .get, headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty, idempotency: RequestSettings.Idempotency = .byMethod, remaining: Duration? = nil,
    policy: RetryPolicy? = nil, budget: Bool = true
  ) -> RetryMachine.Action {
    var machine = RetryMachine(policy: policy ?? self.policy)
    return machine.next(
      after: outcome,
      RetryMachine.Context(
        request: HTTP.Request(method: method, url: url, headers: headers, body: body), idempotency: idempotency,
        remaining: remaining, now: now),
      takesFromBudget: { budget })
  }

  private func isRetried(_ action: RetryMachine.Action) -> Bool {
    if case .retry = action { true } else { false }
  }

  // MARK: Requests

  @Test(arguments: [
    (HTTP.Method.get, true), (.head, true), (.options, true), (.trace, true), (.put, true), (.delete, true),
    (.post, false), (.patch, false), (HTTP.Method(rawValue: "LOCK"), false),
  ])
  func r1_methodsThatAreRetriedByDefault(method: HTTP.Method, isRetried: Bool) {
    #expect(self.isRetried(action(after: response(503), method)) == isRetried)
    #expect(self.isRetried(action(after: failure(.connectionLost, .firstByte), method)) == isRetried)
  }

  @Test(arguments: [HTTP.Method.post, .patch]) func r1_aRequestMarkedIdempotentIsRetried(method: HTTP.Method) {
    #expect(isRetried(action(after: response(503), method, idempotency: .idempotent)))
    #expect(isRetried(action(after: response(503), method, idempotency: .keyed)))
    #expect(isRetried(action(after: response(503), method, headers: [.idempotencyKey: "k"])))
  }

  @Test func r1_aRequestMarkedNotIdempotentIsNotRetried() {
    #expect(action(after: response(503), .get, idempotency: .notIdempotent) == .deliver)
    #expect(action(after: failure(.connectionLost, .firstByte), .put, idempotency: .notIdempotent) == .deliver)
    #expect(
      action(after: response(503), .post, headers: [.idempotencyKey: "k"], idempotency: .notIdempotent) == .deliver)
  }

  @Test(arguments: [
    (TransportError.Code.noConnection, TransportError.Phase.connect, true), (.noConnection, .firstByte, true),
    (.hostNotFound, .connect, true), (.hostNotFound, .firstByte, true),
    (.timedOut, .connect, true), (.timedOut, .tls, true), (.timedOut, .queue, true), (.connectionLost, .tls, true),
    (.connectionLost, .firstByte, false), (.connectionLost, .send, false), (.timedOut, .firstByte, false),
    (.tlsFailure, .tls, false),
  ])
  func r1_aRequestThatWasNotSentIsRetriedWithAnyMethod(
    code: TransportError.Code, phase: TransportError.Phase, isRetried: Bool
  ) {
    #expect(self.isRetried(action(after: failure(code, phase), .post)) == isRetried)
    #expect(self.isRetried(action(after: failure(code, phase), .post, idempotency: .notIdempotent)) == isRetried)
  }

  @Test func r1_theMethodsAreASetting() {
    var policy = policy
    policy.methods = [.get, .post]
    for method in [HTTP.Method.get, .post] { #expect(isRetried(action(after: response(503), method, policy: policy))) }
    for method in [HTTP.Method.put, .delete, .patch] {
      #expect(action(after: response(503), method, policy: policy) == .deliver)
      #expect(isRetried(action(after: response(503), method, idempotency: .idempotent, policy: policy)))
      #expect(isRetried(action(after: response(503), method, headers: [.idempotencyKey: "k"], policy: policy)))
    }
    #expect(action(after: response(503), .post, idempotency: .notIdempotent, policy: policy) == .deliver)
    policy.methods = []
    #expect(action(after: response(503), .get, policy: policy) == .deliver)
    #expect(isRetried(action(after: failure(.noConnection, .connect), .get, policy: policy)))
    let methods: [HTTP.Method] = [.get, .head, .options, .trace, .query, .put, .delete, .post, .patch, .connect]
    #expect(RetryPolicy.defaultMethods == Set(methods.filter(\.isIdempotent)))
  }

  // MARK: The closure

  @Test func theClosureDecidesInsteadOfThePolicy() {
    var policy = policy
    policy.decide = { attempt in
      switch attempt.response?.code {
      case 404: .retry(after: .seconds(7))
      case 200: .retry()
      case 503: .deliver
      default: attempt.error?.code == .malformedResponse ? .retry() : .byPolicy
      }
    }
    #expect(action(after: response(404), .post, policy: policy) == .retry(after: .seconds(7), on: .any))
    #expect(action(after: response(404, [.retryAfter: "9"]), policy: policy) == .retry(after: .seconds(7), on: .any))
    #expect(action(after: response(200), policy: policy) == .retry(after: .milliseconds(300), on: .any))
    #expect(action(after: response(200, [.retryAfter: "9"]), policy: policy) == .retry(after: .seconds(9), on: .any))
    #expect(action(after: response(503), policy: policy) == .deliver)
    #expect(isRetried(action(after: failure(.malformedResponse), .post, policy: policy)))
    #expect(isRetried(action(after: response(502), policy: policy)))
    #expect(action(after: response(502), .post, policy: policy) == .deliver)
    #expect(action(after: response(421), policy: policy) == .retry(after: .zero, on: .new))
  }

  @Test func theClosureCannotExceedTheLimits() {
    var policy = policy
    policy.decide = { _ in .retry(after: .seconds(5)) }
    var machine = RetryMachine(policy: policy)
    let context = RetryMachine.Context(request: HTTP.Request(url: url), now: now)
    let actions = (0..<3).map { _ in machine.next(after: response(200), context, takesFromBudget: { true }) }
    #expect(actions == [.retry(after: .seconds(5), on: .any), .retry(after: .seconds(5), on: .any), .deliver])
    #expect(!isRetried(action(after: response(200), remaining: .seconds(5), policy: policy)))
    #expect(!isRetried(action(after: response(200), policy: policy, budget: false)))
    #expect(action(after: failure(.cancelled), policy: policy) == .deliver)
    policy.decide = { _ in .retry(after: .seconds(-5)) }
    #expect(action(after: response(200), policy: policy) == .retry(after: .zero, on: .any))
  }

  @Test func theClosureSeesEachAttempt() {
    let seen = Mutex<[String]>([])
    var policy = policy
    policy.decide = { attempt in
      seen.withLock {
        $0.append(
          "\(attempt.number) \(attempt.request.method) \(attempt.response?.code ?? 0) \(attempt.error?.code == .noConnection)"
        )
      }
      return .byPolicy
    }
    var machine = RetryMachine(policy: policy)
    let context = RetryMachine.Context(request: HTTP.Request(url: url), now: now)
    for outcome in [response(503), failure(.noConnection, .connect), response(200)] {
      _ = machine.next(after: outcome, context, takesFromBudget: { true })
    }
    #expect(seen.withLock { $0 } == ["1 GET 503 false", "2 GET 0 true", "3 GET 200 false"])
  }

  // MARK: Outcomes

  @Test(arguments: 200...599) func r2_statusesThatAreRetried(code: Int) {
    let retried = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 421]
    #expect(isRetried(action(after: response(code))) == retried.contains(code))
  }

  @Test func r2_a413IsRetriedOnlyWithRetryAfter() {
    #expect(action(after: response(413)) == .deliver)
    #expect(action(after: response(413, [.retryAfter: "2"])) == .retry(after: .seconds(2), on: .any))
  }

  @Test(
    arguments: [
      (["X-RateLimit-Remaining": "0"], true), (["RateLimit-Remaining": "0"], true),
      (["X-Rate-Limit-Remaining": "0"], true),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"], true),
      (["RateLimit": "limit=10, remaining=0, reset=5"], true), (["RateLimit": #""default";r=0;t=5"#], true),
      (["RateLimit": #""hour";r=7, "minute";r=0;t=5"#], true),
      (["X-RateLimit-Remaining": "1"], false), (["RateLimit-Remaining": ""], false),
      (["RateLimit": #""a";r=10;t=5"#], false),
      (["RateLimit": #""r=0";r=1"#], false), (["X-RateLimit-Limit": "0"], false), ([:], false),
    ] as [(HTTP.Headers, Bool)])
  func r2_a403IsRetriedIfARateLimitIsExhausted(fields: HTTP.Headers, isRetried: Bool) {
    #expect(self.isRetried(action(after: response(403, fields))) == isRetried)
    #expect(!self.isRetried(action(after: response(403, fields), .post)))
    #expect(!self.isRetried(action(after: response(404, fields))))
  }

  @Test func r7_anExhaustedRateLimitDelaysTheRetryAfterA403() {
    let limited: HTTP.Headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "7"]
    #expect(action(after: response(403, limited)) == .retry(after: .seconds(7), on: .any))
  }

  @Test func r2_theStatusesAreASetting() {
    var policy = policy
    policy.statuses = [404, 501]
    for code in [404, 501] { #expect(isRetried(action(after: response(code), policy: policy))) }
    for code in [408, 421, 429, 503] { #expect(action(after: response(code), policy: policy) == .deliver) }
    let limited: HTTP.Headers = ["X-RateLimit-Remaining": "0", .retryAfter: "1"]
    for code in [403, 413] { #expect(action(after: response(code, limited), policy: policy) == .deliver) }
    #expect(RetryPolicy.defaultStatuses == Set.transient.union([403, 413, 421]))
    #expect(!Set.transient.contains(501) && !Set.transient.contains(505))
  }

  @Test(arguments: [HTTP.Method.get, .post]) func r2_aMisdirectedRequestIsRetriedOnceOnANewConnection(
    method: HTTP.Method
  ) {
    var machine = RetryMachine(policy: policy)
    let context = RetryMachine.Context(request: HTTP.Request(method: method, url: url), now: now)
    #expect(
      machine.next(after: response(421), context, takesFromBudget: { true }) == .retry(after: .zero, on: .new))
    #expect(machine.next(after: response(421), context, takesFromBudget: { true }) == .deliver)
  }

  @Test(arguments: [
    (TransportError.Code.noConnection, TransportError.Phase.connect, true), (.hostNotFound, .connect, true),
    (.connectionLost, .firstByte, true),
    (.connectionLost, .send, true), (.tlsFailure, .tls, false), (.malformedResponse, .firstByte, false),
    (.invalidRequest, .firstByte, false), (.tooManyRedirects, .firstByte, false), (.redirectRefused, .firstByte, false),
    (.cancelled, .firstByte, false), (.timedOut, .firstByte, false), (.timedOut, .send, false),
    (.timedOut, .body, false),
    (.timedOut, .delay, false), (.responseTooLarge, .firstByte, false), (.truncatedResponse, .body, false),
    (.circuitOpen, .firstByte, false), (.authenticationFailed, .firstByte, false), (.other, .firstByte, false),
  ])
  func r3_errorsThatAreRetried(code: TransportError.Code, phase: TransportError.Phase, isRetried: Bool) {
    #expect(self.isRetried(action(after: failure(code, phase))) == isRetried)
  }

  @Test func r3_aReadTimeoutIsRetriedOnlyIfThePolicyAllowsIt() {
    var eager = policy
    eager.readTimeouts = .retry
    #expect(isRetried(action(after: failure(.timedOut, .firstByte), policy: eager)))
    #expect(action(after: failure(.timedOut, .firstByte), .post, policy: eager) == .deliver)
    #expect(action(after: failure(.timedOut, .delay), policy: eager) == .deliver)
  }

  // MARK: Bodies

  @Test func r4_aOneShotBodyIsNeverReplayed() async throws {
    let stream = AsyncStream<Data> {
      $0.yield(Data("once".utf8))
      $0.finish()
    }
    let body = HTTP.Body.stream(stream)
    #expect(isRetried(action(after: failure(.noConnection, .connect), .put, body: body)))
    #expect(try await body.collect() == Data("once".utf8))
    let gone = RetryMachine.Action.giveUp(reason: "its body is a stream that has been read")
    #expect(action(after: failure(.noConnection, .connect), .put, body: body) == gone)
    #expect(action(after: response(503), .put, body: body) == gone)
  }

  // MARK: Waits

  @Test func r5_theDelayDoublesUpToItsCap() {
    var policy = policy
    policy.attemptLimit = 12
    var machine = RetryMachine(policy: policy)
    let context = RetryMachine.Context(request: HTTP.Request(url: url), now: now)
    let delays = (1...9).map { _ -> Duration? in
      guard
        case .retry(let delay, .any) = machine.next(
          after: response(503), context, takesFromBudget: { true })
      else { return nil }
      return delay
    }
    #expect(
      delays == [
        .milliseconds(300), .milliseconds(600), .milliseconds(1_200), .milliseconds(2_400), .milliseconds(4_800),
        .milliseconds(9_600), .milliseconds(19_200), .seconds(20), .seconds(20),
      ])
  }

  @Test func r5_theRandomSourceScalesTheDelay() {
    var policy = policy
    policy.backoff = ExponentialBackoff(random: { 0.5 })
    #expect(action(after: response(503), policy: policy) == .retry(after: .milliseconds(150), on: .any))
    policy.backoff = ExponentialBackoff(random: { 0 })
    #expect(action(after: response(503), policy: policy) == .retry(after: .zero, on: .any))
  }

  @Test(arguments: [0, 1, 2, 5]) func attemptsAreLimited(maximum: Int) {
    var policy = policy
    policy.attemptLimit = maximum
    var machine = RetryMachine(policy: policy)
    let context = RetryMachine.Context(request: HTTP.Request(url: url), now: now)
    var retries = 0
    while isRetried(machine.next(after: response(503), context, takesFromBudget: { true })) { retries += 1 }
    #expect(retries == max(maximum - 1, 0))
  }

  @Test func r6_jitterNeverShortensRetryAfter() {
    for random in [0, 0.5, 1] {
      var policy = policy
      policy.backoff = ExponentialBackoff(random: { random })
      #expect(
        action(after: response(503, [.retryAfter: "7"]), policy: policy) == .retry(after: .seconds(7), on: .any))
    }
    // A short Retry-After does not shorten the jitter either.
    #expect(action(after: response(503, [.retryAfter: "0"])) == .retry(after: .milliseconds(300), on: .any))
  }

  @Test(arguments: ["soon", "-1", "1.", ".5", "1.x", "", "1, 2, x", "Sun, 06 Nov 1994 08:49:29 GMT"])
  func r6_anInvalidOrPastRetryAfterIsIgnored(value: HTTP.HeaderValue) {
    #expect(action(after: response(503, [.retryAfter: value])) == .retry(after: .milliseconds(300), on: .any))
  }

  @Test func r6_aRetryAfterBeyondTheLimitFailsAtOnce() {
    var policy = policy
    policy.retryAfterLimit = .seconds(30)
    #expect(action(after: response(503, [.retryAfter: "30"]), policy: policy) == .retry(after: .seconds(30), on: .any))
    #expect(
      action(after: response(503, [.retryAfter: "31"]), policy: policy)
        == .giveUp(reason: "the server requests a delay of 31.000 s, more than the limit of 30.000 s"))
    let reason = "the server requests a delay of more than 100 years, more than the limit of 30.000 s"
    for number in ["99999999999999999999999999", "9223372036854775807", "99999999999999999999999999.5"] {
      let endless = response(503, [.retryAfter: HTTP.HeaderValue(rawValue: number)])
      #expect(action(after: endless, policy: policy) == .giveUp(reason: reason))
      let reset = response(429, ["X-RateLimit-Reset": HTTP.HeaderValue(rawValue: number)])
      #expect(action(after: reset, policy: policy) == .giveUp(reason: reason))
    }
  }

  @Test func r6_aDelayBeyondTheDeadlineFailsAtOnce() {
    let asked = response(503, [.retryAfter: "5"])
    #expect(action(after: asked, remaining: .seconds(6)) == .retry(after: .seconds(5), on: .any))
    #expect(
      action(after: asked, remaining: .seconds(4))
        == .giveUp(reason: "the delay of 5.000 s is longer than the remaining time of 4.000 s"))
    #expect(
      action(after: response(503), remaining: .milliseconds(300))
        == .giveUp(reason: "the delay of 0.300 s is longer than the remaining time of 0.300 s"))
  }

  @Test func r8_anExhaustedBudgetEndsTheAttempts() {
    #expect(
      action(after: response(503), budget: false)
        == .giveUp(reason: "the retry budget of the origin is used up"))
  }

  /// Attempts that are not retried do not use the budget.
  @Test func r8_onlyRetriesUseTheBudget() {
    var machine = RetryMachine(policy: policy)
    var taken = 0
    for outcome in [response(404), response(503, [.retryAfter: "3600"]), response(503)] {
      _ = machine.next(
        after: outcome, RetryMachine.Context(request: HTTP.Request(url: url), now: now),
        takesFromBudget: {
          taken += 1
          return true
        })
    }
    #expect(taken == 1)
  }
}
