import Anvil
import AnvilCurl
import AnvilHTTP
import AnvilJSON
import AnvilObservability
import AnvilServer
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// `anvil serve` with a client.
@Suite(.timeLimit(.minutes(15)))
struct ServeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.url.appending(path: "recording"))
    return folder.path("recording")
  }

  private static func entry(
    _ target: String, _ body: String, method: String = "GET", posted: String = "", status: Int = 200,
    headers: String = ""
  ) -> String {
    """
    {"time": 300, "request": {"method": "\(method)", "url": "https://api.example.com\(target)",
      "postData": {"mimeType": "text/plain", "text": "\(posted)"}},
     "response": {"status": \(status), "headers": [{"name": ":status", "value": "200"},
      {"name": "Content-Encoding", "value": "gzip"}, {"name": "content-length", "value": "999"}\(headers)],
      "content": {"mimeType": "text/plain", "text": "\(body)"}}}
    """
  }

  private func archive(_ entries: String...) throws -> String { try archive(entries) }

  private func archive(_ entries: [String]) throws -> String {
    try file(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#)
  }

  private func send(
    _ url: URL, _ target: String, _ method: HTTP.Method = .get, body: String = ""
  ) async throws -> (head: HTTP.Response, body: String) {
    let request = HTTP.Request(
      method: method, url: try #require(URL(string: url.absoluteString + target)),
      body: body.isEmpty ? .empty : HTTP.Body(Data(body.utf8), contentType: .textPlain))
    let response = try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60)))
    var data = Data()
    for try await chunk in response.body { data.append(chunk) }
    return (response.head, String(decoding: data, as: UTF8.self))
  }

  @Test func exchangesAreUsedRepeatedly() async throws {
    let path = try archive(
      Self.entry("/a?x=1&y=2", "first"), Self.entry("/a?x=1&y=2", "second"), Self.entry("/a", "none"),
      Self.entry("/p", "posted", method: "POST", posted: "one"),
      Self.entry("/p", "other", method: "POST", posted: "two"))
    let outcome = try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      var bodies: [String] = []
      for target in ["/a?y=2&x=1", "/a?x=1&y=2", "/a?x=1&y=2", "/a"] { bodies.append(try await send(url, target).body) }
      #expect(bodies == ["first", "second", "second", "none"])
      #expect(try await send(url, "/p", .post, body: "two").body == "other")
      #expect(try await send(url, "/p", .post, body: "three").body == "posted")
      let head = try await send(url, "/a", .head)
      #expect(head.head.code == 200 && head.body == "")
      let missing = try await send(url, "/a?x=3")
      #expect(missing.head.code == 404)
      #expect(
        missing.body
          == "anvil: the recording has no response to GET /a?x=3; for this path the recording has the query x=1&y=2, the query \"\"\n"
      )
    }
    #expect(outcome.status == 0)
    #expect(
      outcome.error
        == "GET /a?x=3 → 404, not recorded; for this path the recording has the query x=1&y=2, the query \"\"\n")
  }

  @Test(arguments: [[], ["--strict"]])
  func equivalentRequestsMatch(options: [String]) async throws {
    let targets = [
      ("/l?f[]=1", "/l?f%5B%5D=1"), ("/@ada", "/%40ada"), ("/x%2fy", "/x%2Fy"), ("/l?q=a+b", "/l?q=a%20b"),
      ("/ü", "/%C3%BC"), ("/l?q=ü", "/l?q=%c3%bc"), ("/l?t=10:30", "/l?t=10%3A30"),
    ]
    let path = try archive(targets.enumerated().map { Self.entry($1.0, "\($0)") } + [Self.entry("/x/y", "no")])
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      for (index, target) in targets.enumerated() {
        #expect(try await send(url, target.1).body == "\(index)", "\(target)")
      }
    }
  }

  @Test(arguments: [[], ["--strict"]])
  func rawTextInATargetMatches(options: [String]) async throws {
    let path = try archive(Self.entry("/%C3%BC?q=%c3%9f", "encoded"), Self.entry("/\u{E9}", "raw"))
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      for (target, body) in [("/\u{FC}?q=\u{DF}", "encoded"), ("/\u{E9}", "raw")] {
        let client = try RawSocketClient(port: try #require(url.port))
        await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n\(body)"))
      }
    }
  }

  /// Paths with secrets are recorded without them.
  @Test(arguments: [[], ["--strict"]])
  func secretsInARecordedPathAreNotCompared(options: [String]) async throws {
    let path = try archive(
      Self.entry("/bot<redacted>/getMe", "1"), Self.entry("/v%3Credacted%3E.json", "2"), Self.entry("/bot1/x", "3"))
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      for (target, body) in [("/bot12:S/getMe", "1"), ("/v2-K.json", "2"), ("/bot1/x", "3")] {
        #expect(try await send(url, target).body == body)
      }
      for target in ["/bot/getMe", "/bot1/a/getMe", "/xbot1/getMe", "/v.json", "/v1.jsonx"] {
        #expect(try await send(url, target).head.code == 404)
      }
    }
  }

  @Test func anExchangeWithTheSameBodyIsPreferredToOneWithoutARecordedBody() async throws {
    let unrecorded = Self.entry("/p", "long", method: "POST").replacing(
      #""text": ""}"#, with: #""text": "", "comment": "too long"}"#)
    let path = try archive(unrecorded, Self.entry("/p", "of two", method: "POST", posted: "two"))
    for options in [[], ["--strict"]] {
      try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
        #expect(try await send(url, "/p", .post, body: "two").body == "of two")
        #expect(try await send(url, "/p", .post, body: "three").body == "long")
      }
    }
  }

  @Test func equivalentFormsMatch() async throws {
    func entry(_ text: String) -> String {
      Self.entry("/p", text, method: "POST", posted: text)
        .replacing(
          #""postData": {"mimeType": "text/plain""#,
          with: #""postData": {"mimeType": "application/x-www-form-urlencoded""#)
    }
    let path = try archive(entry("f[]=1&q=a+b"))
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      let request = HTTP.Request(
        method: .post, url: try #require(URL(string: "\(url)/p")), headers: [.contentType: .applicationFormURLEncoded],
        body: HTTP.Body(Data("f%5b%5d=1&q=a%20b".utf8)))
      #expect(try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60))).head.code == 200)
    }
  }

  @Test func aFormMayBeRecordedByItsParameters() async throws {
    func entry(_ user: String) -> String {
      Self.entry("/login", user, method: "POST").replacing(
        #"{"mimeType": "text/plain", "text": ""}"#,
        with: #"{"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "user", "value": "\#(user) &"}]}"#
      )
    }
    let path = try archive(entry("a"), entry("b"))
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      for user in ["b", "a"] {
        let request = HTTP.Request(
          method: .post, url: try #require(URL(string: "\(url)/login")),
          headers: [.contentType: .applicationFormURLEncoded], body: HTTP.Body(Data("user=\(user)+%26".utf8)))
        let response = try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60)))
        var data = Data()
        for try await chunk in response.body { data.append(chunk) }
        #expect(String(decoding: data, as: UTF8.self) == user)
      }
    }
  }

  /// The text of an archive is in UTF-8.
  @Test func aTextOfAnotherCharsetIsUTF8() async throws {
    let fields = #", {"name": "Content-Type", "value": "text/html; charset=ISO-8859-1"}"#
    let path = try archive(Self.entry("/page", "café", headers: fields))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      let page = try await send(url, "/page")
      #expect(page.head.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.body == "café")
    }
  }

  /// As in a cassette.
  @Test func bodiesAreComparedByTheirContent() async throws {
    func entry(_ type: String, _ text: String) -> String {
      Self.entry("/p", type, method: "POST", posted: text).replacing(
        #""postData": {"mimeType": "text/plain""#, with: #""postData": {"mimeType": "\#(type)""#)
    }
    let part = "Content-Disposition: form-data; name=\"a\""
    func form(_ boundary: String) -> String { "--\(boundary)\r\n\(part)\r\n\r\n1\r\n--\(boundary)--\r\n" }
    func escaped(_ text: String) -> String { String(JSON(text).serializedText().dropFirst().dropLast()) }
    let path = try archive(
      entry("application/json", escaped(#"{"b": 1, "a": 2}"#)),
      entry("multipart/form-data; boundary=first", escaped(form("first"))))
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      for (type, body) in [
        ("multipart/form-data; boundary=second", form("second")), ("application/json", #"{"a":2,"b":1}"#),
      ] {
        let request = HTTP.Request(
          method: .post, url: try #require(URL(string: "\(url)/p")), headers: [.contentType: .init(rawValue: type)],
          body: HTTP.Body(Data(body.utf8)))
        let response = try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60)))
        #expect(response.head.code == 200, "\(type)")
      }
    }
  }

  @Test func bodiesThatWereNotRecordedAsAWhole() async throws {
    let upload = Self.entry("/up", "stored", method: "PUT").replacing(
      #""text": ""}"#, with: #""text": "", "comment": "The body is not in memory: file, 3000 B."}"#)
    let cut = Self.entry("/cut", "start").replacing(
      #""text": "start""#, with: #""size": 99, "text": "start", "comment": "Only the first 5 bytes were recorded.""#)
    let path = try archive(upload, cut)
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      #expect(try await send(url, "/up", .put, body: "anything").body == "stored")
      #expect(try await send(url, "/cut").head.code == 502)
    }
  }

  /// An archive hides compressed JSON as a whole.
  @Test func aHiddenBodyIsNotCompared() async throws {
    let posted = HTTP.Redaction.mark
    let path = try archive(Self.entry("/p", "1", method: "POST", posted: posted))
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      let request = HTTP.Request(
        method: .post, url: try #require(URL(string: "\(url)/p")),
        headers: [.contentType: .applicationJSON, .contentEncoding: .encodingGzip], body: HTTP.Body(Data("gzip".utf8)))
      #expect(try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60))).head.code == 200)
    }
  }

  @Test func missingExchangeIsComparedWithSimilarPaths() async throws {
    let path = try archive(Self.entry("/users/a%2Fb", "1"), Self.entry("/other", "2"))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      let missing = try await send(url, "/Users/a/b/")
      #expect(
        missing.body
          == "anvil: the recording has no response to GET /Users/a/b/; the recording has the path /users/a%2Fb\n")
    }
  }

  @Test func lengthOfARecordedHEADIsKept() async throws {
    let path = try archive(
      Self.entry("/a", "", method: "HEAD"), Self.entry("/b", "", status: 304), Self.entry("/c", "text"))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      #expect(try await send(url, "/a", .head).head.headers.values(for: .contentLength) == ["999"])
      #expect(try await send(url, "/b").head.headers.values(for: .contentLength) == ["999"])
      #expect(try await send(url, "/c", .head).head.headers.values(for: .contentLength) == ["4"])
      #expect(try await send(url, "/c").body == "text")
    }
  }

  @Test func invalidRecordedFieldsAreLeftOut() async throws {
    let headers =
      #", {"name": "X Y", "value": "1"}, {"name": "", "value": "1"}, {"name": "X-N\u0000", "value": "1"}, {"name": "X-V", "value": "a\u0001"}, {"name": "X-A", "value": "1"}, {"name": "Content-Length", "value": "x"}"#
    let path = try archive(
      Self.entry("/a", "text", headers: headers), Self.entry("/h", "", method: "HEAD", headers: headers))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      let answer = try await send(url, "/a")
      #expect(answer.head.code == 200 && answer.body == "text")
      #expect(answer.head.headers["X-A"] == "1" && !answer.head.headers.contains("X-V"))
      #expect(try await send(url, "/h", .head).head.code == 200)
    }
  }

  @Test func requestWithoutARecordedResponseHasNoResponse() async throws {
    let path = try archive(#"{"request": {"method": "GET", "url": "https://api.example.com/a"}}"#)
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      await #expect(throws: TransportError.self) { try await send(url, "/a") }
    }
  }

  @Test func messageForAMissingExchangeComparesTheFirstTwenty() async throws {
    let path = try archive((1...30).map { Self.entry("/a?page=\($0)", "") })
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      let missing = try await send(url, "/a")
      #expect(missing.head.code == 404)
      #expect(missing.body.contains("the query page=20\n") && !missing.body.contains("page=21"))
    }
  }

  @Test func fieldsAboutTheRecordedTransferAreRemoved() async throws {
    let headers =
      #", {"name": "Location", "value": "https://api.example.com/next?a#b"}, {"name": "set-cookie", "value": "a=1\nb=2\r\nc=3"}, {"name": "X-Key", "value": "<redacted>"}"#
    let path = try archive(Self.entry("/a", "text", status: 302, headers: headers))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      let answer = try await send(url, "/a")
      #expect(answer.head.code == 302 && answer.body == "text")
      #expect(answer.head.headers[.contentLength] == "4")
      #expect(answer.head.headers[.contentType] == "text/plain")
      #expect(answer.head.headers[.location] == "/next?a#b")
      #expect(answer.head.headers.values(for: .setCookie) == ["a=1", "b=2", "c=3"])
      #expect(!answer.head.headers.contains("X-Key") && !answer.head.headers.contains(.contentEncoding))
    }
  }

  /// Secrets that were recorded are compared, and hidden ones are not.
  @Test(arguments: [[], ["--strict"]])
  func requestsAreDistinguishedByTheirSecrets(options: [String]) async throws {
    let path = try archive(
      Self.entry("/l?access_token=A", "1"), Self.entry("/l?access_token=B", "2"),
      Self.entry("/l?access_token=%3Credacted%3E", "3"))
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      #expect(try await send(url, "/l?access_token=B").body == "2")
      #expect(try await send(url, "/l?access_token=A").body == "1")
      #expect(try await send(url, "/l?access_token=C").body == "3")
    }
  }

  @Test func incompleteResponsesStayIncomplete() async throws {
    let cut = Self.entry("/cut", "half").replacing(#""status": 200"#, with: #""status": 200, "_error": "truncated""#)
    let unknown = Self.entry("/unknown", "").replacing(#""mimeType": "text/plain", "text": """#, with: #""size": 7"#)
    let path = try archive(cut, unknown, Self.entry("/socket", "", status: 101))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      await #expect(throws: TransportError.self) { try await send(url, "/cut") }
      #expect(try await send(url, "/unknown").head.code == 502)
      #expect(try await send(url, "/socket").head.code == 404)
    }
  }

  @Test func requestsForOtherHostsAreRejected() async throws {
    let location = #", {"name": "Location", "value": "https://api.example.com//evil.example/a"}"#
    let path = try archive(Self.entry("/a", "a", status: 302, headers: location))
    try await withListening(arguments: ["serve", path]) { (url: URL) async throws in
      for (host, code) in [
        ("evil.example", 421), ("api.example.com", 302), ("localhost:80", 302), ("LocalHost", 302),
        ("API.Example.com:8080", 302), ("127.0.0.1:1", 302), ("[::1]", 302), ("localhost.evil.example", 421),
        ("localhost@evil.example", 400),
      ] {
        let request = HTTP.Request(
          url: try #require(URL(string: url.absoluteString + "/a")), headers: [.host: HTTP.HeaderValue(rawValue: host)])
        let head = try await CurlSession().send(request, options: TransportOptions(timeout: .seconds(60))).head
        #expect(head.code == code, "\(host)")
        if code == 302 { #expect(head.headers[.location] == "/.//evil.example/a") }
      }
    }
  }

  @Test func strictUsesEachExchangeOnce() async throws {
    let path = try archive(Self.entry("/a?x=1&y=2", "first"), Self.entry("/a?x=1&y=2", "second"), Self.entry("/b", "b"))
    let outcome = try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      #expect(try await send(url, "/a?x=1&y=2").body == "first")
      #expect(try await send(url, "/a?y=2&x=1").head.code == 404)
      #expect(try await send(url, "/a?x=1&y=2").body == "second")
      #expect(try await send(url, "/a?x=1&y=2").head.code == 404)
    }
    #expect(outcome.status == 1)
    #expect(
      outcome.error == """
        GET /a?y=2&x=1 → 404, not recorded; for this path the recording has the query x=1&y=2
        GET /a?x=1&y=2 → 404, not recorded; for this path the recording has an exchange that was already used
        anvil: not requested: GET https://api.example.com/b

        """)
  }

  @Test func strictSucceedsIfEveryExchangeWasRequested() async throws {
    let path = try archive(Self.entry("/a", "a"))
    let outcome = try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      #expect(try await send(url, "/a").body == "a")
    }
    #expect(outcome.status == 0 && outcome.error == "")
  }

  @Test func faultsOccurAtTheirInterval() async throws {
    let path = try archive(Self.entry("/a", "a"))
    try await withListening(arguments: ["serve", path, "--faults", "503/2,truncated-body/3"]) {
      (url: URL) async throws in
      #expect(try await send(url, "/a").head.code == 200)
      #expect(try await send(url, "/a").head.code == 503)
      await #expect(throws: TransportError.self) { try await send(url, "/a") }
      #expect(try await send(url, "/a").head.code == 503)
    }
  }

  @Test func latencyDelaysReplies() async throws {
    let path = try archive(Self.entry("/a", "a"))
    for latency in ["0.2", "recorded"] {
      for options in [[], ["--faults", "503"]] {
        try await withListening(arguments: ["serve", path, "--latency", latency] + options) { (url: URL) async throws in
          let start = ContinuousClock.now
          #expect(try await send(url, "/a").head.code == (options.isEmpty ? 200 : 503))
          #expect(ContinuousClock.now - start >= .milliseconds(200))
        }
      }
    }
  }

  @Test func latencyDelaysRepliesWithoutAnExchange() async throws {
    let path = try archive(Self.entry("/a", "a"))
    try await withListening(arguments: ["serve", path, "--latency", "0.2"]) { (url: URL) async throws in
      let start = ContinuousClock.now
      #expect(try await send(url, "/b").head.code == 404)
      #expect(ContinuousClock.now - start >= .milliseconds(200))
    }
  }

  @Test func repliesAreLoggedInWords() async throws {
    let cut = Self.entry("/cut", "half").replacing(#""status": 200"#, with: #""status": 200, "_error": "truncated""#)
    let lost = Self.entry("/lost", "", status: 0)
    let unknown = Self.entry("/unknown", "").replacing(#""mimeType": "text/plain", "text": """#, with: #""size": 7"#)
    let path = try archive(Self.entry("/a", "a"), cut, lost, unknown)
    let outcome = try await withListening(arguments: ["serve", path, "-v"]) { (url: URL) async throws in
      for target in ["/a", "/cut", "/lost", "/unknown"] { _ = try? await send(url, target) }
    }
    #expect(
      outcome.error == """
        anvil: 1 of 4 responses were recorded without their body
        GET /a → 200
        GET /cut → 200, cut short
        GET /lost → closed before the response
        GET /unknown → 502, the body was not recorded

        """)
  }

  /// Secrets that a recording does not contain are not compared.
  @Test func trailersAreServed() async throws {
    let origin = try LoopbackServer()
    let sent: HTTP.Headers = ["RateLimit-Remaining": "1, 2", "X-Token": "t0p"]
    origin.on(.get, "/digest") { _ in .chunked([Data("a".utf8)], trailers: sent) }
    func trailers(of url: URL, by service: TransportService) async throws -> [HTTP.Headers] {
      let heard = Mutex<[HTTP.Headers]>([])
      let options = TransportOptions(eventHandler: { event in
        if case .trailers(let fields) = event { heard.withLock { $0.append(fields) } }
      })
      let request = HTTP.Request(url: url.appending(path: "digest"))
      #expect(try await service.execute(request, options: options).get().body.string == "a")
      return heard.withLock { $0 }
    }
    let file = folder.url.appending(path: "cassette.json")
    let archive = folder.url.appending(path: "archive.har")
    let recorder = HARRecorder()
    let cassette = try CassetteSession(file: file, mode: .record(CurlSession()))
    let recording = TransportService(session: cassette, interceptors: [recorder])
    #expect(try await trailers(of: origin.url, by: recording) == [sent])
    try recorder.write(to: archive)
    for file in [file, archive] {
      try await withListening(arguments: ["serve", file.path()]) { (url: URL) async throws in
        let found = try await trailers(of: url, by: TransportService(session: CurlSession()))
        #expect(found == [["RateLimit-Remaining": "1, 2"]], "\(file)")
      }
    }
  }

  @Test func cassetteIsServed() async throws {
    let origin = try LoopbackServer()
    origin.on(.post, "/login") { _ in .json(#"{"n": 1}"#, status: 201) }
    origin.on(.get, "/cut") { _ in .fault(.truncatedBody) }
    origin.on(.get, "/lost") { _ in .fault(.closeBeforeHead) }
    let cassette = folder.url.appending(path: "cassette.json")
    let session = try CassetteSession(file: cassette, mode: .record(CurlSession()))
    func login(_ url: URL, _ password: String, by session: any TransportSession) async throws -> Int {
      let body = HTTP.Body(Data(#"{"password": "\#(password)"}"#.utf8), contentType: .applicationJSON)
      let target = try #require(URL(string: "\(url.absoluteString)/login?api_key=\(password)"))
      let request = HTTP.Request(method: .post, url: target, body: body)
      return try await session.send(request, options: TransportOptions(timeout: .seconds(60))).head.code
    }
    #expect(try await login(origin.url, "t0p", by: session) == 201)
    for target in ["/cut", "/lost"] {
      _ = try? await session.send(
        HTTP.Request(url: origin.url(target)), options: TransportOptions(timeout: .seconds(60)))
    }
    origin.stop()
    try await withListening(arguments: ["serve", cassette.path(), "--strict"]) { (url: URL) async throws in
      #expect(try await login(url, "other", by: CurlSession()) == 201)
      for target in ["/cut", "/lost"] {
        await #expect(throws: TransportError.self) { try await send(url, target) }
      }
    }
  }

  @Test func recordingOfTheProxyIsServed() async throws {
    let origin = try LoopbackServer()
    origin.on(.get, "/a") { _ in .json(#"{"n": 1}"#) }
    let path = folder.path("proxy.har")
    try await withListening(arguments: ["proxy", "--origin", origin.url.absoluteString, "--record", path]) {
      (url: URL) async throws in
      #expect(try await send(url, "/a").body == #"{"n": 1}"#)
    }
    origin.stop()
    try await withListening(arguments: ["serve", path, "--strict"]) { (url: URL) async throws in
      #expect(try await send(url, "/a").body == #"{"n": 1}"#)
    }
  }

  @Test func originOptionSelectsExchanges() async throws {
    let other = Self.entry("/a", "other").replacing("api.example.com", with: "other.example.com")
    let path = try archive(other, Self.entry("/a", "api"))
    try await withListening(arguments: ["serve", path, "--origin", "https://api.example.com"]) {
      (url: URL) async throws in
      #expect(try await send(url, "/a").body == "api")
    }
  }

  @Test(arguments: [
    ("[]", "it is a JSON array and not an object with log.entries"),
    (#"{"exchanges": [], "version": 9}"#, "version 9 of cassettes is not supported"),
  ])
  func filesThatAreNotRecordingsAreReported(text: String, reason: String) async throws {
    let path = try file(text)
    #expect(
      await anvil("serve", path)
        == Outcome(status: 5, output: "", error: "anvil: \(path) is not an HTTP archive: \(reason)\n"))
  }
}
