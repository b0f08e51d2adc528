import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The rules about time, size and connections, against a server on this machine.
@Suite(.timeLimit(.minutes(15))) struct CurlRuleTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/never") { _ in .fault(.neverAnswers) }
    server.on(.get, "/drip") { _ in .fault(.slowDrip(interval: .milliseconds(20), count: 100_000)) }
    let half = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)
    server.on(.get, "/half") { _ in .raw([.send(half), .hang]) }
  }

  private func session(_ change: (inout CurlSession.Configuration) -> Void = { _ in }) -> CurlSession {
    CurlSession(
      configuration: configured {
        $0.proxy = .none
        change(&$0)
      })
  }

  /// Expects a timeout in `phase`. If a busy machine has not reached that phase, retries with four times the limit.
  @discardableResult
  private func expectTimeout(
    in phase: TransportError.Phase, after limit: Duration, sourceLocation: SourceLocation = #_sourceLocation,
    _ exchange: (Duration) async throws -> Outcome
  ) async rethrows -> Outcome {
    var limit = limit
    var outcome = try await exchange(limit)
    for _ in 0..<3 where outcome.error?.phase != phase {
      limit *= 4
      outcome = try await exchange(limit)
    }
    expect(outcome.error, in: phase, notBefore: limit, sourceLocation: sourceLocation)
    return outcome
  }

  private func expect(
    _ error: TransportError?, in phase: TransportError.Phase, notBefore limit: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == .timedOut && error?.phase == phase, "\(error as Any)", sourceLocation: sourceLocation)
    #expect((error?.elapsed ?? .zero) >= limit, "\(error as Any)", sourceLocation: sourceLocation)
  }

  // MARK: T1

  @Test func t1_connectingIsLimited() async throws {
    // The server's queue of connections to be accepted is full.
    let full = try RawServer(backlog: 0, accepts: false) { _ in }
    let waiting = try RawSocket.connected(to: full.port)
    let outcome = try await expectTimeout(in: .connect, after: .milliseconds(60)) { limit in
      try await session { $0.timeouts.connect = limit }.get(full.url())
    }
    #expect(outcome.error?.description.hasPrefix("timed out after ") == true)
    #expect(outcome.error?.description.hasSuffix(" s connecting") == true)
    withExtendedLifetime(waiting) {}
  }

  @Test func t1_theHandshakeIsLimited() async throws {
    let mute = try RawServer { while $0.read() != nil {} }
    try await expectTimeout(in: .tls, after: .milliseconds(60)) { limit in
      try await session { $0.timeouts.tls = limit }.get(mute.url(scheme: "https"))
    }
  }

  @Test func t1_theTimeToFirstByteIsLimited() async throws {
    await expectTimeout(in: .firstByte, after: .milliseconds(60)) { limit in
      await session { $0.timeouts.firstByte = limit }.get(server.url("/never"))
    }
  }

  @Test func t1_idleReadingIsLimited() async throws {
    let outcome = await expectTimeout(in: .body, after: .milliseconds(60)) { limit in
      await session { $0.timeouts.idle = limit }.get(server.url("/half"))
    }
    #expect(outcome.text == "half")
  }

  @Test func t1_idleWritingIsLimited() async throws {
    let deaf = try RawServer { socket in
      _ = socket.readHead()
      socket.waitForEnd()
    }
    let request = HTTP.Request(method: .put, url: try deaf.url(), body: HTTP.Body(Data(count: 32 << 20)))
    await expectTimeout(in: .send, after: .milliseconds(60)) { limit in
      await session { $0.timeouts.idle = limit }.exchange(request)
    }
  }

  @Test(arguments: [("/never", TransportError.Phase.firstByte), ("/half", .body), ("/drip", .body)])
  func t1_theTotalTimeIsLimited(path: String, phase: TransportError.Phase) async throws {
    await expectTimeout(in: phase, after: .milliseconds(200)) { limit in
      await session().get(server.url(path), timeout: limit)
    }
  }

  @Test(arguments: [1, 7, 35]) func t1_limitsHaveSubSecondPrecision(milliseconds: Int) async throws {
    let session = session()
    // On an existing connection: a millisecond is too short to open one.
    server.on(.get, "/ok") { _ in .text("ok") }
    #expect(await session.get(server.url("/ok")).text == "ok")
    await expectTimeout(in: .firstByte, after: .milliseconds(milliseconds)) { limit in
      await session.get(server.url("/never"), timeout: limit)
    }
  }

  @Test func r9_theDeadlineEndsABodyThatDrips() async throws {
    let clock = TestClock()
    let service = TransportService(session: session(), clock: clock)
    let received = Recorder<TransferProgress>()
    var options = TransportOptions(timeout: .seconds(300), progressHandler: { received.add($0) })
    options.deadline = .seconds(100)
    let url = server.url("/drip")
    let task = Task { [options] in await service.execute(HTTP.Request(url: url), options: options) }
    await waitUntil { received.all.contains { $0.byteCount > 0 } }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(100))
    guard case .failure(let failure) = await task.value else {
      Issue.record("it has ended")
      return
    }
    expect(failure.error, in: .body, notBefore: .seconds(100))
    #expect(failure.response?.code == 200)
    await waitUntil { server.abandonedConnections.count == 1 }
  }

  // MARK: L1

  @Test func l1_headSizesAreLimited() async throws {
    let field = "X-Long: \(String(repeating: "x", count: 2_000))\r\n"
    let head = Data("HTTP/1.1 200 OK\r\n\(field)Content-Length: 0\r\n\r\n".utf8)
    server.on(.get, "/head") { _ in .raw([.send(head), .close]) }
    let outcome = await session { $0.headSizeLimit = 1_000 }.get(server.url("/head"))
    #expect(outcome.error?.code == .responseTooLarge && outcome.error?.phase == .firstByte)
    #expect(CurlSession.Configuration().headSizeLimit == 256 << 10)
    #expect(await session().get(server.url("/head")).head?.code == 200)
  }

  @Test func l1_collectedBodiesAreLimited() async throws {
    server.on(.get, "/large") { _ in
      .status(200, length: 1 << 40, body: repeatElement(Data(count: 1 << 16), count: .max))
    }
    server.on(.get, "/endless") { _ in .chunked(repeatElement(Data(count: 1 << 16), count: .max)) }
    let service = TransportService(session: session())
    for path in ["/large", "/endless"] {
      var options = TransportOptions()
      options.sizeLimit = 1 << 20
      guard case .failure(let failure) = await service.execute(HTTP.Request(url: server.url(path)), options: options)
      else {
        Issue.record("\(path) has ended")
        continue
      }
      #expect(failure.error.code == .responseTooLarge, "\(failure)")
      #expect(failure.error.reason == "the body has more than 1048576 bytes")
    }
    // The rest of both bodies is not read.
    await waitUntil { server.abandonedConnections.count == 2 }
  }

  @Test func l1_decompressedSizesAreLimited() async throws {
    let packed = try #require(Packed.zeros.first)
    server.on(.get, "/packed") { _ in
      .status(200, headers: [.contentEncoding: .init(rawValue: packed.0)], body: packed.1)
    }
    let bySize = await session { $0.decompression = .automatic(.init(size: 5_000_000, ratio: .max)) }
      .get(server.url("/packed"))
    #expect(bySize.error?.code == .responseTooLarge && bySize.reason == "decompressed to more than 5000000 bytes")
    let byRatio = await session().get(server.url("/packed"))
    #expect(byRatio.error?.code == .responseTooLarge)
    #expect(byRatio.reason == "decompressed to more than 250 times the received size")
  }

  // MARK: L2

  @Test(arguments: [
    (LoopbackServer.Fault.truncatedBody, TransportError.Code.truncatedResponse), (.resetInBody, .truncatedResponse),
    (.truncatedChunks, .truncatedResponse), (.badChunk, .malformedResponse), (.conflictingLengths, .malformedResponse),
    (.lengthAndChunked, .malformedResponse), (.notHTTP, .malformedResponse), (.truncatedHead, .connectionLost),
    (.closeBeforeHead, .connectionLost), (.resetBeforeHead, .connectionLost),
  ])
  func l2_malformedResponsesHaveAReason(fault: LoopbackServer.Fault, code: TransportError.Code) async throws {
    server.on(.get, "/fault") { _ in .fault(fault) }
    let session = session()
    let outcome = await session.get(server.url("/fault"))
    #expect(outcome.error?.code == code, "\(outcome)")
    // Nor do the higher layers accept it.
    let result = await TransportService(session: session).execute(HTTP.Request(url: server.url("/fault")))
    guard case .failure(let failure) = result else {
      Issue.record("\(fault) was passed off as whole")
      return
    }
    #expect(failure.error.code == code)
  }

  @Test func l2_repeatedLengthsThatAreEqualAreAccepted() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n"
    server.on(.get, "/equal") { _ in .raw([.send(Data("\(head)ok".utf8)), .close]) }
    let outcome = await session().get(server.url("/equal"))
    #expect(outcome.error == nil && outcome.text == "ok", "\(outcome)")
  }

  // MARK: Requests that were never sent

  @Test(arguments: [true, false]) func r1_anInterruptedHandshakeIsALostConnection(isRead: Bool) async throws {
    let cutting = try RawServer { if isRead { _ = $0.read() } }
    let outcome = await session().get(try cutting.url(scheme: "https"))
    #expect(outcome.error?.code == .connectionLost && outcome.error?.phase == .tls, "\(outcome)")
  }

  @Test func r3_aRejectedHandshakeIsATLSFailure() async throws {
    let plain = try RawServer { socket in
      _ = socket.read()
      socket.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
      socket.waitForEnd()
    }
    let outcome = await session().get(try plain.url(scheme: "https"))
    #expect(outcome.error?.code == .tlsFailure && outcome.error?.phase == .tls, "\(outcome)")
  }

  // MARK: Connections of repeated requests

  private func retrying(clock: any Clock<Duration>, drainLimit: Int = 64 << 10) -> RetryInterceptor {
    var policy = RetryPolicy()
    policy.drainLimit = drainLimit
    policy.backoff = ExponentialBackoff(random: { 1 })
    return RetryInterceptor(policy: policy, clock: clock)
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func r10_theConnectionOfADrainedResponseIsReused(delivery: ResponseDelivery) async throws {
    // More than the client receives without a reader.
    server.on(.get, "/flaky") { _ in .status(503, body: Data(count: 6 << 20)) }
    let clock = TestClock()
    let retrying = retrying(clock: clock, drainLimit: 8 << 20)
    let service = TransportService(session: session(), interceptors: [retrying])
    let ended = Recorder<TransferEvent.Metrics>()
    let options = TransportOptions(
      responseDelivery: delivery, eventHandler: { if case .finished(let metrics) = $0 { ended.add(metrics) } })
    let url = server.url("/flaky")
    let task = Task { await service.execute(HTTP.Request(url: url), options: options) }
    for attempt in 1...2 {
      await clock.waitForSleepers(1)
      await waitUntil { ended.all.count == attempt }
      clock.advance(by: .seconds(5))
    }
    _ = await task.value
    #expect(server.requests.count == 3)
    #expect(ended.all.prefix(2).map(\.isConnectionReused) == [false, true])
    #expect(Set(server.requests.map(\.connection)).count == 1)
  }

  @Test func r10_aResponseBeyondTheDrainLimitClosesItsConnection() async throws {
    server.on(.get, "/flood") { _ in
      .status(503, length: 1 << 40, body: repeatElement(Data(count: 1 << 16), count: .max))
    }
    let clock = TestClock()
    let service = TransportService(session: session(), interceptors: [retrying(clock: clock)])
    let url = server.url("/flood")
    let task = Task {
      await service.execute(HTTP.Request(url: url), options: TransportOptions(responseDelivery: .streamed))
    }
    for _ in 1...2 {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
    }
    _ = await task.value
    #expect(Set(server.requests.map(\.connection)).count == 3)
    await waitUntil { server.abandonedConnections.count == 3 }
  }

  @Test func r2_aMisdirectedRequestUsesANewConnection() async throws {
    server.on(.get, "/ok") { _ in .text("ok") }
    let session = session()
    let first = await session.get(server.url("/ok"))
    #expect(first.error == nil)
    let connection = try #require(server.requests.first?.connection)
    server.on(.get, "/misdirected") { .text("no", status: $0.connection == connection ? 421 : 200) }
    let service = TransportService(session: session, interceptors: [retrying(clock: TestClock())])
    let success = try await service.execute(HTTP.Request(url: server.url("/misdirected"))).get()
    #expect(success.response.code == 200)
    #expect(success.response.history.attempts.map(\.delay) == [.zero])
    let connections = server.requests.map(\.connection)
    #expect(connections.count == 3 && connections[1] == connection && connections[2] != connection)
    // Only that request needed a new connection.
    #expect(await session.get(server.url("/ok")).metrics?.isConnectionReused == true)
  }
}
