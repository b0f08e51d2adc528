import Anvil
import AnvilObservability
import AnvilSQLite
import AnvilSQLiteCache
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct BehaviourSamples {
  struct Repo: Codable, Sendable { var name: String }

  let server: LoopbackServer
  let baseURL: URL
  let origin: HTTP.Origin

  init() throws {
    server = try LoopbackServer()
    baseURL = server.url
    origin = try #require(HTTP.Origin(server.url))
    server.on(.get, "/users/:id") { request in
      request.headers[.authorization] == "Bearer stale"
        ? .status(401, headers: [.wwwAuthenticate: "Bearer"]) : .json(#"{"id": 1, "login": "ada"}"#)
    }
    server.on(.get, "/repos") { request in
      guard request.query.isEmpty else { return .json(#"[{"name": "c"}]"#) }
      return .status(
        200, headers: [.link: "</repos?page=2>; rel=next"], body: Data(#"[{"name": "a"}, {"name": "b"}]"#.utf8))
    }
    server.on(.post, "/payments") { .text($0.headers[.idempotencyKey]?.rawValue ?? "") }
  }

  @Test func configuredFeaturesWorkTogether() async throws {
    let credential = try Credential.password(username: "ada", password: "secret")
    let jar = CookieJar()
    // sample: order
    var configuration = ClientConfiguration.standard  // redirects, retries, limits
    configuration.authentication = [.credential(credential)]
    configuration.cookies = jar
    configuration.cache = MemoryCacheStorage()
    configuration.circuitBreaker = CircuitBreaker()
    configuration.rateLimit = RateLimiter(requests: 20, concurrencyLimit: 8)
    configuration.logging = RequestLog { entry in print(entry) }
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    // end sample
    // sample: decide
    configuration.retries?.methods.insert(.post)  // this API recognizes repeated requests
    configuration.retries?.decide = { attempt in
      // A job that has just been created may not be visible yet.
      attempt.response?.status == .notFound ? .retry(after: .milliseconds(200)) : .byPolicy
    }
    // end sample
    let request = HTTP.Request(method: .post, url: baseURL)
    let missing = RetryPolicy.Attempt(request: request, response: HTTP.Response(request: request, status: 404))
    #expect(configuration.retries?.decide?(missing) == .retry(after: .milliseconds(200)))
    // sample: history
    let response = try await gateway.request("users", 1).execute().value
    print(response.history.redirections.map(\.url), response.history.attempts.count)  // those that failed
    print(response.history.cacheOutcome == .hit ? "from the cache" : "from the server")
    // end sample
    #expect(response.history.cacheOutcome == .miss)
    #expect(try response.body.decode(as: User.self).login == "ada")
  }

  @Test func requestPolicyIsApplied() async throws {
    let gateway = Gateway(baseURL: baseURL)
    // sample: policy
    var request = gateway.request("payments", method: .post)
    request.idempotency = .keyed  // all attempts have the same Idempotency-Key, so POST can be retried
    request.deadline = .seconds(5)  // for attempts, waits, redirects and the body together
    request.redirects = .manual
    request.crossOriginHeaders = ["X-Client"]  // is kept after a redirect to another server
    request.timeout = .seconds(2)  // for one attempt
    // end sample
    request.deadline = .seconds(240)
    request.timeout = .seconds(240)
    #expect(try await request.execute().value.body.string?.isEmpty == false)
  }

  @Test func tokensAreRefreshed() async throws {
    let saved = "stale"
    @Sendable func renew(_ old: TokenRefresher.Token?) async throws -> TokenRefresher.Token { .init("fresh") }
    // sample: token
    let refresher = TokenRefresher(token: .init(saved)) { old in try await renew(old) }
    var configuration = ClientConfiguration.standard
    configuration.authentication = [.bearer(refresher)]  // only for the server of the gateway
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    // end sample
    #expect(try await gateway.request("users", 1).execute().value.code == 200)
    #expect(server.requests.count == 2)
  }

  @Test func responsesAreCachedInAFile() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID()).db").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    // sample: cache
    var configuration = ClientConfiguration.standard
    configuration.cache = try await SQLiteCacheStorage(path: path, sizeLimit: 64 << 20)
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    // end sample
    #expect(try await gateway.request("users", 1).execute().value.history.cacheOutcome == .miss)
  }

  @Test func identicalRequestsShareAnExchange() async throws {
    // sample: sharing
    var configuration = ClientConfiguration.standard
    configuration.sharesIdenticalRequests = true
    // end sample
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    #expect(try await gateway.request("users", 1).execute().value.code == 200)
  }

  @Test func exchangesAreRecorded() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = HARRecorder()
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(recorder, at: .attempt)]
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    try await gateway.request("users", 1).send()
    try recorder.write(to: file)
    #expect(try JSON(parsing: Data(contentsOf: file))["log"]?["entries"]?.elements.count == 1)
    // sample: curl
    print(try gateway.request("users", 1).makeHTTPRequest().curlCommand())
    // end sample
  }

  @Test func exchangesAreExported() async throws {
    let collector = try LoopbackServer()
    collector.on(.post, "/v1/*") { _ in .json("{}") }
    let collectorURL = collector.url
    // sample: otlp
    let exporter = OTLPExporter(to: .collector(collectorURL), service: "shop")
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(TracingInterceptor(outside: .newTrace), at: .attempt), (exporter, at: .attempt)]
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    try await gateway.request("users", 1).send()
    await exporter.close()
    // end sample
    #expect(collector.requests.map(\.path) == ["/v1/traces", "/v1/metrics"])
    #expect(exporter.statistics.exportedSpanCount == 1)
  }

  @Test func pagedListsAreReadToTheEnd() async throws {
    let gateway = Gateway(baseURL: baseURL)
    // sample: pages
    let pages = gateway.request("repos").pages(of: [Repo].self, by: .linkHeader)
    for try await repo in pages.items().prefix(150) { print(repo.name) }
    // end sample
    // sample: position
    var items = pages.items().makeAsyncIterator()
    let first = try await items.next()
    guard let position = items.position else { return }
    let rest = gateway.request("repos").pages(of: [Repo].self, by: .linkHeader, from: position).items()
    // end sample
    #expect(first?.name == "a")
    var names: [String] = []
    for try await repo in rest { names.append(repo.name) }
    #expect(names == ["b", "c"])
  }
}
