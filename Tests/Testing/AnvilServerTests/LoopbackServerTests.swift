internal import AnvilBase
internal import AnvilHTTP
internal import AnvilServer
internal import AnvilTestSupport
internal import Testing

@Suite(.timeLimit(.minutes(15)))
struct LoopbackServerTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/hello") { _ in .text("hello") }
    server.on(.post, "/echo") { .status(200, body: $0.body) }
  }

  /// Sends these bytes and returns the response up to the end of the connection.
  private func exchange(_ request: String) async throws -> RawSocketClient.Received {
    let client = try RawSocketClient(port: server.port)
    await client.send(request)
    return try await client.readToEnd()
  }

  /// Returns the response to a request for `target` with `Connection: close`.
  private func closing(_ target: String, by method: String = "GET") async throws -> RawSocketClient.Received {
    try await exchange("\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  }
}

// MARK: Replies

extension LoopbackServerTests {
  @Test func repliesAreSentWithExactlyTheseBytes() async throws {
    #expect(
      try await closing("/hello")
        == .init(
          text: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n"
            + "Connection: close\r\n\r\nhello", ending: .fin))
  }

  @Test func sendsChunksAndTrailers() async throws {
    server.on(.get, "/chunks") { _ in
      .chunked(
        [Data("hello".utf8), Data(), Data("a longer chunk".utf8)], headers: ["X-A": "1"],
        trailers: ["X-Sum": "7", "X-B": "8"])
    }
    #expect(
      try await closing("/chunks").text
        == "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, X-B\r\nConnection: close\r\n\r\n"
        + "5\r\nhello\r\ne\r\na longer chunk\r\n0\r\nX-Sum: 7\r\nX-B: 8\r\n\r\n")
    #expect(
      try await closing("/chunks", by: "HEAD").text
        == "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, X-B\r\nConnection: close\r\n\r\n"
    )
  }

  @Test func sendsChunksUnframedToHTTP10() async throws {
    server.on(.get, "/chunks") { _ in .chunked([Data("ab".utf8), Data("cd".utf8)], trailers: ["X-Sum": "7"]) }
    #expect(
      try await exchange("GET /chunks HTTP/1.0\r\n\r\n")
        == .init(text: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcd", ending: .fin))
  }

  @Test func answersHeadLikeGetWithoutTheBody() async throws {
    #expect(
      try await closing("/hello", by: "HEAD").text
        == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n"
        + "Connection: close\r\n\r\n")
    #expect(server.requests.map(\.method) == [.head])
  }

  @Test(arguments: [204, 304])
  func sendsNoBodyAndNoLengthWithStatus(_ code: Int) async throws {
    server.on(.get, "/empty") { _ in .status(HTTP.Status(code: code), body: Data("x".utf8)) }
    let phrase = try #require(HTTP.Status(code: code).reasonPhrase)
    #expect(try await closing("/empty").text == "HTTP/1.1 \(code) \(phrase)\r\nConnection: close\r\n\r\n")
  }

  @Test func answers404WhereNoRouteMatches() async throws {
    #expect(
      try await closing("/nowhere").text
        == "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 71\r\nConnection: close\r\n\r\n"
        + #"{"status":404,"error":"Not Found","reason":"no route matches the path"}"#)
  }

  @Test func answers405WithTheMethodsOfThePath() async throws {
    server.on(.put, "/hello") { _ in .status(204) }
    let reply = try await closing("/hello", by: "DELETE").text
    #expect(
      reply.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json\r\nAllow: GET, HEAD, PUT\r\n"))
    #expect(
      reply.hasSuffix(#"{"status":405,"error":"Method Not Allowed","reason":"the path has no route for this method"}"#))
  }

  @Test func keepsTheLengthAndTypeOfAHandlerAndClosesIfTheLengthIsWrong() async throws {
    server.on(.get, "/wrong") { _ in
      .json("{}", status: 201, headers: [.contentType: "application/vnd.api+json", .contentLength: "9"])
    }
    #expect(
      try await exchange("GET /wrong HTTP/1.1\r\nHost: x\r\n\r\n")
        == .init(
          text: "HTTP/1.1 201 Created\r\nContent-Type: application/vnd.api+json\r\nContent-Length: 9\r\n"
            + "Connection: close\r\n\r\n{}", ending: .fin)
    )
  }

  @Test func doesNotSendAFieldThatWouldSplitTheMessage() async throws {
    server.on(.get, "/split") { _ in .status(200, headers: ["X-A": "1\r\nX-B: 2"]) }
    let reply = try await closing("/split").text
    #expect(reply.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    #expect(reply.hasSuffix("the reply's header \"X-A\" is invalid"))
  }

  @Test func sendsTheFirstChunkAtOnceAndTheNextAfterTheInterval() async throws {
    server.on(.get, "/later") { _ in .chunked([Data("a".utf8), Data("b".utf8)], every: .seconds(3600)) }
    let client = try RawSocketClient(port: server.port)
    await client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try await client.read(through: "1\r\na\r\n").hasSuffix("\r\n\r\n1\r\na\r\n"))
    client.finishSending()
    #expect(try await client.readToEnd() == .init(text: "", ending: .fin))

    server.on(.get, "/later") { _ in .chunked([Data("a".utf8), Data("b".utf8)], every: .milliseconds(1)) }
    #expect(try await closing("/later").text.hasSuffix("\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n"))
  }

  @Test func startsADelayedReplyAfterItsDelay() async throws {
    server.on(.get, "/late") { _ in .text("late").after(.milliseconds(20)).after(.milliseconds(10)) }
    let clock = ContinuousClock()
    let begin = clock.now
    #expect(try await closing("/late").text.hasSuffix("late"))
    #expect(clock.now - begin >= .milliseconds(30))
  }
}

// MARK: Routes

extension LoopbackServerTests {
  @Test func decodesParametersPathAndQuery() async throws {
    server.on(.get, "/users/:id/files/*") { _ in .text("ok") }
    _ = try await closing("/users/a%2Fb%20%C3%A9/files/x/y%3Fz?q=a+b%26c&empty=&bare&&q=%zz&%3D=1=2")
    let request = try #require(server.requests.first)
    #expect(request.parameters == ["id": "a/b é", "*": "x/y?z"])
    #expect(request.path == "/users/a/b é/files/x/y?z")
    #expect(request.target == "/users/a%2Fb%20%C3%A9/files/x/y%3Fz?q=a+b%26c&empty=&bare&&q=%zz&%3D=1=2")
    #expect(request.query.map { "\($0.name)|\($0.value ?? "-")" } == ["q|a b&c", "empty|", "bare|-", "q|%zz", "=|1=2"])
  }

  /// Many clients send the text of a URL as it is.
  @Test func aTargetMayContainText() async throws {
    server.on(.get, "/users/:id") { .text($0.parameters["id"] ?? "") }
    let received = try await closing("/users/\u{E9}\u{4E16}\u{1F600}?q=\u{FC}")
    #expect(received.text.hasSuffix("\r\n\r\n\u{E9}\u{4E16}\u{1F600}"))
    let request = try #require(server.requests.last)
    #expect(request.target == "/users/\u{E9}\u{4E16}\u{1F600}?q=\u{FC}" && request.query["q"] == "\u{FC}")
  }

  @Test func usesTheFirstMatchingRoute() async throws {
    server.on(.get, "/users/me") { _ in .text("me") }
    server.on(.get, "/users/:id") { .text("user \($0.parameters["id"] ?? "")") }
    server.on(.get, "/users/you") { _ in .text("never") }
    server.on(.get, "/*") { .text("rest \($0.parameters["*"] ?? "")") }
    #expect(try await closing("/users/me").text.hasSuffix("\r\n\r\nme"))
    #expect(try await closing("/users/you").text.hasSuffix("\r\n\r\nuser you"))
    #expect(try await closing("/users/").text.hasSuffix("\r\n\r\nrest users/"))
    #expect(try await closing("/").text.hasSuffix("\r\n\r\nrest "))
    #expect(try await closing("http://elsewhere/users/me").text.hasSuffix("\r\n\r\nme"))
  }

  @Test func replacesTheHandlerOfTheSameMethodAndPattern() async throws {
    server.on(.get, "/hello") { _ in .text("again") }
    #expect(try await closing("/hello").text.hasSuffix("again"))
  }

  @Test func createsURLsForAnyTarget() throws {
    #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)")
    #expect(server.url("/users/1?x=y%20z").absoluteString == "http://127.0.0.1:\(server.port)/users/1?x=y%20z")
    for odd in [
      "", "x", "@elsewhere/", ":99", "//elsewhere/", "/%zz", "/a b\u{0}\n", "/é?\u{1F600}[]{}|\\^", "/#?#", "::",
    ] {
      let url = server.url(odd)
      #expect(url.host() == "127.0.0.1", "\(odd)")
      #expect(url.port == server.port, "\(odd)")
      #expect(url.user == nil, "\(odd)")
    }
  }
}

// MARK: Requests

extension LoopbackServerTests {
  @Test func answersPipelinedRequestsInOrderOnOneConnection() async throws {
    let echo = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
    let reply = try await exchange(
      "\(echo)\r\nabcGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n\(echo)Connection: Close\r\n\r\ndefGET /hello HTTP/1.1\r\n\r\n"
    )
    #expect(reply.ending == .fin)
    #expect(reply.text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 404 Not Found\r\n"))
    #expect(reply.text.hasSuffix("}HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\ndef"))
    #expect(server.requests.map(\.target) == ["/echo", "/nowhere", "/echo"])
    #expect(server.requests.map(\.connection) == [1, 1, 1])
  }

  @Test func keepsTheConnectionOpenBetweenRequests() async throws {
    let client = try RawSocketClient(port: server.port)
    for _ in 0..<3 {
      await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try await client.read(through: "\r\n\r\nhello").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
    _ = try await closing("/hello")
    #expect(server.requests.map(\.connection) == [1, 1, 1, 2])
  }

  @Test func closesAfterHTTP10() async throws {
    #expect(try await exchange("GET /hello HTTP/1.0\r\n\r\n").text.hasSuffix("Connection: close\r\n\r\nhello"))
  }

  @Test func readsAChunkedBody() async throws {
    let reply = try await exchange(
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
        + "5\r\nhello\r\n00A;ext=\"1\"\r\n, chunked!\r\n0\r\nX-Trailer: 1\r\n\r\n")
    #expect(reply.text.hasSuffix("\r\n\r\nhello, chunked!"))
  }

  @Test func sends100ContinueToAWaitingClient() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send(
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    await client.send("hello")
    #expect(
      try await client.readToEnd().text == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
  }

  @Test func keepsTheOrderAndCaseOfRequestHeaders() async throws {
    _ = try await exchange(
      "GET /hello HTTP/1.0\r\nX-b: 2\r\nx-A:\t 1 \r\nX-B: \r\nX-U: é, \"q\"\r\n\r\n")
    let request = try #require(server.requests.first)
    #expect(
      request.headers.map { "\($0.key)=\($0.value)" } == ["X-b=2", "x-A=1", "X-B=", "X-U=é, \"q\""])
  }

  @Test func acceptsALargeBody() async throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 16)
    let client = try RawSocketClient(port: server.port)
    async let sent: Void = client.send(
      "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    await sent
    let received = try await client.readToEnd()
    #expect(received.ending == .fin)
    #expect(received.text.hasSuffix("\r\n\r\n\(body)"))
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("G@T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /\u{85} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /#f HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: x\n\n", 400),
    ("GET / http/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("SSH-2.0-OpenSSH\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 67108865\r\nExpect: 100-continue\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n", 417),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n", 413),
    ("GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "x", count: 9000))\r\n\r\n", 431),
    (
      "GET / HTTP/1.1\r\nHost: x\r\n\(String(repeating: "A: \(String(repeating: "x", count: 1000))\r\n", count: 70))",
      431
    ),
  ])
  func rejectsInvalidRequests(_ request: String, with status: Int) async throws {
    let reply = try await exchange(request)
    #expect(reply.text.hasPrefix("HTTP/1.1 \(HTTP.Status(code: status))\r\n"))
    #expect(reply.text.contains("\r\nConnection: close\r\n"))
    #expect(reply.ending == .fin)
    #expect(server.requests.isEmpty)
  }

  @Test func describesWhyARequestIsRejected() async throws {
    #expect(
      try await exchange("GET / HTTP/1.1\r\n\r\n").text.hasSuffix(
        #"{"status":400,"error":"Bad Request","reason":"the request must have exactly one Host header"}"#))
  }

  @Test func servesManyConnectionsConcurrently() async throws {
    var clients: [RawSocketClient] = []
    for _ in 0..<200 { clients.append(try RawSocketClient(port: server.port)) }
    // Each is served while all others are in the middle of a request.
    for (number, client) in clients.enumerated() { await client.send("POST /echo HTTP/1.1\r\nX: \(number)\r\n") }
    for (number, client) in clients.enumerated().reversed() {
      let body = "client \(number)"
      await client.send("Host: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(try await client.read(through: body).hasSuffix("\r\n\r\n\(body)"))
    }
    #expect(server.requests.count == 200)
    #expect(Set(server.requests.map(\.connection)) == Set(1...200))
    // The requests were complete one after the other, in this order.
    #expect(server.requests.map { $0.headers["X"]?.rawValue } == (0..<200).reversed().map(String.init))
  }

  @Test func recordsARequestBeforeItsHandlerRuns() async throws {
    server.on(.get, "/count") { [weak server] _ in .text("\(server?.requests.count ?? -1)") }
    #expect(try await closing("/count").text.hasSuffix("\r\n\r\n1"))
    #expect(try await closing("/count").text.hasSuffix("\r\n\r\n2"))
  }
}
