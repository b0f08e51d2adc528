import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

/// Settings that a request leaves unset are inherited from the gateway, then from the configuration, on every path.
@Suite(.timeLimit(.minutes(15))) struct InheritanceTests {
  /// The way in which a request is executed.
  enum Road: CaseIterable {
    case typed, short, promised, backend
  }

  /// The levels that can set a value.
  enum Owner: CaseIterable {
    case configuration, gateway, request
  }

  struct Event: Codable, Equatable, Sendable {
    var date: Date
  }

  private let session = RecordingSession()
  private let url: URL

  init() throws {
    url = try #require(URL(string: "https://api.example.com"))
  }

  /// Executes a request by `road` where each owner in `owners` has set its own value.
  private func execute(by road: Road, _ owners: Set<Owner>) async throws -> Event? {
    var configuration = ClientConfiguration.bare
    if owners.contains(.configuration) {
      configuration.timeout = .seconds(1)
      configuration.cachePolicy = .maxStale
      configuration.deadline = .seconds(1000)
      configuration.headers = ["X-Owner": "configuration", "X-Client": "example"]
      configuration.decodingFormat = Self.format(for: .configuration)
      configuration.eventHandler = { _ in }
    }
    let backend = BackendService(session: session, configuration: configuration)
    var gateway = Gateway(baseURL: url, backend: backend)
    if owners.contains(.gateway) {
      gateway.timeout = .seconds(2)
      gateway.cachePolicy = .reload
      gateway.deadline = .seconds(2000)
      gateway.headers = ["X-Owner": "gateway"]
      gateway.decodingFormat = Self.format(for: .gateway)
      gateway.eventHandler = { _ in }
    }
    session.answer = Self.text(for: owners)
    if road == .typed || road == .backend {
      var request = Request<Event, AnyError>(url: url)
      if owners.contains(.request) {
        request = Request(url: url, decoder: Self.format(for: .request))
        request.timeout = .seconds(3)
        request.cachePolicy = .noCache
        request.deadline = .seconds(3000)
        request.headers["X-Owner"] = "request"
        request.eventHandler = { _ in }
      }
      return road == .typed ? try await gateway.execute(request) : try await backend.execute(request)
    }
    var request = gateway.request()
    if owners.contains(.request) {
      request.decodingFormat = Self.format(for: .request)
      request.timeout = .seconds(3)
      request.cachePolicy = .noCache
      request.deadline = .seconds(3000)
      request.headers["X-Owner"] = "request"
      request.eventHandler = { _ in }
    }
    return road == .short
      ? try await request.execute(as: Event.self) : try await request.execute().decode(as: Event.self).value
  }

  /// Returns a different format for each owner.
  private static func format(for owner: Owner) -> JSON.Decoder {
    let decoder = JSON.Decoder()
    switch owner {
    case .configuration: decoder.dateDecodingStrategy = .deferredToDate
    case .gateway: decoder.dateDecodingStrategy = .secondsSince1970
    case .request: decoder.dateDecodingStrategy = .millisecondsSince1970
    }
    return decoder
  }

  /// Returns 1970-01-02 in the format of the owner that takes precedence.
  private static func text(for owners: Set<Owner>) -> String {
    if owners.contains(.request) { return #"{"date": 86400000}"# }
    if owners.contains(.gateway) { return #"{"date": 86400}"# }
    if owners.contains(.configuration) { return #"{"date": -978220800}"# }
    return #"{"date": "1970-01-02T00:00:00Z"}"#
  }

  @Test(arguments: Road.allCases, [[], [.configuration], [.gateway], [.configuration, .gateway], Set(Owner.allCases)])
  func theNearestOwnerOfASettingDeterminesIt(road: Road, owners: Set<Owner>) async throws {
    // A backend has no gateway.
    let owners = road == .backend ? owners.subtracting([.gateway]) : owners
    #expect(try await execute(by: road, owners)?.date == Date(timeIntervalSince1970: 86400))
    let (request, options) = try #require(session.last)
    let expected: (TimeInterval, CachePolicy, Duration?, HTTP.HeaderValue?) =
      if owners.contains(.request) {
        (3, .noCache, .seconds(3000), "request")
      } else if owners.contains(.gateway) {
        (2, .reload, .seconds(2000), "gateway")
      } else if owners.contains(.configuration) { (1, .maxStale, .seconds(1000), "configuration") } else {
        (60, .standard, nil, nil)
      }
    #expect(options.timeout == .seconds(expected.0))
    #expect((options.cachePolicy ?? .standard) == expected.1)
    #expect(options.deadline == expected.2)
    #expect(request.headers["X-Owner"] == expected.3)
    #expect(request.headers["X-Client"] == (owners.contains(.configuration) ? "example" : nil))
    #expect((options.eventHandler != nil) == !owners.isEmpty)
  }

  @Test func everyKindOfCallEncodesBodiesInTheGatewaysFormat() async throws {
    session.answer = "{}"
    var configuration = ClientConfiguration.bare
    configuration.encodingFormat = PropertyListEncoder()
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    let draft = User(id: 1, login: "ada")
    try await gateway.post("users", body: draft)
    let typed = Request<EmptyResponse, AnyError>.withEmptyResponse(method: .post, url: url, body: .encoding(draft))
    _ = try await gateway.execute(typed)
    var request = gateway.request("users", method: .post)
    try request.body.encode(draft)
    try await request.send()
    for request in session.requests {
      #expect(try PropertyListDecoder().decode(User.self, from: #require(request.body.data)) == draft)
    }
    #expect(session.requests.count == 3)
  }

  private struct Profile: Codable, Equatable, Sendable {
    var firstName: String
    var nickName: String?
  }

  private static var snakeCase: JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return encoder
  }

  @Test func mergePatchesAreWrittenInTheGatewaysFormat() async throws {
    session.answer = "{}"
    var gateway = Gateway(baseURL: url, session: session, configuration: .bare)
    gateway.encodingFormat = Self.snakeCase
    let profile = Profile(firstName: "Ada", nickName: "al")
    try await gateway.patch("users/1", body: .mergePatch(from: profile, to: Profile(firstName: "Eve")))
    let typed = Request<EmptyResponse, AnyError>.withEmptyResponse(
      method: .patch, url: url, body: .mergePatch(from: profile, to: Profile(firstName: "Eve")))
    _ = try await gateway.execute(typed)
    #expect(session.requests.count == 2)
    for request in session.requests {
      let patch = try JSON(parsing: #require(request.body.data))
      #expect(patch == ["first_name": "Eve", "nick_name": nil])
      #expect(request.headers[.contentType] == .applicationMergePatchJSON)
    }
  }

  @Test func headersOfAConfigurationAreSentOnlyToTheGatewaysServer() async throws {
    session.answer = "{}"
    var configuration = ClientConfiguration.bare
    configuration.headers = ["X-Api-Key": "secret"]
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration)
    let elsewhere = try #require(URL(string: "https://other.example/x"))
    _ = try await gateway.execute(Request<EmptyResponse, AnyError>.withEmptyResponse(url: elsewhere))
    _ = try await gateway.execute(Request<EmptyResponse, AnyError>.withEmptyResponse(url: url))
    #expect(session.requests.map { $0.headers["X-Api-Key"] } == [nil, "secret"])
  }
}
