import AnvilHTTP
import Foundation
import Testing

@Suite struct BodyTests {
  @Test func aliasesNameTheSameTypes() {
    let body: HTTPBody = HTTP.Body(Data("x".utf8))
    #expect(body.data == Data("x".utf8))
    #expect(HTTPStatus(code: 404) == HTTP.Status.clientError(.notFound))
    #expect((HTTPMethod.get, HTTPHeaders()) == (HTTP.Method.get, HTTP.Headers()))
  }

  @Test func emptyHasNoBytes() async throws {
    #expect(HTTP.Body.empty.isEmpty)
    #expect(HTTP.Body.empty.data == Data())
    #expect(try await HTTP.Body.empty.collect() == Data())
    #expect(HTTP.Body.empty == HTTP.Body(Data()))
  }

  @Test func textThatIsNotUTF8IsNil() {
    #expect(HTTP.Body(Data([0xFF, 0xFE])).string == nil)
    #expect(HTTP.Body(Data([0xEF, 0xBB, 0xBF, 0x61])).string.map { Array($0.utf8) } == [0xEF, 0xBB, 0xBF, 0x61])
  }

  @Test func streamIsReadOnce() async throws {
    let body = HTTP.Body.stream(chunks(["ab", "", "cd"]))
    #expect(!body.isReplayable && body.isReadable && body.data == nil && body.length == nil)
    #expect(try await body.collect() == Data("abcd".utf8))
    #expect(!body.isReadable)
    await #expect(throws: HTTP.BodyError.alreadyConsumed) { try await body.collect() }
  }

  @Test func streamsAreCheckedAgainstTheirLength() async throws {
    #expect(try await HTTP.Body.stream(chunks(["ab", "cd"]), length: 4).collect() == Data("abcd".utf8))
    await #expect(throws: HTTP.BodyError.wrongLength(expected: 5, found: 4)) {
      try await HTTP.Body.stream(chunks(["ab", "cd"]), length: 5).collect()
    }
    await #expect(throws: HTTP.BodyError.wrongLength(expected: 3, found: 4)) {
      try await HTTP.Body.stream(chunks(["ab", "cd"]), length: 3).collect()
    }
  }

  @Test func streamErrorsReachTheReader() async {
    struct Broken: Error, Equatable {}
    let stream = AsyncThrowingStream<Data, any Error> {
      $0.yield(Data("a".utf8))
      $0.finish(throwing: Broken())
    }
    await #expect(throws: Broken()) { try await HTTP.Body.stream(stream).collect() }
  }

  @Test func aCancelledStreamIsNotComplete() async {
    let (stream, _) = AsyncStream<Data>.makeStream()
    let reading = Task { try await HTTP.Body.stream(stream).collect() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func collectStopsAtTheLimit() async throws {
    #expect(try await HTTP.Body.stream(chunks(["ab", "cd"])).collect(upTo: 4).count == 4)
    await #expect(throws: HTTP.BodyError.tooLarge(limit: 3)) {
      try await HTTP.Body.stream(chunks(["ab", "cd"])).collect(upTo: 3)
    }
    await #expect(throws: HTTP.BodyError.tooLarge(limit: 1)) { try await HTTP.Body("ab").collect(upTo: 1) }
  }

  @Test func filesCanBeReadRepeatedly() async throws {
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try await withTemporaryFile(content) { url in
      let body = HTTP.Body.file(url)
      #expect(body.length == 200_000 && body.isReplayable && body.data == nil && body.fileURL == url)
      #expect(try await body.collect() == content)
      #expect(try await body.collect() == content)
      var sizes: [Int] = []
      for try await chunk in body { sizes.append(chunk.count) }
      #expect(sizes.reduce(0, +) == 200_000)
      #expect(sizes.allSatisfy { $0 <= 65_536 })
    }
  }

  @Test func emptyFileHasNoChunks() async throws {
    try await withTemporaryFile(Data()) { url in
      let collected = try await HTTP.Body.file(url).collect()
      #expect(HTTP.Body.file(url).isEmpty && collected.isEmpty)
    }
  }

  @Test func aMissingFileThrowsAClearError() async throws {
    let body = HTTP.Body.file(URL(filePath: "/no/such/file.bin"))
    #expect(body.length == nil)
    let error = try #require(await #expect(throws: HTTP.BodyError.self) { try await body.collect() })
    #expect("\(error)" == "the file file.bin cannot be read: No such file or directory")
  }

  /// Its path names a file of this machine, which must not be sent for a URL of another.
  @Test(arguments: ["https://example.com", "", "//example.com", "data:"]) func onlyAFileURLIsReadAsAFile(
    start: String
  ) async throws {
    try await withTemporaryFile(Data("local".utf8)) { file in
      let url = try #require(URL(string: start + file.path()))
      let body = HTTP.Body.file(url)
      #expect(body.length == nil)
      let form = HTTP.Body.multipart([.file(url, name: "photo")])
      for body in [body, form] {
        let error = try #require(await #expect(throws: HTTP.BodyError.self) { try await body.collect() })
        #expect("\(error)" == "the file \(url.lastPathComponent) cannot be read: its URL is not a file URL")
      }
    }
  }

  @Test func aPathIsNotCutOffAtANUL() async throws {
    try await withTemporaryFile(Data("local".utf8)) { file in
      for url in [URL(filePath: file.path() + "\0.png"), try #require(URL(string: "\(file)%00.png"))] {
        #expect(HTTP.Body.file(url).length == nil)
        await #expect(throws: HTTP.BodyError.self) { try await HTTP.Body.file(url).collect() }
      }
    }
  }

  @Test func aDirectoryCannotBeABody() async {
    let body = HTTP.Body.file(FileManager.default.temporaryDirectory)
    #expect(body.length == nil)
    await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
  }

  @Test func descriptionShowsNoBytes() throws {
    #expect("\(HTTP.Body("secret"))" == "6 B")
    #expect("\(HTTP.Body.empty)" == "empty")
    #expect("\(HTTP.Body.stream(chunks([])))" == "stream, length unknown")
  }

  @Test func streamsEqualOnlyThemselves() {
    let body = HTTP.Body.stream(chunks(["a"]))
    let copy = body
    #expect(body == copy)
    #expect(body != HTTP.Body.stream(chunks(["a"])))
    #expect(HTTP.Body("a") == HTTP.Body("a"))
    #expect(HTTP.Body("a") != HTTP.Body("b"))
    #expect(HTTP.Body(Data("a".utf8), contentType: "x/y") != HTTP.Body(Data("a".utf8)))
  }

  private func chunks(_ texts: [String]) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for text in texts { continuation.yield(Data(text.utf8)) }
      continuation.finish()
    }
  }

  private func withTemporaryFile(_ content: Data, _ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try content.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
  }
}
