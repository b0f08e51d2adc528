import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Request bodies that end before they were sent, or before they were complete.
@Suite(.timeLimit(.minutes(15))) struct CurlUploadTests {
  let session = CurlSession(configuration: configured { $0.proxy = .none })

  /// Returns a stream that records its release.
  private func stream(length: Int? = nil) -> (HTTP.Body, AsyncStream<Data>.Continuation, Recorder<Bool>) {
    let ended = Recorder<Bool>()
    let (chunks, sending) = AsyncStream<Data>.makeStream()
    sending.onTermination = { _ in ended.add(true) }
    return (.stream(chunks, length: length), sending, ended)
  }

  @Test func trailersFollowTheBody() async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { .text("\($0.bodyByteCount)") }
    let length = Mutex(0)
    let chunks = AsyncStream<Data> { continuation in
      for count in [3, 70_000] { continuation.yield(Data(count: count)) }
      continuation.finish()
    }.map { chunk in
      length.withLock { $0 += chunk.count }
      return chunk
    }
    let body = HTTP.Body.stream(chunks) { ["X-Length": "\(length.withLock { $0 })", "X-Empty": "", "X-Length": "2"] }
    let outcome = await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: body))
    #expect(outcome.text == "70003", "\(outcome)")
    let request = try #require(server.requests.first)
    #expect(request.trailers == ["X-Length": "70003", "X-Empty": "", "X-Length": "2"])
    #expect(request.headers[.transferEncoding] == "chunked" && !request.headers.contains("X-Length"))
  }

  private enum Caller {
    @TaskLocal static var name = "nobody"
  }

  @Test func producersHaveTheTaskLocalValuesOfTheCaller() async throws {
    let server = try LoopbackServer()
    server.echo(.put, "/")
    let isOver = Mutex(false)
    let chunks = AsyncStream<Data> {
      isOver.withLock { isOver in
        defer { isOver = true }
        return isOver ? nil : Data(Caller.name.utf8)
      }
    }
    let outcome = await Caller.$name.withValue("ada") {
      await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: .stream(chunks)))
    }
    #expect(outcome.text == "ada", "\(outcome)")
  }

  /// Version 7.88.1 of libcurl keeps the state of trailers in the handle of the request.
  @Test func trailersDoNotAffectTheNextRequests() async throws {
    let server = try LoopbackServer()
    server.echo(.put, "/")
    for round in 0..<20 {
      let chunks = AsyncStream<Data> { continuation in
        for index in 0..<3 { continuation.yield(Data(repeating: UInt8(index), count: index * 7)) }
        continuation.finish()
      }
      let body = round % 3 == 2 ? HTTP.Body.stream(chunks) : .stream(chunks) { ["X-Sum": "\(round)"] }
      let outcome = await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: body))
      #expect(outcome.body == Data(repeating: 1, count: 7) + Data(repeating: 2, count: 14), "\(outcome)")
    }
  }

  @Test(
    arguments: [
      ["Content-Length": "1"], ["Authorization": "Basic YTpi"], ["X-A": "1\r\nX-B: 2"], ["X A": "1"],
    ] as [HTTP.Headers])
  func trailersThatWouldChangeTheMessageAreNotSent(trailers: HTTP.Headers) async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { _ in .text("taken") }
    let chunks = AsyncStream<Data> { $0.finish() }
    let body = HTTP.Body.stream(chunks) { trailers }
    let outcome = await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: body))
    #expect(outcome.error?.code == .requestBodyFailed, "\(outcome)")
    #expect(server.requests.isEmpty)
  }

  /// A producer may end with a cancelled task of its own; the task of the request is not cancelled.
  @Test func aCancellationErrorOfAStreamIsAnErrorOfTheBody() async throws {
    let server = try LoopbackServer()
    server.echo(.put, "/")
    let body = HTTP.Body.stream(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: CancellationError()) })
    let outcome = await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: body))
    #expect(outcome.error?.code == .requestBodyFailed, "\(outcome)")
    #expect(outcome.error?.underlyingError is CancellationError)
  }

  /// libcurl would send an empty body without reading the stream or the file.
  @Test func aBodyThatIsAnnouncedAsEmptyIsRead() async throws {
    let server = try LoopbackServer()
    server.echo(.put, "/")
    let url = server.url("/")
    for (text, length) in [("abcdefgh", 0), ("abcdefgh", -1)] {
      let body = HTTP.Body.stream(
        AsyncStream {
          $0.yield(Data(text.utf8)); $0.finish()
        }, length: length)
      let outcome = await session.exchange(HTTP.Request(method: .put, url: url, body: body))
      #expect(outcome.error?.code == .requestBodyFailed, "\(outcome)")
      #expect(outcome.reason == "the body was announced with \(length) bytes but had 8")
    }
    #expect(server.requests.isEmpty)
    let (silent, sending, _) = stream(length: 0)
    let outcome = await session.exchange(HTTP.Request(method: .put, url: url, body: silent), timeout: .milliseconds(50))
    #expect(outcome.error == TransportError(code: .timedOut, phase: .send), "\(outcome)")
    sending.finish()
    let empty = HTTP.Body.stream(AsyncStream<Data> { $0.finish() }, length: 0, contentType: "text/x-empty")
    #expect(await session.exchange(HTTP.Request(method: .put, url: url, body: empty)).error == nil)
    #expect(server.requests.map { $0.headers[.contentType] } == ["text/x-empty"])
  }

  /// The stream can be sent again, because nothing of it was read.
  @Test(arguments: [nil, 5] as [Int?]) func r4_aStreamIsNotReadWithoutAConnection(length: Int?) async throws {
    let server = try LoopbackServer()
    server.echo(.post, "/")
    let readCount = Mutex(0)
    let chunks = ["ab", "cde"].map { Data($0.utf8) }
    let body = HTTP.Body.stream(
      AsyncStream<Data> {
        readCount.withLock { count -> Data? in
          defer { count += 1 }
          return count < chunks.count ? chunks[count] : nil
        }
      }, length: length)
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .zero)
    let service = TransportService(session: session, interceptors: [RetryInterceptor(policy: policy)])
    for address in ["127.0.0.1:1", Unresolvable.name] {
      let url = try #require(URL(string: "http://\(address)/"))
      let result = await service.execute(HTTP.Request(method: .post, url: url, body: body))
      guard case .failure(let failure) = result else {
        Issue.record("there is no server at \(url)")
        continue
      }
      #expect([.noConnection, .hostNotFound].contains(failure.error.code), "\(failure)")
      #expect(failure.error.history.attempts.count == 2, "\(failure)")
      #expect(readCount.withLock { $0 } == 0)
    }
    let outcome = await session.exchange(HTTP.Request(method: .post, url: server.url("/"), body: body))
    #expect(outcome.text == "abcde", "\(outcome)")
  }

  @Test func cancellingARequestReleasesAnIdleSource() async throws {
    let server = try LoopbackServer()
    server.echo(.put, "/")
    let (body, sending, ended) = stream()
    sending.yield(Data("a".utf8))
    let session = session
    let task = Task {
      await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: body), timeout: nil)
    }
    await waitUntil { !server.sentByteCounts.isEmpty }
    #expect(ended.all.isEmpty)
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
    await waitUntil { !ended.all.isEmpty }
    await waitUntil { !server.abandonedConnections.isEmpty || server.requests.isEmpty }
  }

  @Test func aTimeoutReleasesAnIdleSource() async throws {
    let server = try LoopbackServer()
    let (body, sending, ended) = stream()
    let request = HTTP.Request(method: .put, url: server.url("/"), body: body)
    #expect(await session.exchange(request, timeout: .milliseconds(50)).error?.code == .timedOut)
    await waitUntil { !ended.all.isEmpty }
    withExtendedLifetime(sending) {}
  }

  @Test(arguments: [nil, 64 << 20] as [Int?]) func anEarlyResponseIsDelivered(length: Int?) async throws {
    let server = try RawServer { socket in
      guard socket.readHead() != nil, socket.read() != nil else { return }
      socket.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nno!")
      socket.finish()
      // An orderly end: the remaining bytes are read, so that a reset does not discard the answer.
      while socket.read() != nil {}
    }
    let body = HTTP.Body.stream(EndlessChunks(chunk: Data(count: 1 << 16)), length: length)
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: body))
    #expect(outcome.head?.code == 413, "\(outcome)")
    #expect(outcome.text == "no!")
    #expect(outcome.error == nil)
  }

  /// A server that does not read the body, and whose answer does not announce the end of the connection.
  @Test(
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly", "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n\r\n",
    ], [nil, 64 << 20] as [Int?])
  func aCompleteResponseIsDeliveredDuringTheUpload(answer: String, length: Int?) async throws {
    let server = try RawServer { socket in
      guard let head = socket.readHead() else { return }
      guard head.hasPrefix("PUT") else {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
        return
      }
      socket.write(answer)
      socket.waitForEnd()
    }
    let body = HTTP.Body.stream(EndlessChunks(chunk: Data(count: 1 << 16)), length: length)
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: body))
    #expect(outcome.error == nil, "\(outcome)")
    #expect(outcome.text == (outcome.head?.code == 204 ? "" : "early"))
    // On this connection, the server would read the rest of the body next.
    let next = await session.get(try server.url())
    #expect(next.text == "next")
    #expect(next.metrics?.isConnectionReused == false)
  }

  @Test func aCompleteResponseReleasesTheSource() async throws {
    let server = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly")
      socket.waitForEnd()
    }
    let (body, sending, ended) = stream()
    sending.yield(Data("a".utf8))
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: body))
    #expect(outcome.text == "early", "\(outcome)")
    await waitUntil { !ended.all.isEmpty }
  }

  @Test func r1_aBodyThatWasSentOnADeadConnectionIsNotSentAgain() async throws {
    let heads = Mutex(0)
    let server = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      heads.withLock { $0 += 1 }
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      // The next request on the connection is not answered.
      if socket.readHead() != nil { heads.withLock { $0 += 1 } }
    }
    #expect(await session.exchange(HTTP.Request(url: try server.url())).text == "ok")
    let outcome = await session.exchange(HTTP.Request(method: .post, url: try server.url(), body: HTTP.Body("x")))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
    #expect(
      outcome.error?.reason == "the reused connection had been closed; the server may have processed the request")
    #expect(heads.withLock { $0 } == 2)
  }

  @Test func aConnectionResetDuringAnUploadIsReported() async throws {
    let server = try RawServer { socket in _ = socket.readHead() }
    let body = HTTP.Body.stream(EndlessChunks(chunk: Data(count: 1 << 16)), length: nil)
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: body))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
  }

  @Test func bothDirectionsFlowAtOnce() async throws {
    let server = try LoopbackServer()
    server.echo(.post, "/")
    let (body, sending, _) = stream()
    sending.yield(Data("0".utf8))
    let response = try await session.send(
      HTTP.Request(method: .post, url: server.url("/"), body: body),
      options: TransportOptions(responseDelivery: .streamed))
    var echoed = response.body.makeAsyncIterator()
    for index in 0..<200 {
      #expect(try await echoed.next() == Data("\(index)".utf8))
      if index < 199 { sending.yield(Data("\(index + 1)".utf8)) }
    }
    sending.finish()
    #expect(try await echoed.next() == nil)
  }

  @Test func aLargeEchoFlowsWhileItsReaderPauses() async throws {
    let server = try LoopbackServer()
    server.echo(.post, "/")
    let part = Data(repeating: 7, count: 100_000)
    let chunks = AsyncStream<Data> { sending in
      for _ in 0..<300 { sending.yield(part) }
      sending.finish()
    }
    let response = try await session.send(
      HTTP.Request(method: .post, url: server.url("/"), body: .stream(chunks)),
      options: TransportOptions(responseDelivery: .streamed))
    var count = 0
    for try await chunk in response.body {
      count += chunk.count
      if count % 3 == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(count == 30_000_000)
  }

  /// A response to HEAD has no body, even if the request has one.
  @Test(arguments: [3, 100_000, nil] as [Int?]) func aHeadWithABodyDoesNotHang(size: Int?) async throws {
    let server = try LoopbackServer()
    server.on(.head, "/") { _ in .text("a body that HEAD does not get") }
    server.on(.get, "/") { _ in .text("ok") }
    let body: HTTP.Body = size.map { HTTP.Body(Data(count: $0)) } ?? .stream(AsyncStream<Data> { $0.finish() })
    let outcome = await session.exchange(
      HTTP.Request(method: .head, url: server.url("/"), body: body), timeout: nil)
    #expect(outcome.error?.code == .invalidRequest, "\(outcome)")
    #expect(server.requests.isEmpty)
    #expect(await session.get(server.url("/")).text == "ok")
  }
}
