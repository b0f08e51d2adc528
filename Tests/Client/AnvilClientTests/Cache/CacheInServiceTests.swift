import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The cache at its position in a service, in front of a server's routes.
@Suite(.timeLimit(.minutes(15)))
struct CacheInServiceTests {
  @Test func aServiceAnswersFromTheCache() async throws {
    let server = try LoopbackServer()
    let session = StubSession { Issue.record($0) }
    session.answer(as: server)
    server.on(.get, "/users/:id") { request in
      guard request.headers[.ifNoneMatch] != "\"1\"" else { return .status(304) }
      return .json(#"{"id": 1, "login": "ada"}"#, headers: [.eTag: "\"1\"", .cacheControl: "max-age=60"])
    }
    let time = TestTime()
    let cache = CacheInterceptor(now: { time.date })
    let service = TransportService(session: session, interceptors: [cache])
    let request = HTTP.Request(url: server.url("/users/1"))
    var outcomes: [HTTP.History.CacheOutcome?] = []
    for _ in 1...3 {
      let success = try await service.execute(request).get()
      #expect(try success.body.decode(as: User.self) == User(id: 1, login: "ada"))
      outcomes.append(success.response.history.cacheOutcome)
      time.advance(by: 40)
    }
    #expect(outcomes == [.miss, .hit, .revalidated])
    #expect(server.requests.map(\.headers).map { $0[.ifNoneMatch] } == [nil, "\"1\""])
  }

  @Test func aStreamedResponseIsStoredWhenItIsRead() async throws {
    let service = try CachedService()
    service.session.on(
      .get, service.url,
      .chunks([Data("a".utf8), Data("b".utf8)], headers: [.cacheControl: "max-age=60", .contentLength: "2"]))
    let transport = TransportService(session: service.session, interceptors: [service.cache])
    for _ in 1...2 {
      let success = try await transport.execute(
        HTTP.Request(url: service.url), options: TransportOptions(responseDelivery: .streamed)
      ).get()
      #expect(try await success.body.collect() == Data("ab".utf8))
    }
    #expect(service.requestCount == 1)
  }

  @Test func aResponseWithAnErrorStatusIsStored() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=60"], status: 404)
    let transport = TransportService(session: service.session, interceptors: [service.cache])
    for outcome: HTTP.History.CacheOutcome in [.miss, .hit] {
      let failure = try #require(await transport.execute(HTTP.Request(url: service.url)).failure)
      #expect(failure.error.code == .clientError(.notFound))
      #expect(failure.history.cacheOutcome == outcome)
      #expect(failure.response?.body.string == "1")
    }
  }
}
