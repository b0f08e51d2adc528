import Anvil
import AnvilTesting
import Foundation
import Testing

// sample: mapping
struct Repository: JSONDecodable {
  let name: String, owner: String, language: String?

  static func decode(_ json: JSON) throws -> Repository {
    try Repository(
      name: json => "name",
      owner: json => "owner" => "login",
      language: json =>? "language")  // may be missing or null
  }
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct ReadmeSamples {
  @Test func firstSampleGetsThreeUsers() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    await FirstSample.run(Gateway(baseURL: server.url).failing(as: FirstSample.APIError.self))
    #expect(server.requests.map(\.path) == ["/users/1", "/users/2", "/users/3"])
    #expect(FirstSample.gateway().baseURL.absoluteString == "https://api.example.com")
  }

  @Test func shortCallsWork() async throws {
    struct Draft: Encodable { var login: String }
    let server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users") { _ in .json(#"[{"id": 1, "login": "ada"}]"#) }
    server.on(.post, "/users") { _ in .json(#"{"id": 2, "login": "tomoko"}"#, status: .success(.created)) }
    server.on(.delete, "/users/1") { _ in .status(.success(.noContent)) }
    let api = Gateway(baseURL: server.url).failing(as: APIError.self)
    let (id, team) = (1, "smiths")
    // sample: calls
    let user = try await api.get("users/\(id)", as: User.self)
    let found: [User] = try await api.get("users", query: ["team": team, "page": nil])  // nil leaves the item out
    let made = try await api.post("users", body: Draft(login: "tomoko"), as: User.self)
    try await api.delete("users/\(id)")

    var request = api.request("users/\(id)")  // a request to change before it is executed
    request.timeout = .seconds(20)
    let again = try await request.execute(as: User.self)
    // end sample
    #expect([user, again] + found == [user, user, user])
    #expect(made.login == "tomoko")
    #expect(server.requests.map(\.target).contains("/users?team=smiths"))
  }

  private func repositories(_ data: Data) throws -> [Repository] {
    // sample: mapping
    let repositories = try [Repository].decode(JSON(parsing: data))
    // MissingKeyError at object[3].owner: login in {"id": 1, "name": "ada"}
    // end sample
    return repositories
  }

  @Test func repositoriesAreMapped() throws {
    let good = #"{"name": "bellows", "owner": {"login": "ada"}, "language": null}"#
    let bad = #"{"name": "tongs", "owner": {"id": 1, "name": "ada"}}"#
    #expect(try repositories(Data("[\(good)]".utf8)).map(\.owner) == ["ada"])
    let error = #expect(throws: MissingKeyError.self) {
      try repositories(Data("[\(good), \(good), \(good), \(bad)]".utf8))
    }
    #expect(
      try #require(error).description == #"MissingKeyError at object[3].owner: login in {"id": 1, "name": "ada"}"#)
  }
}
