import AnvilBodies
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Server-sent events whose last event is not terminated. Source: RFC 9112 §8; RFC 9113 §8.1.
@Suite(.timeLimit(.minutes(15))) struct CurlEventStreamTests {
  private func events(
    _ method: HTTP.Method, from url: URL, _ version: CurlSession.Configuration.HTTPVersion
  ) async -> (elements: [HTTP.ServerSentEvent], error: (any Error)?) {
    let session = CurlSession(
      configuration: configured {
        $0.httpVersion = version
        $0.proxy = .none
      })
    let gateway = Gateway(baseURL: url, session: session)
    return await gateway.request(method: method).events().all()
  }

  /// END_STREAM marks the end of a body without a length.
  @Test(arguments: ["data: a\n\n", "data: a\n\ndata: b\n", "data: a\n\nda"])
  func theEndOfAnHTTP2StreamEndsTheEvents(text: String) async throws {
    let server = try HTTP2Server { _ in .events(text) }
    let found = await events(.post, from: try server.url(), .http2PriorKnowledge)
    #expect(found.error == nil && found.elements.map(\.data) == ["a"], "\(found)")
  }

  /// The same body over HTTP/1 may have been truncated.
  @Test(arguments: ["1.0", "1.1"]) func theEndOfAnHTTP1ConnectionWithinAnEventIsAnError(version: String) async throws {
    let server = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      socket.write("HTTP/\(version) 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\ndata: b\n")
    }
    let found = await events(.post, from: try server.url(), .http1)
    #expect(found.elements.map(\.data) == ["a"])
    #expect((found.error as? AnyError)?.transportError?.code == .truncatedResponse)
  }
}
