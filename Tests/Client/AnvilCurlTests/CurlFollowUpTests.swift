import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Redirects, challenges and cookies over real connections.
@Suite(.timeLimit(.minutes(15))) struct CurlFollowUpTests {
  let server: LoopbackServer
  let origin: HTTP.Origin

  init() throws {
    server = try LoopbackServer()
    origin = try #require(HTTP.Origin(server.url))
  }

  private func service(_ interceptors: any Interceptor...) -> TransportService {
    TransportService(session: CurlSession(), interceptors: [RedirectInterceptor()] + interceptors)
  }

  @Test func d3_targetsAreSentByteForByte() async throws {
    let target = "/b/%7e%7E/a%2Fb/%2e%2e/c;d?x=%20+%e4&y"
    server.on(.get, "/a/b") { _ in .status(302, headers: [.location: "../.\(target)#part"], body: Data("moved".utf8)) }
    server.on(.get, "/*") { _ in .text("there") }
    let success = try await service().execute(HTTP.Request(url: server.url("/a/b"))).get()
    #expect(success.body.string == "there" && success.response.url.fragment == "part")
    #expect(server.requests.map(\.target) == ["/a/b", target])
    // The redirect's body was read, so that its connection could be used again.
    #expect(Set(server.requests.map(\.connection)).count == 1)
  }

  @Test func d4_cookiesAndCredentialsAreSentToTheirOriginOnly() async throws {
    let other = try LoopbackServer()
    other.on(.get, "/*") { [home = server.url] _ in
      .status(302, headers: [.location: "\(home.absoluteString)/end", .setCookie: "port=other; Path=/other"])
    }
    server.on(.get, "/start") { [away = other.url] _ in
      .status(302, headers: [.location: "\(away.absoluteString)/x", .setCookie: "sid=1"])
    }
    server.on(.get, "/end") { _ in .text("end") }
    let jar = CookieJar(publicSuffixes: .singleLabels)
    let authentication = AuthenticationInterceptor(
      credentials: [origin: try .basic(username: "smith", password: "word")])
    let request = HTTP.Request(url: server.url("/start"), headers: [.cookie: "own=1"])
    let success = try await service(authentication, CookieInterceptor(jar: jar)).execute(request).get()
    #expect(success.response.history.redirections.count == 2)
    #expect(server.requests.map { $0.headers[.authorization] } == ["Basic c21pdGg6d29yZA==", "Basic c21pdGg6d29yZA=="])
    #expect(other.requests.map { $0.headers[.authorization] } == [nil])
    // Cookies do not depend on the port: the other server is the same host.
    #expect(other.requests.map { $0.headers[.cookie] } == ["sid=1"])
    #expect(server.requests.map { $0.headers[.cookie] } == ["own=1", "sid=1"])
  }

  @Test func a3_aChallengeIsAnsweredOnTheSameConnection() async throws {
    server.on(.post, "/x") { request in
      request.headers[.authorization]?.rawValue.contains("nc=00000001") == true
        ? .text("got \(request.body.count)")
        : .status(
          401, headers: [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""], body: Data("no".utf8))
    }
    let authentication = AuthenticationInterceptor(
      credentials: [origin: try .digest(username: "smith", password: "word")])
    let request = HTTP.Request(method: .post, url: server.url("/x"), body: HTTP.Body(Data(count: 1000)))
    #expect(try await service(authentication, ProofInterceptor()).execute(request).get().body.string == "got 1000")
    #expect(server.requests.map(\.bodyByteCount) == [1000, 1000])
    #expect(Set(server.requests.map(\.connection)).count == 1)
  }

  @Test func a4_fiftyRequestsRefreshATokenOnce() async throws {
    server.on(.get, "/x") { $0.headers[.authorization] == "Bearer new" ? .text("data") : .text("who?", status: 401) }
    let refreshes = Mutex(0)
    let refresher = TokenRefresher(token: .init("old")) { _ in
      refreshes.withLock { $0 += 1 }
      return .init("new")
    }
    let service = service(BearerAuthentication(refresher, origins: [origin]))
    let url = server.url("/x")
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<50 { group.addTask { try? await service.execute(HTTP.Request(url: url)).get().body.string } }
      for await text in group { #expect(text == "data") }
    }
    #expect(refreshes.withLock { $0 } == 1)
  }

  /// A server that requests a proxy's credentials although no proxy is used.
  @Test func a5_proxyAuthorizationNeverReachesTheOrigin() async throws {
    server.on(.get, "/x") { _ in .status(407, headers: [.proxyAuthenticate: "Basic realm=\"x\""]) }
    let authentication = AuthenticationInterceptor(
      credentials: [:], proxy: try .basic(username: "smith", password: "word"))
    let result = await service(authentication).execute(HTTP.Request(url: server.url("/x")))
    guard case .failure(let failure) = result else { return #expect(Bool(false)) }
    #expect(failure.response?.code == 407 && server.requests.count == 2)
    #expect(server.requests.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
  }

  @Test(.enabled(if: CookieJar.PublicSuffixes.installed != nil, "libpsl is not installed"))
  func theSystemsPublicSuffixesAreUsed() throws {
    let suffixes = try #require(CookieJar.PublicSuffixes.installed)
    #expect(suffixes.contains("com") && suffixes.contains("co.uk") && suffixes.contains("github.io"))
    #expect(!suffixes.contains("example.com") && !suffixes.contains("example.co.uk"))
    #expect(suffixes.contains("nosuchtoplevel") && !suffixes.contains("a.nosuchtoplevel"))
  }
}
