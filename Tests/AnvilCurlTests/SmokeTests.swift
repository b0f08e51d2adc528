import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SmokeTests {
  @Test func get() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/x") { _ in .json(#"{"a": 1}"#) }
    server.on(.post, "/x") { .status(200, body: $0.body) }
    let session = CurlSession()
    let service = TransportService(session: session)
    let success = try await service.execute(HTTP.Request(url: server.url("/x"))).get()
    #expect(success.body.string == #"{"a": 1}"#)
    let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    for count in [1, 100, 65_536, 65_537, 1_000_000] {
      let body = bytes.prefix(count)
      let echo = try await service.execute(
        HTTP.Request(method: .post, url: server.url("/x"), body: HTTP.Body(body)),
        options: TransportOptions(eventHandler: { print($0) })
      ).get()
      #expect(echo.body.data == body)
    }
    await session.shutDown()
  }
}
