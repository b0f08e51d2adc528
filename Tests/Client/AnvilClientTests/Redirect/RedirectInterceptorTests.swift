import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct RedirectInterceptorTests {
  let session = StubSession { Issue.record($0) }
  let service: TransportService

  init() {
    service = TransportService(session: session, interceptors: [RedirectInterceptor()])
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func redirect(_ status: HTTP.Status = 302, to location: String) -> StubSession.Reply {
    .status(status, headers: [.location: .init(rawValue: location)], body: Data("moved".utf8))
  }

  @Test func d7_theResponseContainsItsRedirects() async throws {
    session.on(.post, try url("https://a.example/1"), times: 1, redirect(303, to: "/2"))
    session.on(.get, try url("https://a.example/2"), times: 1, redirect(301, to: "https://b.example/3?k=v"))
    session.on(.get, try url("https://b.example/3?k=v"), times: 1, .json("{}"))
    let events = Mutex<[String]>([])
    let options = TransportOptions(eventHandler: { event in
      if case .redirecting(let redirection) = event { events.withLock { $0.append("\(redirection)") } }
    })
    let request = HTTP.Request(method: .post, url: try url("https://a.example/1"), body: HTTP.Body("x"))
    let success = try await service.execute(request, options: options).get()
    let way = ["POST https://a.example/1 → 303 See Other", "GET https://a.example/2 → 301 Moved Permanently"]
    #expect(success.response.history.redirections.map(\.description) == way)
    #expect(events.withLock { $0 } == way)
    #expect(success.response.url.absoluteString == "https://b.example/3?k=v" && success.body.string == "{}")
    try session.verify()
  }

  @Test func d7_theFailureContainsItsRedirects() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "/2"))
    session.on(.get, try url("https://a.example/2"), .failure(TransportError(code: .noConnection)))
    let failure = await service.execute(HTTP.Request(url: try url("https://a.example/1"))).failure
    #expect(failure?.error.code == .noConnection)
    #expect(failure?.history.redirections.map(\.url.path) == ["/1"])
    #expect(failure?.error.description == "no connection (1 redirect)")
  }

  @Test func d7_aRejectedRedirectContainsEarlierRedirects() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "/2"))
    session.on(.get, try url("https://a.example/2"), redirect(to: "http://a.example/3"))
    let failure = await service.execute(HTTP.Request(url: try url("https://a.example/1"))).failure
    #expect(failure?.error.code == .redirectRefused && failure?.history.redirections.count == 1)
  }

  @Test func d5_theRequestsPolicyTakesPrecedence() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "/2"))
    let request = HTTP.Request(url: try url("https://a.example/1"))
    var options = TransportOptions()
    options.redirects = .manual
    #expect(await service.execute(request, options: options).failure?.error.code == .redirection)
    options.redirects = .error
    #expect(await service.execute(request, options: options).failure?.error.code == .redirectRefused)
    options.redirects = .follow(limit: 0)
    #expect(await service.execute(request, options: options).failure?.error.code == .tooManyRedirects)
    #expect(session.requests.count == 3)
  }

  @Test func d5_aLoopEndsAtTheLimit() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "/1"))
    let failure = await service.execute(HTTP.Request(url: try url("https://a.example/1"))).failure
    #expect(failure?.error.code == .tooManyRedirects)
    #expect(failure?.history.redirections.count == 20 && session.requests.count == 21)
  }

  @Test func d4_sensitiveFieldsOfTheOptionsAreRemoved() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "https://b.example/2"))
    session.on(.get, try url("https://b.example/2"), .status(200))
    var options = TransportOptions()
    let request = HTTP.Request(
      url: try url("https://a.example/1"), headers: ["X-Request-ID": "a", .authorization: "secret", .accept: "a/b"])
    _ = try await service.execute(request, options: options).get()
    #expect(session.requests.last?.headers == ["X-Request-ID": "a", .accept: "a/b"])
    options.sensitiveHeaders = ["X-Request-ID"]
    _ = try await service.execute(request, options: options).get()
    #expect(session.requests.last?.headers == [.accept: "a/b"])
  }

  /// An endless body cannot be read to its end.
  @Test func aLongBodyOfARedirectIsDropped() async throws {
    let endless = StubSession.Reply.chunks(
      repeatElement(Data(count: 1 << 16), count: .max), status: 302, headers: [.location: "/2"])
    session.on(.get, try url("https://a.example/1"), endless)
    session.on(.get, try url("https://a.example/2"), .json("{}"))
    let success = try await service.execute(HTTP.Request(url: try url("https://a.example/1"))).get()
    #expect(success.body.string == "{}")
  }

  @Test func aStreamedResponseIsPassedOn() async throws {
    session.on(.get, try url("https://a.example/1"), redirect(to: "/2"))
    session.on(.get, try url("https://a.example/2"), .chunks([Data("a".utf8), Data("b".utf8)]))
    let options = TransportOptions(responseDelivery: .streamed)
    let success = try await service.execute(HTTP.Request(url: try url("https://a.example/1")), options: options).get()
    var chunks = 0
    for try await _ in success.body { chunks += 1 }
    #expect(chunks == 2 && success.response.history.redirections.count == 1)
  }

  @Test func cancellingEndsARedirectedRequest() async throws {
    let (reached, signal) = AsyncStream<Void>.makeStream()
    let first = try url("https://a.example/1")
    session.on(.get, first, redirect(to: "/2"))
    session.on(.get, try url("https://a.example/2")) { _ in
      signal.finish()
      return .never
    }
    let task = Task { await service.execute(HTTP.Request(url: first)) }
    for await _ in reached {}
    task.cancel()
    let failure = await task.value.failure
    #expect(failure?.error.code == .cancelled && failure?.history.redirections.count == 1)
  }
}
