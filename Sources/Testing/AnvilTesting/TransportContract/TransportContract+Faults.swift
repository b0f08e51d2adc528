internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP

/// A case for every fault of the loopback server.
extension TransportContract {
  struct Expectation: Sendable {
    /// The expected error, of which the code and the phase are set; `nil` if the exchange succeeds.
    var error: TransportError?
    /// True if the head of the response is delivered, also if an error follows.
    var hasHead = true
    /// True if a session may report the error instead of the head, in the phase `firstByte`.
    var mayReplaceHead = false

    /// Returns the expectation for a session that has, or has not, delivered a head.
    func given(hasHead: Bool) -> Expectation {
      guard mayReplaceHead, !hasHead, let error else { return self }
      return Expectation(error: TransportError(code: error.code, phase: .firstByte), hasHead: false)
    }
  }

  static let faultCases: [Case] =
    LoopbackServer.Fault.all.map { name, fault in
      // The delays in the list of faults are made for people, so shorter ones are used here.
      switch fault {
      case .slowHead: faultCase(name, .slowHead(.milliseconds(100)))
      case .slowDrip: faultCase(name, .slowDrip(interval: .milliseconds(5), count: 20))
      case .neverAnswers: faultCase(name, fault, timeout: .milliseconds(350))
      default: faultCase(name, fault)
      }
    } + [
      faultCase("slow-head, slower than the timeout", .slowHead(.seconds(30)), timeout: .milliseconds(350)),
      faultCase(
        "slow-drip, slower than the timeout", .slowDrip(interval: .milliseconds(20), count: 1_000),
        timeout: .seconds(1)),
    ]

  static func expectation(of fault: LoopbackServer.Fault, timeout: Duration?) -> Expectation {
    func fails(_ code: TransportError.Code, _ phase: TransportError.Phase) -> Expectation {
      Expectation(error: TransportError(code: code, phase: phase), hasHead: phase == .body)
    }
    return switch fault {
    case .slowHead: timeout == nil ? Expectation() : fails(.timedOut, .firstByte)
    case .slowDrip: timeout == nil ? Expectation() : fails(.timedOut, .body)
    case .neverAnswers: fails(.timedOut, .firstByte)
    case .truncatedBody, .truncatedChunks, .resetInBody: fails(.truncatedResponse, .body)
    case .truncatedHead, .closeBeforeHead, .resetBeforeHead: fails(.connectionLost, .firstByte)
    case .badChunk: fails(.malformedResponse, .body)
    // The framing is invalid before a byte of the body. Source: RFC 9112 §6.3.
    case .conflictingLengths, .lengthAndChunked:
      Expectation(error: TransportError(code: .malformedResponse, phase: .body), mayReplaceHead: true)
    case .notHTTP: fails(.malformedResponse, .firstByte)
    }
  }

  private static func faultCase(_ name: String, _ fault: LoopbackServer.Fault, timeout: Duration? = nil) -> Case {
    Case("fault \(name)", needs: [.faults]) { setting in
      let server = try setting.server(answering: .fault(fault))
      let request = setting.get(server)
      var expected = expectation(of: fault, timeout: timeout)
      let phase = expected.error?.phase ?? .firstByte
      // The fault as the session reports it, and as the layer above the session reports it.
      let outcome = await setting.exchange(request, timingOutIn: phase, after: timeout ?? .seconds(240))
      let failure = await setting.timedOut(in: phase, after: timeout ?? .seconds(240), error: \.?.error) {
        await setting.execute(request, $0).failure
      }
      expected = expected.given(hasHead: outcome.head != nil)
      try expect(outcome.error, is: expected.error)
      try expect(failure?.error, is: expected.error)
      try expect(outcome.head?.code, is: expected.hasHead ? 200 : nil)
      guard expected.error != nil else {
        return try expect(outcome.body.count, is: fault.wholeCount)
      }
      try expect(failure?.request, is: request)
      try expect(failure?.response?.code, is: expected.hasHead ? 200 : nil)
      if let timeout, expected.error?.code == .timedOut {
        try expect(outcome.error?.elapsed ?? .zero >= timeout, "\(String(describing: outcome.error?.elapsed))")
      }
      try await setting.expectUsable()
    }
  }
}

extension LoopbackServer.Fault {
  /// The length in bytes of a body that is delivered completely in spite of the fault; 0 for other faults.
  fileprivate var wholeCount: Int {
    switch self {
    case .slowHead: 4
    case .slowDrip(_, let count): count
    default: 0
    }
  }
}

/// Cases for invalid responses, and for responses that clients may interpret differently.
extension TransportContract {
  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// Responses that have to be rejected as malformed. Source: RFC 9112 §4, §5, §6.3, §7.1.
  private static let refused: [(name: String, bytes: String)] = [
    ("a length that is not a number", ok + "Content-Length: abc\r\n\r\n"),
    ("a length that exceeds 64 bits", ok + "Content-Length: 99999999999999999999999\r\n\r\nhello"),
    ("a negative length", ok + "Content-Length: -1\r\n\r\nhello"),
    ("a chunk size that exceeds 64 bits", chunked + "fffffffffffffffffff\r\nhello"),
    ("a chunk that is longer than its size", chunked + "5\r\nhelloXX0\r\n\r\n"),
    ("a chunk without a size", chunked + "\r\nhello\r\n0\r\n\r\n"),
    ("a status line without a status code", "HTTP/1.1 abc\r\n\r\n"),
    ("a status code of two digits", "HTTP/1.1 99 X\r\n\r\n"),
    ("a field without a colon", ok + "no colon\r\nContent-Length: 0\r\n\r\n"),
    ("an HTTP/0.9 response", "<html>hello</html>"),
    ("control characters", "\u{0}\u{1}\u{2}\u{3}"),
    ("NUL in a field", ok + "Content-Length: 0\r\nX: a\0b\r\n\r\n"),
    ("an HTTP version that does not exist", "HTTP/9.7 200 OK\r\nContent-Length: 0\r\n\r\n"),
  ]

  /// Responses that a client may reject, or accept with this body. Source: RFC 9110 §8.6, RFC 9112 §2.2, §5.1, §5.2.
  private static let disputed: [(name: String, bytes: String, body: String)] = [
    ("lines without a carriage return", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "ok"),
    ("a status line without a space after the status code", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("spaces before a colon", ok + "X : y\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a field that is folded over two lines", ok + "X: a\r\n b\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a field without a name", ok + ": x\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("control characters in a chunk extension", chunked + "2;\u{1}=\u{2}\r\nok\r\n0\r\n\r\n", "ok"),
    ("spaces before a chunk size", chunked + " 2\r\nok\r\n0\r\n\r\n", "ok"),
    ("a response with the version HTTP/3.0 in HTTP/1 syntax", "HTTP/3.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a status code of four digits", "HTTP/1.1 2000 X\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a status code greater than 599", "HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok", "ok"),
    (
      "a field of 200 kB", ok + "X-Long: \(String(repeating: "x", count: 200_000))\r\nContent-Length: 2\r\n\r\nok", "ok"
    ),
    ("repeated lengths with equal values", ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("a body after 204", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok", ""),
    ("an empty line before the status line", "\r\n\(ok)Content-Length: 2\r\n\r\nok", "ok"),
  ]

  static let malformedCases: [Case] =
    refused.map { name, bytes in
      Case("malformed: \(name)", needs: [.rawConnection]) { setting in
        let server = try setting.server(sending: bytes)
        try await setting.exchange(setting.get(server)).expectError(.malformedResponse, in: .firstByte, .body)
        try await setting.expectUsable()
      }
    }
    + disputed.map { name, bytes, body in
      Case("disputed: \(name)", needs: [.rawConnection]) { setting in
        let server = try setting.server(sending: bytes)
        let outcome = await setting.exchange(setting.get(server))
        if let error = outcome.error {
          // A head beyond a limit may be reported as too large.
          try expect(error.code == .malformedResponse || error.code == .responseTooLarge, "\(error)")
          try expect(
            error.phase == .firstByte || error.phase == .body, "\(error) has phase \(String(describing: error.phase))")
        } else {
          try expect(outcome.text, is: body)
        }
        try await setting.expectUsable()
      }
    }
    + [
      Case("random bytes end in an error or a response", needs: [.rawConnection]) { setting in
        var generator = SplitMix(state: 7)
        for round in 0..<60 {
          let noise = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
          // Some rounds put the bytes in the place of a field, a chunk or a body.
          let start = ["", ok, chunked, "HTTP/1.1 ", ok + "Content-Length: 100\r\n\r\n"][round % 5]
          let server = try setting.server(answering: .raw([.send(Data(start.utf8) + Data(noise)), .close]))
          _ = await setting.exchange(setting.get(server), .patient)
        }
        try await setting.expectUsable()
      }
    ]
}

/// A pseudorandom generator. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Cases for requests that would break or split the message, and must be rejected. Source: RFC 9110 §5.5, RFC 9112 §11.
extension TransportContract {
  static let refusalCases: [Case] = [
    Case("a field that would split the message is rejected") { setting in
      let server = try setting.echoServer()
      for value in ["a\r\nX-Injected: yes", "a\nb", "a\rb", "a\0b"] {
        let headers: HTTP.Headers = ["X-Token": "\(value)"]
        try await expectRefusal(HTTP.Request(url: setting.url(server, "/x"), headers: headers), setting)
      }
      for name in ["X Token", "X:Token", "X\r\nY", "", "X\0", "Ü"] {
        let headers = HTTP.Headers([.init(HTTP.HeaderKey(rawValue: name), "v")])
        try await expectRefusal(HTTP.Request(url: setting.url(server, "/x"), headers: headers), setting)
      }
      try expect(server.requests.count, is: 0)
    },
    Case("a method that is not a token is rejected") { setting in
      let server = try setting.echoServer()
      for name in ["", "GET /", "GET\r\nX: y", "G\0T", "É"] {
        let method = HTTP.Method(rawValue: name)
        try await expectRefusal(setting.request(method, server, "/x"), setting)
      }
      try expect(server.requests.count, is: 0)
    },
    Case("framing fields are rejected unless they match the body") { setting in
      let server = try setting.echoServer()
      let smuggled = HTTP.Body("abcdGET /admin HTTP/1.1\r\nHost: x\r\n\r\n")
      for headers in [[.contentLength: "4"], [.transferEncoding: "chunked"]] as [HTTP.Headers] {
        let request = setting.request(.post, server, "/x", headers: headers, body: smuggled)
        try await expectRefusal(request, setting)
      }
      try expect(server.requests.count, is: 0)
      let stated = setting.request(.post, server, "/x", headers: [.contentLength: "4"], body: HTTP.Body("four"))
      try expect(try await setting.response(to: stated).body.string, is: "four")
      try expect(server.requests.first?.headers.values(for: .contentLength), is: ["4"])
    },
    Case("a URL that is not a valid HTTP URL is rejected") { setting in
      for text in ["ftp://127.0.0.1/", "file:///etc/passwd", "/relative", "http:///nohost", "http://127.0.0.1:65536/"] {
        let url = try require(URL(string: text), "URL")
        try await expectRefusal(HTTP.Request(url: url), setting)
      }
    },
  ]

  private static func expectRefusal(
    _ request: HTTP.Request, _ setting: Setting, line: UInt = #line, file: String = #fileID
  ) async throws {
    let outcome = await setting.exchange(request)
    try outcome.expectError(.invalidRequest, line: line, file: file)
    try expect(
      outcome.error?.underlyingError is HTTP.MessageError, "\(request) is rejected without a reason", line: line,
      file: file)
  }
}
