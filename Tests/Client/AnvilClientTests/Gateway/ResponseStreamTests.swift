import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Events, lines and values of a response, with the errors of the gateway's type.
@Suite(.timeLimit(.minutes(15))) struct ResponseStreamTests {
  private let session = StubSession { Issue.record($0) }
  private let url: URL
  private let gateway: Gateway
  private let api: TypedGateway<APIError>

  init() throws {
    url = try #require(URL(string: "https://api.example.com/chat"))
    var configuration = ClientConfiguration.standard
    configuration.clock = RecordingClock()
    gateway = Gateway(
      baseURL: try #require(URL(string: "https://api.example.com")), session: session, configuration: configuration)
    api = gateway.failing(as: APIError.self)
  }

  private struct Chunk: Codable, Equatable, Sendable {
    var text: String
  }

  private func reply(_ text: String, type: HTTP.HeaderValue = "text/event-stream") -> StubSession.Reply {
    .status(200, headers: [.contentType: type], body: Data(text.utf8))
  }

  private func cut(_ text: String, type: HTTP.HeaderValue = "text/event-stream") -> StubSession.Reply {
    .chunks(
      [Data(text.utf8)], error: TransportError(code: .connectionLost, phase: .body), status: 200,
      headers: [.contentType: type])
  }

  private var chat: TypedGatewayRequest<APIError> { api.request("chat", method: .post) }

  // MARK: Events

  @Test func eventsAreDecodedUntilTheEnd() async throws {
    session.on(.post, url, reply("data: {\"text\": \"a\"}\n\ndata: {\"text\": \"b\"}\n\ndata: [DONE]\n\ndata: {}\n\n"))
    var texts: [String] = []
    for try await chunk in chat.events(of: Chunk.self, until: "[DONE]") { texts.append(chunk.text) }
    #expect(texts == ["a", "b"])
    #expect(session.requests.count == 1 && session.requests.first?.headers[.accept] == "text/event-stream")
  }

  /// Servers send such events to keep a connection open, or to set the ID.
  @Test(arguments: [nil, "[DONE]"])
  func eventsWithEmptyDataAreSkipped(end: String?) async throws {
    let empty = "id: 1\ndata:\n\ndata: \n\n"
    session.on(.post, url, reply("\(empty)data: {\"text\": \"a\"}\n\n\(empty)\(end.map { "data: \($0)\n\n" } ?? "")"))
    let found = await chat.events(of: Chunk.self, until: end).all()
    #expect(found.elements == [Chunk(text: "a")] && found.error == nil)
  }

  @Test func theEndCanBeAnEventWithEmptyData() async throws {
    session.on(.post, url, reply("data: {\"text\": \"a\"}\n\ndata:\n\ndata: {}\n\n"))
    let found = await chat.events(of: Chunk.self, until: "").all()
    #expect(found.elements == [Chunk(text: "a")] && found.error == nil)
  }

  /// The end of the body, a body without events, and a 204 would end the sequence if no end was expected.
  @Test(arguments: ["data: {\"text\": \"a\"}\n\n", "", nil])
  func eventsWithoutTheirEndAreAFailure(text: String?) async throws {
    session.on(.post, url, text.map { reply($0) } ?? .status(204))
    let found = await chat.events(of: Chunk.self, until: "[DONE]").all()
    #expect(found.elements == (text?.isEmpty == false ? [Chunk(text: "a")] : []))
    let error = try #require(found.error as? APIError)
    #expect(error.transportError?.code == .truncatedResponse && error.transportError?.phase == .body)
    #expect(error.failureResponse?.code == (text == nil ? 204 : 200))
    #expect(error.transportError?.reason == "the stream ended before an event with the data [DONE]")
    #expect(await chat.events(of: Chunk.self).all().error == nil)
  }

  @Test func eventsAfterTheEndAreNotRead() async throws {
    session.on(.post, url, reply("data: [DONE]\n\ndata: {\"text\": \"a\"}\n\n"))
    var events = chat.events(of: Chunk.self, until: "[DONE]").makeAsyncIterator()
    #expect(try await events.next() == nil)
    #expect(try await events.next() == nil)
  }

  /// A stream that begins again ends with the data as well, and not with a connection.
  @Test func aReconnectedStreamIsReadUntilItsEnd() async throws {
    session.on(.get, url, times: 1, reply("data: {\"text\": \"a\"}\n\n"))
    session.on(.get, url, reply("data: {\"text\": \"b\"}\n\ndata: [DONE]\n\n"))
    let found = await api.request("chat").events(of: Chunk.self, until: "[DONE]").all()
    #expect(found.elements == [Chunk(text: "a"), Chunk(text: "b")] && found.error == nil)
  }

  @Test func aStreamIsSentAgainForEachIterator() async throws {
    session.on(.post, url, reply("data: {\"text\": \"a\"}\n\n"))
    let events = chat.events(of: Chunk.self)
    for _ in 0..<2 { for try await chunk in events { #expect(chunk.text == "a") } }
    #expect(session.requests.count == 2)
  }

  @Test func anEventThatCannotBeDecodedIsTheFailureOfItsData() async throws {
    session.on(.post, url, reply("data: {\"text\": \"a\"}\n\ndata: {\"text\": 1}\n\n"))
    let found = await gateway.request("chat", method: .post).events(of: Chunk.self).all()
    #expect(found.elements == [Chunk(text: "a")])
    let failure = try #require((found.error as? AnyError)?.underlyingDecodingFailure)
    guard case .decodingError(let context) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(context.response.body.string == #"{"text": 1}"# && context.response.code == 200)
    #expect("\(failure)".contains("$.text expected String found number"))
  }

  @Test func eventsDecodeInTheFormatOfTheSettings() async throws {
    session.on(.post, url, reply("data: {\"first_name\": \"Ada\"}\n\n"))
    struct Person: Decodable, Sendable { var firstName: String }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var request = chat
    request.decodingFormat = decoder
    for try await person in request.events(of: Person.self) { #expect(person.firstName == "Ada") }
  }

  @Test(arguments: [403, 503]) func aStatusIsTheFailureOfTheGatewaysType(status: Int) async throws {
    session.on(.post, url, .json(#"{"message": "gone"}"#, status: HTTP.Status(code: status)))
    do throws(APIError) {
      for try await chunk in chat.events(of: Chunk.self) { Issue.record("\(chunk)") }
      Issue.record("no error")
    } catch {
      #expect(error.failureResponse?.code == status)
    }
    #expect(session.requests.count == 1)
  }

  @Test func anotherMediaTypeIsAFailureWithTheResponse() async throws {
    session.on(.post, url, .json(#"{"error": "overloaded"}"#))
    do throws(APIError) {
      for try await chunk in chat.events(of: Chunk.self) { Issue.record("\(chunk)") }
      Issue.record("no error")
    } catch {
      #expect(error.transportError?.code == .malformedResponse)
    }
  }

  @Test func aCutStreamIsAFailureWithItsResponse() async throws {
    session.on(.post, url, cut("data: {\"text\": \"a\"}\n\n"))
    let found = await gateway.request("chat", method: .post).events(of: Chunk.self).all()
    let error = try #require(found.error as? AnyError)
    #expect(found.elements.count == 1 && error.transportError?.code == .connectionLost)
    #expect(error.failureResponse?.code == 200)
    #expect(session.requests.count == 1)
  }

  @Test func anAttemptBeforeTheHeadIsRepeatedByTheRetryPolicy() async throws {
    session.on(.post, url, times: 1, .status(529))
    session.on(.post, url, reply("data: {\"text\": \"a\"}\n\n"))
    var request = chat
    request.idempotency = .idempotent
    for try await chunk in request.events(of: Chunk.self) { #expect(chunk.text == "a") }
    #expect(session.requests.count == 2)
  }

  /// The ways of reading a stream.
  enum Road: CaseIterable {
    case events, decodedEvents, lines, elements, jsonLines, jsonSequence
  }

  private func read(_ request: TypedGatewayRequest<APIError>, by road: Road) async throws(APIError) {
    switch road {
    case .events: for try await _ in request.events() {}
    case .decodedEvents: for try await _ in request.events(of: Chunk.self) {}
    case .lines: for try await _ in request.lines() {}
    case .elements: for try await _ in request.elements(of: Chunk.self) {}
    case .jsonLines: for try await _ in request.jsonLines(of: Chunk.self) {}
    case .jsonSequence: for try await _ in request.jsonSequence(of: Chunk.self) {}
    }
  }

  @Test(arguments: Road.allCases) func cancellingIsAFailureOfTheGatewaysType(road: Road) async throws {
    session.on(.post, url, .never)
    let request = api.configured { $0.clock = TestClock() }.request("chat", method: .post)
    let task = Task { () -> APIError? in
      do throws(APIError) {
        try await read(request, by: road)
        return nil
      } catch {
        return error
      }
    }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    #expect(await task.value?.transportError?.code == .cancelled)
  }

  @Test(arguments: Road.allCases) func aPathThatIsNotAllowedIsAFailureOfTheGatewaysType(road: Road) async throws {
    do throws(APIError) {
      try await read(api.request("..", method: .post), by: road)
      Issue.record("no error")
    } catch {
      #expect(error.transportError?.code == .invalidRequest)
    }
  }

  // MARK: Lines and values

  @Test func linesAreRead() async throws {
    session.on(.post, url, reply("a\nb\n", type: "text/plain"))
    #expect(await chat.lines().all().elements == ["a", "b"])
  }

  @Test func linesThatAreTooLongAreAFailure() async throws {
    session.on(.post, url, reply("aaaa\n", type: "text/plain"))
    let found = await chat.lines(sizeLimit: 2).all()
    #expect((found.error as? APIError)?.transportError?.code == .responseTooLarge)
  }

  @Test func elementsAreDecodedUntilAnError() async throws {
    session.on(.post, url, reply(#"[{"text": "a"}, {"text": 1}]"#, type: "application/json"))
    let found = await gateway.request("chat", method: .post).elements(of: Chunk.self).all()
    #expect(found.elements == [Chunk(text: "a")])
    guard case .decodingError(let context) = (found.error as? AnyError)?.underlyingDecodingFailure else {
      Issue.record("\(String(describing: found.error))")
      return
    }
    #expect(context.decodingError.path == ["Index 1", "text"] && context.response.code == 200)
    // The bytes of the element are not kept: without a diagnosis, which would be that of an empty body.
    #expect("\(found.error.map { "\($0)" } ?? "")".hasSuffix("cannot decode Chunk: expected String at $[1].text"))
  }

  @Test func jsonLinesAndSequencesAreDecoded() async throws {
    session.on(.post, url, times: 1, reply("{\"text\": \"a\"}\n{\"text\": \"b\"}\n", type: "application/x-ndjson"))
    session.on(.post, url, reply("\u{1E}{\"text\": \"a\"}\n\u{1E}{\"text\": \"b\"}\n", type: "application/json-seq"))
    let expected = [Chunk(text: "a"), Chunk(text: "b")]
    #expect(await chat.jsonLines(of: Chunk.self).all().elements == expected)
    #expect(await chat.jsonSequence(of: Chunk.self).all().elements == expected)
  }

  /// Servers and files often have a general type for JSON.
  @Test(arguments: ["text/plain", "application/octet-stream"] as [HTTP.HeaderValue])
  func valuesOfAnyMediaTypeAreDecoded(type: HTTP.HeaderValue) async throws {
    session.on(.post, url, times: 1, reply(#"[{"text": "a"}]"#, type: type))
    session.on(.post, url, times: 1, reply("{\"text\": \"a\"}\n", type: type))
    session.on(.post, url, reply("\u{1E}{\"text\": \"a\"}\n", type: type))
    #expect(await chat.elements(of: Chunk.self).all().elements == [Chunk(text: "a")])
    #expect(await chat.jsonLines(of: Chunk.self).all().elements == [Chunk(text: "a")])
    #expect(await chat.jsonSequence(of: Chunk.self).all().elements == [Chunk(text: "a")])
  }

  /// A page of a proxy with the status 200. The way is the same as for a model that cannot be decoded.
  @Test(arguments: [.elements, .jsonLines, .jsonSequence] as [Road])
  func aPageInsteadOfValuesIsADecodingFailure(road: Road) async throws {
    session.on(.post, url, reply("<p>Sign in</p>\n", type: "text/html"))
    let request = gateway.request("chat", method: .post)
    let error =
      switch road {
      case .jsonLines: await request.jsonLines(of: Chunk.self).all().error
      case .jsonSequence: await request.jsonSequence(of: Chunk.self).all().error
      default: await request.elements(of: Chunk.self).all().error
      }
    let failure = try #require((error as? AnyError)?.underlyingDecodingFailure)
    #expect(failure.response.code == 200)
    #expect("\(failure)".hasSuffix("cannot decode Chunk: the body is not JSON: its media type is text/html"))
    await #expect(throws: APIError.undecodable(path: [], body: "<p>Sign in</p>\n")) { try await read(chat, by: road) }
  }

  @Test func linesOfAPageAreRead() async throws {
    session.on(.post, url, reply("<p>\n</p>\n", type: "text/html"))
    let found = await chat.lines().all()
    #expect(found.elements == ["<p>", "</p>"] && found.error == nil)
  }

  @Test func aLineThatCannotBeDecodedNamesItsNumber() async throws {
    session.on(.post, url, reply("{\"text\": \"a\"}\nx\n", type: "application/x-ndjson"))
    let found = await gateway.request("chat", method: .post).jsonLines(of: Chunk.self).all()
    guard case .decodingError(let context) = (found.error as? AnyError)?.underlyingDecodingFailure,
      case .dataCorrupted(let corrupted) = context.decodingError
    else {
      Issue.record("\(String(describing: found.error))")
      return
    }
    #expect((corrupted.underlyingError as? HTTP.ValueDecodingError)?.number == 2)
    let report = try #require(found.error.flatMap { FailureReport($0) })
    #expect(report.code == "decode.failed" && report.diagnosis == nil)
    #expect(report.reason?.hasPrefix("cannot decode Chunk: line 2 (byte 14) cannot be decoded: not JSON: ") == true)
  }

  // MARK: Time

  @Test func aStreamOutlivesTheTimeoutOfItsHead() async throws {
    let (body, writer) = TransportBody.makeStream()
    let scripted = ScriptedSession { _ in ScriptedSession.respond(200, body: body) }
    let clock = TestClock()
    let gateway = gateway(over: scripted, clock)
    var lines = gateway.request("log").lines().makeAsyncIterator()
    writer.yield(Data("a\n".utf8))
    #expect(try await lines.next() == "a")
    clock.advance(by: .seconds(3_600))
    writer.yield(Data("b\n".utf8))
    #expect(try await lines.next() == "b")
  }

  @Test func silenceEndsAStreamWithAnIdleTimeout() async throws {
    let (body, writer) = TransportBody.makeStream()
    let scripted = ScriptedSession { _ in ScriptedSession.respond(200, body: body) }
    let clock = TestClock()
    var request = gateway(over: scripted, clock).request("log")
    request.idleTimeout = .seconds(30)
    let lines = request.lines()
    let reading = Task { await lines.all() }
    writer.yield(Data("a\n".utf8))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(30))
    let found = await reading.value
    let error = (found.error as? AnyError)?.transportError
    #expect(found.elements == ["a"])
    #expect(error?.code == .timedOut && error?.phase == .body && error?.elapsed == .seconds(30))
  }

  /// The system's clock: the watch of the first chunk ends while the reader is busy, and the next wait begins another.
  @Test func silenceAfterAPauseOfTheReaderEndsAStream() async throws {
    let (body, writer) = TransportBody.makeStream()
    let scripted = ScriptedSession { _ in ScriptedSession.respond(200, body: body) }
    var request = gateway(over: scripted, ContinuousClock()).request("log")
    request.idleTimeout = .seconds(1)
    var lines = request.lines().makeAsyncIterator()
    writer.yield(Data("a\n".utf8))
    #expect(try await lines.next() == "a")
    try await Task.sleep(for: .milliseconds(1_200))
    writer.yield(Data("b\n".utf8))
    #expect(try await lines.next() == "b")
    let error = await #expect(throws: AnyError.self) { _ = try await lines.next() }
    #expect(error?.transportError?.code == .timedOut && error?.transportError?.elapsed == .seconds(1))
  }

  @Test func silenceEndsACollectedBodyToo() async throws {
    let (body, writer) = TransportBody.makeStream()
    let scripted = ScriptedSession { _ in ScriptedSession.respond(200, body: body) }
    let clock = TestClock()
    var request = gateway(over: scripted, clock).request("log")
    request.idleTimeout = .seconds(30)
    let reading = Task { [request] in try await request.send() }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: AnyError.self) { try await reading.value }
    #expect(error?.transportError?.code == .timedOut && error?.transportError?.phase == .body)
    withExtendedLifetime(writer) {}
  }

  /// A deadline of five minutes, by the clock of the configuration.
  @Test func theClockOfTheConfigurationMeasuresDeadlinesOfStubs() async throws {
    session.on(.get, url, .never)
    let clock = TestClock()
    var gateway = gateway(over: session, clock)
    gateway.timeout = .unlimited
    gateway.deadline = .seconds(300)
    let call = Task { [gateway] in try await gateway.request("chat").send() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(300))
    let error = await #expect(throws: AnyError.self) { try await call.value }
    #expect(error?.transportError?.code == .timedOut)
  }

  @Test func theClockOfTheConfigurationDelaysTheRepliesOfStubs() async throws {
    session.on(.get, url, .json("3").after(.seconds(50)))
    let clock = TestClock()
    let gateway = gateway(over: session, clock)
    let call = Task { try await gateway.get("chat", as: Int.self) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(50))
    #expect(try await call.value == 3)
  }

  private func gateway(over session: any TransportSession, _ clock: any Clock<Duration>) -> Gateway {
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    return Gateway(baseURL: gateway.baseURL, session: session, configuration: configuration)
  }
}
