internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
      let trailers = events.all.compactMap { event -> HTTP.Headers? in
        if case .trailers(let headers) = event { headers } else { nil }
      }
      try expect(trailers, is: [["X-Sum": "7", "X-Sum": "8", "X-Empty": ""]])
      try expect(!response.head.headers.contains("X-Sum"), "a trailer field is in the head")
    },
    Case("no trailers are reported for a response without them", needs: [.events]) { setting in
      let server = try setting.server(answering: .chunked([Data("body".utf8)]))
      let (events, options) = listening()
      try expect(try await setting.response(to: setting.get(server), options).body.string, is: "body")
      for event in events.all {
        if case .trailers(let headers) = event { throw ContractViolation(description: "trailers: \(headers)") }
      }
    },
    Case("informational responses are reported before the head", needs: [.events, .rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      let (events, options) = listening()
      let request = setting.get(server)
      let response = try await setting.session.send(request, options: options)
      let heads = events.all.compactMap { event -> HTTP.Response? in
        if case .informational(let head) = event { head } else { nil }
      }
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
        let request = HTTP.Request(
          method: .post, url: setting.url(server, "/x"), body: HTTP.Body(pattern(10_000)))
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

  /// Waits for the metrics, which may arrive a moment after the result, and returns them. Checks that they are reported once, as the last
  /// event.
  private static func onlyMetrics(_ events: Recorder<TransferEvent>) async throws -> TransferMetrics {
    func metrics() -> [TransferMetrics] {
      events.all.compactMap { if case .finished(let metrics) = $0 { metrics } else { nil } }
    }
    try await wait { !metrics().isEmpty }
    guard case .finished(let found) = events.all.last, metrics().count == 1 else {
      throw ContractViolation(description: "the metrics are not the last event: \(events.all)")
    }
    return found
  }
}
