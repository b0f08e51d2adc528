import AnvilClient
import AnvilHTTP
import AnvilTestSupport
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

  @Test func r1_refusedStreamsAreReported() async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server { number in
      requests.add(number)
      return .refuse
    }
    let outcome = await session.exchange(try post(to: server))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
    #expect(outcome.reason == "the server refused the HTTP/2 stream and has not processed the request")
    // The session itself sends the request once, because the server may be overloaded.
    #expect(requests.all == [1])
  }

  @Test func r1_refusedStreamsAreRetried() async throws {
    let server = try HTTP2Server { $0 == 1 ? .refuse : .answer }
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

  /// A server that closes a connection has not processed the streams after the last one of its GOAWAY. The session sends these requests on a
  /// new connection. Without a size, the request is a GET.
  @Test(arguments: [nil, 0, 10, 1_000_000] as [Int?]) func r1_streamsAfterTheLastOneAreSentAgain(
    size: Int?
  ) async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server { number in
      requests.add(number)
      return number == 1 ? .goAway : .answer
    }
    let request = HTTP.Request(
      method: size == nil ? .get : .post, url: try server.url(), body: size.map { HTTP.Body(Data(count: $0)) } ?? .empty
    )
    let outcome = await session.exchange(request)
    #expect(outcome.head?.code == 200, "\(outcome)")
    #expect(requests.all == [1, 2])
  }

  /// A server that processes nothing does not receive a request without end.
  @Test(arguments: [HTTP.Method.get, .post]) func r1_requestsAreNotSentAgainWithoutEnd(
    method: HTTP.Method
  ) async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server { number in
      requests.add(number)
      return .goAway
    }
    let body = method == .post ? HTTP.Body("body") : .empty
    let outcome = await session.exchange(HTTP.Request(method: method, url: try server.url(), body: body))
    #expect(outcome.error?.code == .connectionLost, "\(outcome)")
    #expect(outcome.error?.phase == .queue)
    #expect(outcome.reason == "the server refused the HTTP/2 stream and has not processed the request")
    #expect(requests.all.count <= 6)
  }

  /// A stream of which nothing was taken can be sent again, and no other.
  @Test func r4_streamsAreSentAgainIfNothingOfThemWasTaken() async throws {
    let (chunks, sending) = AsyncStream.makeStream(of: Data.self)
    let server = try HTTP2Server { number in
      guard number == 2 else { return .goAway }
      sending.yield(Data("late".utf8))
      sending.finish()
      return .answer
    }
    let request = HTTP.Request(method: .post, url: try server.url(), body: .stream(chunks))
    #expect(await session.exchange(request).head?.code == 200)
  }

  @Test func r4_streamsOfWhichBytesWereTakenAreNotSentAgain() async throws {
    let requests = Recorder<Int>()
    let server = try HTTP2Server(answersBody: true) { number in
      requests.add(number)
      return .goAway
    }
    let (chunks, sending) = AsyncStream.makeStream(of: Data.self)
    sending.yield(Data("early".utf8))
    let service = TransportService(session: session, interceptors: [RetryInterceptor()])
    let request = HTTP.Request(method: .post, url: try server.url(), body: .stream(chunks))
    guard case .failure(let failure) = await service.execute(request) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.error.code == .connectionLost && failure.error.phase == .queue, "\(failure)")
    #expect(requests.all == [1])
  }

  /// Requests that a server may have processed are not sent again.
  @Test(arguments: [HTTP2Server.Action.reset, .close, .goAwayAfterwards]) func r1_otherFailedStreamsAreNotRetried(
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
    (["[HTTP/2] [3] OPENED stream for https://localhost/", "received GOAWAY, error=0, last_stream=1"], true),
    (["[HTTP/2] [3] OPENED stream for https://localhost/", "received GOAWAY, error=11, last_stream=3"], false),
    (["Using Stream ID: 3", "Connection died, retrying a fresh connect", "GOAWAY, error=0, last_stream=1"], false),
    (
      ["Using Stream ID: 3", "received GOAWAY, error=0, last_stream=2147483647", "GOAWAY, error=0, last_stream=1"], true
    ),
    (
      [
        "[HTTP/2] [3] OPENED stream for https://h/", "HTTP/2 stream 3 refused by server, try again on a new connection",
      ], true
    ),
    (["REFUSED_STREAM, retrying a fresh connect"], true), (["Connection died, retrying a fresh connect"], false),
    ([], false),
  ])
  func notesAreReadFromTheLog(lines: [String], isRefused: Bool) {
    var log = StreamLog()
    for line in lines { _ = log.note(line + "\n") }
    #expect(log.isRefused == isRefused)
    log.begin(on: nil)
    #expect(!log.isRefused)
  }
}
