import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Synchronization
import Testing

/// Ends of exchanges that the client chooses: cancellation, timeouts, dropped bodies.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
  let transport = TransportService(session: URLTransportSession())

  private func execute(
    _ request: HTTP.Request, timeout: Duration? = .seconds(20), progressHandler: TransferProgress.Handler? = nil
  ) async -> Result<TransportSuccess, TransportFailure> {
    await transport.execute(request, options: TransportOptions(timeout: timeout, progressHandler: progressHandler))
  }

  /// Waits until the server has seen the client close a connection: the suite's time limit is the only other way out.
  private func waitForAbandonedConnection(_ server: LoopbackServer) async throws {
    while server.abandonedConnections.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func cancelledBeforeTheHead() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let request = HTTP.Request(url: server.url)
    let task = Task { await execute(request, timeout: nil) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    let failure = await task.value.failure
    #expect(failure?.error.code == .cancelled)
    #expect(failure?.request == request && failure?.response == nil)
  }

  @Test func cancelledInMidBody() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)), .hang])
    }
    let request = HTTP.Request(url: server.url)
    let response = try await URLTransportSession.shared.send(request, options: TransportOptions())
    var iterator = response.body.makeAsyncIterator()
    #expect(try await iterator.next() == Data("half".utf8))

    let received = Atomic(0)
    let task = Task {
      await execute(request, timeout: nil) { received.store($0.byteCount, ordering: .relaxed) }
    }
    while received.load(ordering: .relaxed) < 4 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    let failure = await task.value.failure
    #expect(failure?.error.code == .cancelled)
    #expect(failure?.request == request)
    #expect(failure?.response?.code == 200)
    #expect(failure?.response?.body.string == "half")
  }

  @Test func cancelledBeforeItBegins() async throws {
    let server = try LoopbackServer()
    let request = HTTP.Request(url: server.url)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await execute(request)
    }
    task.cancel()
    #expect(await task.value.failure?.error.code == .cancelled)
    #expect(server.requests.isEmpty)
  }

  @Test func droppedBodyClosesTheConnection() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.slowDrip(interval: .milliseconds(5), count: 1_000_000)) }
    do {
      let response = try await URLTransportSession.shared.send(
        HTTP.Request(url: server.url), options: TransportOptions())
      var iterator = response.body.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(server.abandonedConnections.isEmpty)
    }
    try await waitForAbandonedConnection(server)
  }

  @Test func timeoutClosesTheConnection() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let failure = await execute(HTTP.Request(url: server.url), timeout: .milliseconds(50)).failure
    #expect(failure?.error.code == .timedOut)
    try await waitForAbandonedConnection(server)
  }

  // MARK: Races that trap in Foundation where they are not kept from it

  private func race(_ count: Int, _ request: @escaping @Sendable () -> HTTP.Request) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        group.addTask {
          let task = Task { await execute(request()) }
          try? await Task.sleep(for: .microseconds(index % 40 * 50))
          task.cancel()
          _ = await task.value
        }
      }
    }
  }

  @Test func redirectionsCanBeCancelledAtAnyMoment() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/from") { _ in .status(302, headers: [.location: "/to"], body: Data("moved".utf8)) }
    let url = server.url("/from")
    await race(400) { HTTP.Request(url: url) }
    for microseconds in stride(from: 100, to: 1500, by: 7) {
      let failure = await execute(HTTP.Request(url: url), timeout: .microseconds(microseconds)).failure
      #expect(failure?.error.code == .timedOut || failure?.error.code == .redirection)
    }
    // The session still works.
    #expect(await execute(HTTP.Request(url: url)).failure?.error.code == .redirection)
  }

  @Test func uploadsCanBeCancelledAtAnyMoment() async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { .text("\($0.body.count)") }
    let url = server.url
    let small = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let large = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(count: 300_000).write(to: small)
    try Data(count: 17 << 20).write(to: large)
    defer {
      try? FileManager.default.removeItem(at: small)
      try? FileManager.default.removeItem(at: large)
    }
    let before = try uploads()
    await race(150) { HTTP.Request(method: .put, url: url, body: .file(small)) }
    await race(24) { HTTP.Request(method: .put, url: url, body: .file(large)) }
    let success = try await execute(HTTP.Request(method: .put, url: url, body: .file(large))).get()
    #expect(success.body.string == "\(17 << 20)")
    // Temporary files go with their transfers, a moment after the results.
    while !(try uploads().subtracting(before).isEmpty) { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func uploads() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path())
    return Set(names.filter { $0.hasPrefix("anvil-upload-") })
  }

  // MARK: While the request's body is made ready

  @Test func timeoutHoldsForAStreamThatGivesNothing() async throws {
    let server = try LoopbackServer()
    let (stream, _) = AsyncStream<Data>.makeStream()
    let request = HTTP.Request(method: .put, url: server.url, body: .stream(stream))
    let failure = await execute(request, timeout: .milliseconds(100)).failure
    #expect(failure?.error.code == .timedOut && failure?.error.phase == .send)
    #expect(server.requests.isEmpty)
  }

  @Test func streamThatGivesNothingCanBeCancelled() async throws {
    let server = try LoopbackServer()
    let (stream, _) = AsyncStream<Data>.makeStream()
    let task = Task { await execute(HTTP.Request(method: .put, url: server.url, body: .stream(stream)), timeout: nil) }
    task.cancel()
    #expect(await task.value.failure?.error.code == .cancelled)
  }

  @Test func pipeIsNoFile() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    // Safety: the path is a NUL-terminated copy for the length of the call.
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer()
    let failure = await execute(HTTP.Request(method: .put, url: server.url, body: .file(URL(filePath: path)))).failure
    #expect(
      failure?.error.underlyingError as? HTTP.BodyError
        == .unreadableFile(
          name: URL(filePath: path).lastPathComponent, reason: "not a regular file"))
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e18), .zero, .seconds(-5)])
  func oddTimeoutsDoNotTrap(timeout: Duration) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("ok") }
    switch await execute(HTTP.Request(url: server.url), timeout: timeout) {
    case .success(let success): #expect(timeout > .zero && success.body.string == "ok")
    case .failure(let failure): #expect(timeout <= .zero && failure.error.code == .timedOut)
    }
  }

  @Test func randomCancellationNeverHangs() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .chunked(Array(repeating: Data("chunk".utf8), count: 4), every: .milliseconds(3)) }
    let url = server.url
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<150 {
        group.addTask {
          let task = Task { await execute(HTTP.Request(url: url)) }
          try? await Task.sleep(for: .microseconds(index * 150))
          task.cancel()
          switch await task.value {
          case .success(let success): #expect(success.body.string == "chunkchunkchunkchunk")
          case .failure(let failure): #expect(failure.error.code == .cancelled, "\(failure)")
          }
        }
      }
    }
  }
}
