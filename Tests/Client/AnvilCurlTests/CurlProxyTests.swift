import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The choice of a proxy, and the data that proxies and servers receive.
@Suite(.timeLimit(.minutes(15))) struct CurlProxyTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/*") { .text("origin \($0.path)") }
    server.on(.post, "/*") { .text("got \($0.body.count)") }
  }

  private func session(
    by url: URL, user: String? = nil, password: String? = nil, excluding: [String] = [],
    _ base: CurlSession.Configuration = .init()
  ) -> CurlSession {
    CurlSession(
      configuration: configured(base) {
        $0.proxy = .server(url, user: user, password: password, excluding: excluding)
      })
  }

  /// A URL of the server with a host name that only a proxy resolves.
  private func remote(_ path: String = "/x", host: String = "origin.invalid") throws -> URL {
    try #require(URL(string: "http://\(host):\(server.port)\(path)"))
  }

  // MARK: HTTP

  @Test func plainRequestsGoToAProxy() async throws {
    let proxy = try TestProxy()
    let session = session(by: try proxy.url("http"))
    #expect(await session.get(try remote()).text == "origin /x")
    #expect(proxy.asked.all.first?.hasPrefix("GET http://origin.invalid:\(server.port)/x HTTP/1.1\r\n") == true)
    let body = HTTP.Body(Data(count: 300_000))
    #expect(await session.exchange(HTTP.Request(method: .post, url: try remote(), body: body)).text == "got 300000")
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func secureRequestsGoThroughATunnel() async throws {
    let nginx = try #require(Nginx.shared)
    let proxy = try TestProxy(.init(user: "smith", password: "p:w"))
    let session = session(by: try proxy.url("http"), user: "smith", password: "p:w", nginx.configuration)
    let request = HTTP.Request(
      url: nginx.url.appending(path: "to/\(server.port)/secret"), headers: ["X-Own": "mine", "Cookie": "a=b"])
    let outcome = await session.exchange(request)
    #expect(outcome.text == "origin /secret", "\(outcome)")
    #expect(outcome.metrics?.protocolName == "h2")
    // The proxy receives only the destination. The server receives nothing from the proxy.
    let head = try #require(proxy.asked.all.first)
    #expect(head.hasPrefix("CONNECT localhost:"))
    #expect(!head.contains("X-Own") && !head.contains("Cookie") && !head.contains("secret"), "\(head)")
    let received = try #require(server.requests.first)
    #expect(received.headers["X-Own"]?.rawValue == "mine")
    #expect(!received.headers.contains(.proxyAuthorization))
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func aRefusedTunnelIsReported() async throws {
    let nginx = try #require(Nginx.shared)
    let proxy = try TestProxy(.init(user: "smith", password: "right"))
    let session = session(by: try proxy.url("http"), user: "smith", password: "wrong", nginx.configuration)
    let outcome = await session.get(nginx.url)
    #expect(outcome.error?.code == .authenticationFailed, "\(outcome)")
    #expect(outcome.reason.contains("407"), "\(outcome)")
    #expect(!outcome.reason.contains("wrong"))
  }

  /// A proxy that rejects the credentials or the destination of a tunnel is not asked again; one that does not reach it is.
  @Test(arguments: [
    (407, TransportError.Code.authenticationFailed, 1), (403, .other, 1), (302, .other, 1), (502, .noConnection, 2),
    (429, .noConnection, 2),
  ])
  func aTunnelIsRequestedAgainOnlyIfThatMayHelp(status: Int, code: TransportError.Code, count: Int) async throws {
    let requests = Recorder<String>()
    let proxy = try RawServer { client in
      guard let head = client.readHead() else { return }
      requests.add(head)
      client.write("HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
    }
    let session = session(by: try proxy.url("", scheme: "http"), user: "smith", password: "wrong")
    var policy = RetryPolicy()
    policy.attemptLimit = 2
    policy.backoff = ExponentialBackoff(base: .milliseconds(1))
    let service = TransportService(session: session, interceptors: [RetryInterceptor(policy: policy)])
    let url = try #require(URL(string: "https://origin.invalid/"))
    let result = await service.execute(HTTP.Request(method: .post, url: url))
    let failure = try #require(throws: TransportFailure.self) { try result.get() }
    #expect(failure.error.code == code, "\(failure.error)")
    #expect(failure.error.description.contains("\(status)") && requests.all.count == count)
  }

  @Test func aProxyReceivesItsCredentials() async throws {
    let proxy = try TestProxy(.init(user: "smith", password: "pa ss@:/"))
    let url = try proxy.url("http")
    #expect(await session(by: url, user: "smith", password: "pa ss@:/").get(try remote()).text == "origin /x")
    #expect(server.requests.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
    // A refusal of an unencrypted request is an ordinary response.
    #expect(await session(by: url, user: "smith", password: "no").get(try remote()).head?.code == 407)
    #expect(await session(by: url).get(try remote()).head?.code == 407)
  }

  @Test func proxyAuthorizationOfARequestIsSentToTheProxyOnly() async throws {
    let proxy = try TestProxy(.init(user: "a", password: "b"))
    let headers: HTTP.Headers = [.proxyAuthorization: "Basic YTpi"]
    let session = session(by: try proxy.url("http"))
    #expect(await session.exchange(HTTP.Request(url: try remote(), headers: headers)).text == "origin /x")
    // The next request of the handle has no credentials.
    #expect(await session.get(try remote()).head?.code == 407)
    let direct = CurlSession(configuration: configured { $0.proxy = .none })
    #expect(await direct.exchange(HTTP.Request(url: server.url("/d"), headers: headers)).text == "origin /d")
    let other = try TestProxy()
    let socks = self.session(by: try other.url("socks5h"))
    #expect(await socks.exchange(HTTP.Request(url: try remote(), headers: headers)).text == "origin /x")
    #expect(server.requests.count == 3)
    #expect(server.requests.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
  }

  @Test func anUnreachableProxyIsReported() async throws {
    let closed = try RawServer { _ in }.url("", scheme: "http")
    let outcome = await session(by: closed).get(try remote())
    #expect(outcome.error?.code == .noConnection, "\(outcome)")
    // The C library does not ask for names that begin with a hyphen.
    let nameless = try #require(URL(string: "http://-x.invalid:3128"))
    #expect(await session(by: nameless).get(try remote()).error?.code == .hostNotFound)
  }

  @Test(arguments: [
    "ftp://127.0.0.1:1", Unresolvable.name, "http://", "socks9://127.0.0.1:1", "http://127.0.0.1:99999",
  ])
  func anInvalidProxyURLIsReported(text: String) async throws {
    let outcome = await session(by: try #require(URL(string: text))).get(try remote())
    #expect(outcome.error != nil)
    #expect(server.requests.isEmpty)
  }

  /// URLs of a proxy whose password is `p` with a delimiter and `7Word`, or which are invalid for another reason.
  static let invalidURLs = [
    "http://smith:p#7Word@127.0.0.1:1", "http://smith:p/7Word@127.0.0.1:1", "http://smith:p@7Word@127.0.0.1:1",
    "http://smith:p 7Word@127.0.0.1:1", "http://smith:p?7Word@127.0.0.1:1", "smith:p#7Word@127.0.0.1:1",
    "http://smith:p7Word@127.0.0.1:99999", "http://smith:p7Word@127.0.0.1:no", "http://smith:p7Word@127.0.0.1:0",
    "ftp://smith:p7Word@127.0.0.1:1", "smith://p7Word@127.0.0.1", "http://smith:p7Word@", "http://smith:p7Word@[::1",
    "http://smith:p7Word@[::1]x:1", "http://smith:p7Word@ho<st:1", "socks5://smith:p/7Word@127.0.0.1:1",
    "http://smith:12#7Word@127.0.0.1:1", "http://smith:12/7Word@127.0.0.1:1", "http://smith:p%0D7Word@127.0.0.1:1",
    "http://smith:p%007Word@127.0.0.1:1", "http:/smith:p7Word@127.0.0.1:1", "http://smith:p\t7Word@127.0.0.1:1",
    "http://smith:p7Word@a..b:1", "http://smith:p7Word@.a:1", "http://smith:p7Word@.:1", "http://smith:p7Word@a...:1",
    "http://smith:p7Word@a%2E.b:1", "http://smith:p7Word@a%2Fb:1",
    "http://smith:p7Word@\(String(repeating: "a", count: 64)).b:1",
    "http://smith:p7Word@\(String(repeating: "a.", count: 127))a:1", "http://smith:p7Word@256.1.1.1:1",
    "http://smith:p7Word@1.2.3.4.5:1", "http://smith:p7Word@a.1:1", "http://smith:p7Word@[::g]:1",
    "http://smith:p7Word@[1::2::3]:1", "http://smith:p7Word@[:::]:1", "http://smith:p7Word@[1.2.3.4]:1",
    "socks5h://smith:p7Word@a..b:1",
    // The part before the delimiter would be taken for the host, and the `@` may be missing.
    "http://7Word#smith:1", "http://7Word?smith:1", "http://7Word/smith:1", "7Word/smith", "http://7Word/@127.0.0.1:1",
    "http://7Word:12/#", "https://7Word:1/db",
  ]

  @Test(arguments: invalidURLs) func noErrorQuotesAnInvalidProxyURL(text: String) async throws {
    // Foundation rejects or encodes some of these texts.
    guard let url = URL(string: text, encodingInvalidCharacters: false) else { return }
    let attempts = Recorder<TransportError>()
    let service = TransportService(
      session: session(by: url), interceptors: [RetryInterceptor(), ErrorRecorder(errors: attempts)])
    guard case .failure(let failure) = await service.execute(HTTP.Request(url: try remote())) else {
      Issue.record("it was answered")
      return
    }
    let error = failure.error
    #expect(error.code == .invalidRequest, "\(error)")
    Self.expectNoSecret(in: error)
    #expect(attempts.all.count == 1, "the request was retried")
  }

  /// Checks that no rendering of the error contains the user, or a part of the password.
  static func expectNoSecret(in error: TransportError) {
    var dumped = ""
    dump(error, to: &dumped)
    for text in ["\(error)", error.reason ?? "", error.localizedDescription, dumped, "\(error.underlyingError as Any)"]
    {
      #expect(!text.contains("7Word") && !text.contains("smith"), "\(text)")
    }
  }

  @Test func theConfigurationIsPrintedWithoutPasswords() throws {
    var configuration = CurlSession.Configuration()
    let url = try #require(URL(string: "http://smith:7Word@proxy.example:3128"))
    configuration.proxy = .server(url, user: "smith", password: "7Word")
    configuration.tls.clientCertificate = .init(
      certificate: .pem(Data("7Word".utf8)), key: .pem(Data("7Word".utf8)), keyPassword: "7Word")
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!text.contains("7Word") && !text.contains("smith"), "\(text)")
    }
    #expect("\(configuration.proxy)".contains("proxy.example:3128"))
  }

  // MARK: SOCKS

  @Test func socks5ResolvesNamesLocally() async throws {
    let proxy = try TestProxy()
    let session = session(by: try proxy.url("socks5"))
    let url = try #require(URL(string: "http://localhost:\(server.port)/x"))
    _ = await session.get(url)
    let asked = try #require(proxy.asked.all.first)
    #expect(asked == "socks5 1 127.0.0.1:\(server.port)" || asked.hasPrefix("socks5 4 "), "\(asked)")
    let nameless = await session.get(try remote(host: Unresolvable.name))
    #expect(nameless.error?.code == .hostNotFound, "\(nameless)")
  }

  @Test func socks5hResolvesNamesAtTheProxy() async throws {
    let proxy = try TestProxy(.init(user: "smith", password: "secret"))
    let url = try proxy.url("socks5h")
    let outcome = await session(by: url, user: "smith", password: "secret").get(try remote())
    #expect(outcome.text == "origin /x", "\(outcome)")
    #expect(proxy.asked.all == ["socks5 3 origin.invalid:\(server.port)"])
    let refused = await session(by: url, user: "smith", password: "wrong").get(try remote())
    #expect(refused.error?.code == .noConnection, "\(refused)")
    #expect(!refused.reason.contains("wrong"))
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func secureRequestsCanUseSocks() async throws {
    let nginx = try #require(Nginx.shared)
    let proxy = try TestProxy()
    let outcome = await session(by: try proxy.url("socks5h"), nginx.configuration).get(nginx.url)
    #expect(outcome.text == "nginx\n", "\(outcome)")
    #expect(proxy.asked.all.count == 1)
  }

  // MARK: The choice of the proxy

  @Test(arguments: ["origin.invalid", "127.0.0.1", "INVALID"]) func excludedHostsBypassTheProxy(
    host: String
  ) async throws {
    let proxy = try TestProxy()
    let session = session(
      by: try proxy.url("http"), excluding: ["elsewhere.example", host],
      configured { $0.resolveOverrides = [.init(host: "origin.invalid", port: server.port, addresses: ["127.0.0.1"])] })
    let url = try remote(host: host == "127.0.0.1" ? host : "origin.invalid")
    #expect(await session.get(url).text == "origin /x")
    #expect(proxy.asked.all.isEmpty)
  }

  @Test func similarHostsAreNotExcluded() async throws {
    let proxy = try TestProxy()
    let session = session(by: try proxy.url("http"), excluding: ["in.invalid", "notorigin.invalid"])
    #expect(await session.get(try remote()).text == "origin /x")
    #expect(proxy.asked.all.count == 1)
  }

  // In separate processes: the environment belongs to the whole process.

  @Test func proxiesOfTheEnvironmentAreUsed() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/*") { .text("origin \($0.path)") }
      let proxy = try TestProxy()
      for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY"] { Environment.set(name, nil) }
      Environment.set("http_proxy", try proxy.url("http").absoluteString)
      let url = try #require(URL(string: "http://origin.invalid:\(server.port)/x"))
      #expect(await CurlSession().get(url).text == "origin /x")
      #expect(proxy.asked.all.count == 1)

      // Unless the session connects directly or has a guard, which could not check addresses behind a proxy.
      let direct = CurlSession(configuration: configured { $0.proxy = .none })
      #expect(await direct.get(server.url("/y")).text == "origin /y")
      let guarded = CurlSession(configuration: configured { $0.addressGuard = .custom { _ in true } })
      #expect(await guarded.get(server.url("/z")).text == "origin /z")
      let careful = CurlSession(configuration: configured { $0.addressGuard = .publicOnly })
      #expect(await careful.get(server.url("/z")).error?.code == .noConnection)
      #expect(proxy.asked.all.count == 1)

      // Exclusions in the environment do not apply to a configured proxy.
      Environment.set("no_proxy", Unresolvable.name)
      let unresolvable = try #require(URL(string: "http://\(Unresolvable.name):\(server.port)/x"))
      #expect(await CurlSession().get(unresolvable).error?.code == .hostNotFound)
      let configuration = configured { $0.proxy = .server(URL(string: "http://127.0.0.1:\(server.port)") ?? url) }
      #expect(await CurlSession(configuration: configuration).get(unresolvable).head != nil)

      // A CGI server sets the variable to a header field that the client sends.
      for name in ["http_proxy", "no_proxy"] { Environment.set(name, nil) }
      Environment.set("HTTP_PROXY", try proxy.url("http").absoluteString)
      #expect(await CurlSession().get(unresolvable).error?.code == .hostNotFound)
      #expect(proxy.asked.all.count == 1)
    }
  }

  @Test func noErrorQuotesAnInvalidProxyOfTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
      let server = try LoopbackServer()
      server.on(.get, "/*") { .text("origin \($0.path)") }
      let session = CurlSession()
      for name in names.prefix(5) {
        for name in names { Environment.set(name, nil) }
        let scheme = name.lowercased() == "https_proxy" ? "https" : "http"
        let url = try #require(URL(string: "\(scheme)://origin.invalid:\(server.port)/x"))
        for text in CurlProxyTests.invalidURLs {
          Environment.set(name, text)
          let error = try #require(await session.get(url).error)
          #expect(error.code == .invalidRequest, "\(text): \(error)")
          #expect(error.reason?.contains(name) == true, "\(error)")
          CurlProxyTests.expectNoSecret(in: error)
        }
        // Hosts that no_proxy excludes do not need the proxy.
        Environment.set("no_proxy", "127.0.0.1")
        #expect(await session.get(server.url("/y")).text == "origin /y")
        Environment.set("no_proxy", nil)
      }
      // The same session notices that the variable was corrected, and other variables that take precedence.
      let proxy = try TestProxy(.init(user: "smith", password: "p#w"))
      let url = try #require(URL(string: "http://origin.invalid:\(server.port)/x"))
      let address = try proxy.url("http").absoluteString.replacing("http://", with: "http://smith:p%23w@")
      Environment.set("http_proxy", address)
      #expect(await session.get(url).text == "origin /x")
      Environment.set("http_proxy", "")
      #expect(await session.get(url).error?.code == .invalidRequest, "ALL_PROXY is still invalid")
    }
  }
}

/// Records the error of each attempt.
private struct ErrorRecorder: Interceptor {
  let errors: Recorder<TransportError>

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    do throws(TransportError) {
      return try await next.send(request, options: options)
    } catch {
      errors.add(error)
      throw error
    }
  }
}
