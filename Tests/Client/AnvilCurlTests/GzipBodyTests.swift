import AnvilBodies
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Compressed request bodies: a server returns them unchanged, and the session decompresses them with libcurl.
@Suite(.timeLimit(.minutes(15))) struct GzipBodyTests {
  private let server: LoopbackServer
  private let service = TransportService(session: CurlSession())

  init() throws {
    server = try LoopbackServer()
    server.on(.post, "/echo") { request in
      .status(
        200, headers: [.contentEncoding: request.headers[.contentEncoding] ?? .encodingIdentity], body: request.body)
    }
  }

  private func echo(_ body: HTTP.Body, headers: HTTP.Headers = [:]) async throws -> Data? {
    let request = HTTP.Request(method: .post, url: server.url("/echo"), headers: headers, body: body)
    return try await service.execute(request).get().body.data
  }

  private struct Parts: AsyncSequence, Sendable {
    let parts: [Data]
    var failure: (any Error)?

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: parts[...], failure: failure) }

    struct AsyncIterator: AsyncIteratorProtocol {
      var rest: ArraySlice<Data>
      var failure: (any Error)?

      mutating func next() async throws -> Data? {
        if let part = rest.popFirst() { return part }
        if let failure { throw failure }
        return nil
      }
    }
  }

  private static let text = Data(String(repeating: "all work and no play ", count: 20_000).utf8)

  /// Bytes that do not compress.
  private static let noise = Data.random(300_000)

  @Test func compressedBodiesArriveUnchanged() async throws {
    for data in [Data("a".utf8), Self.text, Self.noise, Self.text.dropFirst(3)] {
      #expect(try await echo(HTTP.Body(data).gzipped()) == Data(data))
    }
    #expect(server.requests.allSatisfy { $0.headers.values(for: .contentEncoding) == [.encodingGzip] })
  }

  @Test func compressionMakesTextSmaller() async throws {
    let body = try HTTP.Body(Self.text, contentType: .textPlain).gzipped()
    #expect(try #require(body.length) < Self.text.count / 50)
    #expect(body.isReplayable && body.contentType == .textPlain && body.contentEncoding == .encodingGzip)
    #expect(try HTTP.Body(Self.text, contentType: .textPlain).gzipped() == body)
    #expect(body != HTTP.Body(try #require(body.data), contentType: .textPlain))
    _ = try await echo(body)
    #expect(server.requests.first?.headers[.contentType] == .textPlain)
    #expect(server.requests.first?.headers[.contentLength]?.rawValue == body.length.map(String.init))
  }

  @Test func streamsAreCompressedAsTheyAreSent() async throws {
    let parts = [Self.text, Data(), Data("b".utf8), Self.noise]
    let body = try HTTP.Body.stream(Parts(parts: parts), length: parts.map(\.count).reduce(0, +)).gzipped()
    #expect(body.length == nil && !body.isReplayable)
    #expect(try await echo(body) == Data(parts.joined()))
    #expect(server.requests.first?.headers[.contentLength] == nil)
    #expect(try #require(server.requests.first).body.count < Self.text.count)
  }

  @Test func filesAreCompressedAsTheyAreSent() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
    try Self.text.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await echo(HTTP.Body.file(file, contentType: .textPlain).gzipped()) == Self.text)
    #expect(server.requests.first?.headers[.contentType] == .textPlain)
  }

  @Test func aFailedStreamIsNotACompleteBody() async throws {
    struct Own: Error {}
    let body = try HTTP.Body.stream(Parts(parts: [Self.text], failure: Own())).gzipped()
    await #expect(throws: Own.self) { try await body.collect() }
    let sent = try HTTP.Body.stream(Parts(parts: [Self.text], failure: Own())).gzipped()
    let error = await #expect(throws: TransportFailure.self) { _ = try await echo(sent) }
    #expect(error?.error.code == .requestBodyFailed)
  }

  @Test func emptyBodiesStayEmpty() throws {
    #expect(try HTTP.Body.empty.gzipped() == .empty)
    #expect(try HTTP.Body(Data()).gzipped().contentEncoding == nil)
  }

  @Test func theRequestsContentEncodingTakesPrecedence() async throws {
    server.on(.post, "/own") { _ in .status(204) }
    let request = HTTP.Request(
      method: .post, url: server.url("/own"), headers: [.contentEncoding: "x-gzip"],
      body: try HTTP.Body(Self.text).gzipped())
    _ = try await service.execute(request).get()
    #expect(server.requests.first?.headers.values(for: .contentEncoding) == ["x-gzip"])
  }

  @Test func codingsAreListedInOrder() throws {
    var body = HTTP.Body(Self.text)
    body.contentEncoding = .encodingBr
    #expect(try body.gzipped().contentEncoding == "br, gzip")
  }
}
