import Anvil
import AnvilCurl
import AnvilObservability
import AnvilSQLite
import AnvilSQLiteCache
import AnvilSync
import Foundation

/// A client with all optional features, over a separate session.
final class SoakClient: Sendable {
  let gateway: Gateway
  let managed: ManagedGateway
  private let session: CurlSession
  private let cache: SQLiteCacheStorage
  private let recorder: HARRecorder
  private let exporter: OTLPExporter
  private let spans: URL
  private let secrets: Secrets
  private let findings: Findings

  init(
    server: SoakServer, store: Store, folder: URL, secrets: Secrets, findings: Findings
  ) async throws {
    self.secrets = secrets
    self.findings = findings
    var configuration = CurlSession.Configuration()
    configuration.connections.perHost = 24
    configuration.connections.idle = 12
    configuration.connections.idleLifetime = .seconds(5)
    configuration.resolveOverrides = [server.strangerOverride]
    configuration.timeouts.firstByte = .seconds(8)
    let session = CurlSession(configuration: configuration)
    self.session = session
    cache = try await SQLiteCacheStorage(path: folder.appending(path: "cache.db").path(), sizeLimit: 1 << 20)
    let recorder = HARRecorder(exchangeLimit: 300, sizeLimit: 2 << 20)
    self.recorder = recorder
    spans = folder.appending(path: "spans.jsonl")
    let exporter = OTLPExporter(to: .file(spans), service: "soak")
    self.exporter = exporter

    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .milliseconds(20), delayLimit: .milliseconds(400))
    policy.retryAfterLimit = .seconds(2)
    let logging = RequestLog(details: .heads) { entry in
      secrets.search("\(entry) \(entry.metadata)", in: "a log line")
    }
    let commands = CurlCommands(secrets: secrets)
    let retries = RetryInterceptor(policy: policy)
    let breaker = CircuitBreaker(failureLimit: 6, pause: .milliseconds(500))
    let limiter = RateLimiter(requests: 200, per: .seconds(1), concurrencyLimit: 20, pauseLimit: .seconds(2))

    var tokens = Gateway(
      baseURL: server.url,
      backend: BackendService(
        transportService: TransportService(
          session: session,
          interceptors: [logging.interceptor, exporter, retries, breaker.interceptor, recorder, commands])))
    tokens.timeout = .seconds(5)
    let password = secrets.secret("password")
    let refresher = TokenRefresher { [tokens] _ in
      var request = tokens.request("token", method: .post)
      request.body = .urlForm(["grant_type": "password", "username": "soak", "password": password])
      request.idempotency = .idempotent
      let answer = try await request.execute().decode(as: TokenAnswer.self).value
      return TokenRefresher.Token(answer.token, expiry: answer.lifetime.map { Date(timeIntervalSinceNow: $0) })
    }
    let origins = Set([HTTP.Origin(server.url)].compactMap(\.self))
    let interceptors: [any Interceptor] = [
      logging.interceptor, RedirectInterceptor(), BearerAuthentication(refresher, origins: origins),
      CacheInterceptor(storage: cache), retries, CookieInterceptor(jar: CookieJar()), breaker.interceptor,
      limiter.interceptor, logging.interceptor, TracingInterceptor(), exporter, recorder, commands,
    ]
    var gateway = Gateway(
      baseURL: server.url,
      backend: BackendService(transportService: TransportService(session: session, interceptors: interceptors)))
    gateway.timeout = .seconds(6)
    gateway.deadline = .seconds(25)
    gateway.sensitiveHeaders = ["X-Api-Key"]
    self.gateway = gateway
    managed = ManagedGateway(gateway, context: store)
  }

  /// Searches the recorded texts for secrets. The client must be closed, so that they are complete.
  func searchRecords() {
    search("the spans") {
      defer { try? FileManager.default.removeItem(at: spans) }
      return try String(contentsOf: spans, encoding: .utf8)
    }
    search("the HTTP archive") { String(decoding: try recorder.archive(), as: UTF8.self) }
  }

  /// Searches the text that `read` returns. It must not be empty.
  private func search(_ name: String, _ read: () throws -> String) {
    do {
      let text = try read()
      findings.expect(!text.isEmpty, "\(name) is empty")
      secrets.search(text, in: name)
    } catch {
      findings.add("\(name) cannot be read: \(error)")
    }
  }

  /// Ends the session and releases the cache.
  func close() async {
    await exporter.close()
    await session.shutDown(.cancellingTransfers)
    await cache.close()
  }
}

/// Searches the curl command of each sent request for secrets.
private struct CurlCommands: Interceptor {
  let secrets: Secrets

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    // A request does not contain its policy.
    redaction.hiddenHeaders.insert("X-Api-Key")
    secrets.search(request.curlCommand(redaction: redaction), in: "a curl command")
    return try await next.send(request, options: options)
  }
}
