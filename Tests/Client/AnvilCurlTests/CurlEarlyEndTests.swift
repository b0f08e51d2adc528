import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCurl

/// HTTP/2 responses without a length that are complete before the body of their request was sent. Source: RFC 9113 §8.1.
@Suite(.timeLimit(.minutes(15))) struct CurlEarlyEndTests {
  private func session(_ change: (inout CurlSession.Configuration) -> Void = { _ in }) -> CurlSession {
    CurlSession(
      configuration: configured {
        $0.httpVersion = .http2PriorKnowledge
        $0.proxy = .none
        change(&$0)
      })
  }

  @Test(arguments: ["", "early"], [70_000, 1_000_000, 10_000_000])
  func theCallEndsWhenTheBodyOfItsRequestIsSent(text: String, size: Int) async throws {
    let server = try HTTP2Server { _ in .answerEarly(text) }
    let request = HTTP.Request(method: .put, url: try server.url(), body: HTTP.Body(Data(count: size)))
    let outcome = await session().exchange(request, timeout: .seconds(300))
    #expect(outcome.error == nil && outcome.head?.code == 200 && outcome.text == text, "\(outcome)")
  }

  @Test(arguments: ["", "early"]) func theBodyOfTheResponseEndsAfterThatOfTheRequest(text: String) async throws {
    let server = try HTTP2Server { _ in .answerEarly(text) }
    let (chunks, sending) = AsyncStream.makeStream(of: Data.self)
    let session = session()
    let response = try await session.send(
      HTTP.Request(method: .put, url: try server.url(), body: .stream(chunks)),
      options: TransportOptions(timeout: .seconds(300), responseDelivery: .streamed))
    #expect(response.head.code == 200)
    sending.yield(Data("late".utf8))
    sending.finish()
    #expect(try await response.body.reduce(into: Data()) { $0 += $1 } == Data(text.utf8))
  }

  /// The server does not read the body of the request, and libcurl does not report that the response is complete.
  @Test(arguments: [true, false]) func aTimeLimitEndsACallWhoseServerStopsReading(isIdleLimit: Bool) async throws {
    let server = try HTTP2Server(window: 65_535) { _ in .answerEarly("early") }
    let session = session { if isIdleLimit { $0.timeouts.idle = .milliseconds(100) } }
    let outcome = await session.exchange(
      HTTP.Request(method: .put, url: try server.url(), body: HTTP.Body(Data(count: 1_000_000))),
      timeout: isIdleLimit ? nil : .milliseconds(300))
    #expect(outcome.head?.code == 200 && outcome.text == "early", "\(outcome)")
    #expect(outcome.error?.code == .timedOut && outcome.error?.phase == .body, "\(outcome)")
  }
}
