import AnvilBase
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

@Suite(.timeLimit(.minutes(15))) struct AuthenticationInterceptorTests {
  let session = StubSession { Issue.record($0) }
  let url: URL
  let origin: HTTP.Origin

  init() throws {
    url = try #require(URL(string: "https://a.example/x?y=z"))
    origin = try #require(HTTP.Origin(url))
  }

  private func service(
    _ credential: Credential, proxy: Credential? = nil, for origin: HTTP.Origin? = nil
  ) -> TransportService {
    let nonces = Mutex(0)
    let interceptor = AuthenticationInterceptor(
      credentials: [origin ?? self.origin: credential], proxy: proxy,
      makeClientNonce: { "c\(nonces.withLock { $0 += 1; return $0 })" })
    return TransportService(session: session, interceptors: [RedirectInterceptor(), interceptor, ProofInterceptor()])
  }

  private func challenge(_ values: HTTP.HeaderValue..., status: HTTP.Status = 401) -> StubSession.Reply {
    let key: HTTP.HeaderKey = status == 407 ? .proxyAuthenticate : .wwwAuthenticate
    return .status(status, headers: HTTP.Headers(values.map { .init(key, $0) }), body: Data("no".utf8))
  }

  private func sent(_ key: HTTP.HeaderKey = .authorization) -> [String] {
    session.requests.map { $0.headers[key]?.rawValue ?? "-" }
  }

  /// The count and the nonce of each Digest answer that was sent.
  private var counts: [String] {
    sent().map { value in
      let parameters = AuthChallenge.challenges(in: [.init(rawValue: value)]).first?.parameters
      return "\(parameters?["nonce"] ?? "-") \(parameters?["nc"] ?? "-")"
    }
  }

  @Test(arguments: [("MD5", "n2"), ("MD5-sess", "n1")])
  func a3_theNonceOfAResponseIsUsedForTheNextRequest(algorithm: String, next: String) async throws {
    let refusal = challenge(.init(rawValue: #"Digest realm="r", nonce="n1", qop="auth", algorithm=\#(algorithm)"#))
    let accepted = StubSession.Reply.status(
      200, headers: ["Authentication-Info": #"qop=auth, nextnonce="n2""#])
    session.on("all", where: { _ in true }) { request in
      request.headers.contains(.authorization) ? accepted : refusal
    }
    let service = service(try .digest(username: "smith", password: "p"))
    for _ in 0..<3 { _ = try await service.execute(HTTP.Request(url: url)).get() }
    let counts = algorithm == "MD5" ? [1, 1, 2] : [1, 2, 3]
    let nonces = ["n1", next, next]
    #expect(self.counts == ["- -"] + zip(nonces, counts).map { "\($0) 0000000\($1)" })
  }

  /// A response that arrives late names the nonce that was in use when the server answered.
  @Test func a3_aLateResponseDoesNotBringBackANonce() throws {
    let schemes = PreemptiveSchemes { "c" }
    let space = PreemptiveSchemes.Space.origin(origin)
    let field = HTTP.HeaderValue(rawValue: #"Digest realm="r", nonce="n1", qop="auth""#)
    let challenge = try #require(AuthChallenge.challenges(in: [field]).first.flatMap { DigestChallenge($0) })
    schemes.begin(space, challenge)
    _ = schemes.nextDigest(space)
    schemes.renew(space, "n1", with: "n2")
    _ = schemes.nextDigest(space)
    schemes.renew(space, "n1", with: "n1")
    schemes.renew(space, "n1", with: "n3")
    let answer = try #require(schemes.nextDigest(space))
    #expect(answer.challenge.nonce == "n2" && answer.count == 2)
  }

  // MARK: Basic and bearer

  @Test func a1_basicIsSentPreemptivelyToItsOriginOnly() async throws {
    session.on("all", where: { _ in true }) { _ in .status(200) }
    let service = service(try .basic(username: "smith", password: "p\u{E4}ss:word"))
    for text in ["https://a.example/", "https://b.example/", "http://a.example/", "https://a.example:444/"] {
      _ = try await service.execute(HTTP.Request(url: try #require(URL(string: text)))).get()
    }
    #expect(sent() == ["Basic c21pdGg6cMOkc3M6d29yZA==", "-", "-", "-"])
  }

  @Test func a1_aColonInTheUsersNameIsRejected() {
    #expect(throws: Credential.FormatError.colonInUsername) { try Credential.basic(username: "a:b", password: "c") }
    #expect(throws: Credential.FormatError.colonInUsername) { try Credential.password(username: "a:b", password: "c") }
    #expect(throws: Credential.FormatError.controlCharacter) { try Credential.basic(username: "a", password: "c\n") }
    #expect(throws: Credential.FormatError.malformedToken) { try Credential.bearer("a b") }
    #expect(throws: Credential.FormatError.malformedToken) { try Credential.bearer("") }
  }

  /// The first and the last character on each side of the limits.
  @Test func a1_onlyControlCharactersAreRejected() throws {
    for character in ["\u{0}", "\u{1F}", "\u{7F}"] {
      for (username, password) in [("a\(character)", "b"), ("a", "\(character)b"), (character, "")] {
        #expect(throws: Credential.FormatError.controlCharacter) {
          try Credential.digest(username: username, password: password)
        }
      }
    }
    for character in [" ", "~", "\u{80}"] { _ = try Credential.digest(username: character, password: character) }
  }

  @Test func a1_tokensMustBeVisibleASCII() throws {
    for token in ["!", "~", "!~"] { _ = try Credential.bearer(token) }
    for token in [" ", "\u{7F}", "\u{80}", "a\u{E4}", "\u{0}"] {
      #expect(throws: Credential.FormatError.malformedToken) { try Credential.bearer(token) }
    }
  }

  @Test func a1_credentialsAreNotSentToAnotherOriginAfterARedirect() async throws {
    session.on(.get, url, .status(302, headers: [.location: "https://b.example/"]))
    session.on(.get, try #require(URL(string: "https://b.example/")), challenge("Basic realm=x"))
    let failure = await service(try .basic(username: "a", password: "b")).execute(HTTP.Request(url: url)).failure
    #expect(failure?.error.code == .clientError(.unauthorized))
    #expect(sent() == ["Basic YTpi", "-"])
  }

  @Test func a2_aRejectedCredentialIsNotSentAgain() async throws {
    session.on(.get, url, challenge("Basic realm=x", "Bearer"))
    for credential in [try Credential.basic(username: "a", password: "b"), try .bearer("t")] {
      let failure = await service(credential).execute(HTTP.Request(url: url)).failure
      #expect(failure?.response?.code == 401 && failure?.response?.body.string == "no")
    }
    #expect(sent() == ["Basic YTpi", "Bearer t"])
  }

  @Test func a2_sha512256IsStrongerThanSHA256() async throws {
    let strong: HTTP.HeaderValue = "Digest realm=x, nonce=sha512, qop=auth, algorithm=SHA-512-256"
    session.on(.get, url, times: 1, challenge(strong, "Digest realm=x, nonce=sha, qop=auth, algorithm=SHA-256"))
    session.on(.get, url, .status(200))
    _ = try await service(.digest(username: "a", password: "b")).execute(HTTP.Request(url: url)).get()
    #expect(counts == ["- -", "sha512 00000001"])
  }

  @Test func a2_theStrongestSupportedChallengeIsAnswered() async throws {
    let all: [HTTP.HeaderValue] = [
      "Basic realm=x, Digest realm=x, nonce=md5, qop=auth, algorithm=MD5",
      "Digest realm=x, nonce=unknown, algorithm=SHA-3, Digest realm=x, nonce=sha, qop=auth, algorithm=SHA-256",
      "Negotiate",
    ]
    session.on(.get, url, times: 1, challenge(all[0], all[1], all[2]))
    session.on(.get, url, times: 1, .status(200))
    session.on(.get, url, times: 1, challenge(all[0]))
    session.on(.get, url, .status(200))
    let credential = try Credential.password(username: "a", password: "b")
    _ = try await service(credential).execute(HTTP.Request(url: url)).get()
    _ = try await service(credential).execute(HTTP.Request(url: url)).get()
    #expect(counts == ["- -", "sha 00000001", "- -", "md5 00000001"])
  }

  @Test func a2_basicIsNotSentOverPlainHTTPUnlessRequested() async throws {
    let plain = try #require(URL(string: "http://a.example/"))
    let loopback = try #require(URL(string: "http://127.0.0.1:8080/"))
    session.on("all", where: { !$0.headers.contains(.authorization) }) { _ in challenge("Basic realm=x") }
    session.on("all", where: { _ in true }) { _ in .status(200) }
    let credential = try Credential.password(username: "a", password: "b")
    let refused = await service(credential, for: HTTP.Origin(plain)).execute(HTTP.Request(url: plain)).failure
    #expect(refused?.response?.code == 401)
    let secure = service(credential)
    _ = try await secure.execute(HTTP.Request(url: url)).get()
    // After the first challenge, credentials are sent without one.
    _ = try await secure.execute(HTTP.Request(url: url)).get()
    _ = try await service(credential, for: HTTP.Origin(loopback)).execute(HTTP.Request(url: loopback)).get()
    _ = try await service(.basic(username: "a", password: "b"), for: HTTP.Origin(plain))
      .execute(HTTP.Request(url: plain)).get()
    #expect(sent() == ["-", "-", "Basic YTpi", "Basic YTpi", "-", "Basic YTpi", "Basic YTpi"])
  }

  @Test func a2_aDigestCredentialIsNeverSentAsBasic() async throws {
    session.on(.get, url, challenge("Basic realm=x"))
    let failure = await service(try .digest(username: "a", password: "b")).execute(HTTP.Request(url: url)).failure
    #expect(failure?.response?.code == 401 && sent() == ["-"])
  }

  @Test func a2_anExistingAuthorizationFieldIsKept() async throws {
    session.on(.get, url, challenge("Basic realm=x"))
    let request = HTTP.Request(url: url, headers: [.authorization: "Own"])
    _ = await service(try .password(username: "a", password: "b")).execute(request)
    #expect(sent() == ["Own"])
  }

  @Test func a2_aOneShotBodyIsNotSentAgain() async throws {
    session.on(.post, url, challenge("Basic realm=x"))
    let request = HTTP.Request(
      method: .post, url: url,
      body: .stream(
        AsyncStream<Data> {
          $0.yield(Data("x".utf8)); $0.finish()
        }))
    let failure = await service(try .password(username: "a", password: "b")).execute(request).failure
    #expect(failure?.response?.code == 401 && session.requests.count == 1)
  }

  @Test(arguments: [HTTP.Body("text"), .file(URL(filePath: #filePath)), .empty])
  func a2_aBodyThatCanBeReadTwiceIsSentAgain(body: HTTP.Body) async throws {
    session.on(.put, url, times: 1, challenge("Basic realm=x"))
    session.on(.put, url, times: 1, .status(200))
    let request = HTTP.Request(method: .put, url: url, body: body)
    _ = try await service(.password(username: "a", password: "b")).execute(request).get()
    #expect(sent() == ["-", "Basic YTpi"] && session.requests.count == 2)
    // A session receives the bytes of the file.
    #expect(session.requests[0].body.data == session.requests[1].body.data)
    #expect(session.requests[1].body.data == (try await body.collect()))
  }

  // MARK: Digest

  private let bodyChallenge: HTTP.HeaderValue =
    "Digest realm=x, nonce=n, qop=auth-int, algorithm=SHA-256"

  /// The `response` that proves `body`, with the count 1 and the client's nonce `c1`.
  private func proof(of body: Data, count: String = "00000001") -> String {
    func hash(_ text: String) -> String { HashFunction.sha256.hexadecimal(of: text.utf8) }
    let action = hash("PUT:/x?y=z:\(HashFunction.sha256.hexadecimal(of: body))")
    return hash("\(hash("a:x:b")):n:\(count):c1:auth-int:\(action)")
  }

  @Test(arguments: [HTTP.Body("text"), .file(URL(filePath: #filePath)), .empty])
  func a3_theBodyIsHashedIfTheServerRequiresIt(body: HTTP.Body) async throws {
    session.on(.put, url, times: 1, challenge(bodyChallenge))
    session.on(.put, url, .status(200))
    let service = service(try .digest(username: "a", password: "b"))
    let request = HTTP.Request(method: .put, url: url, body: body)
    for _ in 0..<2 { _ = try await service.execute(request).get() }
    let data = try await body.collect()
    #expect(sent()[1].contains("qop=auth-int, response=\"\(proof(of: data))\""))
    #expect(sent()[2].contains("qop=auth-int, response=\"\(proof(of: data, count: "00000002"))\""))
  }

  @Test func a3_aBodyThatIsReadOnlyOnceCannotBeHashed() async throws {
    func upload() -> HTTP.Request {
      HTTP.Request(method: .put, url: url, body: .stream(AsyncStream<Data> { $0.finish() }))
    }
    session.on(.put, url, times: 1, challenge(bodyChallenge))
    let service = service(try .digest(username: "a", password: "b"))
    let first = await service.execute(upload()).failure
    #expect(first?.error.code == .authenticationFailed)
    #expect(
      first?.error.reason
        == "the server requires the hash of the body (qop=auth-int), but the body can be read only once")
    // If the server is known to require that, nothing is sent.
    session.on(.get, url, times: 1, challenge(bodyChallenge))
    session.on(.get, url, .status(200))
    _ = try await service.execute(HTTP.Request(url: url)).get()
    #expect(await service.execute(upload()).failure?.error.code == .authenticationFailed)
    #expect(session.requests.map(\.method) == [.put, .get, .get])
  }

  @Test func a3_aFileThatCannotBeReadIsNotHashed() async throws {
    session.on(.get, url, times: 1, challenge(bodyChallenge))
    session.on(.get, url, .status(200))
    let service = service(try .digest(username: "a", password: "b"))
    _ = try await service.execute(HTTP.Request(url: url)).get()
    let missing = HTTP.Body.file(URL(filePath: "/nonexistent/file"))
    let failure = await service.execute(HTTP.Request(method: .put, url: url, body: missing)).failure
    #expect(failure?.error.code == .requestBodyFailed && session.requests.count == 2)
  }

  private func digest(_ nonce: String, stale: Bool = false) -> StubSession.Reply {
    challenge("Digest realm=x, nonce=\(nonce), qop=auth, algorithm=SHA-256\(stale ? ", stale=TRUE" : "")")
  }

  @Test func a3_theNonceCountIncreasesPerRequest() async throws {
    session.on(.get, url, times: 1, digest("n1"))
    session.on(.get, url, times: 2, .status(200))
    session.on(.get, url, times: 1, digest("n2"))
    session.on(.get, url, .status(200))
    let service = service(try .digest(username: "a", password: "b"))
    for _ in 0..<4 { _ = try await service.execute(HTTP.Request(url: url)).get() }
    #expect(counts == ["- -", "n1 00000001", "n1 00000002", "n1 00000003", "n2 00000001", "n2 00000002"])
  }

  @Test func a3_aStaleNonceIsReplacedOnceWithoutAnEvent() async throws {
    session.on(.get, url, times: 1, digest("n1"))
    session.on(.get, url, times: 1, digest("n2", stale: true))
    session.on(.get, url, times: 1, .status(200))
    let events = Mutex<[String]>([])
    let options = TransportOptions(eventHandler: { event in
      if case .authenticating(let scheme) = event { events.withLock { $0.append(scheme) } }
    })
    let service = service(try .digest(username: "a", password: "b"))
    _ = try await service.execute(HTTP.Request(url: url), options: options).get()
    #expect(counts == ["- -", "n1 00000001", "n2 00000001"] && events.withLock { $0 } == ["Digest"])
    session.on(.get, url, digest("n3", stale: true))
    #expect(await service.execute(HTTP.Request(url: url)).failure?.response?.code == 401)
    #expect(counts.dropFirst(3) == ["n2 00000002", "n3 00000001"])
  }

  @Test func a3_aWrongPasswordIsSentOnce() async throws {
    session.on(.get, url) { _ in digest("n") }
    let failure = await service(try .digest(username: "a", password: "b")).execute(HTTP.Request(url: url)).failure
    #expect(failure?.response?.code == 401 && counts == ["- -", "n 00000001"])
  }

  @Test func a3_concurrentRequestsUseDifferentNonceCounts() async throws {
    session.on("unasked", where: { !$0.headers.contains(.authorization) }) { _ in digest("n") }
    session.on("asked", where: { _ in true }) { _ in .status(200) }
    let service = service(try .digest(username: "a", password: "b"))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { #expect(await service.execute(HTTP.Request(url: url)).failure == nil) }
      }
    }
    let used = counts.filter { $0 != "- -" }
    #expect(used.count == 50 && Set(used).count == 50)
  }

  @Test func a3_theDigestURIIsTheRequestTarget() async throws {
    session.on(.get, url, times: 1, digest("n"))
    session.on(.get, url, .status(200))
    _ = try await service(try .digest(username: "a", password: "b")).execute(HTTP.Request(url: url)).get()
    #expect(sent().last?.contains(#"uri="/x?y=z""#) == true)
  }

  // MARK: The limit and proxies

  /// Each redirect leads to a challenge, and each answer to a redirect.
  @Test func d6_redirectsAndChallengesShareALimit() async throws {
    session.on("all", where: { _ in true }) { [count = Counter()] _ in
      let number = count.next()
      return number.isMultiple(of: 2)
        ? .status(302, headers: [.location: "/\(number)"])
        : .status(401, headers: [.wwwAuthenticate: "Digest realm=x, nonce=n\(number), qop=auth"])
    }
    let failure = await service(try .digest(username: "a", password: "b")).execute(HTTP.Request(url: url)).failure
    #expect(failure?.error.code == .tooManyRedirects && session.requests.count == 21)
    #expect(failure?.error.reason == "20 redirects and challenges were followed")
    #expect(failure?.history.redirections.count == 10)
  }

  @Test func d6_aLowRedirectLimitDoesNotPreventAuthentication() async throws {
    session.on(.get, url, times: 1, digest("n"))
    session.on(.get, url, .status(200))
    var options = TransportOptions()
    options.redirects = .follow(limit: 0)
    let service = service(try .digest(username: "a", password: "b"))
    _ = try await service.execute(HTTP.Request(url: url), options: options).get()
  }

  @Test func a5_proxyAndServerChallengesAreAnsweredSeparately() async throws {
    let plain = try #require(URL(string: "http://u:p@a.example/x?y#z"))
    session.on(.get, plain, times: 1, challenge("Digest realm=p, nonce=n, qop=auth", status: 407))
    session.on(.get, plain, times: 1, challenge("Digest realm=o, nonce=m, qop=auth"))
    session.on(.get, plain, .status(200))
    let service = service(
      try .digest(username: "a", password: "b"), proxy: try .digest(username: "c", password: "d"),
      for: HTTP.Origin(plain))
    _ = try await service.execute(HTTP.Request(url: plain)).get()
    #expect(counts == ["- -", "- -", "m 00000001"])
    #expect(sent(.proxyAuthorization).map { $0.contains(#"username="c""#) } == [false, true, true])
    #expect(sent(.proxyAuthorization).map { $0.contains(#"uri="http://a.example/x?y""#) } == [false, true, true])
    #expect(sent(.proxyAuthorization).map { $0.contains("nc=00000002") } == [false, false, true])
  }

  @Test func a5_proxyCredentialsAreSentOnlyAfterAPlainHTTPChallenge() async throws {
    session.on(.get, url, challenge("Basic realm=x", status: 407))
    let plain = try #require(URL(string: "http://a.example/"))
    session.on(.get, plain, .status(200))
    let service = service(
      try .basic(username: "a", password: "b"), proxy: try .basic(username: "c", password: "d"))
    #expect(await service.execute(HTTP.Request(url: url)).failure?.response?.code == 407)
    _ = try await service.execute(HTTP.Request(url: plain)).get()
    #expect(sent(.proxyAuthorization) == ["-", "-"])
  }

  @Test func a5_aBasicChallengeOfAProxyIsAnswered() async throws {
    let plain = try #require(URL(string: "http://a.example/"))
    session.on(.get, plain, times: 1, challenge("Basic realm=x", status: 407))
    session.on(.get, plain, .status(200))
    let service = service(
      try .basic(username: "a", password: "b"), proxy: try .basic(username: "c", password: "d"))
    _ = try await service.execute(HTTP.Request(url: plain)).get()
    #expect(sent(.proxyAuthorization) == ["-", "Basic Yzpk"] && sent() == ["-", "-"])
  }

  @Test func a5_theServersCredentialsDoNotAnswerAProxy() async throws {
    session.on(.get, url, challenge("Basic realm=x", status: 407))
    let failure = await service(try .password(username: "a", password: "b")).execute(HTTP.Request(url: url)).failure
    #expect(failure?.response?.code == 407 && sent() == ["-"] && sent(.proxyAuthorization) == ["-"])
  }

  @Test func descriptionsShowNoSecret() throws {
    let credential = try Credential.basic(username: "smith", password: "secret")
    var dumped = ""
    dump(credential, to: &dumped)
    #expect("\(credential)" == "basic credential" && !dumped.contains("secret") && !dumped.contains("smith"))
  }
}

/// A counter that starts at 1.
final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  var value: Int { count.withLock { $0 } }
}
