import AnvilClient
import AnvilHTTP
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

  /// Executes a request by `road`, with a setting that `set` changes. The result is ignored.
  private func execute(by road: Road, _ owner: Owner, _ set: (inout RequestSettings) -> Void) async throws {
    var configuration = ClientConfiguration.bare
    configuration.redirects = .follow()
    configuration.clock = clock
    if owner == .configuration { set(&configuration.settings) }
    let url = try #require(URL(string: "https://api.example.com"))
    var gateway = Gateway(baseURL: url, session: session, configuration: configuration)
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
      case .streamed: _ = try await request.stream()
      case .paged: for try await _ in request.pages(of: [User].self, by: .linkHeader) {}
      case .downloaded:
        // The exchange of the download ends with the empty body of the 204.
        _ = try await request.download(to: folder.target, options: .impatient)
      case .events: for try await _ in request.events() {}
      }
    } catch {
      // The tests check only the requests that were sent.
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
