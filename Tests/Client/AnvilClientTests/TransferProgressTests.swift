import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct TransferProgressTests {
  /// Records reports as "direction count/total".
  final class Heard: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var handler: TransferProgress.Handler {
      { progress in
        let total = progress.totalByteCount.map(String.init) ?? "?"
        self.lines.withLock { $0.append("\(progress.direction) \(progress.byteCount)/\(total)") }
      }
    }
  }

  private let session = StubSession()
  private let heard = Heard()
  private let chunks = [Data("12".utf8), Data("345".utf8)]

  private func execute(
    _ reply: StubSession.Reply, _ method: HTTP.Method = .get, body: HTTP.Body = .empty,
    delivery: ResponseDelivery = .collected
  ) async throws -> Result<TransportSuccess, TransportFailure> {
    let url = try #require(URL(string: "https://api.example.com/"))
    session.on(method, url, reply)
    return await TransportService(session: session).execute(
      HTTP.Request(method: method, url: url, body: body),
      options: TransportOptions(responseDelivery: delivery, progressHandler: heard.handler))
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func receivedBytesEndAtTheAnnouncedLength(delivery: ResponseDelivery) async throws {
    let reply = StubSession.Reply.chunks(chunks, headers: [.contentLength: "5"])
    _ = try await execute(reply, delivery: delivery).get().body.collect()
    #expect(heard.all == ["received 0/5", "received 2/5", "received 5/5"])
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func anUnannouncedTotalIsReportedAtTheEnd(delivery: ResponseDelivery) async throws {
    _ = try await execute(.chunks(chunks), delivery: delivery).get().body.collect()
    #expect(heard.all == ["received 0/?", "received 2/?", "received 5/?", "received 5/5"])
  }

  @Test func theLengthOfACompressedBodyIsNotTheTotal() async throws {
    _ = try await execute(.chunks(chunks, headers: [.contentLength: "3", .contentEncoding: "gzip"])).get()
    #expect(heard.all == ["received 0/?", "received 2/?", "received 5/?", "received 5/5"])
  }

  @Test func progressOfAStreamedResponseIsReportedAsItIsRead() async throws {
    let body = try await execute(.chunks(chunks, headers: [.contentLength: "5"]), delivery: .streamed).get().body
    #expect(heard.all == ["received 0/5"])
    var iterator = body.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(heard.all == ["received 0/5", "received 2/5"])
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func aTruncatedBodyDoesNotReachItsTotal(delivery: ResponseDelivery) async throws {
    let error = TransportError(code: .truncatedResponse, phase: .body)
    let result = try await execute(
      .chunks([Data("12".utf8)], error: error, headers: [.contentLength: "5"]), delivery: delivery)
    _ = try? await result.get().body.collect()
    #expect(heard.all == ["received 0/5", "received 2/5"])
  }

  @Test(arguments: [(HTTP.Method.head, 200), (.get, 204), (.get, 304)])
  func aResponseWithoutABodyReportsNoProgress(method: HTTP.Method, code: Int) async throws {
    _ = try await execute(.status(HTTP.Status(code: code), headers: [.contentLength: "5"]), method)
    #expect(heard.all.isEmpty)
  }

  @Test func anEmptyBodyReportsOnce() async throws {
    _ = try await execute(.status(200, headers: [.contentLength: "0"])).get()
    #expect(heard.all == ["received 0/0"])
  }

  @Test func sentBytesEndAtTheBodysLength() async throws {
    _ = try await execute(.status(204), .post, body: HTTP.Body("hello")).get()
    #expect(heard.all == ["sent 0/5", "sent 5/5"])
  }

  @Test func progressOfAStreamedBodyIsReportedAsItIsSent() async throws {
    let (stream, end) = AsyncStream<Data>.makeStream()
    for chunk in chunks { end.yield(chunk) }
    end.finish()
    _ = try await execute(.status(204), .post, body: .stream(stream)).get()
    #expect(heard.all == ["sent 0/?", "sent 2/?", "sent 5/?", "sent 5/5"])
  }

  @Test func progressRestartsWithEachAttempt() async throws {
    let world = try World()
    world.session.on(.get, world.url, times: 1, .status(503, body: Data("busy".utf8)))
    world.session.on(.get, world.url, .status(200, body: Data("12".utf8)))
    var request = Request<HTTP.Response, APIError>(url: world.url).recovering { $1 }
    request.progressHandler = heard.handler
    _ = try await world.backend.execute(request)
    #expect(
      heard.all == ["received 0/?", "received 4/?", "received 4/4", "received 0/?", "received 2/?", "received 2/2"])
  }

  @Test func mappingKeepsTheHandler() async throws {
    let world = try World()
    world.session.on(.get, world.url, .status(200, body: Data("12".utf8)))
    var request = Request<HTTP.Response, APIError>(url: world.url)
    request.progressHandler = heard.handler
    _ = try await world.backend.execute(request.map(\.code).mapError { AnyError($0) })
    #expect(heard.all.last == "received 2/2")
  }

  @Test func fractionNeedsATotal() {
    func fraction(_ count: Int, _ total: Int?) -> Double? {
      TransferProgress(direction: .sent, byteCount: count, totalByteCount: total).fraction
    }
    #expect(fraction(1, 4) == 0.25 && fraction(0, 0) == 1 && fraction(5, 4) == 1 && fraction(1, nil) == nil)
  }
}
