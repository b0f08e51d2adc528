import Anvil
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ShortCallProgramTests {
  private let server: LoopbackServer
  private let api: TypedGateway<ShortCallProgram.APIError>

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/v1/users/1") { _ in .json(#"{"id": 1, "name": "Ada"}"#) }
    server.on(.get, "/v1/users/3") { _ in .json(#"{"id": "three"}"#) }
    server.on(.get, "/v1/users/4") { _ in .status(403) }
    server.on(.get, "/v1/users") { _ in .json(#"[{"id": 2, "name": "Tomoko"}]"#) }
    server.on(.post, "/v1/users") { _ in .json(#"{"id": 3, "name": "Ada"}"#, status: .success(.created)) }
    server.on(.delete, "/v1/users/1") { _ in .status(.success(.noContent)) }
    api = Gateway(baseURL: server.url("/v1")).failing(as: ShortCallProgram.APIError.self)
  }

  @Test func programRunsWithAnvilAsItsOnlyImport() async throws {
    // 3 February 2026, 04:05:06 UTC. The program does not import Foundation.
    let date = Date(timeIntervalSince1970: 1_770_091_506)
    let users = try await ShortCallProgram.run(api, id: 1, team: "smiths & co", since: date)
    #expect(users.map(\.id) == [1, 2, 3, 1, 1])
    #expect(
      server.requests.map { "\($0.method) \($0.target)" } == [
        "GET /v1/users/1",
        "GET /v1/users?team=smiths%20%26%20co&labels=a&labels=b&since=2026-02-03T04%3A05%3A06Z",
        "POST /v1/users", "DELETE /v1/users/1",
        "GET /v1/users/1", "GET /v1/users/1",
      ])
    #expect(server.requests[2].body == Data(#"{"name":"Ada"}"#.utf8))
    #expect(server.requests[2].headers[.contentType] == .applicationJSON)
  }

  @Test func aRequestCanBeChangedBeforeItIsSent() async throws {
    server.on(.get, "/v1/users/1/repos") { _ in .json(#"[{"name": "bellows"}]"#) }
    #expect(try await ShortCallProgram.repos(api, of: 1) == [ShortCallProgram.Repo(name: "bellows")])
  }

  @Test func aStreamOfValuesIsReadUntilItsLastEvent() async throws {
    let events = [#"{"text": "Hel"}"#, #"{"text": "lo"}"#, "[DONE]"].map { "data: \($0)\n\n" }.joined()
    server.on(.post, "/v1/chat") { _ in
      .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.utf8))
    }
    #expect(try await ShortCallProgram.chat(api) == "Hello")
    #expect(server.requests.count == 1)
  }

  @Test func aClientKeepsTheSessionOfTheGatewayThatItReceives() async throws {
    let session = StubSession { Issue.record($0) }
    let url = try #require(URL(string: "https://api.github.com/users/1"))
    session.on(.get, url, .json(#"{"id": 1, "name": "Ada"}"#))
    let gateway = Gateway("https://api.github.com", session: session)
    let client = ShortCallProgram.GitHub(gateway, token: TokenRefresher(token: .init("t")) { _ in .init("t") })
    #expect(try await client.user(1).name == "Ada")
    #expect(session.requests.map { $0.headers[.authorization]?.rawValue } == ["Bearer t"])
  }

  @Test(arguments: [(1, "users 1 and 1"), (2, "not found"), (3, "undecodable"), (4, "network")])
  func failuresHaveTheCallersCases(id: Int, expected: String) async {
    #expect(await ShortCallProgram.failure(api, id: id) == expected)
  }

  @Test func aGatewayCanBeCreatedFromALiteralURL() {
    #expect(ShortCallProgram.gateway().baseURL.absoluteString == "https://api.example.com/v1")
  }
}
