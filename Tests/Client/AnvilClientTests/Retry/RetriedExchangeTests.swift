import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// What belongs to one exchange and not to the request: cookies and the proofs of Digest authentication.
@Suite(.timeLimit(.minutes(15))) struct RetriedExchangeTests {
  private let session = StubSession { Issue.record($0) }
  private let url: URL
  private let jar = CookieJar(publicSuffixes: .singleLabels)
  private var configuration = ClientConfiguration.bare

  init() throws {
    url = try #require(URL(string: "https://a.example/x"))
    var retries = RetryPolicy()
    retries.attemptLimit = 3
    retries.backoff = NoDelay()
    configuration.retries = retries
  }

  private struct NoDelay: BackoffStrategy {
    func delay(beforeAttempt attempt: Int) -> Duration { .zero }
  }

  private func sent(_ key: HTTP.HeaderKey) -> [String] { session.requests.map { $0.headers[key]?.rawValue ?? "-" } }

  /// The count and the nonce of each Digest answer that was sent.
  private var counts: [String] {
    sent(.authorization).map { value in
      let parameters = AuthChallenge.challenges(in: [.init(rawValue: value)]).first?.parameters
      return "\(parameters?["nonce"] ?? "-") \(parameters?["nc"] ?? "-")"
    }
  }

  private func withDigest(_ configuration: ClientConfiguration) throws -> ClientConfiguration {
    var configuration = configuration
    configuration.authentication = [.credential(try .digest(username: "smith", password: "word"))]
    return configuration
  }

  private func gateway(_ configuration: ClientConfiguration) -> Gateway {
    Gateway(baseURL: url, session: session, configuration: configuration)
  }

  @discardableResult
  private func send(
    with gateway: Gateway, method: HTTP.Method = .get, headers: HTTP.Headers = [:], body: HTTP.Body = .empty
  ) async throws -> HTTP.Response {
    var request = gateway.request(method: method)
    request.settings.headers = headers
    request.body = body
    return try await request.send()
  }

  /// A short rest is read, so that its connection can be reused. A longer one ends the transfer at once.
  @Test(arguments: [1 << 10, 300 << 10]) func otherRequestsDoNotWaitForADelayedRetry(size: Int) async throws {
    let clock = TestClock()
    let other = url.appending(path: "other")
    session.on(.get, url, times: 1, .status(503, headers: ["Retry-After": "60"], body: Data(count: size)))
    for url in [url, other] { session.on(.get, url, .status(200)) }
    var configuration = configuration
    configuration.clock = clock
    configuration.rateLimit = RateLimiter(concurrencyLimit: 1, pauseLimit: .zero)
    let gateway = gateway(configuration)
    async let repeated = gateway.request().send()
    await clock.waitForSleepers(1)
    #expect(try await gateway.request("other").send().code == 200)
    clock.advance(by: .seconds(60))
    #expect(try await repeated.code == 200)
  }

  // MARK: Cookies

  @Test func cookiesOfAnAttemptAreSentWithTheNext() async throws {
    session.on(.get, url, times: 1, .status(503, headers: [.setCookie: "node=b"]))
    session.on(.get, url, times: 1, .status(502, headers: [.setCookie: "node=c", .setCookie: "more=1"]))
    session.on(.get, url, .status(200))
    var configuration = configuration
    configuration.cookies = jar
    jar.set(HTTP.Cookie(name: "old", value: "0", domain: "a.example"))
    try await send(with: gateway(configuration), headers: [.cookie: "own=1"])
    #expect(sent(.cookie) == ["own=1; old=0", "own=1; old=0; node=b", "own=1; old=0; node=c; more=1"])
  }

  /// With a cache and sharing, which compare the field that the request has outside the retries.
  @Test func cookiesOfAnAttemptAreSentWithTheNextInsideACache() async throws {
    session.on(.get, url, times: 1, .status(503, headers: [.setCookie: "node=b"]))
    session.on(.get, url, times: 1, .status(502, headers: [.setCookie: "node=b; Max-Age=0"]))
    session.on(.get, url, .status(200))
    var configuration = configuration
    configuration.cookies = jar
    configuration.cache = MemoryCacheStorage()
    configuration.sharesIdenticalRequests = true
    try await send(with: gateway(configuration), headers: [.cookie: "own=1"])
    #expect(sent(.cookie) == ["own=1", "own=1; node=b", "own=1"])
  }

  @Test func cookiesOfAResponseThatTheCacheReplacesAreStored() async throws {
    session.on(
      .get, url, times: 1, .status(200, headers: [.cacheControl: "max-age=0, stale-if-error=100", .eTag: "\"1\""]))
    session.on(.get, url, .status(500, headers: [.setCookie: "node=b"]))
    var configuration = configuration
    configuration.retries = nil
    configuration.cookies = jar
    configuration.cache = MemoryCacheStorage()
    for _ in 0..<2 { try await send(with: gateway(configuration)) }
    #expect(jar.cookies(for: url).map(\.pair) == ["node=b"])
    #expect(session.requests.count == 2)
  }

  @Test func k1_cookiesOfTheJarArePartOfTheVariant() async throws {
    session.on(.get, url, .status(200, headers: [.cacheControl: "max-age=100", .vary: "Cookie"]))
    var configuration = configuration
    configuration.cookies = jar
    configuration.cache = MemoryCacheStorage()
    let gateway = gateway(configuration)
    for value in ["a", "a", "b"] {
      jar.set(HTTP.Cookie(name: "user", value: value, domain: "a.example"))
      try await send(with: gateway)
    }
    #expect(sent(.cookie) == ["user=a", "user=b"])
  }

  // MARK: Digest

  private let challenge: HTTP.Headers = [.wwwAuthenticate: "Digest realm=x, nonce=n, qop=auth, algorithm=SHA-256"]

  @Test func a3_theNonceCountIncreasesPerAttempt() async throws {
    session.on(.get, url, times: 1, .status(401, headers: challenge))
    session.on(.get, url, times: 2, .status(503))
    session.on(.get, url, .status(200))
    let gateway = gateway(try withDigest(configuration))
    let response = try await send(with: gateway)
    #expect(counts == ["- -", "n 00000001", "n 00000002", "n 00000003"])
    #expect(response.request.headers[.authorization]?.rawValue.contains("nc=00000003") == true)
    try await send(with: gateway)
    #expect(counts.last == "n 00000004")
  }

  /// A body that is part of the proof is hashed for each attempt.
  @Test func a3_theBodyIsHashedForEachAttempt() async throws {
    session.on(
      .put, url, times: 1, .status(401, headers: [.wwwAuthenticate: "Digest realm=x, nonce=n, qop=auth-int"]))
    session.on(.put, url, times: 1, .status(503))
    session.on(.put, url, .status(200))
    try await send(with: gateway(try withDigest(configuration)), method: .put, body: HTTP.Body("text"))
    #expect(counts == ["- -", "n 00000001", "n 00000002"])
    #expect(sent(.authorization).dropFirst().allSatisfy { $0.contains("qop=auth-int") })
  }

  @Test func a3_aStaleNonceIsReplacedAfterARetry() async throws {
    session.on(.get, url, times: 1, .status(401, headers: challenge))
    session.on(.get, url, times: 1, .status(503))
    session.on(
      .get, url, times: 1, .status(401, headers: [.wwwAuthenticate: "Digest realm=x, nonce=m, qop=auth, stale=true"]))
    session.on(.get, url, .status(200))
    try await send(with: gateway(try withDigest(configuration)))
    #expect(counts == ["- -", "n 00000001", "n 00000002", "m 00000001"])
  }

  /// The field that the cache compares does not change with the count.
  @Test func k10_responsesToDigestRequestsAreFoundInTheCache() async throws {
    session.on(.get, url, times: 1, .status(401, headers: challenge))
    session.on(.get, url, .status(200, headers: [.cacheControl: "max-age=100", .vary: "Authorization"]))
    var configuration = try withDigest(configuration)
    configuration.cache = MemoryCacheStorage()
    let gateway = gateway(configuration)
    for _ in 0..<3 { try await send(with: gateway) }
    #expect(counts == ["- -", "n 00000001"])
  }
}
