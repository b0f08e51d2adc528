internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP

extension TransportContract {
  static let cancellationCases: [Case] = [
    Case("a request cancelled before it starts is not sent") { setting in
      let server = try setting.server(answering: .text("ok"))
      let request = setting.get(server)
      let task = Task {
        await waitForCancellation()
        return await setting.exchange(request)
      }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try expect(server.requests.count, is: 0)
    },
    Case("a request cancelled before the head is received ends at once") { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      let request = setting.get(server)
      let task = Task { await setting.execute(request, TransportOptions(timeout: nil)) }
      try await wait { !server.requests.isEmpty }
      task.cancel()
      let failure = try require(await task.value.failure, "failure")
      try expect(failure.error.code, is: .cancelled)
      try expect(failure.request, is: request)
      try expect(failure.response, is: nil)
    },
    Case("a request cancelled before the head is received closes its connection", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      let request = setting.get(server)
      let task = Task { await setting.exchange(request, TransportOptions(timeout: nil)) }
      try await wait { !server.requests.isEmpty }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a failure caused by cancellation contains the received part of the body", needs: [.sockets]) { setting in
      let server = try setting.server(sending: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", then: .hang)
      let request = setting.get(server)
      let heard = Recorder<Int>()
      let options = TransportOptions(timeout: nil, progressHandler: { heard.add($0.byteCount) })
      let task = Task { await setting.execute(request, options) }
      try await wait { heard.all.contains(4) }
      task.cancel()
      let failure = try require(await task.value.failure, "failure")
      try expect(failure.error.code, is: .cancelled)
      try expect(failure.request, is: request)
      try expect(failure.response?.code, is: 200)
      try expect(failure.response?.body.string, is: "half")
      try await wait { !server.abandonedConnections.isEmpty }
    },
    Case("a cancelled reader receives an error and no more data") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(Data("chunk".utf8), count: .max), every: .milliseconds(1)) }
      let response = try await setting.session.send(setting.get(server), options: TransportOptions())
      let reading = Task {
        await waitForCancellation()
        for try await _ in response.body {}
      }
      reading.cancel()
      switch await reading.result {
      case .success: throw ContractError(description: "an endless body has ended")
      case .failure(let error):
        try expect((error as? TransportError)?.code, is: .cancelled)
      }
      try await setting.expectUsable()
    },
    Case("a request whose body is still being sent is cancelled at once") { setting in
      let server = try setting.echoServer()
      let (chunks, sending) = AsyncStream<Data>.makeStream()
      sending.yield(Data("part".utf8))
      let request = setting.request(.put, server, "/x", body: .stream(chunks))
      let task = Task { await setting.exchange(request, TransportOptions(timeout: nil)) }
      // It does not matter whether sending has begun.
      for _ in 0..<10 { await Task.yield() }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("redirections can be cancelled at any moment", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .status(302, headers: [.location: "/to"], body: Data("moved".utf8)))
      let request = setting.get(server)
      try await race(setting, 400) { request }
      for microseconds in stride(from: 100, to: 1500, by: 7) {
        let outcome = await setting.exchange(request, TransportOptions(timeout: .microseconds(microseconds)))
        if outcome.error != nil { try outcome.expectError(.timedOut) } else { try expect(outcome.head?.code, is: 302) }
      }
      try await setting.expectUsable()
    },
    Case("uploads can be cancelled at any moment", needs: [.sockets]) { setting in
      let server = try setting.server(requestBodies: .counted)
      server.on(.put, "/") { .text("\($0.bodyByteCount)") }
      let url = setting.url(server)
      let file = try TemporaryFile(Data(count: 300_000))
      try await race(setting, 100) { HTTP.Request(method: .put, url: url, body: .file(file.url)) }
      try await race(setting, 100) { HTTP.Request(method: .put, url: url, body: HTTP.Body(file.contents)) }
      let response = try await setting.response(to: HTTP.Request(method: .put, url: url, body: .file(file.url)))
      try expect(response.body.string, is: "300000")
    },
    Case("responses can be cancelled at any moment") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(Array(repeating: Data("chunk".utf8), count: 4), every: .milliseconds(3)) }
      let request = setting.get(server)
      try await race(setting, 150, pause: 150) { request }
      try await setting.expectUsable()
    },
  ]

  /// Sends requests and cancels each at a different moment. Every request must end, with any result.
  private static func race(
    _ setting: Setting, _ count: Int, pause microseconds: Int = 50, _ request: @escaping @Sendable () -> HTTP.Request
  ) async throws {
    // Only a few run at a time, so that each is in progress when it is cancelled.
    try await concurrently(count, limit: 40) { index in
      let task = Task { await setting.exchange(request()) }
      try await Task.sleep(for: .microseconds(index % 40 * microseconds))
      task.cancel()
      let outcome = await task.value
      if outcome.error != nil {
        try outcome.expectError(.cancelled)
      } else if outcome.head?.code == 200, outcome.text.hasPrefix("chunk") {
        try expect(outcome.text, is: "chunkchunkchunkchunk")
      }
    }
  }

  static let concurrencyCases: [Case] = [
    Case("concurrent requests receive their own responses") { setting in
      let server = try setting.server()
      server.on(.get, "/echo/:id") { .text($0.parameters["id"] ?? "") }
      try await concurrently(200) { index in
        let request = setting.get(server, "/echo/\(index)")
        try expect(try await setting.response(to: request).body.string, is: "\(index)")
      }
    },
    Case("concurrent request and response bodies are not mixed up") { setting in
      let server = try setting.echoServer()
      try await concurrently(60, limit: 20) { index in
        let bytes = Data(repeating: UInt8(index), count: 20_000 + index * 1_000)
        let request = setting.request(.post, server, "/x", body: HTTP.Body(bytes))
        try expect(try await setting.response(to: request).body.data == bytes, "echo \(index) is another request's")
      }
    },
    Case(
      "hundreds of concurrent requests with all kinds of outcomes neither hang nor get mixed up", needs: [.sockets]
    ) {
      setting in
      let server = try setting.server()
      server.on(.get, "/small/:id") { .text("\($0.parameters["id"] ?? "")!") }
      server.on(.get, "/large/:id") { request in
        let id = UInt8(truncatingIfNeeded: Int(request.parameters["id"] ?? "") ?? 0)
        return .chunked(repeatElement(Data(repeating: id, count: 10_000), count: 40))
      }
      server.on(.get, "/reset/:id") { _ in .fault(.resetBeforeHead) }
      server.on(.get, "/cut/:id") { _ in .fault(.resetInBody) }
      try await concurrently(600, limit: 16) { try await stress(setting, server, $0) }
      try await setting.expectUsable()
    },
  ]

  /// Sends the request with the number `index`. The number determines the kind of the request, and when it is cancelled or times out.
  private static func stress(_ setting: Setting, _ server: LoopbackServer, _ index: Int) async throws {
    switch index % 6 {
    case 0:
      try expect(try await setting.response(to: setting.get(server, "/small/\(index)")).body.string, is: "\(index)!")
    case 1:
      let request = setting.get(server, "/large/\(index)")
      let task = Task { await setting.exchange(request) }
      try await Task.sleep(for: .microseconds(index % 83 * 60))
      task.cancel()
      let outcome = await task.value
      if outcome.error != nil { try outcome.expectError(.cancelled) } else { try expectLarge(outcome.body, index) }
    case 2:
      let options = TransportOptions(timeout: .microseconds(index % 97 * 100 + 1))
      let outcome = await setting.exchange(setting.get(server, "/large/\(index)"), options)
      if outcome.error != nil { try outcome.expectError(.timedOut) } else { try expectLarge(outcome.body, index) }
    case 3:
      let response = try await setting.session.send(setting.get(server, "/large/\(index)"), options: .patient)
      var chunks = response.body.makeAsyncIterator()
      for _ in 0..<(index % 4) { _ = try await chunks.next() }
    case 4:
      try expectLarge(try await setting.response(to: setting.get(server, "/large/\(index)")).body.data, index)
    default:
      let target = index % 4 == 1 ? "/reset/\(index)" : "/cut/\(index)"
      let outcome = await setting.exchange(setting.get(server, target))
      try expect(outcome.error != nil || outcome.head?.code == 502, "\(target) succeeded with \(outcome.text)")
    }
  }

  private static func expectLarge(_ body: Data?, _ index: Int) throws {
    let expected = Data(repeating: UInt8(truncatingIfNeeded: index), count: 400_000)
    try expect(body == expected, "\(body?.count ?? 0) bytes of \(index) are incomplete or belong to another")
  }
}

/// Cases for the reuse of connections, and for requests that must not be sent again after a connection has failed. Source: RFC 9112 §9.3.
extension TransportContract {
  static let connectionCases: [Case] =
    [
      Case("a connection is reused", needs: [.rawConnection]) { setting in
        let server = try setting.server()
        for method in [HTTP.Method.get, .post, .head] { server.on(method, "/") { _ in .text("again") } }
        server.on(.get, "/chunks") { _ in .chunked([Data("again".utf8)]) }
        server.on(.get, "/none") { _ in .status(204) }
        server.on(.get, "/error") { _ in .text("no", status: 500) }
        for target in ["/", "/chunks", "/none", "/error", "/"] {
          _ = try await setting.response(to: setting.get(server, target))
        }
        for method in [HTTP.Method.head, .post] {
          let body = method == .post ? HTTP.Body("body") : .empty
          _ = try await setting.response(to: setting.request(method, server, body: body))
        }
        try expect(server.requests.map(\.connection), is: Array(repeating: 1, count: 7))
      },
      Case("a connection is not reused after Connection: close", needs: [.rawConnection]) { setting in
        let server = try setting.server(answering: .status(200, headers: [.connection: "close"], body: Data("ok".utf8)))
        for _ in 0..<3 { try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok") }
        try expect(server.requests.map(\.connection), is: [1, 2, 3])
      },
      Case("an idle connection that the server has closed is replaced", needs: [.rawConnection]) { setting in
        let server = try setting.echoServer()
        for round in 1...3 {
          let request = setting.request(.post, server, "/x", body: HTTP.Body("\(round)"))
          try expect(try await setting.response(to: request).body.string, is: "\(round)")
          try await wait { server.closeIdleConnections() > 0 }
        }
        try expect(server.requests.map(\.connection), is: [1, 2, 3])
      },
      Case("unrequested bytes from a server are not the next response", needs: [.rawConnection]) { setting in
        let first = Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)
        for unasked in ["HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked", "HTTP/1.1 408 Request Timeout\r\n\r\n"] {
          let server = try setting.server()
          server.on(.get, "/") { _ in
            .raw([.send(first), .wait(.milliseconds(20)), .send(Data(unasked.utf8)), .hang])
          }
          server.on(.post, "/next") { .status(200, body: $0.body) }
          try expect(try await setting.response(to: setting.get(server)).body.string, is: "first")
          try await wait { server.sentByteCounts.values.reduce(0, +) == first.count + unasked.utf8.count }
          let request = setting.request(.post, server, "/next", body: HTTP.Body("asked"))
          try expect(try await setting.response(to: request).body.string, is: "asked")
          try expect(server.requests.map(\.connection), is: [1, 2])
        }
      },
      Case("a connection that was reset is replaced", needs: [.rawConnection]) { setting in
        let server = try setting.server(answering: .text("ok"))
        server.on(.get, "/reset") { _ in .fault(.resetBeforeHead) }
        for _ in 0..<3 {
          try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok")
          try await setting.exchange(setting.get(server, "/reset")).expectError(.connectionLost)
        }
        try expect(server.requests.count, is: 6)
      },
    ]
    + [HTTP.Method.post, .put, .get].map { method in
      Case("a \(method) that goes unanswered is not sent again", needs: [.rawConnection]) { setting in
        for fault in [LoopbackServer.Fault.closeBeforeHead, .resetBeforeHead] {
          let server = try setting.server(answering: .text("ok"))
          server.on(method, "/dies") { _ in .fault(fault) }
          // The request is sent over a new connection, and over a reused one, which a client may consider stale.
          for isReused in [false, true] {
            if isReused { _ = try await setting.response(to: setting.get(server)) }
            let body = method == .get ? HTTP.Body.empty : HTTP.Body("once")
            let request = setting.request(method, server, "/dies", body: body)
            try await setting.exchange(request).expectError(.connectionLost, in: .firstByte)
          }
          try await setting.expectUsable()
          try expect(server.requests.filter { $0.path == "/dies" }.count, is: 2)
        }
      }
    }

  static let timeoutCases: [Case] = [
    Case("a timeout below a second is exact, and the error has its phase") { setting in
      let server = try setting.server()
      server.on(.get, "/*") { _ in .fault(.neverAnswers) }
      for milliseconds in [50, 200, 350] {
        // Each request has a different path, as an earlier request may arrive late.
        let (path, timeout) = ("/\(milliseconds)", Duration.milliseconds(milliseconds))
        let outcome = await setting.exchange(setting.get(server, path), TransportOptions(timeout: timeout))
        try outcome.expectError(.timedOut)
        // On a busy machine, connecting with TLS may take this long.
        if outcome.error?.phase != .firstByte {
          try expect(
            !server.requests.contains { $0.path == path },
            "the request arrived, but the error is \(String(describing: outcome.error))")
        }
        // This checks only that the time is not shorter than the limit, not how busy the machine is.
        let elapsed = try require(outcome.error?.elapsed, "elapsed time")
        try expect(elapsed >= timeout, "\(elapsed) is shorter than \(timeout)")
        try expect(outcome.head, is: nil)
      }
    },
    Case("a timeout closes the connection", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      // On a busy machine, the time limit may be reached before the request is in the expected phase.
      repeat {
        try await setting.exchange(setting.get(server), TransportOptions(timeout: .milliseconds(200)))
          .expectError(.timedOut)
      } while server.requests.isEmpty
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a timeout applies while a body arrives slowly", needs: [.sockets]) { setting in
      let server = try setting.server(
        answering: .chunked(repeatElement(Data(".".utf8), count: .max), every: .milliseconds(5)))
      let outcome = await setting.exchange(setting.get(server), timingOutIn: .body, after: .seconds(1))
      try outcome.expectError(.timedOut, in: .body)
      try expect(outcome.error?.elapsed ?? .zero >= .seconds(1), "\(String(describing: outcome.error))")
      try expect(outcome.head?.code, is: 200)
    },
    Case("the timeout of a streamed response ends with its head", needs: [.sockets]) { setting in
      let server = try setting.server(
        answering: .chunked(repeatElement(Data(".".utf8), count: 60), every: .milliseconds(50)))
      let options = TransportOptions(timeout: .seconds(2), responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      var count = 0
      for try await chunk in response.body { count += chunk.count }
      try expect(count, is: 60)
    },
    Case("a timeout applies while a request body stream yields no data") { setting in
      let server = try setting.echoServer()
      let outcome = await setting.timedOut(in: .send, after: .milliseconds(100), error: \.error) {
        let body = HTTP.Body.stream(AsyncStream<Data> { _ in })
        return await setting.exchange(setting.request(.put, server, "/x", body: body), $0)
      }
      try outcome.expectError(.timedOut, in: .send)
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("a zero or negative timeout expires at once, and a huge one never does") { setting in
      let server = try setting.server(answering: .text("ok"))
      for timeout in [Duration.zero, .seconds(-5)] {
        try await setting.exchange(setting.get(server), TransportOptions(timeout: timeout)).expectError(.timedOut)
      }
      for timeout in [nil, Duration.seconds(Int64.max), .seconds(1e18)] {
        let response = try await setting.response(to: setting.get(server), TransportOptions(timeout: timeout))
        try expect(response.body.string, is: "ok")
      }
    },
  ]
}
