import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// What a server can answer, and how it can fail, through the real URLSession over real sockets.
@Suite(.timeLimit(.minutes(5))) struct StatusAndFaultTests {
  let transport = TransportService(session: URLTransportSession())

  private func execute(
    _ request: HTTP.Request, timeout: Duration? = .seconds(20)
  ) async -> Result<TransportSuccess, TransportFailure> {
    await transport.execute(request, options: TransportOptions(timeout: timeout))
  }

  // MARK: Statuses

  @Test func everyStatusIsSortedWithRequestAndResponse() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/status/:code") { request in
      .json(
        #"{"code": \#(request.parameters["code"] ?? "")}"#,
        status: HTTP.Status(code: Int(request.parameters["code"] ?? "") ?? 0))
    }
    // 205 is left out: the server sends a body with it, which RFC 9110 §15.3.6 forbids.
    for code in Array(200...299) + Array(400...599) where code != 205 {
      let request = HTTP.Request(url: server.url("/status/\(code)"))
      let result = await execute(request)
      let response: HTTP.Response?
      switch result {
      case .success(let success):
        #expect((200..<300).contains(code))
        response = success.response
      case .failure(let failure):
        let expected: TransportError.Code =
          code < 500 ? .clientError(.init(rawValue: code)) : .serverError(.init(rawValue: code))
        #expect(failure.error.code == expected)
        #expect(failure.request == request)
        response = failure.response
      }
      #expect(response?.code == code)
      #expect(response?.request == request)
      #expect(response?.headers[.contentType] == .applicationJSON)
      #expect(response?.body.string == (code == 204 ? "" : #"{"code": \#(code)}"#), "\(code)")
    }
  }

  @Test(arguments: [300, 301, 302, 303, 304, 305, 307, 308], [HTTP.Method.get, .post, .head])
  func redirectionsAreNeverFollowed(code: Int, method: HTTP.Method) async throws {
    let server = try LoopbackServer()
    server.on(method, "/from") { _ in
      .status(HTTP.Status(code: code), headers: [.location: "/to", "X-Seen": "1"], body: Data("moved".utf8))
    }
    server.on(.get, "/to") { _ in .text("followed") }
    let body = method == .post ? HTTP.Body("payload") : .empty
    let failure = await execute(HTTP.Request(method: method, url: server.url("/from"), body: body)).failure
    #expect(failure?.error.code == .redirection)
    #expect(failure?.response?.code == code)
    #expect(failure?.response?.headers[.location] == "/to")
    #expect(failure?.response?.headers["X-Seen"] == "1")
    #expect(failure?.response?.body.string == (code == 304 || method == .head ? "" : "moved"))
    #expect(server.requests.map(\.path) == ["/from"])
  }

  @Test func redirectionWithoutLocationKeepsItsStatus() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(302) }
    let failure = await execute(HTTP.Request(url: server.url)).failure
    #expect(failure?.error.code == .redirection && failure?.response?.code == 302)
  }

  @Test(arguments: [
    "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate", "NTLM",
    "\u{1F512} nonsense=", "Bearer realm=\"a\", Basic realm=\"b\"",
  ])
  func challengesNeitherHangNorTrap(challenge: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .status(401, headers: [.wwwAuthenticate: "\(challenge)"], body: Data("who are you?".utf8))
    }
    let failure = await execute(HTTP.Request(url: server.url)).failure
    #expect(failure?.error.code == .clientError(.unauthorized))
    #expect(failure?.response?.body.string == "who are you?")
    #expect(server.requests.count == 1)
  }

  @Test func proxyChallengeIsAStatusLikeAnother() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(407, headers: [.proxyAuthenticate: "Basic realm=\"x\""]) }
    #expect(
      await execute(HTTP.Request(url: server.url)).failure?.error.code == .clientError(.proxyAuthenticationRequired))
  }

  @Test func interimResponsesArePassedOver() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([
        .send(Data("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8)),
        .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Final: 1\r\n\r\nok".utf8)), .close,
      ])
    }
    let success = try await execute(HTTP.Request(url: server.url)).get()
    #expect(success.body.string == "ok" && success.response.headers["X-Final"] == "1")
    #expect(!success.response.headers.contains(.link))
  }

  @Test func unaskedSwitchOfProtocolsIsMalformed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n".utf8)), .hang])
    }
    #expect(await execute(HTTP.Request(url: server.url)).failure?.error.code == .malformedResponse)
  }

  // MARK: Faults

  /// `truncatedHead` is left out: Foundation on Linux aborts the process when a connection ends after some heads
  /// ("Transfer completed, but there's no response"), and no wrapper can prevent it.
  ///
  /// Each fault with what it has to become; `nil` for success. Whether the response's head is there comes second.
  static let faults:
    [(fault: LoopbackServer.Fault, code: TransportError.Code?, phase: TransportError.Phase?, head: Bool)] = [
      (.slowHead(.milliseconds(100)), nil, nil, true),
      (.slowDrip(interval: .milliseconds(5), count: 20), nil, nil, true),
      (.slowHead(.seconds(30)), .timedOut, .firstByte, false),
      (.slowDrip(interval: .milliseconds(20), count: 10_000), .timedOut, .body, true),
      (.neverAnswers, .timedOut, .firstByte, false),
      (.truncatedBody, .truncatedResponse, .body, true),
      (.truncatedChunks, .truncatedResponse, .body, true),
      (.resetInBody, .truncatedResponse, .body, true),
      (.closeBeforeHead, .connectionLost, .firstByte, false),
      (.resetBeforeHead, .connectionLost, .firstByte, false),
      (.badChunk, .malformedResponse, .body, true),
      (.conflictingLengths, .malformedResponse, .body, true),
      (.lengthAndChunked, .malformedResponse, .body, true),
      (.notHTTP, .malformedResponse, .firstByte, false),
    ]

  @Test(arguments: faults)
  func faultIsNamed(
    fault: LoopbackServer.Fault, code: TransportError.Code?, phase: TransportError.Phase?, head: Bool
  ) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(fault) }
    let request = HTTP.Request(url: server.url)
    let timeout: Duration = code == .timedOut ? .milliseconds(350) : .seconds(20)
    switch await execute(request, timeout: timeout) {
    case .success(let success):
      #expect(code == nil, "\(fault) was taken for a success with \(success.body)")
    case .failure(let failure):
      #expect(failure.error.code == code, "\(failure.error)")
      #expect(failure.error.phase == phase, "\(failure.error)")
      #expect(failure.request == request)
      #expect((failure.response != nil) == head)
      if head { #expect(failure.response?.code == 200) }
      if code == .timedOut {
        let elapsed = try #require(failure.error.elapsed)
        #expect(elapsed >= timeout)
      }
    }
  }

  /// What came before a fault stays with the failure: it is evidence, not a result.
  @Test func partOfABodyStaysWithTheFailure() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".utf8)), .close])
    }
    let failure = await execute(HTTP.Request(url: server.url)).failure
    #expect(failure?.error.code == .truncatedResponse)
    #expect(failure?.response?.body.string == "half")
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99 X\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n", "<html>hello</html>", "\u{0}\u{1}\u{2}\u{3}",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\0b\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
  ])
  func otherNonsenseIsMalformed(bytes: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.send(Data(bytes.utf8)), .close]) }
    #expect(await execute(HTTP.Request(url: server.url)).failure?.error.code == .malformedResponse)
  }

  @Test func repeatedEqualLengthsAreOne() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok".utf8)), .close])
    }
    #expect(try await execute(HTTP.Request(url: server.url)).get().body.string == "ok")
  }

  // MARK: No connection, no security

  @Test func refusedConnectionIsNoConnection() async throws {
    // Port 1 is nobody's; that of a server that has stopped may be another test's by now.
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let failure = await execute(HTTP.Request(url: url)).failure
    #expect(failure?.error.code == .noConnection && failure?.response == nil)
  }

  @Test func unknownHostIsNoConnection() async throws {
    let url = try #require(URL(string: "http://no-such-host.invalid/"))
    #expect(await execute(HTTP.Request(url: url)).failure?.error.code == .noConnection)
  }

  @Test func plainServerForHTTPSIsATLSFailure() async throws {
    let server = try LoopbackServer()
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let failure = await execute(HTTP.Request(url: url)).failure
    #expect(failure?.error.code == .tlsFailure && failure?.response == nil)
  }

  @Test(arguments: [0.05, 0.2, 0.35])
  func timeoutsBelowASecondWork(timeout: Double) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let failure = await execute(HTTP.Request(url: server.url), timeout: .seconds(timeout)).failure
    #expect(failure?.error.code == .timedOut)
    let elapsed = try #require(failure?.error.elapsed)
    // Generous above: that it is not rounded to a whole second is the point, not how busy the machine is.
    #expect(elapsed >= .seconds(timeout))
    #expect(failure?.description.hasSuffix("waiting for the response") == true)
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
