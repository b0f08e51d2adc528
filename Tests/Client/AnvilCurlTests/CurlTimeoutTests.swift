import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Each phase has a separate limit, which its error identifies and which never expires early. Delays are not asserted.
@Suite(.timeLimit(.minutes(15))) struct CurlTimeoutTests {
  private func session(_ change: (inout CurlSession.Configuration.Timeouts) -> Void) -> CurlSession {
    CurlSession(
      configuration: configured {
        $0.proxy = .none
        change(&$0.timeouts)
      })
  }

  private func expect(
    _ outcome: Outcome, in phase: TransportError.Phase, notBefore limit: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.error?.code == .timedOut, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.error?.phase == phase, "\(outcome)", sourceLocation: sourceLocation)
    #expect((outcome.error?.elapsed ?? .zero) >= limit, "\(outcome)", sourceLocation: sourceLocation)
  }

  /// Returns a server that never completes connections: the queue of connections to be accepted is full.
  private func fullServer() throws -> (RawServer, [RawSocket]) {
    let server = try RawServer(backlog: 0, accepts: false) { _ in }
    return (server, [try RawSocket.connected(to: server.port)])
  }

  @Test func connectingIsLimited() async throws {
    let (server, waiting) = try fullServer()
    let session = session { $0.connect = .milliseconds(70) }
    let outcome = await session.get(try server.url())
    expect(outcome, in: .connect, notBefore: .milliseconds(70))
    withExtendedLifetime(waiting) {}
  }

  @Test func connectingBeforeTLSHasASeparateLimit() async throws {
    let (server, waiting) = try fullServer()
    let session = session {
      $0.connect = .milliseconds(90)
      $0.tls = .milliseconds(10)
    }
    expect(await session.get(try server.url(scheme: "https")), in: .connect, notBefore: .milliseconds(90))
    withExtendedLifetime(waiting) {}
  }

  @Test func theHandshakeIsLimited() async throws {
    let server = try RawServer { while $0.read() != nil {} }
    let session = session { $0.tls = .milliseconds(70) }
    expect(await session.get(try server.url(scheme: "https")), in: .tls, notBefore: .milliseconds(70))
    // The total timeout names the phase, too. On a busy machine it may expire before there is a connection.
    var (outcome, timeout) = (Outcome(), Duration.milliseconds(60))
    repeat {
      outcome = await self.session { _ in }.get(try server.url(scheme: "https"), timeout: timeout)
      timeout *= 2
    } while [.queue, .connect].contains(outcome.error?.phase) && timeout < .seconds(10)
    expect(outcome, in: .tls, notBefore: .milliseconds(60))
  }

  @Test func theTimeToFirstByteIsLimited() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let session = session { $0.firstByte = .milliseconds(70) }
    expect(await session.get(server.url("/")), in: .firstByte, notBefore: .milliseconds(70))
    server.on(.get, "/late") { _ in .text("late").after(.milliseconds(150)) }
    let patient = self.session { $0.firstByte = .seconds(30) }
    #expect(await patient.get(server.url("/late")).text == "late")
  }

  /// The shortest limit must not be delayed by a longer limit of an earlier phase.
  @Test func aShortLimitAppliesBesideLongOnes() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([.wait(.milliseconds(250)), .send(Data("HTTP/1.1 200 OK\r\n\r\nhalf".utf8)), .hang])
    }
    let session = session {
      $0.connect = .seconds(300)
      $0.tls = .seconds(300)
      $0.firstByte = .seconds(300)
      $0.idle = .milliseconds(150)
    }
    let outcome = await session.get(server.url("/"))
    expect(outcome, in: .body, notBefore: .milliseconds(400))
    #expect(outcome.text == "half")
  }

  @Test func idleTimeInABodyIsLimited() async throws {
    let server = try LoopbackServer()
    let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)
    server.on(.get, "/") { _ in .raw([.send(head), .hang]) }
    let session = session { $0.idle = .milliseconds(70) }
    let outcome = await session.get(server.url("/"))
    expect(outcome, in: .body, notBefore: .milliseconds(70))
    #expect(outcome.text == "half")
  }

  @Test func theIdleTimeoutOfARequestReplacesThatOfTheSession() async throws {
    let server = try LoopbackServer()
    let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf".utf8)
    server.on(.get, "/") { _ in .raw([.send(head), .wait(.milliseconds(500)), .send(Data("half".utf8))]) }
    let service = TransportService(session: session { $0.idle = .milliseconds(70) })
    var options = TransportOptions()
    let limited = await service.execute(HTTP.Request(url: server.url("/")), options: options)
    guard case .failure(let failure) = limited else {
      Issue.record("the limit of the session does not apply")
      return
    }
    #expect(failure.error.code == .timedOut && failure.error.phase == .body)
    options.idleTimeout = .unlimited
    let success = try await service.execute(HTTP.Request(url: server.url("/")), options: options).get()
    #expect(success.body.string == "halfhalf")
  }

  /// The whole body takes longer than the idle limit, which exceeds any delay of one byte on a busy machine.
  @Test func aSlowBodyIsNotIdle() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.slowDrip(interval: .milliseconds(50), count: 120)) }
    let session = session { $0.idle = .seconds(5) }
    let outcome = await session.get(server.url("/"))
    #expect(outcome.error == nil)
    #expect(outcome.body.count == 120)
  }

  @Test func aPauseOfTheReaderIsNotIdleTime() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, length: 24 << 20, body: repeatElement(Data(count: 1 << 16), count: 384)) }
    let session = session { $0.idle = .seconds(4) }
    let response = try await session.send(
      HTTP.Request(url: server.url("/")), options: TransportOptions(timeout: nil, responseDelivery: .streamed))
    // Until the server can send no more, and then for longer than the limit.
    var sent = 0
    while sent == 0 || sent != server.sentByteCounts.values.max() ?? 0 {
      sent = server.sentByteCounts.values.max() ?? 0
      try await Task.sleep(for: .milliseconds(200))
    }
    try await Task.sleep(for: .seconds(5))
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    #expect(count == 24 << 20)
  }

  // MARK: Sending

  @Test(arguments: [32 << 20, nil] as [Int?]) func idleTimeWhileSendingIsLimited(length: Int?) async throws {
    let server = try RawServer { socket in
      _ = socket.readHead()
      socket.waitForEnd()
    }
    let session = session { $0.idle = .milliseconds(100) }
    let body: HTTP.Body =
      length.map { HTTP.Body(Data(count: $0)) } ?? .stream(EndlessChunks(chunk: Data(count: 1 << 16)), length: nil)
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: body))
    expect(outcome, in: .send, notBefore: .milliseconds(100))
  }

  @Test func theFirstByteLimitStartsWhenTheBodyIsSent() async throws {
    let server = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      // In steps, and for longer than the first-byte limit. The rest fits in the systems' buffers.
      for _ in 0..<12 {
        Thread.sleep(forTimeInterval: 0.5)
        guard socket.discard(1 << 20) else { return }
      }
      guard socket.discard(52 << 20) else { return }
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      _ = socket.read()
    }
    let session = session { $0.firstByte = .seconds(5) }
    let request = HTTP.Request(method: .put, url: try server.url(), body: HTTP.Body(Data(count: 64 << 20)))
    let outcome = await session.exchange(request)
    #expect(outcome.text == "ok", "\(outcome)")
  }

  @Test func aPauseOfTheBodysSourceIsNotIdleTime() async throws {
    let begun = Recorder<Bool>()
    let server = try RawServer { socket in
      guard socket.readHead() != nil, socket.read(exactly: "1\r\na\r\n".utf8.count) != nil else { return }
      begun.add(true)
      guard socket.read(exactly: "1\r\nb\r\n0\r\n\r\n".utf8.count) != nil else { return }
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      socket.waitForEnd()
    }
    let session = session { $0.idle = .seconds(3) }
    let (chunks, sending) = AsyncStream<Data>.makeStream()
    sending.yield(Data("a".utf8))
    let request = HTTP.Request(method: .put, url: try server.url("/"), body: .stream(chunks))
    async let outcome = session.exchange(request)
    await waitUntil { !begun.all.isEmpty }
    try await Task.sleep(for: .seconds(4))
    sending.yield(Data("b".utf8))
    sending.finish()
    #expect(await outcome.text == "ok")
  }

  // MARK: Waiting for a connection

  @Test func waitingForAConnectionIsAPhase() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    server.on(.get, "/ok") { _ in .text("ok") }
    var configuration = CurlSession.Configuration()
    configuration.connections.perHost = 1
    configuration.timeouts.connect = .seconds(3)
    configuration.timeouts.firstByte = .seconds(300)
    let session = CurlSession(configuration: configuration)
    let first = Task { await session.get(server.url("/")) }
    await waitUntil { !server.requests.isEmpty }
    let second = await session.get(server.url("/ok"), timeout: .milliseconds(200))
    expect(second, in: .queue, notBefore: .milliseconds(200))
    // A request that was queued for longer than the connection limit still connects when there is room.
    let begun = Recorder<Bool>()
    let third = Task {
      begun.add(true)
      return await session.get(server.url("/ok"))
    }
    await waitUntil { !begun.all.isEmpty }
    try await Task.sleep(for: .seconds(4))
    first.cancel()
    #expect(await third.value.text == "ok")
    #expect(await first.value.error?.code == .cancelled)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)]) func aZeroLimitTimesOutAtOnce(
    limit: Duration
  ) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let session = session { $0.firstByte = limit }
    expect(await session.get(server.url("/")), in: .firstByte, notBefore: .zero)
  }

  @Test func hugeOrMissingLimitsAreNotApplied() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("ok") }
    let session = session {
      $0.connect = .seconds(Int64.max)
      $0.tls = nil
      $0.firstByte = .seconds(1e18)
      $0.idle = .seconds(Int64.max)
    }
    #expect(await session.get(server.url("/"), timeout: nil).text == "ok")
  }
}
