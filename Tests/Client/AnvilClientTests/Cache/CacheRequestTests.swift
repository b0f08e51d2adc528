import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The cache directives of requests, and the cache policies of their options.
@Suite(.timeLimit(.minutes(15)))
struct CacheRequestTests {
  /// Returns the outcome of a second request, `age` seconds after the first.
  private func second(
    _ request: HTTP.Headers, response: HTTP.Headers = [.cacheControl: "max-age=100"], age: Double = 10,
    policy: CachePolicy = .standard
  ) async throws -> (outcome: HTTP.History.CacheOutcome?, status: Int) {
    let service = try CachedService()
    service.serve(response)
    _ = try await service.send()
    service.time.advance(by: age)
    let answer = try await service.send(.get, request, options: TransportOptions(cachePolicy: policy))
    return (answer.outcome, answer.head.code)
  }

  @Test(
    arguments: [
      ("no-cache", 10, .miss), ("No-Cache", 10, .miss), ("no-store", 10, nil), ("foo", 10, .hit),
      ("max-age=0", 10, .miss), ("max-age=10", 10, .miss), ("max-age=11", 10, .hit), ("max-age=1000", 110, .miss),
      ("max-age=x", 10, .miss), ("max-age", 10, .miss),
      ("min-fresh=90", 10, .hit), ("min-fresh=91", 10, .miss), ("min-fresh=x", 10, .miss), ("min-fresh=0", 100, .miss),
      ("max-stale", 1000, .stale), ("max-stale=10", 110, .stale), ("max-stale=9", 110, .miss),
      ("max-stale=x", 110, .miss), ("max-stale = 10", 110, .miss), ("max-stale=10", 10, .hit),
      ("max-age=5, max-stale=5", 10, .hit),
      ("max-age=5, max-stale=4", 10, .miss), ("max-stale, no-cache", 10, .miss),
    ] as [(String, Double, HTTP.History.CacheOutcome?)])
  func k5_directivesOfTheRequestAreFollowed(
    cacheControl: String, age: Double, outcome: HTTP.History.CacheOutcome?
  ) async throws {
    #expect(try await second([.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)], age: age).outcome == outcome)
  }

  /// Each case consists of the directives of the request and of the response, the response's age, and the outcome.
  @Test(
    arguments: [
      ("max-age=600", "max-age=3600", "1800", .miss), ("max-age=2000", "max-age=3600", "1800", .hit),
      ("max-stale=1000", "max-age=1500", "2000", .stale), ("max-stale=400", "max-age=1500", "2000", .miss),
      ("min-fresh=1000", "max-age=1500", "1000", .miss), ("min-fresh=500", "max-age=1500", "1000", .hit),
    ] as [(HTTP.HeaderValue, HTTP.HeaderValue, HTTP.HeaderValue, HTTP.History.CacheOutcome)])
  func k5_directivesOfTheRequestApplyToTheAgeField(
    request: HTTP.HeaderValue, response: HTTP.HeaderValue, age: HTTP.HeaderValue, outcome: HTTP.History.CacheOutcome
  ) async throws {
    let stored: HTTP.Headers = [.cacheControl: response, .age: age]
    #expect(try await second([.cacheControl: request], response: stored, age: 0).outcome == outcome)
  }

  @Test(
    arguments: [
      (.eTag, .ifNoneMatch, "\"a\""), (.lastModified, .ifModifiedSince, TestTime.httpDate(-10_000)),
    ] as [(HTTP.HeaderKey, HTTP.HeaderKey, HTTP.HeaderValue)])
  func k5_noCacheValidatesAFreshEntry(
    validator: HTTP.HeaderKey, condition: HTTP.HeaderKey, value: HTTP.HeaderValue
  ) async throws {
    let service = try CachedService()
    service.answer(200, [.cacheControl: "max-age=100", validator: value], "first")
    service.answer(304)
    _ = try await service.send()
    let answer = try await service.send(.get, [.cacheControl: "no-cache"])
    #expect(answer.outcome == .revalidated && answer.body == "first")
    #expect(service.session.requests.last?.headers[condition] == value)
  }

  @Test func k5_immutableDoesNotPreventARequestedValidation() async throws {
    let response: HTTP.Headers = [.cacheControl: "max-age=100, immutable"]
    #expect(try await second([:], response: response).outcome == .hit)
    #expect(try await second([.cacheControl: "max-age=0"], response: response).outcome == .miss)
    #expect(try await second([:], response: response, policy: .noCache).outcome == .miss)
  }

  @Test(arguments: [
    ("only-if-cached", 10, 200), ("only-if-cached", 110, 504), ("only-if-cached, max-stale", 110, 200),
    ("only-if-cached, no-cache", 10, 504), ("only-if-cached, max-age=5", 10, 504),
  ])
  func k5_onlyIfCachedReturnsAStoredResponseOr504(cacheControl: String, age: Double, status: Int) async throws {
    let answer = try await second([.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)], age: age)
    #expect(answer.status == status)
  }

  @Test func k5_onlyIfCachedSendsNoRequest() async throws {
    let service = try CachedService()
    let answer = try await service.send(.get, [.cacheControl: "only-if-cached"])
    #expect(answer.head.code == 504)
    #expect(answer.body == "")
    #expect(answer.outcome == nil)
    #expect(try await service.send(.head, [.cacheControl: "only-if-cached"]).head.code == 504)
    #expect(service.requestCount == 0)
  }

  @Test func k5_pragmaAppliesWithoutCacheControl() async throws {
    #expect(try await second([.pragma: "no-cache"]).outcome == .miss)
    #expect(try await second([.pragma: "foo, No-Cache"]).outcome == .miss)
    #expect(try await second([.pragma: "foo"]).outcome == .hit)
    #expect(try await second([.pragma: "no-cache", .cacheControl: "max-age=50"]).outcome == .hit)
    #expect(try await second([:], response: [.cacheControl: "max-age=100", .pragma: "no-cache"]).outcome == .hit)
    #expect(try await second([:], response: [.cacheControl: "max-age=100", .pragma: "foo"]).outcome == .hit)
    let heuristic: HTTP.Headers = [.lastModified: TestTime.httpDate(-10_000), .pragma: "no-cache"]
    #expect(try await second([:], response: heuristic).outcome == .hit)
  }

  @Test(
    arguments: [
      (.standard, 10, .hit, 200), (.standard, 110, .miss, 200),
      (.reload, 10, .miss, 200), (.reloadEndToEnd, 10, .miss, 200),
      (.maxStale, 10, .hit, 200), (.maxStale, 1000, .stale, 200),
      (.onlyIfCached, 10, .hit, 200), (.onlyIfCached, 1000, .stale, 200),
      (.noCache, 10, .miss, 200),
    ] as [(CachePolicy, Double, HTTP.History.CacheOutcome?, Int)])
  func k5_policiesAreFollowed(
    policy: CachePolicy, age: Double, outcome: HTTP.History.CacheOutcome?, status: Int
  ) async throws {
    let answer = try await second([:], age: age, policy: policy)
    #expect(answer.outcome == outcome)
    #expect(answer.status == status)
  }

  @Test func k5_aPolicyThatForbidsLoadingSendsNoRequest() async throws {
    let service = try CachedService()
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
    #expect(service.requestCount == 0)
  }

  @Test func k5_aReloadedResponseIsStored() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100"])
    _ = try await service.send()
    _ = try await service.send(options: TransportOptions(cachePolicy: .reload))
    #expect(try await service.send().body == "2")
  }

  @Test func k5_noCacheIsSentIfThePolicyBypassesRemoteCaches() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100"])
    _ = try await service.send(options: TransportOptions(cachePolicy: .reloadEndToEnd))
    _ = try await service.send(options: TransportOptions(cachePolicy: .reload))
    #expect(service.session.requests.map { $0.headers[.cacheControl] } == ["no-cache", nil])
  }

  @Test func k5_aRevalidatingPolicyValidatesAFreshEntry() async throws {
    let service = try CachedService()
    service.answer(200, [.cacheControl: "max-age=100", .eTag: "\"a\""], "first")
    service.answer(304)
    _ = try await service.send()
    let options = TransportOptions(cachePolicy: .noCache)
    let answer = try await service.send(options: options)
    #expect(answer.outcome == .revalidated)
    #expect(answer.body == "first")
    #expect(service.session.requests.last?.headers[.ifNoneMatch] == "\"a\"")
  }

  @Test(arguments: [
    "no-cache", "no-cache, max-age=100", "No-Cache", "no-cache=\"X-A\"", "no-cache, max-age=1000",
    "max-age=100, No-CaChE", "no-cache=\"X-A, X-B\", max-age=100",
  ])
  func k6_noCacheAlwaysRevalidates(cacheControl: String) async throws {
    for policy: CachePolicy in [.standard, .maxStale] {
      let response: HTTP.Headers = [.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)]
      #expect(try await second([:], response: response, age: 0, policy: policy).outcome == .miss)
      #expect(
        try await second([.cacheControl: "max-stale"], response: response, age: 0, policy: policy).outcome == .miss)
    }
  }

  @Test(arguments: [
    "max-age=100, must-revalidate", "max-age=100, Must-Revalidate",
    "must-revalidate, max-age=100, stale-while-revalidate=1000",
  ])
  func k6_mustRevalidatePreventsStaleResponses(cacheControl: String) async throws {
    let response: HTTP.Headers = [.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)]
    #expect(try await second([:], response: response, age: 99).outcome == .hit)
    // The response is stale from the end of its lifetime.
    for age in [100.0, 110] {
      #expect(try await second([:], response: response, age: age).outcome == .miss)
      #expect(try await second([.cacheControl: "max-stale"], response: response, age: age).outcome == .miss)
      #expect(
        try await second([:], response: response, age: age, policy: .maxStale).outcome == .miss)
      #expect(
        try await second([:], response: response, age: age, policy: .onlyIfCached).status == 504)
    }
  }

  @Test(arguments: [(9, .hit), (10, .stale), (30, .stale), (31, .miss)] as [(Double, HTTP.History.CacheOutcome)])
  func k8_staleWhileRevalidateIncludesItsLastSecond(age: Double, outcome: HTTP.History.CacheOutcome) async throws {
    let response: HTTP.Headers = [.cacheControl: "max-age=10, stale-while-revalidate=20"]
    #expect(try await second([:], response: response, age: age).outcome == outcome)
  }

  @Test func k6_proxyRevalidateDoesNotApplyToAPrivateCache() async throws {
    let response: HTTP.Headers = [.cacheControl: "max-age=100, proxy-revalidate"]
    #expect(try await second([.cacheControl: "max-stale"], response: response, age: 110).outcome == .stale)
  }

  @Test func theEventReportsTheOutcome() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100"])
    let outcomes = Mutex<[HTTP.History.CacheOutcome]>([])
    let options = TransportOptions(eventHandler: { event in
      if case .cached(let outcome) = event { outcomes.withLock { $0.append(outcome) } }
    })
    _ = try await service.send(options: options)
    _ = try await service.send(options: options)
    _ = try await service.send(.get, [.cacheControl: "no-store"], options: options)
    #expect(outcomes.withLock { $0 } == [.miss, .hit])
  }

  @Test func theSessionsCacheIsBypassed() async throws {
    let service = try CachedService()
    let session = PolicyRecorder()
    for policy: CachePolicy in [
      .standard, .maxStale, .reloadEndToEnd,
    ] {
      _ = try await service.cache.intercept(
        HTTP.Request(url: service.url), options: TransportOptions(cachePolicy: policy), next: session)
    }
    #expect(
      session.policies.withLock { $0 } == [
        .reload, .reload, .reloadEndToEnd,
      ])
  }
}

private final class PolicyRecorder: TransportSession {
  let policies = Mutex<[CachePolicy]>([])

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    policies.withLock { $0.append(options.cachePolicy ?? .standard) }
    let head = HTTP.Response(request: request, status: 200, headers: [.cacheControl: "no-store"])
    return TransportResponse(head, body: Data())
  }
}
