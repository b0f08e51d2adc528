import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The log lines of exchanges, as exact text.
struct LoggingTests {
  private final class Lines: Sendable {
    let all = Mutex<[RequestLog.Entry]>([])
    var texts: [String] { all.withLock { $0.map { "\($0.level): \($0)".stableExchange } } }
  }

  private let lines = Lines()
  private let clock = TestClock()

  private func world(_ details: RequestLog.Details = .outcomes) throws -> World {
    let lines = lines
    return try World(interceptors: [
      RequestLog(details: details, clock: clock) { entry in lines.all.withLock { $0.append(entry) } }.interceptor
    ])
  }

  private func execute(
    _ world: World, _ change: (inout Request<HTTP.Response, TransportFailure>) -> Void = { _ in }
  ) async {
    var request = Request<HTTP.Response, TransportFailure>(
      url: world.url.appending(queryItems: [URLQueryItem(name: "q", value: "t0p")]))
    change(&request)
    _ = await world.backend.outcome(request)
  }

  @Test func anExchangeIsLoggedAsOneLine() async throws {
    let world = try world()
    world.session.on("any", where: { _ in true }, reply: { _ in .json("[1,2]") })
    await execute(world)
    #expect(
      lines.texts == [
        "info: GET https://api.example.com/users/1?q=<redacted> → 200 OK  exchange=N method=GET "
          + "url=https://api.example.com/users/1?q=<redacted> status=200 elapsed=0.000 s bytes=5"
      ])
  }

  @Test func failuresAreLoggedWithTheirReason() async throws {
    let world = try world()
    world.session.on(
      "any", where: { _ in true }, reply: { _ in .failure(TransportError(code: .noConnection, reason: "refused")) })
    await execute(world)
    #expect(
      lines.texts == [
        "error: GET https://api.example.com/users/1?q=<redacted>, no connection: refused  exchange=N method=GET "
          + "url=https://api.example.com/users/1?q=<redacted> elapsed=0.000 s error=noConnection"
      ])
  }

  @Test(arguments: [(404, RequestLog.Entry.Level.warning), (503, .error), (302, .info), (204, .info), (700, .error)])
  func theLevelDependsOnTheStatus(status: Int, level: RequestLog.Entry.Level) async throws {
    let world = try world()
    world.session.on("any", where: { _ in true }, reply: { _ in .status(HTTP.Status(code: status)) })
    await execute(world)
    #expect(lines.all.withLock { $0.map(\.level) } == [level])
  }

  @Test func headsAreLoggedWithoutSecrets() async throws {
    let world = try world(.heads)
    world.session.on("any", where: { _ in true }) { _ in
      .status(
        200, headers: [.contentType: "text/plain", .setCookie: "t0p", .location: "/x?a=t0p"], body: Data("t0p".utf8))
    }
    await execute(world) { $0.headers = [.authorization: "Bearer t0p", .accept: "text/plain"] }
    #expect(lines.all.withLock { $0.map(\.level) } == [.debug, .debug, .info])
    let text = lines.texts.joined(separator: "\n")
    #expect(!text.contains("t0p"))
    #expect(text.contains("request.header.authorization=<redacted> request.header.accept=text/plain"))
    #expect(text.contains("response.header.set-cookie=<redacted> response.header.location=/x?a=<redacted>"))
  }

  @Test func sensitiveFieldsOfTheRequestsPolicyAreHidden() async throws {
    let world = try world(.heads)
    world.session.on("any", where: { _ in true }) { _ in .status(200, headers: [.eTag: "t0p", .server: "nginx"]) }
    await execute(world) {
      $0.headers = [.userAgent: "t0p", .accept: "text/plain"]
      $0.sensitiveHeaders = [.userAgent, .eTag]
    }
    let text = lines.texts.joined(separator: "\n")
    #expect(!text.contains("t0p"))
    #expect(text.contains("request.header.user-agent=<redacted> request.header.accept=text/plain"))
    #expect(text.contains("response.header.etag=<redacted> response.header.server=nginx"))
  }

  @Test func controlCharactersCannotBreakALine() async throws {
    let world = try world(.heads)
    // Characters that a field may contain. A message with other control characters is not sent.
    let odd = "a\u{2028}\u{202E}\u{9B}b"
    world.session.on("any", where: { _ in true }) { _ in
      .failure(TransportError(code: .other, reason: "\u{1B}[2J\n\(odd)"))
    }
    await execute(world) { $0.headers = [.accept: "\(odd)"] }
    let text = lines.texts.joined(separator: "\n")
    #expect(text.contains(#"request.header.accept=a\u{2028}\u{202e}\u{9b}b"#))
    #expect(text.contains(#"transport failed: \u{1b}[2J\u{a}a\u{2028}"#))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !["Cc", "Cf", "Zl"].contains($0.category) })
  }

  @Test func anAbandonedBodyIsLogged() async throws {
    let world = try world()
    world.session.on("any", where: { _ in true }) { _ in .chunks([Data("abc".utf8), Data("def".utf8)]) }
    do {
      let request = Request<HTTP.Response, TransportFailure>(url: world.url, responseDelivery: .streamed)
      var chunks = try await world.backend.execute(request).body.makeAsyncIterator()
      _ = try await chunks.next()
      #expect(lines.texts.isEmpty)
    }
    #expect(lines.texts.count == 1)
    #expect(lines.texts.first?.contains("→ 200 OK, not read to its end") == true)
  }
}

extension Unicode.Scalar {
  fileprivate var category: String {
    switch properties.generalCategory {
    case .control: "Cc"
    case .format: "Cf"
    case .lineSeparator: "Zl"
    default: ""
    }
  }
}

extension String {
  /// The text with `N` for the number of the exchange, which depends on other tests.
  fileprivate var stableExchange: String { replacing(/exchange=\d+/, with: "exchange=N") }
}
