import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

@Suite(.timeLimit(.minutes(15))) struct CookieJarTests {
  let session = StubSession { Issue.record($0) }
  let jar = CookieJar(publicSuffixes: .singleLabels)
  let service: TransportService

  init() {
    service = TransportService(
      session: session, interceptors: [RedirectInterceptor(), CookieInterceptor(jar: jar)])
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
  private var sent: [String] { session.requests.map { $0.headers[.cookie]?.rawValue ?? "-" } }

  @Test func cookiesAreStoredAndSent() async throws {
    session.on(
      .get, try url("https://a.example/1"), .status(404, headers: [.setCookie: "x=1; Path=/", .setCookie: "y=2"]))
    session.on(.get, try url("https://a.example/2"), .status(200))
    _ = await service.execute(HTTP.Request(url: try url("https://a.example/1")))
    _ = await service.execute(HTTP.Request(url: try url("https://a.example/2")))
    #expect(sent == ["-", "x=1; y=2"])
  }

  @Test func d4_eachRedirectedRequestGetsItsOwnCookies() async throws {
    session.on(
      .get, try url("https://a.example/"), .status(302, headers: [.setCookie: "a=1", .location: "/next"]))
    session.on(
      .get, try url("https://a.example/next"),
      .status(302, headers: [.setCookie: "b=2", .location: "https://b.example/"]))
    session.on(
      .get, try url("https://b.example/"), times: 1,
      .status(302, headers: [.setCookie: "c=3", .location: "https://a.example/last"]))
    session.on(.get, try url("https://a.example/last"), .status(200))
    let request = HTTP.Request(url: try url("https://a.example/"), headers: [.cookie: "own=0"])
    _ = try await service.execute(request).get()
    #expect(sent == ["own=0", "own=0; a=1", "-", "a=1; b=2"])
    #expect(jar.cookies(for: try url("https://b.example/x")).map(\.name) == ["c"])
  }

  @Test func aRequestsOwnCookiesAreKept() async throws {
    session.on("all", where: { _ in true }) { _ in .status(200) }
    for name in ["a", "b", "c"] { jar.set(HTTP.Cookie(name: name, value: "jar", domain: "a.example")) }
    var request = HTTP.Request(url: try url("https://a.example/"), headers: [.cookie: "b=own; x=own"])
    request.headers.add(.cookie, "y=own")
    _ = try await service.execute(request).get()
    #expect(sent == ["b=own; x=own; y=own; a=jar; c=jar"])
    #expect(session.requests.first?.headers.values(for: .cookie).count == 1)
  }

  @Test func aRequestsOwnCookiesAreComparedByTheirBytes() async throws {
    session.on("all", where: { _ in true }) { _ in .status(200) }
    for name in ["\u{E9}", "e\u{301}", "a"] { jar.set(HTTP.Cookie(name: name, value: "jar", domain: "a.example")) }
    let own = "\u{E9}=own;\u{301}=own; a=\u{301}own"
    _ = try await service.execute(
      HTTP.Request(url: try url("https://a.example/"), headers: [.cookie: .init(rawValue: own)])
    )
    .get()
    #expect(sent.map { Array($0.utf8) } == [Array("\(own); e\u{301}=jar".utf8)])
  }

  @Test func theCookieFieldHasALimit() async throws {
    session.on("all", where: { _ in true }) { _ in .status(200) }
    let long = String(repeating: "x", count: 1_998)
    for name in ["a", "b", "c", "d", "e", "f"] { jar.set(HTTP.Cookie(name: name, value: long, domain: "a.example")) }
    jar.set(HTTP.Cookie(name: "g", value: "short", domain: "a.example"))
    _ = try await service.execute(HTTP.Request(url: try url("https://a.example/"))).get()
    let field = try #require(sent.first)
    // The first cookies, as far as there is room.
    #expect(field.split(separator: ";").map { $0.drop { $0 == " " }.prefix(1) } == ["a", "b", "c", "d", "g"])
    // With its name, as servers count it.
    #expect("Cookie: \(field)".utf8.count <= 8_190)
    // A field that the caller sets is kept.
    let own = String(repeating: "o", count: 9_000)
    let request = HTTP.Request(url: try url("https://a.example/"), headers: [.cookie: .init(rawValue: "own=\(own)")])
    _ = try await service.execute(request).get()
    #expect(sent.last == "own=\(own)")
    // "; g=short" takes the last nine bytes.
    for (count, ending) in [(8_173, "o; g=short"), (8_174, "oo")] {
      let own = HTTP.HeaderValue(rawValue: "own=" + String(repeating: "o", count: count - 4))
      let request = HTTP.Request(url: try url("https://a.example/"), headers: [.cookie: own])
      _ = try await service.execute(request).get()
      #expect(sent.last?.hasSuffix(ending) == true)
    }
  }

  /// Source: RFC 6265bis §5.7.
  @Test func anExpiredCookieHasNoEffect() throws {
    let now = Mutex(Date(timeIntervalSince1970: 0))
    let jar = CookieJar(publicSuffixes: .singleLabels, now: { now.withLock { $0 } })
    let (secure, plain) = (try url("https://a.example/"), try url("http://a.example/"))
    jar.store([.setCookie: "sid=1; Secure; Max-Age=60"], from: secure)
    jar.store([.setCookie: "x=1"], from: secure)
    jar.store([.setCookie: "sid=2"], from: plain)
    #expect(jar.cookies.map(\.value) == ["1", "1"])
    now.withLock { $0 += 60 }
    jar.store([.setCookie: "sid=2"], from: plain)
    #expect(jar.cookies(for: plain).map(\.pair) == ["x=1", "sid=2"])
  }

  @Test func cookiesAreNotStoredWithoutAJar() async throws {
    session.on("all", where: { _ in true }) { _ in .status(200, headers: [.setCookie: "a=1"]) }
    let service = TransportService(session: session)
    for _ in 0..<2 { _ = try await service.execute(HTTP.Request(url: try url("https://a.example/"))).get() }
    #expect(sent == ["-", "-"])
  }

  @Test func malformedCookiesAreNotStored() throws {
    for cookie in [
      HTTP.Cookie(name: "a\r\nb", value: "c", domain: "h"), HTTP.Cookie(name: "a", value: "c;d", domain: "h"),
      HTTP.Cookie(name: "a=b", value: "c", domain: "h"), HTTP.Cookie(name: "", value: "", domain: "h"),
      HTTP.Cookie(name: "a", value: "b", domain: ""), HTTP.Cookie(name: "a", value: "b", domain: "h", path: "x"),
      HTTP.Cookie(name: "a", value: String(repeating: "b", count: 4096), domain: "h"),
    ] { jar.set(cookie) }
    #expect(jar.cookies.isEmpty)
  }

  @Test func theJarIsSavedAndLoaded() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "jar.json")
      let now = Mutex(Date(timeIntervalSince1970: 1_000_000_000))
      let jar = CookieJar(publicSuffixes: .singleLabels, now: { now.withLock { $0 } })
      let fields: [HTTP.HeaderValue] = [
        "a=\u{E4}; Max-Age=100; Secure; HttpOnly; SameSite=Strict; Domain=h.example; Path=/x", "b=2; Max-Age=10",
        "session=3", "c=4; Max-Age=100",
      ]
      jar.store(HTTP.Headers(fields.map { .init(.setCookie, $0) }), from: try url("https://h.example/y/z"))
      try jar.save(to: file)
      try jar.save(to: file)
      let mode = try #require(FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber)
      #expect(mode.intValue == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["jar.json"])

      now.withLock { $0 += 50 }
      let other = CookieJar(publicSuffixes: .singleLabels, now: { now.withLock { $0 } })
      try other.load(from: file)
      #expect(other.cookies == jar.cookies.filter { $0.name == "a" || $0.name == "c" })
      #expect(other.cookies.map(\.name) == ["a", "c"])
      #expect(other.cookies.first?.sameSite == .strict && other.cookies.first?.isHTTPOnly == true)
    }
  }

  @Test func loadingAnInvalidFileThrowsAndDoesNotChangeTheJar() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "jar.json")
      jar.set(HTTP.Cookie(name: "a", value: "b", domain: "h"))
      #expect(throws: (any Error).self) { try jar.load(from: file) }
      try Data(#"{"format": 1, "cookies": [{"name": "x"}]}"#.utf8).write(to: file)
      #expect(throws: DecodingError.self) { try jar.load(from: file) }
      try Data(#"{"format": 2, "cookies": []}"#.utf8).write(to: file)
      #expect(throws: CookieJar.UnknownFormat.self) { try jar.load(from: file) }
      #expect(jar.cookies.map(\.name) == ["a"])
      #expect(throws: (any Error).self) { try jar.save(to: folder.appending(path: "none/jar.json")) }
      let web = try url("https://h.example" + folder.appending(path: "web.json").path())
      #expect(throws: (any Error).self) { try jar.save(to: web) }
      #expect(throws: (any Error).self) { try jar.save(to: folder.appending(path: "jar.json\0.x")) }
      #expect(throws: (any Error).self) { try PrivateFile.append(Data(), to: folder.appending(path: "x\0")) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["jar.json"])
    }
  }

  /// A tab separates the fields of Netscape's format, so that a cookie with a tab could forge other fields.
  @Test(arguments: (0..<0x20).map { $0 } + [0x7F, 0x3B])
  func cookiesWithForbiddenCharactersAreIgnored(code: UInt8) {
    let character = Unicode.Scalar(code)
    jar.set(HTTP.Cookie(name: "a\(character)", value: "b", domain: "h"))
    jar.set(HTTP.Cookie(name: "a", value: "\(character)b", domain: "h"))
    jar.set(HTTP.Cookie(name: "a", value: "b", domain: "h\(character)"))
    jar.set(HTTP.Cookie(name: "a", value: "b", domain: "h", path: "/\(character)"))
    #expect(jar.cookies.isEmpty)
  }

  @Test(arguments: [" ", "!", "~", ":", "<", "#", "\u{80}"]) func cookiesKeepAllowedCharacters(character: String) {
    jar.set(HTTP.Cookie(name: "\(character == " " ? "" : character)a", value: "1\(character)2", domain: "h"))
    #expect(jar.cookies.map(\.value) == ["1\(character)2"])
  }

  /// A cookie of a file, or of a program, that no server could have set.
  @Test(arguments: [
    HTTP.Cookie(name: "__Host-a", value: "1", domain: "h"),
    HTTP.Cookie(name: "__host-a", value: "1", domain: "h", isHostOnly: false, isSecure: true),
    HTTP.Cookie(name: "__HOST-a", value: "1", domain: "h", path: "/x", isSecure: true),
    HTTP.Cookie(name: "__Secure-a", value: "1", domain: "h"), HTTP.Cookie(name: "", value: "__SECURE-a=1", domain: "h"),
    HTTP.Cookie(name: "__HTTP-a", value: "1", domain: "h", isSecure: true),
    HTTP.Cookie(name: "__host-HTTP-a", value: "1", domain: "h", isSecure: true),
    HTTP.Cookie(name: "", value: "__Http-a", domain: "h", isSecure: true, isHTTPOnly: true),
    HTTP.Cookie(name: "a", value: "1", domain: "#h"), HTTP.Cookie(name: "a", value: "1", domain: "#HttpOnly_h"),
    HTTP.Cookie(name: "a", value: "1", domain: "h/x"),
  ])
  func cookiesThatBreakTheRulesOfTheirNameOrDomainAreIgnored(cookie: HTTP.Cookie) {
    jar.set(cookie)
    #expect(jar.cookies.isEmpty)
  }

  @Test func cookiesThatFollowTheRulesOfTheirNameAreStored() {
    jar.set(HTTP.Cookie(name: "__Host-a", value: "1", domain: "h", isSecure: true))
    jar.set(HTTP.Cookie(name: "__Secure-a", value: "1", domain: "h", isHostOnly: false, path: "/x", isSecure: true))
    jar.set(
      HTTP.Cookie(
        name: "__Http-a", value: "1", domain: "h", isHostOnly: false, path: "/x", isSecure: true, isHTTPOnly: true))
    jar.set(HTTP.Cookie(name: "__Host-Http-a", value: "1", domain: "h", isSecure: true, isHTTPOnly: true))
    #expect(jar.cookies.count == 4)
  }

  @Test func malformedCookiesOfAFileAreSkipped() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "jar.json")
      let text = #"""
        {"format": 1, "cookies": [{"name": "a\r\nX", "value": "b", "domain": "h", "isHostOnly": true, "path": "/",
        "expiry": 99999999999, "isSecure": false, "isHTTPOnly": false}]}
        """#
      try Data(text.utf8).write(to: file)
      try jar.load(from: file)
      #expect(jar.cookies.isEmpty)
    }
  }

  @Test func cookiesCanBeRemovedByACondition() throws {
    for name in ["a", "b", "c"] { jar.set(HTTP.Cookie(name: name, value: "x", domain: "\(name).example")) }
    jar.remove { $0.name == "b" }
    #expect(jar.cookies.map(\.name) == ["a", "c"])
    jar.remove()
    #expect(jar.cookies.isEmpty)
  }

  /// Concurrent readers and writers. The thread sanitizer reports data races.
  @Test func theJarCanBeUsedConcurrently() async throws {
    let url = try url("https://a.example/")
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          jar.store([.setCookie: "c\(index % 40)=\(index); Max-Age=100"], from: url)
          _ = (jar.cookies(for: url).count, jar.cookies.count)
        }
      }
    }
    #expect(jar.cookies.count == 40 && Set(jar.cookies.map(\.name)).count == 40)
  }

  @Test func descriptionsShowNoValue() {
    let cookie = HTTP.Cookie(name: "sid", value: "secret", domain: "A.example", path: "/x")
    var dumped = ""
    dump(cookie, to: &dumped)
    #expect("\(cookie)" == "sid=<redacted> for a.example/x" && !dumped.contains("secret"))
  }
}
