import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct ClientConfigurationTests {
  private let session = StubSession { Issue.record($0) }
  private let url: URL
  private let clock = TestClock()

  init() throws {
    url = try #require(URL(string: "https://api.example.com"))
  }

  /// Returns a configuration that sets every part and uses `clock` for its delays.
  private func everything() throws -> ClientConfiguration {
    var configuration = ClientConfiguration.standard
    configuration.clock = clock
    configuration.interceptors = [(Marking("attempt"), at: .attempt), (Marking("call"), at: .call)]
    configuration.rateLimit = RateLimiter()
    configuration.circuitBreaker = CircuitBreaker()
    configuration.sharesIdenticalRequests = true
    configuration.cache = MemoryCacheStorage()
    configuration.cookies = CookieJar(publicSuffixes: .singleLabels)
    configuration.authentication = [.credential(try .basic(username: "ada", password: "secret"))]
    configuration.observers = [ExchangeObserver { _ in }]
    configuration.logging = RequestLog { _ in }
    return configuration
  }

  @Test func partsActInAFixedOrder() throws {
    let ordered = try everything().orderedInterceptors(for: HTTP.Origin(url))
    #expect(
      ordered.map { "\(type(of: $0))" } == [
        "PartInterceptor<ExchangeObserver>", "PartInterceptor<ExchangeObserver>", "Marking", "RedirectInterceptor",
        "AuthenticationInterceptor", "CookieSelection", "SharingInterceptor", "CacheInterceptor", "RetryInterceptor",
        "ProofInterceptor", "CookieInterceptor", "PartInterceptor<CircuitBreaker>", "PartInterceptor<RateLimiter>",
        "Marking",
      ])
    #expect(ordered.compactMap { ($0 as? Marking)?.name } == ["call", "attempt"])
  }

  /// `observers` is the only way to use an observer.
  @Test func anObserverIsNotAnInterceptor() {
    let observer: any Sendable = ExchangeObserver { _ in }
    #expect(!(observer is any Interceptor))
  }

  @Test func handlersThatWereSetCanBeRead() {
    let calls = Mutex<[String]>([])
    var configuration = ClientConfiguration.bare
    #expect(configuration.eventHandler == nil && configuration.progressHandler == nil)
    configuration.eventHandler = { event in calls.withLock { $0.append("\(event)") } }
    configuration.progressHandler = { progress in calls.withLock { $0.append("\(progress.byteCount)") } }
    configuration.eventHandler?(.authenticating(scheme: "Basic"))
    configuration.progressHandler?(TransferProgress(direction: .received, byteCount: 3, totalByteCount: nil))
    #expect(calls.withLock { $0 } == ["authenticating(scheme: \"Basic\")", "3"])
  }

  @Test func theStandardConfigurationFollowsRedirectsAndRetries() async throws {
    session.on(.get, url.appending(path: "a"), times: 1, .status(503))
    session.on(.get, url.appending(path: "a"), .status(302, headers: [.location: "/b"]))
    session.on(.get, url.appending(path: "b"), .json("3"))
    var configuration = ClientConfiguration.standard
    configuration.clock = clock
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    let call = Task { try await gateway.get("a", as: Decoded<Int>.self) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    let exchange = try await call.value
    #expect(exchange.value == 3)
    #expect(exchange.response.history.redirections.count == 1)
    #expect(session.requests.count == 3)
  }

  @Test func theStandardConfigurationIsTheDefault() async throws {
    session.on(.get, url.appending(path: "a"), .status(302, headers: [.location: "/b"]))
    session.on(.get, url.appending(path: "b"), .json("3"))
    #expect(try await Gateway(baseURL: url, session: session).get("a", as: Int.self) == 3)
    let backend = BackendService(session: session)
    #expect(try await backend.execute(Request<Int, APIError>(url: url.appending(path: "a"))) == 3)
  }

  @Test(arguments: [
    ("app://callback?code=42", "its target has the scheme app"),
    ("http://api.example.com/b", "it redirects from https to http"),
  ])
  func anUnsafeRedirectIsReturned(location: String, reason: String) async throws {
    let headers: HTTP.Headers = [.location: HTTP.HeaderValue(rawValue: location)]
    session.on(.get, url.appending(path: "a"), .status(302, headers: headers))
    do throws(TransportFailure) {
      try await Gateway(baseURL: url, session: session).failing(as: TransportFailure.self).request("a").send()
      Issue.record("succeeded")
    } catch {
      #expect(error.error.code == .redirection)
      #expect(error.error.reason == "not followed: \(reason)")
      #expect("\(error)" == "GET https://api.example.com/a → 302 Found, not followed: \(reason)")
      #expect(error.report.reason == "not followed: \(reason)")
      #expect(error.response?.headers[.location]?.rawValue == location)
    }
  }

  @Test(arguments: [302, 503]) func theBareConfigurationSendsOnce(status: Int) async throws {
    session.on(.get, url.appending(path: "a"), .status(HTTP.Status(code: status), headers: [.location: "/b"]))
    let gateway = Gateway(baseURL: url, session: session, configuration: .bare).failing(as: TransportFailure.self)
    do throws(TransportFailure) {
      try await gateway.request("a").send()
    } catch {
      #expect(error.response?.code == status)
    }
    #expect(session.requests.count == 1)
  }

  @Test func aPostIsNotRetried() async throws {
    session.on(.post, url.appending(path: "a"), .status(503))
    let gateway = Gateway(baseURL: url, session: session)
    await #expect(throws: AnyError.self) { try await gateway.post("a") }
    #expect(session.requests.count == 1)
  }

  @Test func interceptorsActAroundTheCallOrEachAttempt() async throws {
    session.on(.get, url.appending(path: "a"), times: 1, .status(503))
    session.on(.get, url.appending(path: "a"), .json("3"))
    let (call, attempt) = (Marking("call"), Marking("attempt"))
    var configuration = ClientConfiguration.standard
    configuration.clock = clock
    configuration.interceptors = [(attempt, at: .attempt), (call, at: .call)]
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    let value = Task { try await gateway.get("a", as: Int.self) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    #expect(try await value.value == 3)
    #expect(call.count == 1 && attempt.count == 2)
  }

  @Test func aCredentialIsSentOnlyToTheGatewaysServer() async throws {
    session.on(.get, url.appending(path: "a"), .status(302, headers: [.location: "https://other.example/b"]))
    session.on(.get, try #require(URL(string: "https://other.example/b")), .json("3"))
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.credential(try .basic(username: "ada", password: "secret"))]
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    _ = try await gateway.get("a", as: Int.self)
    #expect(session.requests.map { $0.headers.contains(.authorization) } == [true, false])
    // Without a base URL, no server is known to receive the credentials.
    _ = try await BackendService(session: session, configuration: configuration)
      .execute(Request<Int, APIError>(url: url.appending(path: "a")))
    #expect(session.requests.dropFirst(2).allSatisfy { !$0.headers.contains(.authorization) })
  }

  @Test func aBackendsCredentialIsSentToEachGatewaysServer() async throws {
    session.on("any", where: { _ in true }) { _ in .json("3") }
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.credential(try .basic(username: "ada", password: "secret"))]
    let backend = BackendService(session: session, configuration: configuration)
    var gateway = Gateway(baseURL: url, backend: backend)
    _ = try await gateway.get("a", as: Int.self)
    gateway.baseURL = try #require(URL(string: "https://moved.example"))
    _ = try await gateway.get("a", as: Int.self)
    let elsewhere = try #require(URL(string: "https://other.example/a"))
    _ = try await gateway.execute(Request<Int, APIError>(url: elsewhere))
    #expect(session.requests.map { $0.headers.contains(.authorization) } == [true, true, false])
  }

  @Test func aRejectedTokenIsRefreshedOnce() async throws {
    session.on("stale", where: { $0.headers[.authorization] != "Bearer fresh" }) { _ in .status(401) }
    session.on("fresh", where: { $0.headers[.authorization] == "Bearer fresh" }) { _ in .json("3") }
    let renewals = Mutex(0)
    let refresher = TokenRefresher(token: .init("stale")) { _ in
      renewals.withLock { $0 += 1 }
      return .init("fresh")
    }
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.bearer(refresher)]
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await gateway.get("a", as: Int.self) } }
      for try await value in group { #expect(value == 3) }
    }
    #expect(renewals.withLock { $0 } == 1)
  }

  @Test func aConfiguredGatewayKeepsItsSessionItsSettingsAndWhatItsConfigurationShares() async throws {
    session.on("any", where: { _ in true }) { _ in
      .status(200, headers: [.contentType: .applicationJSON, .setCookie: "a=1"], body: Data("3".utf8))
    }
    var configuration = ClientConfiguration.standard
    configuration.cookies = CookieJar(publicSuffixes: .singleLabels)
    configuration.headers = ["X-Client": "one"]
    var gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    gateway.headers = ["X-Gateway": "one"]
    let credential = try Credential.basic(username: "ada", password: "secret")
    let derived = gateway.configured {
      $0.authentication = [.credential(credential)]
      $0.headers = ["X-Client": "two"]
    }
    _ = try await gateway.get("a", as: Int.self)
    #expect(try await derived.failing(as: APIError.self).get("a", as: Int.self) == 3)
    let fields = session.requests.map { $0.headers }
    #expect(fields.map { $0["X-Client"] } == ["one", "two"])
    #expect(fields.map { $0["X-Gateway"] } == ["one", "one"])
    #expect(fields.map { $0.contains(.authorization) } == [false, true])
    #expect(fields.map { $0[.cookie] } == [nil, "a=1"])
  }

  @Test func aConfiguredGatewayKeepsTheInterceptorsOfItsService() async throws {
    session.on("any", where: { _ in true }) { _ in .json("3") }
    let (inner, outer) = (Marking("inner"), Marking("outer"))
    let backend = BackendService(transportService: TransportService(session: session, interceptors: [inner]))
    let gateway = Gateway(baseURL: url, backend: backend).configured { $0.interceptors = [(outer, at: .attempt)] }
    _ = try await gateway.get("a", as: Int.self)
    #expect((inner.count, outer.count) == (1, 1))
  }

  @Test func aConfiguredGatewayChangesNothingOfTheOriginal() async throws {
    session.on("any", where: { _ in true }, times: 1) { _ in .status(503) }
    session.on("any", where: { _ in true }) { _ in .json("3") }
    let gateway = Gateway(baseURL: url, session: session)
    let patient = gateway.configured { $0.timeout = .seconds(7) }
    let impatient = gateway.configured { $0.retries = nil }
    await #expect(throws: AnyError.self) { try await impatient.get("a", as: Int.self) }
    #expect(try await patient.get("a", as: Int.self) == 3)
    #expect(gateway.timeout == nil && patient.timeout == nil)
  }

  @Test func aClosureIsCalledWithAFailureOfTheGatewaysType() async throws {
    session.on(.get, url.appending(path: "a"), times: 1, .status(404))
    session.on(.get, url.appending(path: "a"), .json("3"))
    let gateway = Gateway(baseURL: url, session: session).failing(as: Opaque.self).recovering { failure, request in
      failure == .failed ? request : nil
    }
    #expect(try await gateway.get("a", as: Int.self) == 3)
  }
}

/// An interceptor that counts requests.
final class Marking: Interceptor {
  let name: String
  private let passed = Atomic(0)

  init(_ name: String) { self.name = name }

  var count: Int { passed.load(ordering: .relaxed) }

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    passed.wrappingAdd(1, ordering: .relaxed)
    return try await next.send(request, options: options)
  }
}

private enum Opaque: DecodingFailureRepresentable {
  case failed

  init(transportFailure: TransportFailure) { self = .failed }
  init(decodingFailure: DecodingFailure) { self = .failed }
}
