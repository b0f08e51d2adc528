import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The settings of a configuration, a gateway and a request apply however the request is executed.
@Suite(.timeLimit(.minutes(15))) struct GatewaySettingsTests {
  /// The ways from a request to the transport.
  enum Road: CaseIterable {
    case typed, mapped, mappedFailure, short, shortTyped, sent, promised, streamed, paged, downloaded, events
  }

  /// The owner of the setting.
  enum Owner: CaseIterable {
    case configuration, gateway, request
  }

  private let session = StubSession { Issue.record($0) }
  private let folder: TemporaryFolder
  private let clock = TestClock()

  init() throws {
    folder = try TemporaryFolder()
    let redirect: HTTP.Headers = [.location: "https://other.example/users/1"]
    session.on("the API", where: { $0.url.host() == "api.example.com" }) { _ in .status(307, headers: redirect) }
    session.on("another origin", where: { $0.url.host() == "other.example" }) { _ in .status(204) }
  }

  /// Executes a request by `road`, with a setting that `set` changes, and reads the whole response.
  ///
  /// - Returns: The error of the transport; `nil` if there was none.
  @discardableResult
  private func execute(
    by road: Road, _ owner: Owner, over other: (any TransportSession)? = nil,
    _ set: (inout RequestSettings) -> Void
  ) async throws -> TransportError? {
    var configuration = ClientConfiguration.bare
    configuration.redirects = .follow()
    configuration.clock = clock
    if owner == .configuration { set(&configuration.settings) }
    let url = try #require(URL(string: "https://api.example.com"))
    var gateway = Gateway(baseURL: url, session: other ?? session, configuration: configuration)
    gateway.headers = ["X-Request-ID": "acme"]
    if owner == .gateway { set(&gateway.settings) }
    var typed = Request<EmptyResponse, AnyError>.withEmptyResponse(url: try #require(URL(string: "users/1")))
    var request = gateway.request("users", 1)
    if owner == .request {
      set(&typed.settings)
      set(&request.settings)
    }
    do {
      switch road {
      case .typed: _ = try await gateway.execute(typed)
      case .mapped: _ = try await gateway.execute(typed.map { _ in 1 })
      case .mappedFailure: _ = try await gateway.execute(typed.mapError { $0 }.map { _ in 1 })
      case .short: _ = try await request.execute(as: User?.self)
      case .shortTyped:
        var typed = gateway.failing(as: APIError.self).request("users/1")
        if owner == .request { set(&typed.settings) }
        _ = try await typed.execute(as: User?.self)
      case .sent: try await request.send()
      case .promised: _ = try await request.execute().value
      case .streamed: for try await _ in try await request.stream().body {}
      case .paged: for try await _ in request.pages(of: [User].self, by: .linkHeader) {}
      case .downloaded:
        // The exchange of the download ends with the empty body of the 204.
        var options = DownloadOptions.impatient
        options.fruitlessAttemptLimit = 1
        _ = try await request.download(to: folder.target, options: options)
      case .events: for try await _ in request.events() {}
      }
      return nil
    } catch {
      return (error as? any TransportFailureRepresentable)?.transportError ?? error as? TransportError
    }
  }

  private var hosts: [String?] { session.requests.map { $0.url.host() } }

  @Test(arguments: Road.allCases, Owner.allCases)
  func aSensitiveFieldDoesNotReachAnotherOrigin(road: Road, owner: Owner) async throws {
    try await execute(by: road, owner) { $0.sensitiveHeaders = ["X-Request-ID"] }
    #expect(hosts == ["api.example.com", "other.example"])
    #expect(session.requests.map { $0.headers["X-Request-ID"] } == ["acme", nil])
  }

  /// The field is one that crosses origins unless a setting names it, so that the test above depends on the setting.
  @Test(arguments: Road.allCases) func aHarmlessFieldReachesAnotherOrigin(road: Road) async throws {
    try await execute(by: road, .gateway) { _ in }
    #expect(session.requests.map { $0.headers["X-Request-ID"] } == ["acme", "acme"])
  }

  @Test(arguments: Road.allCases, Owner.allCases)
  func aRefusedRedirectIsNotFollowed(road: Road, owner: Owner) async throws {
    try await execute(by: road, owner) { $0.redirects = .error }
    #expect(hosts == ["api.example.com"])
  }

  @Test(arguments: Road.allCases, Owner.allCases)
  func silenceEndsTheRequest(road: Road, owner: Owner) async throws {
    let (body, writer) = TransportBody.makeStream()
    let silent = HeldSession(body: body, headers: [.contentType: "text/event-stream"])
    let error = try await clock.running(by: .seconds(1)) {
      try await execute(by: road, owner, over: silent) {
        $0.idleTimeout = .seconds(8)
        $0.reconnects = .never
        // The clock moves whenever a task sleeps, also before the body is read.
        $0.timeout = .unlimited
      }
    }
    #expect(error?.code == .timedOut && error?.elapsed == .seconds(8))
    withExtendedLifetime(writer) {}
  }

  /// The options of a download take precedence over the request.
  @Test func silenceEndsADownloadAfterTheTimeOfItsOptions() async throws {
    let (body, writer) = TransportBody.makeStream()
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    let url = try #require(URL(string: "https://api.example.com"))
    let gateway = Gateway(
      baseURL: url, session: HeldSession(body: body, headers: [:]), configuration: configuration)
    var request = gateway.request("users", 1)
    request.idleTimeout = .unlimited
    var options = DownloadOptions.impatient
    options.fruitlessAttemptLimit = 1
    options.idleTimeout = .seconds(16)
    let error = await #expect(throws: AnyError.self) {
      try await clock.running(by: .seconds(2)) { [request, options] in
        try await request.download(to: folder.target, options: options)
      }
    }
    #expect(error?.transportError?.elapsed == .seconds(16))
    withExtendedLifetime(writer) {}
  }

  @Test(arguments: Owner.allCases) func aDownloadedFileIsDecodedInTheFormatOfTheSettings(owner: Owner) async throws {
    struct Person: Codable, Equatable { var firstName: String }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let session = StubSession { Issue.record($0) }
    session.on("the file", where: { _ in true }) { _ in .json(#"{"first_name": "Ada"}"#) }
    var gateway = Gateway(baseURL: try #require(URL(string: "https://api.example.com")), session: session)
    if owner == .configuration { gateway = gateway.configured { $0.decodingFormat = decoder } }
    if owner == .gateway { gateway.decodingFormat = decoder }
    var request = gateway.request("users", 1)
    if owner == .request { request.decodingFormat = decoder }
    let response = try await request.download(to: folder.target)
    for try await person in response.body.jsonLines(of: Person.self) { #expect(person == Person(firstName: "Ada")) }
  }

  @Test func allAttemptsOfADownloadHaveOneIdempotencyKey() async throws {
    let origin = try Origin(Data(repeating: 1, count: 100_000))
    origin.change { $0.cuts = [50_000] }
    var request = Gateway(baseURL: origin.url, session: origin.session).request()
    request.idempotency = .keyed
    _ = try await request.download(to: folder.target, options: .impatient)
    var options = DownloadOptions.impatient
    options.idempotency = .keyed
    origin.change { $0.cuts = [50_000] }
    _ = try await origin.service.download(origin.request, to: folder.target, options: options).get()
    let keys = origin.session.requests.map { $0.headers[.idempotencyKey] }
    try #require(keys.count == 4)
    #expect(keys[0] != nil && keys[0] == keys[1] && keys[2] != nil && keys[2] == keys[3] && keys[0] != keys[2])
  }

  /// A download's options contain the settings of downloads without a gateway.
  @Test func aDownloadUsesTheSettingsOfItsOptions() async throws {
    let service = TransportService(session: session, interceptors: [RedirectInterceptor()])
    let url = try #require(URL(string: "https://api.example.com/users/1"))
    let request = HTTP.Request(url: url, headers: ["X-Request-ID": "acme"])
    var options = DownloadOptions.impatient
    options.sensitiveHeaders = ["X-Request-ID"]
    _ = await service.download(request, to: folder.target, options: options)
    #expect(session.requests.map { $0.headers["X-Request-ID"] } == ["acme", nil])
    options.redirects = .error
    _ = await service.download(request, to: folder.target, options: options)
    #expect(hosts == ["api.example.com", "other.example", "api.example.com"])
  }

  /// Downloads and event streams ignore the deadline.
  @Test(
    arguments: [Road.typed, .mapped, .mappedFailure, .short, .shortTyped, .sent, .promised, .streamed, .paged],
    Owner.allCases)
  func aDeadlineEndsTheRequest(road: Road, owner: Owner) async throws {
    try await execute(by: road, owner) { $0.deadline = .zero }
    #expect(hosts == [])
  }
}
