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
    let users = try await ShortCallProgram.run(api, id: 1, team: "smiths & co")
    #expect(users.map(\.id) == [1, 2, 3, 1, 1])
    #expect(
      server.requests.map { "\($0.method) \($0.target)" } == [
        "GET /v1/users/1", "GET /v1/users?team=smiths%20%26%20co", "POST /v1/users", "DELETE /v1/users/1",
        "GET /v1/users/1", "GET /v1/users/1",
      ])
    #expect(server.requests[2].body == Data(#"{"name":"Ada"}"#.utf8))
    #expect(server.requests[2].headers[.contentType] == .applicationJSON)
  }

  @Test(arguments: [(1, "users 1 and 1"), (2, "not found"), (3, "undecodable"), (4, "network")])
  func failuresHaveTheCallersCases(id: Int, expected: String) async {
    #expect(await ShortCallProgram.failure(api, id: id) == expected)
  }

  @Test func aGatewayCanBeCreatedFromALiteralURL() {
    #expect(ShortCallProgram.gateway().baseURL.absoluteString == "https://api.example.com/v1")
  }
}
