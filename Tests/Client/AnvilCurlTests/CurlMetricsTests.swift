import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The times and byte counts of a transfer.
@Suite(.timeLimit(.minutes(15))) struct CurlMetricsTests {
  let session = CurlSession(configuration: configured { $0.proxy = .none })

  enum Upload: CaseIterable {
    case none, small, large, stream, streamOfKnownLength

    var body: HTTP.Body {
      let chunks = AsyncStream<Data> {
        for _ in 0..<10 { $0.yield(Data(count: 10)) }
        $0.finish()
      }
      return switch self {
      case .none: .empty
      case .small: HTTP.Body(Data(count: 100))
      case .large: HTTP.Body(Data(count: 200_000))
      case .stream: .stream(chunks)
      case .streamOfKnownLength: .stream(chunks, length: 100)
      }
    }

    var byteCount: Int {
      switch self {
      case .none: 0
      case .large: 200_000
      case .small, .stream, .streamOfKnownLength: 100
      }
    }
  }

  @Test(arguments: Upload.allCases) func theFirstByteIsThatOfTheResponse(upload: Upload) async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { _ in .text("late").after(.milliseconds(200)) }
    let outcome = await session.exchange(HTTP.Request(method: .put, url: server.url("/"), body: upload.body))
    let metrics = try #require(outcome.metrics, "\(outcome)")
    let firstByte = try #require(metrics.firstByte)
    #expect(firstByte >= .milliseconds(190) && firstByte <= metrics.total, "\(metrics)")
    #expect(metrics.connected.map { $0 < firstByte } == true, "\(metrics)")
    #expect(metrics.sentByteCount == upload.byteCount)
  }

  @Test(arguments: Upload.allCases) func thereIsNoFirstByteWithoutAResponse(upload: Upload) async throws {
    let server = try RawServer { socket in _ = socket.readHead() }
    let outcome = await session.exchange(HTTP.Request(method: .put, url: try server.url(), body: upload.body))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
    let metrics = try #require(outcome.metrics)
    #expect(metrics.firstByte == nil && metrics.protocolName == nil, "\(metrics)")
  }

  @Test func interimResponsesAreNotTheFirstByte() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .raw([
        .send(Data("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)), .wait(.milliseconds(200)),
        .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)), .close,
      ])
    }
    let outcome = await session.get(server.url("/"))
    #expect(outcome.text == "ok", "\(outcome)")
    #expect(outcome.metrics?.firstByte.map { $0 >= .milliseconds(190) } == true, "\(outcome)")
  }
}
