import AnvilBodies
import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

/// The common behaviour of streamed lines, values, elements and events.
@Suite(.timeLimit(.minutes(15))) struct StreamedPiecesTests {
  enum Kind: CaseIterable {
    case lines, jsonLines, jsonLineResults, jsonSequence, jsonSequenceResults, elements, elementResults, events

    /// Chunks of a body with one complete piece in the first chunk, and one that ends in the second.
    var chunks: [String] {
      switch self {
      case .lines, .jsonLines, .jsonLineResults: ["1\n2", "\n"]
      case .jsonSequence, .jsonSequenceResults: ["\u{1E}1\n\u{1E}2\n", "\u{1E}"]
      case .elements, .elementResults: ["[1,2", ","]
      case .events: ["data:1\n\ndata:2\n", "\n"]
      }
    }

    /// Returns a function that reads the next piece of `body` as text.
    func reader(of body: HTTP.Body) -> () async throws -> String? {
      switch self {
      case .lines:
        var iterator = body.lines.makeAsyncIterator()
        return { try await iterator.next() }
      case .jsonLines:
        var iterator = body.jsonLines(of: Int.self).makeAsyncIterator()
        return { try await iterator.next().map { "\($0)" } }
      case .jsonLineResults:
        var iterator = body.jsonLines(of: Int.self).results.makeAsyncIterator()
        return { try await iterator.next().map { "\(try $0.get())" } }
      case .jsonSequence:
        var iterator = body.jsonSequence(of: Int.self).makeAsyncIterator()
        return { try await iterator.next().map { "\($0)" } }
      case .jsonSequenceResults:
        var iterator = body.jsonSequence(of: Int.self).results.makeAsyncIterator()
        return { try await iterator.next().map { "\(try $0.get())" } }
      case .elements:
        var iterator = body.elements(of: Int.self).makeAsyncIterator()
        return { try await iterator.next().map { "\($0)" } }
      case .elementResults:
        var iterator = body.elements(of: Int.self).results.makeAsyncIterator()
        return { try await iterator.next().map { "\(try $0.get())" } }
      case .events:
        var iterator = body.events.makeAsyncIterator()
        return { try await iterator.next()?.data }
      }
    }
  }

  struct Broken: Error, Equatable {}

  @Test(arguments: Kind.allCases)
  func chunksAreReadOnDemand(kind: Kind) async throws {
    let source = ChunkSource(kind.chunks, then: .error(Broken()))
    let next = kind.reader(of: .stream(source))
    #expect(source.readCount == 0)
    #expect(try await next() == "1")
    #expect(source.readCount == 1)
    #expect(try await next() == "2")
    #expect(source.readCount == 2)
  }

  @Test(arguments: Kind.allCases)
  func errorsOfTheBodyAreRethrownAndEndTheSequence(kind: Kind) async throws {
    let next = kind.reader(of: .stream(ChunkSource(kind.chunks, then: .error(Broken()))))
    #expect(try await next() == "1")
    #expect(try await next() == "2")
    await #expect(throws: Broken()) { try await next() }
    #expect(try await next() == nil)
  }

  @Test(arguments: Kind.allCases)
  func readingAConsumedStreamThrows(kind: Kind) async throws {
    let body = HTTP.Body.chunks("")
    _ = try await body.collect()
    await #expect(throws: HTTP.BodyError.alreadyConsumed) { try await kind.reader(of: body)() }
  }

  @Test(arguments: Kind.allCases)
  func cancellationWhileWaitingIsNotTheEnd(kind: Kind) async {
    let source = ChunkSource(kind.chunks, then: .silence)
    let reading = Task {
      let next = kind.reader(of: .stream(source))
      while try await next() != nil {}
    }
    await waitUntil { source.readCount >= kind.chunks.count }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  /// A body in memory has no source that checks for cancellation.
  @Test(arguments: Kind.allCases)
  func cancellationStopsReadingFromMemory(kind: Kind) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      let next = kind.reader(of: HTTP.Body(kind.chunks.joined()))
      let first = try await next()
      #expect(first == "1")
      continuation.finish()
      await waitForCancellation()
      _ = try await next()
    }
    for await _ in stream {}
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  /// Ends normally when its task is cancelled, as a file does, which does not check for cancellation.
  private final class UnawareChunks: ChunkProducer {
    private var chunks: ArraySlice<String>

    init(_ chunks: [String]) {
      self.chunks = chunks[...]
    }

    func next() async throws -> Data? {
      if let chunk = chunks.popFirst() { return Data(chunk.utf8) }
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return nil
    }
  }

  @Test(arguments: Kind.allCases)
  func cancellationAtTheEndThrows(kind: Kind) async {
    let chunks = Array(kind.chunks.prefix(1))
    let body = HTTP.Body(storage: .stream(OneShotStream(length: nil) { UnawareChunks(chunks) }), contentType: nil)
    let reading = Task {
      let next = kind.reader(of: body)
      while try await next() != nil {}
    }
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test(arguments: Kind.allCases)
  func theSourceIsReleasedAfterAnError(kind: Kind) async throws {
    weak var source: ChunkSource?
    let next: () async throws -> String?
    do {
      let chunks = ChunkSource(kind.chunks, then: .error(Broken()))
      source = chunks
      next = kind.reader(of: .stream(chunks))
    }
    #expect(try await next() == "1")
    #expect(source != nil)
    #expect(try await next() == "2")
    await #expect(throws: Broken()) { try await next() }
    #expect(source == nil)
    _ = next
  }

  /// An instance that is isolated to the caller's actor and never leaves it.
  @MainActor @Test func modelsNeedNotBeSendable() async throws {
    final class Model: Decodable {
      let id: Int
    }
    var ids: [Int] = []
    for try await model in HTTP.Body.chunks("[{\"id\":1},", "{\"id\":2}]").elements(of: Model.self) {
      MainActor.assertIsolated()
      ids.append(model.id)
    }
    for try await model in HTTP.Body.chunks("{\"id\":", "3}").jsonLines(of: Model.self) { ids.append(model.id) }
    #expect(ids == [1, 2, 3])
  }

  /// A page of a proxy is an error before the first value, not a list of values that cannot be decoded, and remains readable.
  @Test(
    arguments: Kind.allCases.filter { $0 != .lines && $0 != .events },
    [
      "text/html; charset=utf-8", "TEXT/HTML", "text/csv", "text/xml", "application/xml", "application/xhtml+xml",
      "image/png", "text/event-stream", "multipart/mixed; boundary=json", "application/x-www-form-urlencoded",
    ] as [HTTP.HeaderValue])
  func aBodyOfAnotherTypeIsNotReadAsJSON(kind: Kind, type: HTTP.HeaderValue) async throws {
    let source = ChunkSource(kind.chunks)
    var body = HTTP.Body.stream(source, contentType: type)
    let next = kind.reader(of: body)
    let error = await #expect(throws: DecodingError.self) { try await next() }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, found \(String(describing: error))")
      return
    }
    #expect(context.underlyingError as? HTTP.BodyError == .notJSON(contentType: type.rawValue))
    #expect(error?.summary == "the body is not JSON: its media type is \(type.rawValue)")
    #expect(try await next() == nil)
    #expect(source.readCount == 0)
    body.contentType = nil
    #expect(try await kind.reader(of: body)() == "1")
  }

  @Test func aBodyThatIsNotAnEventStreamRemainsReadable() async throws {
    let body = HTTP.Body.stream(ChunkSource(["{}"]), contentType: .applicationJSON)
    #expect(await body.events.all().error as? HTTP.BodyError == .notAnEventStream(contentType: "application/json"))
    #expect(try await body.collect() == Data("{}".utf8))
  }

  /// The media types of JSON, general types, which servers often send for JSON, and types that a server defines.
  @Test(
    arguments: Kind.allCases,
    [
      nil, "", "application/json", "Application/JSON;charset=utf-8", "text/json", "text/x-json", "text/x-ndjson",
      "application/problem+json", "application/json-seq", "application/geo+json-seq", "application/x-ndjson",
      "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines",
      "application/stream+json", "application/x-amz-json-1.1", "text/javascript", "text/plain; charset=utf-8",
      "application/octet-stream", "binary/octet-stream", "application/vnd.example.v1",
    ] as [HTTP.HeaderValue?])
  func aBodyOfAPossibleTypeIsRead(kind: Kind, type: HTTP.HeaderValue?) async throws {
    var body = HTTP.Body.stream(ChunkSource(kind.chunks))
    body.contentType = kind == .events ? "text/event-stream" : type
    #expect(try await kind.reader(of: body)() == "1")
  }

  @Test func linesAreReadFromTextOfAnyType() async {
    let found = await HTTP.Body("<p>\n</p>", contentType: "text/html").lines.all()
    #expect(found.error == nil && found.elements == ["<p>", "</p>"])
  }

  @Test func filesAreReadLineByLine() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let lines = (0..<30_000).map { "line \($0)" }
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let found = await HTTP.Body.file(url).lines.all()
    #expect(found.elements == lines && found.error == nil)
  }
}
