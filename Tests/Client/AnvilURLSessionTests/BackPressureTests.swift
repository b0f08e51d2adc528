import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Bodies that are read more slowly than they are sent, through the real URLSession over real sockets.
///
/// The tests are serialized because they inspect the open files of the process.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BackPressureTests {
  /// More than the reader's and the two systems' buffers hold together.
  private static let large = 80 << 20
  private static let block = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 / 251) })

  let transport = TransportService(session: URLTransportSession())

  /// Without a deadline, unless it is what the test is about: a busy machine takes its time.
  private func execute(_ request: HTTP.Request, deadline: Duration? = nil) async throws -> HTTP.Body {
    var options = TransportOptions(responseDelivery: .streamed)
    options.deadline = deadline
    return try await transport.execute(request, options: options).get().body
  }

  private func server(_ count: Int = large) throws -> LoopbackServer {
    let server = try LoopbackServer()
    server.on(.get, "/length") { _ in
      .status(200, length: count, body: repeatElement(Self.block, count: count / Self.block.count))
    }
    server.on(.get, "/chunked") { _ in .chunked(repeatElement(Self.block, count: count / Self.block.count)) }
    server.on(.get, "/small") { _ in .text("small") }
    return server
  }

  /// The number of bytes in temporary files. The files have no name, but the process has them open.
  private func waitingSize() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").reduce(0) { total, descriptor in
      let path = "/proc/self/fd/\(descriptor)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      guard let number = Int32(descriptor), target?.contains("/anvil-body-") == true else { return total }
      var status = stat()
      // Safety: `status` is ours and is written for the length of the call.
      return unsafe fstat(number, &status) == 0 ? max(total, Int(status.st_size)) : total
    }
  }

  /// Waits until the server has sent all: more than the reader's and the two systems' buffers hold together.
  private func waitUntilSent(_ server: LoopbackServer) async throws {
    await waitUntil { server.sentByteCounts[1, default: 0] >= Self.large }
  }

  private func waitForAbandonedConnection(_ server: LoopbackServer) async throws {
    await waitUntil { !server.abandonedConnections.isEmpty }
  }

  @Test(arguments: ["/length", "/chunked"])
  func aSlowReaderLosesNothing(path: String) async throws {
    let server = try server()
    let body = try await execute(HTTP.Request(url: server.url(path)))
    try await waitUntilSent(server)
    var count = 0
    for try await chunk in body {
      #expect(chunk.first == Self.block[count % Self.block.count])
      count += chunk.count
    }
    #expect(count == Self.large)
    #expect(server.requests.count == 1)
  }

  @Test func pausesAndResumesManyTimes() async throws {
    let server = try server(32 << 20)
    let body = try await execute(HTTP.Request(url: server.url("/chunked")))
    var (count, burst) = (0, 0)
    for try await chunk in body {
      #expect(chunk.first == Self.block[count % Self.block.count])
      (count, burst) = (count + chunk.count, burst + chunk.count)
      // Time for the buffer to fill up. Whether it does has no part in the outcome.
      if burst > 1 << 20 {
        burst = 0
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    #expect(count == 32 << 20)
  }

  @Test func otherTransfersContinue() async throws {
    let server = try server()
    let unread = try await execute(HTTP.Request(url: server.url("/length")))
    for delivery in [ResponseDelivery.collected, .streamed] {
      for _ in 0..<10 {
        let options = TransportOptions(timeout: nil, responseDelivery: delivery)
        let success = try await transport.execute(HTTP.Request(url: server.url("/small")), options: options).get()
        #expect(try await success.body.collect() == Data("small".utf8))
      }
    }
    _ = unread
  }

  @Test func manySlowReadersDoNotDelayOtherTransfers() async throws {
    let server = try server(2 << 20)
    var unread: [HTTP.Body] = []
    for _ in 0..<100 { unread.append(try await execute(HTTP.Request(url: server.url("/length")))) }
    let small = try await transport.execute(HTTP.Request(url: server.url("/small")), options: TransportOptions()).get()
    #expect(small.body.string == "small")
    await withTaskGroup(of: Int?.self) { group in
      for body in unread { group.addTask { try? await body.collect().count } }
      for await count in group { #expect(count == 2 << 20) }
    }
  }

  // MARK: Bytes in a temporary file

  #if canImport(FoundationNetworking)
  @Test func unreadBytesAreKeptInAFile() async throws {
    let server = try server()
    let body = try await execute(HTTP.Request(url: server.url("/length")))
    try await waitUntilSent(server)
    // All bytes except those in the sockets' and the body's buffers.
    try await waitUntil { try waitingSize() >= Self.large - (16 << 20) }
    #expect(try await body.collect().count == Self.large)
    // The file is deleted with its reader, shortly after the last bytes. Other tests in the process may have open
    // files.
    try await waitUntil { try waitingSize() == 0 }
  }

  @Test func releasingABodyDeletesItsFile() async throws {
    let server = try half(then: .hang)
    do {
      let body = try await execute(HTTP.Request(url: server.url))
      try await waitUntil { try waitingSize() != 0 }
      _ = body
    }
    try await waitUntil { try waitingSize() == 0 }
    try await waitForAbandonedConnection(server)
  }

  @Test func releasingACompleteBodyDeletesItsFile() async throws {
    let server = try server(8 << 20)
    do {
      let body = try await execute(HTTP.Request(url: server.url("/length")))
      // Its connection is free for another request once it has come.
      repeat {
        _ = try await transport.execute(HTTP.Request(url: server.url("/small"))).get()
      } while server.requests.last?.connection != 1
      #expect(try waitingSize() > 1 << 20)
      _ = body
    }
    try await waitUntil { try waitingSize() == 0 }
    #expect(server.abandonedConnections.isEmpty)
  }

  /// The server's data is finite although the body does not end, because an endless stream would slow down the other
  /// tests.
  @Test func cancellingTheReaderDeletesTheFile() async throws {
    let server = try half(then: .hang)
    let body = try await execute(HTTP.Request(url: server.url))
    try await waitUntil { try waitingSize() != 0 }
    let reading = Task {
      await waitForCancellation()
      for try await _ in body {}
    }
    reading.cancel()
    await #expect(throws: TransportError(code: .cancelled)) { try await reading.value }
    try await waitUntil { try waitingSize() == 0 }
  }
  #endif

  // MARK: Ends while the reader does not read

  /// A server that sends 5 of 10 MiB.
  private func half(then step: LoopbackServer.Step) throws -> LoopbackServer {
    let server = try LoopbackServer()
    let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(10 << 20)\r\n\r\n".utf8)
    server.on(.get, "/") { _ in .raw([.send(head + Data(count: 5 << 20)), step]) }
    return server
  }

  @Test func theDeadlineAppliesWithoutAReader() async throws {
    let server = try half(then: .hang)
    // On a busy machine the time may be up before the head has come.
    var (head, deadline) = (HTTP.Body?.none, Duration.milliseconds(500))
    while head == nil {
      head = try? await execute(HTTP.Request(url: server.url), deadline: deadline)
      deadline *= 4
    }
    let body = try #require(head)
    // The connection is closed at the deadline although the body is not read.
    try await waitForAbandonedConnection(server)
    var count = 0
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in body { count += chunk.count }
    }
    #expect(error?.code == .timedOut && error?.phase == .body)
    #expect(count < 2 << 20)
  }

  @Test func bytesBeforeATruncationCanBeRead() async throws {
    let server = try half(then: .close)
    let body = try await execute(HTTP.Request(url: server.url))
    var count = 0
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in body { count += chunk.count }
    }
    #expect(error?.code == .truncatedResponse && error?.phase == .body)
    #expect(count == 5 << 20)
  }

  /// Thousands of transfers that end in every way at any moment, each with its own number of bytes.
  @Test func transfersThatEndAtAnyTimeNeitherHangNorMix() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/:count") { request in
      let count = Int(request.parameters["count"] ?? "") ?? 0
      return .status(200, length: count << 16, body: repeatElement(Self.block, count: count))
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<rounds(2000) {
        if index >= 16 { await group.next() }
        let count = index * 7 % 40
        let url = server.url("/\(count)")
        group.addTask { await use(HTTP.Request(url: url), index: index, expecting: count << 16) }
      }
    }
  }

  private func use(_ request: HTTP.Request, index: Int, expecting expected: Int) async {
    let timeout: Duration? = index % 5 == 1 ? .microseconds(index % 97 * 200) : nil
    let task = Task {
      let body = try await execute(request, deadline: timeout)
      if index % 5 == 2 { return }
      var count = 0
      for try await chunk in body {
        count += chunk.count
        if index % 5 == 3, count > expected / 2 { return }
        if index % 3 == 0, count & 0x3_ffff < chunk.count { try await Task.sleep(for: .microseconds(500)) }
      }
      #expect(count == expected)
    }
    if index % 5 == 4 {
      try? await Task.sleep(for: .microseconds(index % 89 * 200))
      task.cancel()
    }
    do {
      try await task.value
    } catch is CancellationError {
      #expect(index % 5 == 4)
    } catch let error as TransportFailure {
      #expect(error.error.code == (index % 5 == 1 ? .timedOut : .cancelled), "\(error)")
    } catch let error as TransportError {
      #expect(error.code == (index % 5 == 1 ? .timedOut : .cancelled), "\(error)")
    } catch {
      Issue.record(error)
    }
  }
}
