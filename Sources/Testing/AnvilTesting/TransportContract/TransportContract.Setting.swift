internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  /// The session and the endpoint of a case.
  struct Setting: Sendable {
    let session: any TransportSession
    let endpoint: Endpoint

    /// Creates a server without routes that the session can reach.
    func server(
      address: LoopbackServer.Address = .ipv4, requestBodies: LoopbackServer.BodyPolicy = .kept
    ) throws -> LoopbackServer {
      try endpoint.server(address: address, requestBodies: requestBodies)
    }

    /// Creates a server that answers a GET of `/` with `reply`.
    func server(answering reply: LoopbackServer.Reply) throws -> LoopbackServer {
      let server = try server()
      server.on(.get, "/") { _ in reply }
      return server
    }

    /// Creates a server that sends `text` and then closes the connection.
    func server(sending text: String, then end: LoopbackServer.Step = .close) throws -> LoopbackServer {
      try server(answering: .raw([.send(Data(text.utf8)), end]))
    }

    /// Creates a server that answers a request with its body.
    func echoServer() throws -> LoopbackServer {
      let server = try server()
      for method in [HTTP.Method.get, .post, .put, .patch, .delete, .options, "PURGE"] {
        server.on(method, "/*") { .status(200, body: $0.body) }
      }
      return server
    }

    func url(_ server: LoopbackServer, _ target: String = "/") -> URL { endpoint.url(of: server, target) }

    /// Returns a GET request for `target`.
    func get(_ server: LoopbackServer, _ target: String = "/") -> HTTP.Request {
      HTTP.Request(url: url(server, target))
    }

    /// Sends a request and returns the received head and body, and the error if it failed.
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

    /// Returns the outcome of an exchange that exceeds its time limit in `phase`.
    ///
    /// On a busy machine the limit may be reached in an earlier phase, which does not test the expected one. The exchange is then
    /// repeated with four times the limit, until the limit is at least 15 seconds.
    ///
    /// - Parameters:
    ///   - error: Returns the error that ended the exchange.
    ///   - exchange: Performs the exchange with options that contain the time limit.
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

    /// Returns the outcome of ``exchange(_:_:)`` for a request that exceeds `timeout` in `phase`.
    func exchange(
      _ request: HTTP.Request, timingOutIn phase: TransportError.Phase, after timeout: Duration
    ) async -> Outcome {
      await timedOut(in: phase, after: timeout, error: \.error) { await exchange(request, $0) }
    }

    /// Sends a request and returns the response with its complete body.
    ///
    /// - Throws: `TransportError`.
    func response(to request: HTTP.Request, _ options: TransportOptions = .patient) async throws -> HTTP.Response {
      let outcome = await exchange(request, options)
      if let error = outcome.error { throw error }
      var response = try require(outcome.head, "head")
      response.body = HTTP.Body(outcome.body)
      return response
    }

    /// Sends a request through `TransportService`, the layer above the session, and returns its success or failure.
    func execute(
      _ request: HTTP.Request, _ options: TransportOptions = .patient
    ) async -> Result<TransportSuccess, TransportFailure> {
      await TransportService(session: session).execute(request, options: options)
    }

    /// Checks that the session still works, by sending a request to a new server.
    func expectUsable(line: UInt = #line, file: String = #fileID) async throws {
      let server = try server(answering: .text("usable"))
      try expect(try await response(to: get(server)).body.string, is: "usable", line: line, file: file)
    }
  }

  /// The outcome of an exchange.
  struct Outcome: Sendable {
    var head: HTTP.Response?
    var body = Data()
    var error: TransportError?

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Checks that the exchange ended with the error `code`, in one of `phases`. If `phases` is empty, any phase is accepted.
    func expectError(
      _ code: TransportError.Code, in phases: TransportError.Phase?..., line: UInt = #line, file: String = #fileID
    ) throws {
      let error = try require(error, "error \(code); the response is \(text.prefix(100))", line: line, file: file)
      try expect(error.code == code, "\(error) is not \(code)", line: line, file: file)
      guard !phases.isEmpty else { return }
      try expect(
        phases.contains(error.phase), "\(error) has phase \(error.phase?.rawValue ?? "none")", line: line, file: file)
    }
  }

  /// Waits until `condition` is true. The only time limit is that of the test.
  static func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits until the task is cancelled.
  static func waitForCancellation() async {
    while (try? await Task.sleep(for: .seconds(60))) != nil {}
  }

  /// Returns `count` bytes in which neighbouring positions have different values.
  static func pattern(_ count: Int) -> Data {
    // Built from rows of 251 ascending bytes: byte by byte, a large body would take seconds without optimization.
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
  /// Options with a timeout that no test reaches.
  static var patient: TransportOptions { TransportOptions(timeout: .seconds(240)) }
}

extension Result {
  /// The error of a failure; otherwise `nil`.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
