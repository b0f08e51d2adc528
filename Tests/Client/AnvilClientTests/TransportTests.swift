import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct TransportTests {
  private func request() throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://api.example.com/users?page=2")))
  }

  // MARK: Classification

  @Test(arguments: 200...599)
  func statusesMapToSuccessOrFailure(code: Int) throws {
    let response = HTTP.Response(request: try request(), status: HTTP.Status(code: code), body: HTTP.Body("x"))
    switch (code, Result { () throws(TransportFailure) in try response.transportSuccess() }) {
    case (200..<300, .success(let success)):
      #expect(success.response == response && success.body.string == "x" && success.request == response.request)
    case (300..<400, .failure(let failure)):
      #expect(failure.error.code == .redirection && failure.response == response)
    case (400..<500, .failure(let failure)):
      #expect(failure.error.code == .clientError(HTTP.Status.ClientError(code: code)))
      #expect(failure.response == response)
    case (500..<600, .failure(let failure)):
      #expect(failure.error.code == .serverError(HTTP.Status.ServerError(code: code)))
      #expect(failure.response == response)
    case (_, let result): Issue.record("\(code) became \(result)")
    }
  }

  @Test func unknownStatusesAreFailures() throws {
    let response = HTTP.Response(request: try request(), status: 999)
    let failure = #expect(throws: TransportFailure.self) { try response.transportSuccess() }
    #expect(failure?.error.code == .unknownStatus(999))
  }

  @Test func theDescriptionOfAFailureRevealsNoSecrets() throws {
    let request = try request()
    let response = HTTP.Response(request: request, status: 503, headers: [.contentType: "text/html"])
    #expect(
      "\(TransportFailure(code: .serverError(.serviceUnavailable), request: request, response: response))"
        == "GET https://api.example.com/users?page=<redacted> → 503 Service Unavailable text/html")
    let timeout = TransportError(code: .timedOut, phase: .firstByte, elapsed: .milliseconds(1301))
    #expect(
      "\(TransportFailure(error: timeout, request: request))"
        == "GET https://api.example.com/users?page=<redacted> → timed out after 1.301 s waiting for the response")
    let truncated = TransportError(code: .truncatedResponse, phase: .body, reason: "only 5 of 10 bytes were received")
    let head = HTTP.Response(request: request, status: 200)
    #expect(
      "\(TransportFailure(error: truncated, request: request, response: head))"
        == "GET https://api.example.com/users?page=<redacted> → 200 OK, truncated response: only 5 of 10 bytes were received"
    )
  }

  @Test func bodyIsCollectedWithItsType() async throws {
    let session = StubSession()
    let request = try request()
    session.on(.get, request.url, .chunks([Data("a".utf8), Data("b".utf8)], headers: [.contentType: .textPlain]))
    let success = try await TransportService(session: session).execute(request).get()
    #expect(success.body == HTTP.Body(Data("ab".utf8), contentType: .textPlain))
  }

  @Test func aTruncatedBodyIsKeptInTheFailure() async throws {
    let session = StubSession()
    let request = try request()
    let error = TransportError(code: .truncatedResponse, phase: .body)
    session.on(.get, request.url, .chunks([Data("half".utf8)], error: error))
    let failure = await TransportService(session: session).execute(request).failure
    #expect(failure?.error == error)
    #expect(failure?.response?.code == 200 && failure?.response?.body.string == "half")
  }

  // MARK: Settings

  /// A session computes the end of the time, which would overflow.
  @Test(arguments: [Duration.unlimited, .seconds(Int64.max), .seconds(2_000_000_000)])
  func sessionsReceiveNoTimeoutInsteadOfAnUnlimitedOne(timeout: Duration) async throws {
    let session = ScriptedSession { _ in ScriptedSession.respond(200) }
    let service = TransportService(session: session)
    var options = TransportOptions(timeout: timeout)
    _ = await service.execute(try request(), options: options)
    options.deadline = .seconds(60)
    _ = await service.execute(try request(), options: options)
    let folder = try TemporaryFolder()
    var download = DownloadOptions.impatient
    download.idleTimeout = timeout
    _ = await service.download(try request(), to: folder.target, options: download)
    var gateway = Gateway(baseURL: try request().url, session: session, configuration: .bare)
    gateway.timeout = timeout
    _ = try await gateway.request().send()
    var idle = DownloadOptions.impatient
    idle.idleTimeout = .unlimited
    _ = try await gateway.request().download(to: folder.target, options: idle)
    #expect(
      session.sent.count == 5
        && session.sent.enumerated().allSatisfy { $0.element.options.timeout == nil || $0.offset == 1 })
  }

  @Test func aServiceEncodesAndDecodesInTheFormatsOfItsOptions() async throws {
    struct Person: Codable, Equatable { var firstName: String }
    let session = StubSession()
    var request = try request()
    request.method = .post
    request.body = .encoding(Person(firstName: "Ada"))
    session.on(.post, request.url, times: 1, .json(#"{"first_name": "Bob"}"#))
    session.on(.post, request.url, .json(#"{"first_name": "Eve"}"#, status: 409))
    let (encoder, decoder) = (JSON.Encoder(), JSON.Decoder())
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var options = TransportOptions()
    options.encodingFormat = encoder
    options.decodingFormat = decoder
    let success = try await TransportService(session: session).execute(request, options: options).get()
    #expect(session.requests.first?.body.string == #"{"first_name":"Ada"}"#)
    #expect(try success.body.decode(as: Person.self) == Person(firstName: "Bob"))
    let failure = await TransportService(session: session).execute(request, options: options).failure
    #expect(try failure?.response?.body.decode(as: Person.self) == Person(firstName: "Eve"))
    // A body's own format takes precedence, as in a gateway.
    request.body.encodingFormat = JSON.Encoder()
    _ = await TransportService(session: session).execute(request, options: options)
    #expect(session.requests.last?.body.string == #"{"firstName":"Ada"}"#)
  }

  @Test func aDownloadSendsTheFieldsOfItsOptions() async throws {
    let session = StubSession()
    let folder = try TemporaryFolder()
    var request = try request()
    request.headers = ["X-A": "request", "X-B": "request"]
    session.on(.get, request.url, .status(200))
    var options = DownloadOptions.impatient
    options.headers = ["X-B": "options", "X-C": "options"]
    _ = try await TransportService(session: session).download(request, to: folder.target, options: options).get()
    let names: [HTTP.HeaderKey] = ["X-A", "X-B", "X-C"]
    #expect(names.map { session.requests.first?.headers[$0]?.rawValue } == ["request", "options", "options"])
  }

  // MARK: Interceptors

  struct Tag: Interceptor {
    let name: String
    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      var request = request
      request.headers.add("X-Tag", "\(name)")
      var response = try await next.send(request, options: options)
      response.head.headers.add("X-Tag", "\(name)")
      return response
    }
  }

  @Test func firstInterceptorIsOutermost() async throws {
    let session = StubSession()
    let request = try request()
    session.on(.get, request.url, .status(200))
    let service = TransportService(session: session, interceptors: [Tag(name: "outer"), Tag(name: "inner")])
    let success = try await service.execute(request).get()
    #expect(session.requests.first?.headers.values(for: "X-Tag") == ["outer", "inner"])
    #expect(success.response.headers.values(for: "X-Tag") == ["inner", "outer"])
    #expect(success.request.headers.values(for: "X-Tag") == ["outer", "inner"])
  }

  struct Canned: Interceptor {
    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      TransportResponse(HTTP.Response(request: request, status: 404), body: Data("canned".utf8))
    }
  }

  @Test func anInterceptorCanReturnItsOwnResponse() async throws {
    let service = TransportService(session: StubSession(), interceptors: [Canned()])
    let failure = await service.execute(try request()).failure
    #expect(failure?.error.code == .clientError(.notFound) && failure?.response?.body.string == "canned")
  }

  // MARK: Streamed bodies

  @Test func chunksAreReadInTheOrderOfWriting() async throws {
    let (body, writer) = TransportBody.makeStream()
    let reading = Task {
      var texts: [String] = []
      for try await chunk in body { texts.append(String(decoding: chunk, as: UTF8.self)) }
      return texts
    }
    for text in ["a", "", "b", "c"] {
      writer.yield(Data(text.utf8))
      await Task.yield()
    }
    writer.finish()
    writer.yield(Data("late".utf8))
    writer.finish(TransportError(code: .other))
    #expect(try await reading.value == ["a", "b", "c"])
  }

  @Test func chunksBeforeAnErrorAreDelivered() async throws {
    let (body, writer) = TransportBody.makeStream()
    writer.yield(Data("a".utf8))
    writer.finish(TransportError(code: .truncatedResponse))
    var iterator = body.makeAsyncIterator()
    #expect(try await iterator.next() == Data("a".utf8))
    await #expect(throws: TransportError(code: .truncatedResponse)) { try await iterator.next() }
    await #expect(throws: TransportError(code: .truncatedResponse)) { try await iterator.next() }
  }

  @Test func cancelledReaderEndsTheTransfer() async throws {
    let abandoned = Mutex(0)
    let (body, writer) = TransportBody.makeStream(onAbandon: { abandoned.withLock { $0 += 1 } })
    writer.yield(Data("a".utf8))
    let (started, start) = AsyncStream<Void>.makeStream()
    let reading = Task {
      do throws(TransportError) {
        for try await _ in body { start.finish() }
        return TransportError?.none
      } catch {
        return error
      }
    }
    for await _ in started {}
    reading.cancel()
    #expect(await reading.value?.code == .cancelled)
    #expect(abandoned.withLock { $0 } == 1)
  }

  @Test func releasingTheBodyEndsTheTransfer() async throws {
    let abandoned = Mutex(0)
    do {
      let (body, writer) = TransportBody.makeStream(onAbandon: { abandoned.withLock { $0 += 1 } })
      writer.yield(Data("a".utf8))
      var iterator = body.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(abandoned.withLock { $0 } == 0)
    }
    #expect(abandoned.withLock { $0 } == 1)
  }

  @Test func aFinishedBodyIsNotReportedAsAbandoned() async throws {
    let abandoned = Mutex(0)
    do {
      let (body, writer) = TransportBody.makeStream(onAbandon: { abandoned.withLock { $0 += 1 } })
      writer.finish()
      for try await _ in body {}
    }
    #expect(abandoned.withLock { $0 } == 0)
  }

  // MARK: AnyError

  @Test func anyErrorIsWrappedOnce() throws {
    struct Odd: Error {}
    #expect(AnyError(AnyError(Odd())).error is Odd)
    let failure = TransportFailure(code: .timedOut, request: try request())
    #expect(AnyError(transportFailure: failure).transportError?.code == .timedOut)
    #expect(AnyError(Odd()).transportError == nil && AnyError(Odd()).failureResponse == nil)
  }
}
