internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP

extension TransportContract {
  static let statusCases: [Case] = [
    Case("every status is classified, with its request and response") { setting in
      let server = try setting.server()
      server.on(.get, "/status/:code") { request in
        let code = request.parameters["code"] ?? ""
        return .json(#"{"code": \#(code)}"#, status: HTTP.Status(code: Int(code) ?? 0))
      }
      // 205 is left out, as the server would send a body with it, which RFC 9110 §15.3.6 forbids.
      for code in Array(200...299) + Array(400...599) where code != 205 {
        let request = setting.get(server, "/status/\(code)")
        let response: HTTP.Response?
        switch await setting.execute(request) {
        case .success(let success):
          try expect((200..<300).contains(code), "\(code) is not a success status")
          response = success.response
        case .failure(let failure):
          let expected: TransportError.Code =
            code < 500 ? .clientError(.init(code: code)) : .serverError(.init(code: code))
          try expect(failure.error.code, is: expected)
          try expect(failure.request, is: request)
          response = failure.response
        }
        try expect(response?.code, is: code)
        try expect(response?.request, is: request)
        // A proxy may remove the content type of a response without content.
        if code != 204 { try expect(response?.headers[.contentType], is: .applicationJSON) }
        try expect(response?.body.string, is: code == 204 ? "" : #"{"code": \#(code)}"#)
      }
    },
    Case("a status line may have any reason phrase or none", needs: [.rawConnection]) { setting in
      for (line, code) in [
        ("HTTP/1.1 200 ", 200), ("HTTP/1.1 299 Quite : good", 299), ("HTTP/1.0 404 N", 404),
      ] {
        let server = try setting.server(sending: "\(line)\r\nContent-Length: 2\r\n\r\nok")
        let response = try await setting.response(to: setting.get(server))
        try expect(response.code, is: code)
        try expect(response.body.string, is: "ok")
      }
    },
    Case("a response that cannot have a body ends with its head, whatever its Content-Length") { setting in
      let server = try setting.server()
      server.on(.get, "/:code") { request in
        .status(HTTP.Status(code: Int(request.parameters["code"] ?? "") ?? 0), headers: [.contentLength: "5"])
      }
      server.on(.head, "/200") { _ in .status(200, headers: [.contentLength: "5"]) }
      for (method, code) in [(HTTP.Method.get, 204), (.get, 304), (.head, 200), (.get, 204)] {
        let request = setting.request(method, server, "/\(code)")
        let response = try await setting.response(to: request)
        try expect(response.code, is: code)
        try expect(response.body.data, is: Data())
        if method == .head { try expect(response.headers[.contentLength], is: "5") }
      }
    },
    Case(
      "a connection that closes after the head of a response without a body is not an error", needs: [.rawConnection]
    ) {
      setting in
      for (method, code) in [(HTTP.Method.head, 200), (.get, 204), (.get, 304)] {
        let server = try setting.server()
        server.on(method, "/") { _ in
          .raw([.send(Data("HTTP/1.1 \(code) X\r\nContent-Length: 5\r\n\r\n".utf8)), .close])
        }
        let response = try await setting.response(to: setting.request(method, server))
        try expect(response.code, is: code)
        try expect(response.body.data, is: Data())
      }
    },
    Case("informational responses are skipped", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Final: 1\r\n\r\nok")
      let response = try await setting.response(to: setting.get(server))
      try expect(response.code, is: 200)
      try expect(response.body.string, is: "ok")
      try expect(response.headers["X-Final"], is: "1")
      try expect(!response.headers.contains(.link), "a field of an informational response is in the final one")
    },
    Case("an unrequested 101 response is malformed", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", then: .hang)
      try await setting.exchange(setting.get(server)).expectError(.malformedResponse)
    },
  ]
}

/// Cases for redirects and authentication. A session returns these responses unchanged and leaves the handling to the layers above it.
extension TransportContract {
  static let redirectionCases: [Case] =
    [300, 301, 302, 303, 304, 305, 306, 307, 308].map { code in
      Case("\(code) is not followed, whatever the method") { setting in
        for method in [HTTP.Method.get, .head, .post, .put, .delete] {
          let server = try setting.server()
          server.on(method, "/from") { _ in
            .status(HTTP.Status(code: code), headers: [.location: "/to", "X-Seen": "1"], body: Data("moved".utf8))
          }
          for method in [HTTP.Method.get, .head, .post, .put, .delete] {
            server.on(method, "/to") { _ in .text("followed") }
          }
          let body = method == .post || method == .put ? HTTP.Body("payload") : .empty
          let request = setting.request(method, server, "/from", body: body)
          let failure = try require(await setting.execute(request).failure, "failure")
          try expect(failure.error.code, is: .redirection)
          try expect(failure.response?.code, is: code)
          try expect(failure.response?.headers[.location], is: "/to")
          try expect(failure.response?.headers["X-Seen"], is: "1")
          try expect(failure.response?.body.string, is: code == 304 || method == .head ? "" : "moved")
          try expect(server.requests.map(\.path), is: ["/from"])
        }
      }
    } + [
      Case("a redirection without a usable Location is returned as it is") { setting in
        for location in [nil, "", "http://", "::::", "ftp://x/"] as [HTTP.HeaderValue?] {
          let headers: HTTP.Headers = location.map { [.location: $0] } ?? [:]
          let server = try setting.server(answering: .status(302, headers: headers))
          try expect(try await setting.response(to: setting.get(server)).code, is: 302)
        }
      }
    ]

  static let authenticationCases: [Case] = [
    Case("a challenge is returned as a response and is not answered") { setting in
      for challenge in [
        "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate", "NTLM",
        "\u{1F512} nonsense=", "Bearer realm=\"a\", Basic realm=\"b\"",
      ] {
        let server = try setting.server(
          answering: .status(401, headers: [.wwwAuthenticate: "\(challenge)"], body: Data("who are you?".utf8)))
        let failure = try require(await setting.execute(setting.get(server)).failure, "failure")
        try expect(failure.error.code, is: .clientError(.unauthorized))
        try expect(failure.response?.body.string, is: "who are you?")
        try expect(failure.response?.headers[.wwwAuthenticate]?.rawValue, is: challenge)
        try expect(server.requests.count, is: 1)
        try expect(server.requests.first?.headers.contains(.authorization), is: false)
      }
    },
    Case("a proxy challenge is returned like any other status") { setting in
      let server = try setting.server(
        answering: .status(407, headers: [.proxyAuthenticate: "Basic realm=\"x\""]))
      let failure = try require(await setting.execute(setting.get(server)).failure, "failure")
      try expect(failure.error.code, is: .clientError(.proxyAuthenticationRequired))
      try expect(server.requests.count, is: 1)
    },
    Case("the credentials of a request are sent, with or without a challenge") { setting in
      let server = try setting.server(
        answering: .status(401, headers: [.wwwAuthenticate: "Basic realm=\"x\""], body: Data("no".utf8)))
      let request = HTTP.Request(
        url: setting.url(server), headers: [.authorization: .authorizationBearer(token: "t0ken")])
      let response = try await setting.response(to: request)
      try expect(response.code, is: 401)
      try expect(server.requests.map { $0.headers[.authorization] }, is: [.authorizationBearer(token: "t0ken")])
    },
  ]
}

/// Cases for the events of a session, `TransferEvent`.
extension TransportContract {
  static let eventCases: [Case] = [
    Case("trailers are reported before the end of the body", needs: [.events, .rawConnection]) { setting in
      let server = try setting.server(
        answering: .chunked([Data("body".utf8)], trailers: ["X-Sum": "7", "X-Sum": "8", "X-Empty": ""]))
      let (events, options) = listening()
      let response = try await setting.session.send(setting.get(server), options: options)
      var chunks = response.body.makeAsyncIterator()
      while try await chunks.next() != nil {}
      let trailers = events.all.compactMap { if case .trailers(let headers) = $0 { headers } else { nil } }
      try expect(trailers, is: [["X-Sum": "7", "X-Sum": "8", "X-Empty": ""]])
      try expect(!response.head.headers.contains("X-Sum"), "a trailer field is in the head")
    },
    Case("no trailers are reported for a response without them", needs: [.events]) { setting in
      let server = try setting.server(answering: .chunked([Data("body".utf8)]))
      let (events, options) = listening()
      try expect(try await setting.response(to: setting.get(server), options).body.string, is: "body")
      for event in events.all {
        if case .trailers(let headers) = event { throw ContractError(description: "trailers: \(headers)") }
      }
    },
    Case("informational responses are reported before the head", needs: [.events, .rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      let (events, options) = listening()
      let request = setting.get(server)
      let response = try await setting.session.send(request, options: options)
      let heads = events.all.compactMap { if case .informational(let head) = $0 { head } else { nil } }
      try expect(heads.map(\.code), is: [103, 102])
      try expect(heads.first?.headers.values(for: .link), is: ["</a>", "</b>"])
      try expect(heads.first?.request, is: request)
      try expect(response.head.code, is: 200)
      for try await _ in response.body {}
    },
    Case("metrics are reported once, at the end of a successful transfer", needs: [.events]) { setting in
      let server = try setting.echoServer()
      for _ in 0..<2 {
        let (events, options) = listening()
        let request = setting.request(.post, server, "/x", body: HTTP.Body(pattern(10_000)))
        _ = try await setting.response(to: request, options)
        let metrics = try await onlyMetrics(events)
        try expect(metrics.sentByteCount, is: 10_000)
        try expect(metrics.receivedByteCount, is: 10_000)
        let firstByte = try require(metrics.firstByte, "time of the first byte")
        try expect(firstByte <= metrics.total, "\(metrics)")
        try expect((metrics.connected ?? .zero) <= firstByte, "\(metrics)")
        try expect(metrics.protocolName != nil && metrics.remoteAddress != nil, "\(metrics)")
      }
    },
    Case(
      "metrics have the HTTP version, the peer and whether the connection was reused", needs: [.events, .rawConnection]
    ) {
      setting in
      let server = try setting.server(answering: .text("ok"))
      var reused: [Bool] = []
      for _ in 0..<3 {
        let (events, options) = listening()
        _ = try await setting.response(to: setting.get(server), options)
        let metrics = try await onlyMetrics(events)
        try expect(metrics.protocolName, is: "http/1.1")
        try expect(metrics.remoteAddress, is: "127.0.0.1")
        try expect(metrics.secured, is: nil)
        reused.append(metrics.isConnectionReused)
      }
      try expect(reused, is: [false, true, true])
    },
    Case("metrics count the compressed bytes of a compressed body", needs: [.events, .decompression]) { setting in
      let packed = CompressedBytes.gzipOfZeros
      let server = try setting.server(
        answering: .status(200, headers: [.contentEncoding: .encodingGzip], body: packed))
      let (events, options) = listening()
      _ = try await setting.response(to: setting.get(server), options)
      try expect(try await onlyMetrics(events).receivedByteCount, is: packed.count)
    },
    Case("metrics are reported once for each failure", needs: [.events, .rawConnection]) { setting in
      for fault in [
        LoopbackServer.Fault.truncatedBody, .resetInBody, .closeBeforeHead, .resetBeforeHead, .truncatedHead, .notHTTP,
        .badChunk, .neverAnswers,
      ] {
        let server = try setting.server(answering: .fault(fault))
        let (events, options) = listening(timeout: fault == .neverAnswers ? .milliseconds(50) : .seconds(240))
        let outcome = await setting.exchange(setting.get(server), options)
        try expect(outcome.error != nil, "\(fault) did not cause an error")
        let metrics = try await onlyMetrics(events)
        try expect(metrics.firstByte == nil || outcome.error?.code != .timedOut, "\(fault): \(metrics)")
      }
      let (events, options) = listening()
      let nobody = HTTP.Request(url: try require(URL(string: "http://127.0.0.1:1/"), "URL"))
      try await setting.exchange(nobody, options).expectError(.noConnection)
      let metrics = try await onlyMetrics(events)
      try expect(metrics.protocolName, is: nil)
      try expect(metrics.isConnectionReused, is: false)
    },
    Case("metrics are reported once for a cancelled transfer", needs: [.events]) { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      let (events, options) = listening()
      let request = setting.get(server)
      let task = Task { await setting.exchange(request, options) }
      try await wait { !server.requests.isEmpty }
      task.cancel()
      try await task.value.expectError(.cancelled)
      _ = try await onlyMetrics(events)
    },
    Case("metrics are reported once for a body that is released unread", needs: [.events]) { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(Data("chunk".utf8), count: .max), every: .milliseconds(1)) }
      let (events, options) = listening()
      do {
        let response = try await setting.session.send(setting.get(server), options: options)
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
      }
      try expect(try await onlyMetrics(events).receivedByteCount > 0, "no bytes were counted")
    },
    Case("no events are reported for a rejected request", needs: [.events]) { setting in
      let server = try setting.echoServer()
      let (events, options) = listening()
      let request = HTTP.Request(url: setting.url(server, "/x"), headers: ["X": "a\r\nb"])
      try await setting.exchange(request, options).expectError(.invalidRequest)
      try await setting.expectUsable()
      try expect(events.all.count, is: 0)
    },
  ]

  private static func listening(
    timeout: Duration = .seconds(240)
  ) -> (events: Recorder<TransferEvent>, options: TransportOptions) {
    let events = Recorder<TransferEvent>()
    return (events, TransportOptions(timeout: timeout, eventHandler: { events.add($0) }))
  }

  /// Waits for the metrics, which may arrive a moment after the result. Checks that they are reported once, as the last event.
  private static func onlyMetrics(_ events: Recorder<TransferEvent>) async throws -> TransferEvent.Metrics {
    func metrics() -> [TransferEvent.Metrics] {
      events.all.compactMap { if case .finished(let metrics) = $0 { metrics } else { nil } }
    }
    try await wait { !metrics().isEmpty }
    guard case .finished(let found) = events.all.last, metrics().count == 1 else {
      throw ContractError(description: "the metrics are not the last event: \(events.all)")
    }
    return found
  }
}
