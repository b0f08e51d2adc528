internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  /// What a case works with.
  struct Setting: Sendable {
    let session: any TransportSession
    let endpoint: Endpoint

    /// A server without routes, which the session reaches.
    func server(
      address: LoopbackServer.Address = .ipv4, requestBodies: LoopbackServer.BodyPolicy = .kept
    ) throws -> LoopbackServer {
      try endpoint.server(address: address, requestBodies: requestBodies)
    }

    /// A server that answers a GET of `/` with `reply`.
    func server(answering reply: LoopbackServer.Reply) throws -> LoopbackServer {
      let server = try server()
      server.on(.get, "/") { _ in reply }
      return server
    }

    /// A server that sends `text` and ends the connection.
    func server(sending text: String, then end: LoopbackServer.Step = .close) throws -> LoopbackServer {
      try server(answering: .raw([.send(Data(text.utf8)), end]))
    }

    /// A server that answers a request with its body.
    func echoServer() throws -> LoopbackServer {
      let server = try server()
      for method in [HTTP.Method.get, .post, .put, .patch, .delete, .options, "PURGE"] {
        server.on(method, "/*") { .status(200, body: $0.body) }
      }
      return server
    }

    func url(_ server: LoopbackServer, _ target: String = "/") -> URL { endpoint.url(of: server, target) }

    /// A GET of `target`.
    func get(_ server: LoopbackServer, _ target: String = "/") -> HTTP.Request {
      HTTP.Request(url: url(server, target))
    }

    /// The head and the body as far as they came, and what ended the exchange if it did not end well.
    func exchange(_ request: HTTP.Request, _ options: TransportOptions = .patient) async -> Outcome {
      var outcome = Outcome()
      do throws(TransportError) {
        let response = try await session.send(request, options: options)
        outcome.head = response.head
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await chunks.next() { outcome.body += chunk }
      } catch {
        outcome.error = error
      }
      return outcome
    }

    /// What comes of an exchange whose time is up in `phase`.
    ///
    /// On a busy machine the time may be up before the exchange has come so far, which says nothing of that phase: it is
    /// given four times as much then, and again, up to a quarter of a minute or a little more.
    ///
    /// - Parameters:
    ///   - error: what ended it.
    ///   - exchange: does it, with options that have the time limit.
    func timedOut<Ending>(
      in phase: TransportError.Phase, after timeout: Duration, error: (Ending) -> TransportError?,
      _ exchange: (TransportOptions) async throws -> Ending
    ) async rethrows -> Ending {
      var timeout = timeout
      while true {
        let ending = try await exchange(TransportOptions(timeout: timeout))
        let error = error(ending)
        guard error?.code == .timedOut, error?.phase != phase, timeout < .seconds(15) else { return ending }
        timeout *= 4
      }
    }

    /// ``exchange(_:_:)`` of what takes longer than `timeout`, which is up in `phase`.
    func exchange(
      _ request: HTTP.Request, timingOutIn phase: TransportError.Phase, after timeout: Duration
    ) async -> Outcome {
      await timedOut(in: phase, after: timeout, error: \.error) { await exchange(request, $0) }
    }

    /// A whole response.
    ///
    /// - Throws: `TransportError`.
    func response(to request: HTTP.Request, _ options: TransportOptions = .patient) async throws -> HTTP.Response {
      let outcome = await exchange(request, options)
      if let error = outcome.error { throw error }
      var response = try require(outcome.head, "head")
      response.body = HTTP.Body(outcome.body)
      return response
    }

    /// The response as the client's next layer sorts it.
    func execute(
      _ request: HTTP.Request, _ options: TransportOptions = .patient
    ) async -> Result<TransportSuccess, TransportFailure> {
      await TransportService(session: session).execute(request, options: options)
    }

    /// That the session still works.
    func expectUsable(line: UInt = #line, file: String = #fileID) async throws {
      let server = try server(answering: .text("usable"))
      try expect(try await response(to: get(server)).body.string, is: "usable", line: line, file: file)
    }
  }

  /// What came of an exchange.
  struct Outcome: Sendable {
    var head: HTTP.Response?
    var body = Data()
    var error: TransportError?

    var text: String { String(decoding: body, as: UTF8.self) }

    /// That the exchange ended with `code` in one of `phases`, if any are given.
    func expectError(
      _ code: TransportError.Code, in phases: TransportError.Phase?..., line: UInt = #line, file: String = #fileID
    ) throws {
      let error = try require(error, "error, instead of \(code), but \(text.prefix(100))", line: line, file: file)
      try expect(error.code == code, "\(error) is not \(code)", line: line, file: file)
      guard !phases.isEmpty else { return }
      try expect(
        phases.contains(error.phase), "\(error) in phase \(error.phase?.rawValue ?? "none")", line: line, file: file)
    }
  }

  /// Waits until `condition` holds, for as long as the test may take.
  static func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// `count` bytes in which every position can be told from its neighbours.
  static func pattern(_ count: Int) -> Data {
    // In rows of 251 bytes that count up: byte by byte, a large body would take seconds without optimization.
    let numbers = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
    var data = Data(capacity: count)
    for start in stride(from: 0, to: count, by: 251) {
      let first = (start / 251 &* 7 &+ start) & 0xFF
      data += numbers[first..<first + min(251, count - start)]
    }
    return data
  }
}

extension TransportOptions {
  /// With more time than anything takes.
  static var patient: TransportOptions { TransportOptions(timeout: .seconds(240)) }
}

extension Result {
  /// The failure, if it is one.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
