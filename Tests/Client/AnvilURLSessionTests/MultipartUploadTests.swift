import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Forms on the wire, through the real URLSession.
@Suite(.timeLimit(.minutes(15))) struct MultipartUploadTests {
  let transport = TransportService(session: URLTransportSession())

  @Test func aFormWithAFileCanBeSentRepeatedly() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/upload") { _ in .text("ok") }
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let body = HTTP.Body.multipart([.text("Sunset", name: "title"), .file(url, name: "photo", filename: "s.jpg")])
    let expected = try await body.collect()

    for _ in 0..<2 {
      let request = HTTP.Request(method: .post, url: server.url("/upload"), body: body)
      let success = try await transport.execute(request, options: TransportOptions(timeout: .seconds(240))).get()
      #expect(success.body.string == "ok")
    }
    #expect(server.requests.map(\.body) == [expected, expected])
    for received in server.requests {
      #expect(received.headers.values(for: .contentType) == [body.contentType])
      #expect(received.headers[.contentLength]?.rawValue == String(expected.count))
    }
  }

  @Test func formWithAMissingFileSendsNothing() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/upload") { _ in .text("ok") }
    let body = HTTP.Body.multipart([.text("1", name: "a"), .file(URL(filePath: "/no/such/file"), name: "f")])
    let request = HTTP.Request(method: .post, url: server.url("/upload"), body: body)
    let failure = await transport.execute(request, options: TransportOptions(timeout: .seconds(240))).failure
    #expect(failure?.error.code == .requestBodyFailed)
    #expect(failure?.error.underlyingError is HTTP.BodyError)
    #expect(server.requests.isEmpty)
  }
}
