import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The httpbin server that `scripts/with-httpbin` has started.
enum HTTPBin {
  static let url = ProcessInfo.processInfo.environment["ANVIL_HTTPBIN_URL"].flatMap(URL.init(string:))
}

/// Tests the client against an independent implementation of HTTP.
@Suite(.timeLimit(.minutes(15)), .enabled(if: HTTPBin.url != nil, "ANVIL_HTTPBIN_URL is not set: scripts/with-httpbin"))
struct HTTPBinTests {
  /// The response of `/anything` and similar paths.
  struct Echo: Codable, Sendable {
    var method: String?
    var url: String?
    var headers: [String: String]?
    var data: String?
    var args: [String: String]?
  }

  private let url: URL
  private let origin: HTTP.Origin

  init() throws {
    url = try #require(HTTPBin.url)
    origin = try #require(HTTP.Origin(url))
  }

  private func gateway(_ interceptors: [any Interceptor] = []) -> Gateway {
    let transport = TransportService(interceptors: interceptors)
    return Gateway(baseURL: url, backend: BackendService(transportService: transport))
  }

  /// The status of the response, of any class.
  private func status(_ request: GatewayRequest) async throws -> Int {
    do {
      return try await request.execute().value.code
    } catch let failure as TransportFailure {
      return try #require(failure.response).code
    }
  }

  /// Counts the requests that reach the session.
  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    var observer: ExchangeObserver {
      ExchangeObserver { [self] in if case .started = $0.kind { count.add(1, ordering: .relaxed) } }
    }
  }

  // MARK: Authentication

  /// httpbin computes with the decoded path, so the path must not need encoding.
  @Test(arguments: ["MD5", "SHA-256"]) func digestIsAnswered(algorithm: String) async throws {
    let credential = try Credential.password(username: "smith", password: "pw")
    let gateway = gateway([AuthenticationInterceptor(credentials: [origin: credential]), ProofInterceptor()])
    let request = gateway.request("digest-auth", "auth", "smith", "pw", algorithm)
    for _ in 0..<3 { #expect(try await status(request) == 200) }
  }

  @Test func anUnknownDigestAlgorithmIsNotAnswered() async throws {
    let count = Count()
    let credential = try Credential.digest(username: "smith", password: "pw")
    let gateway = gateway([
      AuthenticationInterceptor(credentials: [origin: credential]), ProofInterceptor(), count.observer.interceptor,
    ])
    #expect(try await status(gateway.request("digest-auth", "auth", "smith", "pw", "SHA-512")) == 401)
    #expect(count.value == 1)
  }

  @Test func aWrongPasswordIsSentOnce() async throws {
    let count = Count()
    let credential = try Credential.digest(username: "smith", password: "wrong")
    let gateway = gateway([
      AuthenticationInterceptor(credentials: [origin: credential]), ProofInterceptor(), count.observer.interceptor,
    ])
    #expect(try await status(gateway.request("digest-auth", "auth", "smith", "pw", "MD5")) == 401)
    #expect(count.value == 2)
  }

  @Test func basicIsSentOnChallengeOrPreemptively() async throws {
    let credentials = [
      try Credential.password(username: "smith", password: "p: w"), try .basic(username: "smith", password: "p: w"),
    ]
    for credential in credentials {
      let gateway = gateway([AuthenticationInterceptor(credentials: [origin: credential]), ProofInterceptor()])
      #expect(try await status(gateway.request("basic-auth", "smith", "p: w")) == 200)
    }
    // This path sends no challenge, and responds with 404.
    let basic = try Credential.basic(username: "smith", password: "pw")
    let ahead = AuthenticationInterceptor(credentials: [origin: basic])
    #expect(try await status(gateway([ahead]).request("hidden-basic-auth", "smith", "pw")) == 200)
    #expect(try await status(gateway().request("hidden-basic-auth", "smith", "pw")) == 404)
  }

  @Test func aBearerTokenIsSent() async throws {
    let token = try Credential.bearer("t0ken")
    let gateway = gateway([AuthenticationInterceptor(credentials: [origin: token])])
    #expect(try await status(gateway.request("bearer")) == 200)
    #expect(try await status(self.gateway().request("bearer")) == 401)
  }

  // MARK: Cookies

  @Test func cookiesAreStoredDuringRedirectsAndSent() async throws {
    struct Cookies: Decodable, Sendable { var cookies: [String: String] }
    let jar = CookieJar()
    let gateway = gateway([RedirectInterceptor(), CookieInterceptor(jar: jar)])
    let set = gateway.request("cookies", "set", query: ["a": "1", "b": "2"])
    #expect(try await set.execute().decode(as: Cookies.self).value.cookies == ["a": "1", "b": "2"])
    let deleted = gateway.request("cookies", "delete", query: ["a": ""])
    #expect(try await deleted.execute().decode(as: Cookies.self).value.cookies == ["b": "2"])
    #expect(jar.cookies.map(\.name) == ["b"])
  }

  // MARK: Redirects

  @Test(arguments: [
    (HTTP.Method.get, 301, "GET", ""), (.get, 308, "GET", ""), (.post, 301, "GET", ""), (.post, 302, "GET", ""),
    (.post, 303, "GET", ""), (.post, 307, "POST", "body"), (.post, 308, "POST", "body"), (.put, 301, "PUT", "body"),
    (.put, 302, "PUT", "body"), (.put, 303, "GET", ""), (.put, 307, "PUT", "body"), (.delete, 302, "DELETE", ""),
  ])
  func redirectsKeepOrChangeTheMethod(method: HTTP.Method, status: Int, then: String, body: String) async throws {
    var request = gateway([RedirectInterceptor()])
      .request("redirect-to", method: method, query: ["url": "/anything?x=1", "status_code": "\(status)"])
    if method == .post || method == .put { request.body = HTTP.Body("body") }
    let response = try await request.execute().value
    let echo = try response.body.decode(as: Echo.self)
    #expect(echo.method == then && echo.data == body && echo.args == ["x": "1"])
    #expect(response.history.redirections.map(\.status.code) == [status])
  }

  @Test func chainsOfRedirectsAreFollowedUpToTheLimit() async throws {
    var request = gateway([RedirectInterceptor()]).request("absolute-redirect", 6)
    #expect(try await request.execute().value.history.redirections.count == 6)
    request.redirects = .follow(limit: 5)
    let failure = await #expect(throws: TransportFailure.self) { try await request.execute().value }
    #expect(failure?.error.code == .tooManyRedirects)
    #expect(try await status(gateway().request("relative-redirect", 1)) == 302)
  }

  // MARK: Bodies

  @Test(arguments: ["gzip", "deflate", "brotli"]) func compressedBodiesAreRead(coding: String) async throws {
    struct Compressed: Decodable, Sendable { var method: String }
    #expect(try await gateway().request("\(coding)").execute().decode(as: Compressed.self).value.method == "GET")
  }

  @Test func rangesReturnPartsOfTheBody() async throws {
    var request = gateway().request("range", 1024)
    let whole = try #require(try await request.execute().value.body.data)
    request.headers[.range] = "bytes=10-19"
    let part = try await request.execute().value
    #expect(part.code == 206 && part.body.data == whole[10..<20])
    request.headers[.range] = "bytes=2000-"
    #expect(try await status(request) == 416)
  }

  @Test func aDownloadIsStoredInAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "httpbin-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await gateway().request("range", 100_000).download(to: file)
    #expect(try Data(contentsOf: file).count == 100_000)
  }

  @Test func slowBodiesAreReadAsTheyArrive() async throws {
    let request = gateway().request("drip", query: ["duration": "0.2", "numbytes": "4", "delay": "0"])
    var count = 0
    for try await chunk in try await request.stream().body { count += chunk.count }
    #expect(count == 4)
  }

  @Test func jsonLinesAreReadAsTheyArrive() async throws {
    struct Line: Decodable, Sendable { var id: Int }
    var ids: [Int] = []
    let response = try await gateway().request("stream", 20).stream()
    for try await line in response.body.jsonLines(of: Line.self) { ids.append(line.id) }
    #expect(ids == Array(0..<20))
  }

  @Test func slowResponsesAreAwaitedUpToTheTimeout() async throws {
    var request = gateway().request("delay", 1)
    #expect(try await status(request) == 200)
    request = gateway().request("delay", 10)
    request.timeout = .seconds(0.3)
    let failure = await #expect(throws: TransportFailure.self) { try await request.execute().value }
    #expect(failure?.error.code == .timedOut && failure?.error.phase == .firstByte)
  }

  // MARK: Statuses, retries, cache

  @Test(arguments: [200, 204, 300, 304, 400, 404, 418, 429, 500, 503])
  func statusesAreReported(code: Int) async throws {
    #expect(try await status(gateway().request("status", code)) == code)
  }

  @Test func transientFailuresAreRetried() async throws {
    let count = Count()
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .milliseconds(1))
    let request = gateway([RetryInterceptor(policy: policy), count.observer.interceptor]).request("status", 503)
    let failure = await #expect(throws: TransportFailure.self) { try await request.execute().value }
    #expect(failure?.history.attempts.count == 2)
    #expect(count.value == 3)
  }

  @Test func conditionalRequestsOfTheCallerAreAnswered() async throws {
    var request = gateway().request("etag", "abc")
    let first = try await request.execute().value
    #expect(first.headers[.eTag] == "abc")
    request.headers[.ifNoneMatch] = "\"abc\""
    #expect(try await status(request) == 304)
    request.headers = [.ifMatch: "\"other\""]
    #expect(try await status(request) == 412)
  }
}
