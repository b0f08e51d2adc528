import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilObservability
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Objects that are created without a clock measure the time of the configuration.
@Suite(.timeLimit(.minutes(15))) struct ConfigurationClockTests {
  private let session = StubSession { Issue.record($0) }
  private let url: URL
  private let clock = TestClock()

  init() throws {
    url = try #require(URL(string: "https://api.example.com/x"))
  }

  private func gateway(_ change: (inout ClientConfiguration) -> Void) -> Gateway {
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    change(&configuration)
    return Gateway(baseURL: url, session: session, configuration: configuration)
  }

  private func code(of gateway: Gateway) async -> TransportError.Code? {
    do throws(AnyError) {
      try await gateway.request().send()
      return nil
    } catch {
      return error.transportError?.code
    }
  }

  @Test func r11_theCircuitIsOpenForTheTimeOfTheConfiguration() async {
    session.on(.get, url, times: 1, .status(503))
    session.on(.get, url, .status(200))
    let gateway = gateway { $0.circuitBreaker = CircuitBreaker(failureLimit: 1, pause: .seconds(300)) }
    #expect(await code(of: gateway) == .serverError(.serviceUnavailable))
    clock.advance(by: .seconds(299))
    #expect(await code(of: gateway) == .circuitOpen)
    clock.advance(by: .seconds(1))
    #expect(await code(of: gateway) == nil)
  }

  @Test func aClockThatIsConfiguredLaterIsUsed() async {
    session.on(.get, url, times: 1, .status(503))
    session.on(.get, url, .status(200))
    var configuration = ClientConfiguration.bare
    configuration.circuitBreaker = CircuitBreaker(failureLimit: 1, pause: .seconds(300))
    let original = Gateway(baseURL: url, session: session, configuration: configuration)
    let gateway = original.configured { $0.clock = clock }
    #expect(await code(of: gateway) == .serverError(.serviceUnavailable))
    #expect(await code(of: original) == .circuitOpen)
    clock.advance(by: .seconds(300))
    #expect(await code(of: original) == nil)
  }

  @Test func anObjectsOwnClockTakesPrecedence() async {
    session.on(.get, url, times: 1, .status(503))
    session.on(.get, url, .status(200))
    let own = TestClock()
    let gateway = gateway { $0.circuitBreaker = CircuitBreaker(failureLimit: 1, pause: .seconds(300), clock: own) }
    #expect(await code(of: gateway) == .serverError(.serviceUnavailable))
    clock.advance(by: .seconds(300))
    #expect(await code(of: gateway) == .circuitOpen)
    own.advance(by: .seconds(300))
    #expect(await code(of: gateway) == nil)
  }

  @Test func theRateLimitWaitsByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(200))
    let gateway = gateway { $0.rateLimit = RateLimiter(requests: 1, per: .seconds(300)) }
    try await gateway.request().send()
    let second = Task { try await gateway.request().send() }
    await clock.waitForSleepers(1)
    #expect(session.requests.count == 1)
    clock.advance(by: .seconds(300))
    #expect(try await second.value.code == 200)
  }

  @Test func aPauseUntilADateEndsByTheConfigurationsClock() async throws {
    let start = Date().timeIntervalSince1970.rounded()
    let reset = HTTP.HeaderValue(rawValue: "\(Int(start) + 300)")
    session.on(.get, url, times: 1, .status(429, headers: ["X-RateLimit-Reset": reset]))
    session.on(.get, url, .status(200))
    let gateway = gateway { $0.rateLimit = RateLimiter(pauseLimit: .seconds(1_000)) }
    #expect(await code(of: gateway) == .clientError(.tooManyRequests))
    let second = Task { try await gateway.request().send() }
    await clock.waitForSleepers(1)
    #expect(session.requests.count == 1)
    clock.advance(by: .seconds(302))
    #expect(try await second.value.code == 200)
  }

  @Test func a4_aTokenExpiresByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(200))
    let clock = clock
    let lifetime = Duration.seconds(300)
    let refreshes = Mutex(0)
    let refresher = TokenRefresher(token: .init("t0", expiry: Date() + 300)) { _ in
      let number = refreshes.withLock { count in
        count += 1
        return count
      }
      // The server's clock moves with the test's.
      let expiry = Date() + (clock.now.offsetFromStart + lifetime) / .seconds(1)
      return TokenRefresher.Token("t\(number)", expiry: expiry)
    }
    let gateway = gateway { $0.authentication = [.bearer(refresher)] }
    for advance in [0, 200, 200, 200, 200] {
      clock.advance(by: .seconds(advance))
      try await gateway.request().send()
    }
    #expect(
      session.requests.map { $0.headers[.authorization]?.rawValue } == [
        "Bearer t0", "Bearer t0", "Bearer t1", "Bearer t1", "Bearer t2",
      ])
  }

  @Test func logsAndObserversMeasureByTheConfigurationsClock() async throws {
    session.on(.get, url, StubSession.Reply.status(200).after(.seconds(50)))
    let (lines, times) = (Log<String>(), Log<Duration>())
    let gateway = gateway {
      $0.logging = RequestLog { entry in lines.note(entry.metadata.first { $0.name == "elapsed" }?.value ?? "") }
      $0.observers = [ExchangeObserver { event in if case .completed = event.kind { times.note(event.elapsed) } }]
    }
    let call = Task { try await gateway.request().send() }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(50))
    _ = try await call.value
    #expect(lines.entries == ["50.000 s"] && times.entries == [.seconds(50)])
  }

  /// Two exchanges of 250 ms each, an hour apart.
  private func exchangeTwice(recordedBy recorder: any Interceptor) async throws {
    session.on("any", where: { _ in true }) { [clock] _ in
      clock.advance(by: .milliseconds(250))
      return .status(200)
    }
    let gateway = gateway { $0.interceptors = [(recorder, at: .attempt)] }
    try await gateway.request().send()
    clock.advance(by: .seconds(3_600))
    try await gateway.request().send()
  }

  @Test func archivesMeasureByTheConfigurationsClock() async throws {
    let recorder = HARRecorder()
    try await exchangeTwice(recordedBy: recorder)
    let entries = Array(try #require(JSON(parsing: recorder.archive())["log"]?["entries"]).elements)
    #expect(entries.map { $0["time"]?.double } == [250, 250])
    let times = try entries.map { try Date.decode(#require($0["startedDateTime"])) }
    try #require(times.count == 2)
    // The times of an archive have milliseconds.
    #expect(abs(times[1].timeIntervalSince(times[0]) - 3_600.25) < 0.002)
  }

  @Test func spansMeasureByTheConfigurationsClock() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let exporter = OTLPExporter(to: .file(file), service: "test", interval: .seconds(86_400))
    try await exchangeTwice(recordedBy: exporter)
    // The interval between exports passes, too.
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(86_400))
    await waitUntil { exporter.statistics.exportedSpanCount == 2 }
    await exporter.close()
    let first = try #require(String(contentsOf: file, encoding: .utf8).split(separator: "\n").first)
    let spans = try #require(JSON(parsing: String(first))["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"])
    let times = try spans.elements.map { span in
      try ["startTimeUnixNano", "endTimeUnixNano"].map { name in
        try #require(span[name]?.string.flatMap { Double($0) }) / 1_000_000_000
      }
    }
    try #require(times.count == 2)
    #expect(times.allSatisfy { abs($0[1] - $0[0] - 0.25) < 0.001 })
    #expect(abs(times[1][0] - times[0][0] - 3_600.25) < 0.001)
  }

  /// A reply that asks to wait until a date, which is compared with the time of day that the clock of the configuration has reached.
  private func busy(for seconds: TimeInterval) -> StubSession.Reply {
    let date = HTTPDate(seconds: Int(Date().timeIntervalSince1970 + seconds)).description
    return .status(503, headers: [.retryAfter: HTTP.HeaderValue(rawValue: date)])
  }

  @Test func r6_aRetryWaitsUntilADateOfTheConfigurationsClock() async throws {
    var gateway = gateway {
      $0.retries = RetryPolicy()
      $0.retries?.backoff = ExponentialBackoff(base: .zero)
    }
    gateway.timeout = .unlimited
    session.on(.get, url, times: 1, busy(for: 1_030).after(.seconds(1_000)))
    session.on(.get, url, .status(200))
    let response = try await clock.running { [gateway] in try await gateway.request().send() }
    #expect(response.code == 200 && session.requests.count == 2)
  }

  @Test func r6_eventsWaitUntilADateOfTheConfigurationsClock() async throws {
    var gateway = gateway { _ in }
    gateway.timeout = .unlimited
    session.on(.get, url, times: 1, busy(for: 1_030).after(.seconds(1_000)))
    session.on(.get, url, .status(204))
    let events = gateway.request().events(
      reconnection: .init(
        time: .zero, outageTimeout: .seconds(1_200), statuses: .transient, backoff: ExponentialBackoff(base: .zero)))
    let found = try await clock.running { await events.all() }
    #expect(found.error == nil && session.requests.count == 2)
  }

  @Test func r8_aBudgetWithoutAClockCountsByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(503))
    let gateway = gateway {
      $0.retries = RetryPolicy()
      $0.retries?.backoff = ExponentialBackoff(base: .zero)
      $0.retries?.budget = RetryPolicy.Budget(ratio: 0, minimum: 2, window: .seconds(300))
    }
    for count in [3, 4] {
      _ = await code(of: gateway)
      #expect(session.requests.count == count)
    }
    clock.advance(by: .seconds(600))
    _ = await code(of: gateway)
    #expect(session.requests.count == 7)
  }

  @Test func downloadsWaitByTheConfigurationsClock() async throws {
    // The download has begun, so that it continues by itself.
    session.on(
      .get, url, times: 1,
      .chunks([Data("wh".utf8)], error: TransportError(code: .connectionLost, phase: .body), status: 200, headers: [:]))
    session.on(.get, url, .status(200, body: Data("whole".utf8)))
    let folder = try TemporaryFolder()
    let gateway = gateway { _ in }
    var options = DownloadOptions()
    options.idleTimeout = .unlimited
    options.backoff = ExponentialBackoff(base: .seconds(300), delayLimit: .seconds(300), random: { 1 })
    let download = Task { [options, folder] in
      try await gateway.request().download(to: folder.target, options: options)
    }
    await clock.waitForSleepers(1)
    #expect(session.requests.count == 1)
    clock.advance(by: .seconds(300))
    _ = try await download.value
    #expect(try Data(contentsOf: folder.target) == Data("whole".utf8))
  }

  @Test func aStoredResponseAgesByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(200, headers: [.cacheControl: "max-age=60"], body: Data("x".utf8)))
    let gateway = gateway { $0.cache = MemoryCacheStorage() }
    try await gateway.request().send()
    clock.advance(by: .seconds(59))
    // The times of a configuration do not begin again with its copies.
    try await gateway.configured { $0.timeout = .unlimited }.request().send()
    #expect(session.requests.count == 1)
    clock.advance(by: .seconds(2))
    try await gateway.request().send()
    #expect(session.requests.count == 2)
  }

  @Test func aCookieExpiresByTheConfigurationsClock() async throws {
    session.on(.get, url, times: 1, .status(200, headers: [.setCookie: "a=b; Max-Age=60"]))
    session.on(.get, url, .status(200))
    let gateway = gateway { $0.cookies = CookieJar(publicSuffixes: .singleLabels) }
    for seconds in [0, 59, 2] {
      clock.advance(by: .seconds(seconds))
      try await gateway.request().send()
    }
    #expect(session.requests.map { $0.headers[.cookie]?.rawValue } == [nil, "a=b", nil])
  }

  @Test func r8_theBudgetOfTheStandardConfigurationCountsByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(503))
    var configuration = ClientConfiguration.standard
    configuration.clock = clock
    configuration.retries?.backoff = ExponentialBackoff(base: .zero)
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    let other = Gateway(
      baseURL: url, session: session, configuration: configuration.settingClock(TestClock()))
    // Two retries for each call: the budget of ten and of a fifth of the requests ends with the sixth.
    for _ in 0..<8 { _ = await code(of: gateway) }
    let count = session.requests.count
    #expect(count < 8 * 3)
    _ = await code(of: other)
    #expect(session.requests.count == count + 3)
    clock.advance(by: .seconds(20))
    _ = await code(of: gateway)
    #expect(session.requests.count == count + 6)
  }

  @Test func a4_refreshesAreLimitedByTheConfigurationsClock() async throws {
    session.on(.get, url, .status(401))
    let refresher = TokenRefresher(token: .init("t")) { _ in .init("t") }
    let gateway = gateway { $0.authentication = [.bearer(refresher)] }
    for _ in 0..<5 { #expect(await code(of: gateway) == .clientError(.unauthorized)) }
    #expect(await code(of: gateway) == .authenticationFailed)
    clock.advance(by: .seconds(30))
    #expect(await code(of: gateway) == .clientError(.unauthorized))
  }
}

extension ClientConfiguration {
  fileprivate func settingClock(_ clock: TestClock) -> ClientConfiguration {
    var configuration = self
    configuration.clock = clock
    return configuration
  }
}

extension TestClock.Instant {
  fileprivate var offsetFromStart: Duration { TestClock().now.duration(to: self) }
}
