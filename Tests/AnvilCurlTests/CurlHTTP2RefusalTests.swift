import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCurl

/// HTTP/2 requests that a server has not processed. Source: RFC 9113 §6.8, §8.7. Rule R1.
@Suite(.timeLimit(.minutes(15))) struct CurlHTTP2RefusalTests {
  private let session = CurlSession(
    configuration: configured {
      $0.httpVersion = .http2PriorKnowledge
      $0.proxy = .none
    })

  private func post(to server: HTTP2Server) throws -> HTTP.Request {
    HTTP.Request(method: .post, url: try server.url(), body: HTTP.Body("body"))
  }

  @Test(arguments: [HTTP2Server.Action.refuse, .goAway]) func r1_refusedStreamsAreReported(
    action: HTTP2Server.Action
  ) async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server { number in
      requests.add(number)
      return action
    }
    let outcome = await session.exchange(try post(to: server))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
    #expect(outcome.reason == "the server refused the HTTP/2 stream and has not processed the request")
    // The session itself sends the request once.
    #expect(requests.all == [1])
  }

  @Test(arguments: [HTTP2Server.Action.refuse, .goAway]) func r1_refusedStreamsAreRetried(
    action: HTTP2Server.Action
  ) async throws {
    let server = try HTTP2Server { $0 == 1 ? action : .answer }
    let clock = TestClock()
    let retrying = RetryInterceptor(policy: RetryPolicy(), clock: clock)
    let service = TransportService(session: session, interceptors: [retrying])
    let request = try post(to: server)
    let task = Task { await service.execute(request) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    let success = try await task.value.get()
    #expect(success.response.code == 200)
    #expect(success.response.history.attempts.count == 1)
  }

  /// Requests that a server may have processed are not sent again.
  @Test(arguments: [HTTP2Server.Action.reset, .close]) func r1_otherFailedStreamsAreNotRetried(
    action: HTTP2Server.Action
  ) async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server { number in
      requests.add(number)
      return action
    }
    let service = TransportService(
      session: session, interceptors: [RetryInterceptor(policy: RetryPolicy(), clock: TestClock())])
    guard case .failure(let failure) = await service.execute(try post(to: server)) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.error.code == .connectionLost, "\(failure)")
    #expect(failure.error.phase == .firstByte)
    #expect(requests.all == [1])
  }

  @Test(arguments: [
    (["Using Stream ID: 3 (easy handle 0x1)", "recveived GOAWAY, error=0, last_stream=1"], true),
    (["Using Stream ID: 3 (easy handle 0x1)", "received GOAWAY, error=0, last_stream=3"], false),
    (["recveived GOAWAY, error=0, last_stream=1"], false),
    (["Using Stream ID: x", "recveived GOAWAY, error=0, last_stream=1"], false),
    (["Using Stream ID: 3", "GOAWAY, error=0, last_stream="], false),
    (["Using Stream ID: 3", "GOAWAY, error=0, last_stream=99999999999999999999"], false),
    (["REFUSED_STREAM, retrying a fresh connect"], true), (["Connection died, retrying a fresh connect"], false),
    ([], false),
  ])
  func notesAreReadFromTheLog(lines: [String], isRefused: Bool) {
    var log = StreamLog()
    for line in lines { log.note(line + "\n") }
    #expect(log.isRefused == isRefused)
    log.begin()
    #expect(!log.isRefused)
  }
}
