import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct StreamedResponseTests {
  /// A session that answers with a body that the test writes, and counts its releases.
  final class Held: TransportSession {
    let code: Int
    let headers: HTTP.Headers
    let abandoned = Mutex(0)
    let writers = Mutex<[TransportBody.Writer]>([])

    init(code: Int = 200, headers: HTTP.Headers = [:]) {
      self.code = code
      self.headers = headers
    }

    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      let (body, writer) = TransportBody.makeStream { [weak self] in self?.abandoned.withLock { $0 += 1 } }
      writers.withLock { $0.append(writer) }
      let head = HTTP.Response(request: request, status: HTTP.Status(code: code), headers: headers)
      return TransportResponse(head: head, body: body)
    }

    func write(_ text: String) { writers.withLock(\.last)?.yield(Data(text.utf8)) }
    func finish(_ error: TransportError? = nil) { writers.withLock(\.last)?.finish(error) }
  }

  private func request(_ method: HTTP.Method = .get) throws -> HTTP.Request {
    HTTP.Request(method: method, url: try #require(URL(string: "https://api.example.com/export")))
  }

  private func streamed(
    _ session: some TransportSession, _ method: HTTP.Method = .get
  ) async throws -> Result<TransportSuccess, TransportFailure> {
    await TransportService(session: session).execute(
      try request(method), options: TransportOptions(responseDelivery: .streamed))
  }

  /// Cancelled while it waits for a chunk, or between two pieces of a chunk, reading a body fails with the same error.
  @Test(arguments: ["lines", "events", "elements", "values", "results"], [true, false])
  func cancellationWhileABodyIsReadHasOneForm(reader: String, isBetweenPieces: Bool) async throws {
    let session = Held()
    let body = try await streamed(session).get().response.body
    let (begun, began) = AsyncStream<Void>.makeStream()
    let (resumed, resume) = AsyncStream<Void>.makeStream()
    /// Reads one element, waits for the test, and reads the next one.
    @Sendable func readTwo<Elements: AsyncSequence & SendableMetatype>(_ elements: Elements) async throws
    where Elements.AsyncIterator: SendableMetatype {
      var iterator = elements.makeAsyncIterator()
      _ = try await iterator.next(isolation: #isolation)
      began.finish()
      if isBetweenPieces {
        // Not ended by the cancellation, as the wait of this task would be.
        await Task.detached { for await _ in resumed {} }.value
      }
      _ = try await iterator.next(isolation: #isolation)
    }
    let reading = Task {
      switch reader {
      case "lines": try await readTwo(body.lines)
      case "events": try await readTwo(body.events)
      case "elements": try await readTwo(body.elements(of: Int.self))
      case "values": try await readTwo(body.jsonLines(of: Int.self))
      default: try await readTwo(body.jsonLines(of: Int.self).results)
      }
    }
    let pieces =
      switch reader {
      case "events": ["data: 1\n\n", "data: 2\n\n"]
      case "elements": ["[1,", "2,"]
      default: ["1\n", "2\n"]
      }
    session.write(isBetweenPieces ? pieces.joined() : pieces[0])
    for await _ in begun {}
    reading.cancel()
    resume.finish()
    let error = try #require(await reading.result.failure)
    #expect((error as? TransportError)?.code == .cancelled, "\(error)")
  }

  // MARK: At the head

  @Test func theResponseIsReturnedWhenItsHeadArrives() async throws {
    let session = Held(headers: [.contentType: .applicationJSON, .contentLength: "5"])
    let response = try await streamed(session).get().response
    #expect(response.body.contentType == .applicationJSON)
    #expect(response.body.length == 5 && response.body.data == nil && !response.body.isReplayable)
    var chunks = response.body.makeAsyncIterator()
    session.write("12")
    #expect(try await chunks.next() == Data("12".utf8))
    session.write("345")
    #expect(try await chunks.next() == Data("345".utf8))
    session.finish()
    #expect(try await chunks.next() == nil)
    #expect(!response.body.isReadable)
  }

  @Test(
    arguments: [
      ([:], nil), ([.contentLength: "0"], 0), ([.contentLength: "7, 7"], 7), ([.contentLength: "7, 8"], nil),
      ([.contentLength: "-1"], nil), ([.contentLength: "+7"], nil), ([.contentLength: ""], nil),
      ([.contentLength: "99999999999999999999"], nil), ([.contentLength: "7", .contentEncoding: "gzip"], nil),
      ([.contentLength: "7", .contentEncoding: "identity"], 7),
      ([.contentLength: "7", .transferEncoding: "chunked"], nil),
    ] as [(HTTP.Headers, Int?)])
  func theLengthIsTakenFromTheHead(headers: HTTP.Headers, length: Int?) async throws {
    #expect(try await streamed(Held(headers: headers)).get().body.length == length)
  }

  @Test(arguments: [(HTTP.Method.head, 200), (.get, 204)])
  func responsesWithoutABodyHaveAnEmptyBody(method: HTTP.Method, code: Int) async throws {
    let session = StubSession()
    let request = try request(method)
    session.on(method, request.url, .status(HTTP.Status(code: code), headers: [.contentLength: "7"]))
    #expect(try await streamed(session, method).get().body == .empty)
  }

  @Test func bodiesAreCollectedByDefault() async throws {
    let session = StubSession()
    let request = try request()
    session.on(.get, request.url, .chunks([Data("a".utf8), Data("b".utf8)]))
    #expect(try await TransportService(session: session).execute(request).get().body.string == "ab")
  }

  // MARK: Incomplete bodies

  @Test func readingThrowsTheErrorThatInterruptedTheBody() async throws {
    let session = Held()
    var chunks = try await streamed(session).get().body.makeAsyncIterator()
    session.write("half")
    session.finish(TransportError(code: .timedOut, phase: .body))
    #expect(try await chunks.next() == Data("half".utf8))
    await #expect(throws: TransportError(code: .timedOut, phase: .body)) { try await chunks.next() }
  }

  @Test(arguments: [("12", TransportError.Code.truncatedResponse), ("1234", .malformedResponse)])
  func aLengthOtherThanAnnouncedIsAnError(text: String, code: TransportError.Code) async throws {
    let session = Held(headers: [.contentLength: "3"])
    let body = try await streamed(session).get().body
    session.write(text)
    session.finish()
    await #expect(throws: TransportError(code: code, phase: .body)) { try await body.collect() }
  }

  @Test func aCompleteBodyCanBeReadAfterCancellation() async throws {
    let session = Held()
    let body = try await streamed(session).get().body
    session.write("whole")
    session.finish()
    let reading = Task {
      await waitForCancellation()
      return try await body.collect()
    }
    reading.cancel()
    #expect(try await reading.value == Data("whole".utf8))
  }

  // MARK: Release

  @Test func releasingAnUnreadResponseEndsTheTransfer() async throws {
    let session = Held()
    do {
      let response = try await streamed(session).get().response
      #expect(session.abandoned.withLock { $0 } == 0)
      _ = response
    }
    #expect(session.abandoned.withLock { $0 } == 1)
  }

  @Test func leavingTheLoopEndsTheTransfer() async throws {
    let session = Held()
    let response = try await streamed(session).get().response
    session.write("first")
    for try await _ in response.body { break }
    #expect(session.abandoned.withLock { $0 } == 1)
    await #expect(throws: HTTP.BodyError.alreadyConsumed) { try await response.body.collect() }
  }

  @Test func cancelledReaderEndsTheTransfer() async throws {
    let session = Held()
    let body = try await streamed(session).get().body
    session.write("first")
    let (started, start) = AsyncStream<Void>.makeStream()
    let reading = Task {
      for try await _ in body { start.finish() }
    }
    for await _ in started {}
    reading.cancel()
    await #expect(throws: TransportError(code: .cancelled)) { try await reading.value }
    #expect(session.abandoned.withLock { $0 } == 1)
  }

  // MARK: Failures

  @Test(arguments: [302, 404, 503])
  func bodiesOfFailuresAreCollected(code: Int) async throws {
    let session = StubSession()
    let request = try request()
    session.on(
      .get, request.url, .chunks([Data("what ".utf8), Data("failed".utf8)], status: HTTP.Status(code: code)))
    let failure = try await streamed(session).failure
    #expect(failure?.response?.code == code && failure?.response?.body.string == "what failed")
    #expect(failure?.error.reason == nil)
  }

  @Test func theBodyOfAFailureIsTruncatedAtOneMebibyte() async throws {
    let session = Held(code: 500)
    let sending = Task { try await streamed(session) }
    await waitUntil { !session.writers.withLock(\.isEmpty) }
    session.write(String(repeating: "a", count: 1 << 19))
    session.write(String(repeating: "b", count: 1 << 20))
    // The body is unfinished: the failure does not wait for data beyond the limit.
    let failure = try await sending.value.failure
    #expect(failure?.error.code == .serverError(.internalServerError))
    #expect(failure?.error.reason == "only the first 1048576 bytes of the body were kept")
    #expect(failure?.response?.body.length == 1 << 20)
    #expect(failure?.response?.body.string?.hasSuffix("ab") == false)
    #expect(session.abandoned.withLock { $0 } == 1)
  }

  @Test func bodyOfAFailureMayHaveOneMebibyte() async throws {
    let session = StubSession()
    let request = try request()
    session.on(.get, request.url, .status(500, body: Data(count: 1 << 20)))
    let failure = try await streamed(session).failure
    #expect(failure?.response?.body.length == 1 << 20 && failure?.error.reason == nil)
  }

  // MARK: Requests

  @Test func aRequestCanReturnTheStreamedResponse() async throws {
    let world = try World()
    world.session.on(.get, world.url, .chunks([Data("1".utf8), Data("2".utf8)]))
    let request = Request<HTTP.Response, APIError>(url: world.url, responseDelivery: .streamed)
    var texts: [String] = []
    for try await chunk in try await world.backend.execute(request).body {
      texts.append(String(decoding: chunk, as: UTF8.self))
    }
    #expect(texts == ["1", "2"])
  }

  @Test func recoveryIsPossibleBeforeTheHead() async throws {
    let world = try World()
    world.session.on(.get, world.url, times: 1, .status(503))
    world.session.on(.get, world.url, .chunks([Data("1".utf8)]))
    let request = Request<HTTP.Response, APIError>(url: world.url, responseDelivery: .streamed).recovering { $1 }
    #expect(try await world.backend.execute(request).body.collect() == Data("1".utf8))
    #expect(world.session.requests.count == 2)
  }

  @Test func anAcceptedStatusWithoutABodyIsDelivered() async throws {
    let world = try World()
    world.session.on(.get, world.url, .status(304, headers: [.eTag: "x"]))
    var request = Request<HTTP.Response, APIError>(url: world.url, responseDelivery: .streamed)
    request.acceptedStatuses = [.notModified]
    #expect(try await world.backend.execute(request).code == 304)
  }

  @Test func theBodyOfAnAcceptedStatusIsNotCut() async throws {
    let world = try World()
    let body = Data(repeating: 0x20, count: (1 << 20) + 1)
    world.session.on(.get, world.url, .json(String(decoding: body, as: UTF8.self), status: 410))
    var request = Request<HTTP.Response, APIError>(url: world.url, responseDelivery: .streamed)
    request.acceptedStatuses = [.gone]
    #expect(try await world.backend.execute(request).body.collect().count == body.count)
  }

  @Test func aStreamedResponseIsNotDecoded() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"id": 1, "login": "o"}"#))
    var request = Request<User, APIError>(url: world.url)
    request.responseDelivery = .streamed
    #expect(await world.backend.outcome(request).failure == .undecodable(path: [], body: ""))
  }
}
