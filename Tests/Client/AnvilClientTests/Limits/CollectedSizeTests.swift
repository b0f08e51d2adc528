import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// The limits of collected bodies.
@Suite(.timeLimit(.minutes(15))) struct CollectedSizeTests {
  private let session = StubSession { Issue.record($0) }
  private let url: URL

  init() throws {
    url = try #require(URL(string: "https://api.example.com/x"))
  }

  private func execute(
    _ reply: StubSession.Reply, limit: Int, delivery: ResponseDelivery = .collected
  ) async -> Result<TransportSuccess, TransportFailure> {
    session.on(.get, url, reply)
    var options = TransportOptions(responseDelivery: delivery)
    options.sizeLimit = limit
    return await TransportService(session: session).execute(HTTP.Request(url: url), options: options)
  }

  @Test func l1_theDefaultLimitIs256MiB() {
    #expect(RequestSettings.defaultSizeLimit == 256 << 20)
  }

  @Test(arguments: [9, .max]) func l1_aBodyWithinTheLimitIsCollected(limit: Int) async throws {
    let reply = StubSession.Reply.chunks([Data("12345".utf8), Data("6789".utf8)])
    #expect(try await execute(reply, limit: limit).get().body.string == "123456789")
  }

  @Test func l1_aBodyBeyondTheLimitIsRejected() async throws {
    let endless = repeatElement(Data("12345".utf8), count: .max)
    let failure = try #require(await execute(.chunks(endless), limit: 8).failure)
    #expect(failure.error.code == .responseTooLarge && failure.error.phase == .body)
    #expect(failure.error.reason == "the body has more than 8 bytes")
    #expect(failure.response?.body.string == "12345123")
  }

  @Test func l1_aBodyWithAnAnnouncedLengthBeyondTheLimitIsNotRead() async throws {
    let reply = StubSession.Reply.chunks([Data(count: 1 << 20)], headers: [.contentLength: "1048576"])
    let failure = try #require(await execute(reply, limit: 8).failure)
    #expect(failure.error.code == .responseTooLarge)
    #expect(failure.response?.body.isEmpty == true)
  }

  /// The response to HEAD announces a length but has no body.
  @Test func l1_theAnnouncedLengthOfAHEADResponseIsIgnored() async throws {
    session.on(.head, url, .status(200, headers: [.contentLength: "1048576"]))
    var options = TransportOptions()
    options.sizeLimit = 8
    let request = HTTP.Request(method: .head, url: url)
    #expect(try await TransportService(session: session).execute(request, options: options).get().body.isEmpty)
  }

  @Test func l1_theLimitAppliesToFailures() async throws {
    let failure = await execute(.status(500, body: Data(count: 9)), limit: 8).failure
    #expect(failure?.error.code == .responseTooLarge && failure?.response?.code == 500)
  }

  @Test func l1_streamedBodiesAreNotLimited() async throws {
    let success = try await execute(.chunks([Data(count: 100)]), limit: 8, delivery: .streamed).get()
    #expect(try await success.body.collect().count == 100)
  }

  @Test(arguments: [0, -1, .min]) func l1_aLimitOfZeroIsApplied(limit: Int) async throws {
    #expect(try await execute(.status(200), limit: limit).get().body.isEmpty)
    let other = try #require(URL(string: "https://api.example.com/y"))
    session.on(.get, other, .status(200, body: Data("1".utf8)))
    var options = TransportOptions()
    options.sizeLimit = limit
    let failure = await TransportService(session: session).execute(HTTP.Request(url: other), options: options).failure
    #expect(failure?.error.code == .responseTooLarge)
  }

  private struct Anything: Decodable, Sendable {
    init(from decoder: any Decoder) {}
  }

  /// Source: RFC 8259 §9 allows limits of depth; the parser's is 512.
  @Test func l1_nestingInAResponseIsLimited() async throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let gateway = Gateway(
      baseURL: url, backend: BackendService(transportService: TransportService(session: session)))
    for (depth, isAccepted) in [(512, true), (513, false), (100_000, false)] {
      let url = url.appending(path: "\(depth)")
      session.on(.get, url, .json(nested(depth)))
      let promise = gateway.request("\(depth)").execute().decode(as: Anything.self)
      let error = await promise.error
      #expect((error == nil) == isAccepted)
    }
  }
}
