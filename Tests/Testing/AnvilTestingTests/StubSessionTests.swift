import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct StubSessionTests {
  private func url(_ path: String) throws -> URL {
    try #require(URL(string: "https://api.example.com\(path)"))
  }

  @Test func theErrorForAnUnexpectedRequestListsTheExpectedOnes() async throws {
    let heard = Mutex<[String]>([])
    let session = StubSession { unexpected in heard.withLock { $0.append("\(unexpected)") } }
    session.on(.get, try url("/users/1"), .status(200))
    let request = HTTP.Request(method: .delete, url: try url("/users/2?x=1"))
    let error = await #expect(throws: TransportError.self) {
      try await session.send(request, options: TransportOptions())
    }
    let text =
      "unexpected request DELETE https://api.example.com/users/2?x=1; expected GET https://api.example.com/users/1"
    #expect(error?.code == .other)
    #expect(error?.reason == "unexpected request DELETE https://api.example.com/users/2?x=<redacted>")
    #expect(heard.withLock { $0 } == [text])
    let mismatch = #expect(throws: StubSession.MismatchError.self) { try session.verify() }
    #expect(
      mismatch?.description == """
        unexpected: DELETE https://api.example.com/users/2?x=1
        not requested: GET https://api.example.com/users/1
        """)
  }

  /// Equivalent URLs. Source: RFC 3986 §6.2.2, and for queries the URL standard's form encoding.
  @Test(arguments: [
    ("/a?f[]=1", "/a?f%5B%5D=1"), ("/@ada", "/%40ada"), ("/a%2fb", "/a%2Fb"), ("/%7Eada", "/~ada"),
    ("/a?q=a+b", "/a?q=a%20b"), ("/ü?ü=ö", "/%C3%BC?%c3%bc=%c3%b6"), ("/a?t=10:30,a", "/a?t=10%3A30%2Ca"),
    ("/a?x=1&&y=2&", "/a?x=1&y=2"), ("/a?", "/a"), ("/a#part", "/a"), ("/b/../a/./c", "/a/c"),
    ("/a?x=a=b", "/a?x=a%3Db"), ("/a;v=1", "/a%3Bv=1"), ("/a?x=100%25", "/a?x=100%"),
  ])
  func equivalentURLsMatch(one: String, other: String) async throws {
    for (expected, sent) in [(one, other), (other, one)] {
      let session = StubSession { Issue.record("\($0)") }
      session.on(.get, try url(expected), .status(200))
      let response = try await session.send(HTTP.Request(url: try url(sent)), options: TransportOptions())
      #expect(response.head.code == 200)
    }
  }

  @Test(arguments: [
    ("https://API.example.com/a", "https://api.example.com:443/a"),
    ("HTTPS://api.example.com", "https://api.example.com/"),
    ("https://api.example.com:/a", "https://api.example.com/a"), ("http://[::1]:80/", "http://[::1]/"),
  ])
  func equivalentOriginsMatch(one: String, other: String) async throws {
    let session = StubSession { Issue.record("\($0)") }
    session.on(.get, try #require(URL(string: one)), .status(200))
    let request = HTTP.Request(url: try #require(URL(string: other)))
    #expect(try await session.send(request, options: TransportOptions()).head.code == 200)
  }

  @Test(arguments: [
    ("/a%2Fb", "/a/b"), ("/a?x=1&y=2", "/a?y=2&x=1"), ("/a?x", "/a?x="), ("/a?x=1", "/a?x=1&x=1"), ("/a/", "/a"),
    ("/a+b", "/a%20b"), ("/a?x=%26y", "/a?x=&y"), ("/a?x=%2B", "/a?x=+"), ("/a//b", "/a/b"), ("/A", "/a"),
    ("/a?x%3D1", "/a?x=1"), ("/%FF", "/%FE"), ("/e%CC%81", "/%C3%A9"),
  ])
  func differentURLsDoNotMatch(one: String, other: String) async throws {
    for (expected, sent) in [(one, other), (other, one)] {
      let session = StubSession { _ in }
      session.on(.get, try url(expected), .status(200))
      await #expect(throws: TransportError.self, "\(expected) \(sent)") {
        try await session.send(HTTP.Request(url: try url(sent)), options: TransportOptions())
      }
    }
  }

  @Test(arguments: [
    ("/users?page=2", "/users?page=1", "the query has page=2, not page=1"),
    ("/users", "/users?page=1", "the query lacks page=1"),
    ("/users?page=1&x", "/users?page=1", "the query also has x"),
    ("/users?a=1&b=2", "/users?b=2&a=1", "the query's items are in another order"),
    ("/users/", "/users", "the path is /users/, not /users"),
    ("/users%2F1", "/users/1", "the path is /users%2F1, not /users/1"),
  ])
  func theErrorForAnUnexpectedRequestNamesWhatDiffers(sent: String, expected: String, difference: String) async throws {
    let heard = Mutex<[String]>([])
    let session = StubSession { unexpected in heard.withLock { $0.append("\(unexpected)") } }
    session.on(.get, try url("/other"), .status(200))
    session.on(.get, try url(expected), .status(200))
    _ = try? await session.send(HTTP.Request(url: try url(sent)), options: TransportOptions())
    let base = "https://api.example.com"
    #expect(
      heard.withLock { $0 } == [
        "unexpected request GET \(base)\(sent); expected GET \(base)/other, GET \(base)\(expected) (\(difference))"
      ])
  }

  @Test func matchersCanAccessTheSession() async throws {
    let session = StubSession()
    session.on("the second request", where: { _ in session.requests.count == 2 }) { _ in .status(201) }
    session.on("any", where: { _ in true }) { _ in .status(200) }
    var codes: [Int] = []
    for _ in 0..<3 {
      codes.append(try await session.send(HTTP.Request(url: try url("/")), options: TransportOptions()).head.code)
    }
    #expect(codes == [200, 201, 200])
  }

  @Test func verifyAcceptsAnUnusedStubOfZeroReplies() async throws {
    let session = StubSession { _ in }
    session.on(.get, try url("/"), times: 0, .status(200))
    try session.verify()
    await #expect(throws: TransportError.self) {
      try await session.send(HTTP.Request(url: try url("/")), options: TransportOptions())
    }
  }

  @Test func stubsAnswerInOrder() async throws {
    let session = StubSession()
    let request = HTTP.Request(url: try url("/"))
    session.on(.get, request.url, times: 2, .status(503))
    session.on(.get, request.url, .status(200))
    var codes: [Int] = []
    for _ in 0..<4 { codes.append(try await session.send(request, options: TransportOptions()).head.code) }
    #expect(codes == [503, 503, 200, 200])
    try session.verify()
  }

  @Test func stubsWithURLsAndWithClosuresAnswerInOneOrder() async throws {
    let session = StubSession { _ in }
    let request = HTTP.Request(url: try url("/a"))
    session.on("no request", where: { _ in false }) { _ in .status(500) }
    session.on(.get, request.url, times: 0, .status(500))
    session.on(.get, try url("/b"), .status(500))
    session.on(.get, request.url, times: 1, .status(200))
    session.on("one request", where: { _ in true }, times: 1) { _ in .status(201) }
    session.on(.get, try url("/%61"), times: 2, .status(202))
    session.on("the next request", where: { $0.url.path() == "/a" }, times: 1) { _ in .status(203) }
    session.on(.get, request.url, times: 1, .status(204))
    var codes: [Int?] = []
    for _ in 0..<7 { codes.append(try? await session.send(request, options: TransportOptions()).head.code) }
    #expect(codes == [200, 201, 202, 202, 203, 204, nil])
  }

  @Test(.timeLimit(.minutes(5))) func manyStubsAnswerInReverseOrder() async throws {
    let session = StubSession { Issue.record($0) }
    let urls = try (0..<24_000).map { try url("/users/\($0)") }
    for url in urls { session.on(.get, url, times: 1, .status(204)) }
    for url in urls.reversed() { _ = try await session.send(HTTP.Request(url: url), options: TransportOptions()) }
    try session.verify()
  }

  @Test func verifyReportsAStubWithUnusedReplies() async throws {
    let session = StubSession()
    let request = HTTP.Request(url: try url("/"))
    session.on(.get, request.url, times: 2, .status(200))
    _ = try await session.send(request, options: TransportOptions())
    #expect(throws: StubSession.MismatchError.self) { try session.verify() }
  }

  @Test func slowReplyTimesOut() async throws {
    let session = StubSession()
    let request = HTTP.Request(url: try url("/"))
    session.on(.get, request.url, times: 1, .status(200).after(.seconds(3600)))
    session.on(.get, request.url, .never)
    for _ in 0..<2 {
      await #expect(throws: TransportError(code: .timedOut, phase: .firstByte)) {
        try await session.send(request, options: TransportOptions(timeout: .milliseconds(10)))
      }
    }
  }

  @Test func cancelledRequestEndsAtOnce() async throws {
    let session = StubSession()
    let request = HTTP.Request(url: try url("/"))
    session.on(.get, request.url, .never)
    let task = Task { try await session.send(request, options: TransportOptions()) }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    await #expect(throws: TransportError(code: .cancelled, phase: .firstByte)) { try await task.value }
  }

  @Test func streamedRequestBodyIsRecordedInMemory() async throws {
    let session = StubSession()
    let stream = AsyncStream<Data> {
      $0.yield(Data("streamed".utf8))
      $0.finish()
    }
    let request = HTTP.Request(method: .post, url: try url("/"), body: .stream(stream))
    session.on(.post, request.url) { .status(200, body: $0.body.data ?? Data()) }
    let response = try await session.send(request, options: TransportOptions())
    var echoed = Data()
    for try await chunk in response.body { echoed += chunk }
    #expect(String(decoding: echoed, as: UTF8.self) == "streamed")
    #expect(session.requests.first?.body.string == "streamed")
  }

  @Test func sessionsDoNotDisturbEachOtherInParallel() async throws {
    let target = try url("/")
    await withTaskGroup(of: Bool.self) { group in
      for code in 200..<260 {
        group.addTask {
          let session = StubSession()
          session.on(.get, target, .status(HTTP.Status(code: code)))
          let response = try? await session.send(HTTP.Request(url: target), options: TransportOptions())
          return response?.head.code == code
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }

  @Test func stubsRepliesMayBeFaultsAndBodiesOfServers() async throws {
    let session = StubSession()
    session.on(.get, try url("/cut"), .fault(.truncatedBody))
    session.on(.get, try url("/late"), .fault(.slowHead(.seconds(60))))
    session.on(.get, try url("/long"), .status(200, length: 2, body: [Data("ab".utf8)]))
    session.on(.get, try url("/short"), .status(200, headers: [.contentLength: "100"], body: Data("short".utf8)))
    session.on(.get, try url("/shorter"), .status(200, length: 3, body: [Data("ab".utf8)]))
    for path in ["/cut", "/short", "/shorter"] {
      let cut = try await session.send(HTTP.Request(url: try url(path)), options: TransportOptions())
      await #expect(throws: TransportError(code: .truncatedResponse, phase: .body)) { for try await _ in cut.body {} }
    }
    await #expect(throws: TransportError(code: .timedOut, phase: .firstByte)) {
      try await session.send(HTTP.Request(url: try url("/late")), options: TransportOptions(timeout: .milliseconds(1)))
    }
    let long = try await session.send(HTTP.Request(url: try url("/long")), options: TransportOptions())
    #expect(long.head.headers[.contentLength] == "2")
    var bytes = Data()
    for try await chunk in long.body { bytes += chunk }
    #expect(bytes == Data("ab".utf8))
  }

  @Test func aServerEndsTheConnectionWhereAStubReportsAnError() async throws {
    let server = try LoopbackServer()
    let error = TransportError(code: .truncatedResponse)
    server.on(.get, "/failure") { _ in .failure(error) }
    server.on(.get, "/chunks") { _ in .chunks([Data("part".utf8)], error: error, status: 203) }
    server.on(.get, "/none") { _ in .chunks([Data("part".utf8)], status: 204).after(.milliseconds(1)) }
    func received(_ path: String) async throws -> RawSocketClient.Received {
      let client = try RawSocketClient(port: server.port)
      await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      return try await client.readToEnd()
    }
    #expect(try await received("/failure") == .init(text: "", ending: .fin))
    #expect(try await received("/chunks").ending == .reset)
    #expect(
      try await received("/none") == .init(text: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", ending: .fin))
  }

  @Test(arguments: [(HTTP.Method.head, HTTP.Status.success(.ok)), (.get, .success(.noContent)), (.get, 304)])
  func responsesWithoutContentHaveNoBody(method: HTTP.Method, status: HTTP.Status) async throws {
    let url = try url("/x")
    let session = StubSession { Issue.record($0) }
    session.on(method, url, .status(status, headers: [.contentLength: "8"], body: Data(#"{"id":1}"#.utf8)))
    let response = try await session.send(HTTP.Request(method: method, url: url), options: TransportOptions())
    var bytes = Data()
    for try await chunk in response.body { bytes.append(chunk) }
    #expect(bytes.isEmpty)
    #expect(response.head.headers[.contentLength] == "8")
  }

  @Test func stubAnswersWithTheRoutesOfAServer() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/hello") { _ in .text("hello") }
    let session = StubSession()
    session.answer(as: server)
    server.on(.get, "/cut") { _ in .fault(.truncatedBody) }
    server.on(.get, "/raw") { _ in .raw([.close]) }
    server.on(.get, "/long") { _ in .status(200, headers: [.contentLength: "2"], body: Data("hello".utf8)) }
    // A server sends no byte beyond the length.
    let cutBody = try await TransportService(session: session).execute(HTTP.Request(url: server.url("/long"))).get()
      .body
    #expect(cutBody.string == "he")
    let response = try await session.send(
      HTTP.Request(url: server.url("/hello?x=1")), options: TransportOptions())
    #expect(response.head.headers[.contentLength] == "5")
    #expect(server.requests.map(\.target) == ["/long", "/hello?x=1"])
    let cut = try await session.send(HTTP.Request(url: server.url("/cut")), options: TransportOptions())
    await #expect(throws: TransportError(code: .truncatedResponse, phase: .body)) { for try await _ in cut.body {} }
    await #expect(throws: TransportError(code: .other)) {
      try await session.send(HTTP.Request(url: server.url("/raw")), options: TransportOptions())
    }
  }
}
