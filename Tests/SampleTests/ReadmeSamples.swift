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

// sample: writing
extension Repository: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(name, at: "name")
    try json.write(owner, at: "owner" => "login")
    try json.write(ifPresent: language, at: "language")
  }
}
// end sample

@Suite(.timeLimit(.minutes(5))) struct ReadmeSamples {
  @Test func firstSampleGetsThreeUsers() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    await FirstSample.run(Gateway(baseURL: server.url).failing(as: FirstSample.APIError.self))
    #expect(server.requests.map(\.path) == ["/users/1", "/users/2", "/users/3"])
    #expect(FirstSample.gateway().baseURL.absoluteString == "https://api.example.com")
  }

  @Test func callsAreShort() async throws {
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

    let exchange = try await api.get("users/\(id)", as: Decoded<User>.self)
    print(exchange.value.login, exchange.response.status)

    var request = api.request("users/\(id)")  // a request to change before it is executed
    request.timeout = 2
    let again = try await request.execute(as: User.self)
    // end sample
    #expect([user, again] + found == [user, user, user])
    #expect(made.login == "tomoko")
    #expect(server.requests.map(\.target).contains("/users?team=smiths"))
  }

  @Test func bodiesAreReadAsTheyArrive() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users") { _ in .json(#"[{"id": 1, "login": "ada"}, {"id": 2, "login": "tomoko"}]"#) }
    let gateway = Gateway(baseURL: server.url)
    // sample: streaming
    let response = try await gateway.request("users").stream().value
    for try await user in response.body.elements(of: User.self) { print(user.login) }
    // end sample
    #expect(server.requests.count == 1)
  }

  @Test func requestsSayWhatComesBack() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/users") { .status(201, headers: [.contentType: .applicationJSON], body: $0.body) }
    let url = server.url("/users")
    let draft = User(id: 1, login: "ada")
    let decoder = JSON.Decoder()
    // sample: request
    let request = try Request<User, APIError>(
      method: .post, url: url, headers: [.accept: .applicationJSON], body: .json(draft), timeout: 2.5, decoder: decoder)
    // end sample
    #expect(try await BackendService().execute(request) == draft)
    #expect(server.requests.first?.headers[.accept] == .applicationJSON)
  }

  @Test func everythingThatIsWrongIsReported() async throws {
    let session = StubSession()
    let url = try #require(URL(string: "https://api.example.com/customers"))
    let address = #""address": {"street": "Elm Row", "Zip": "20095"}"#
    session.on(.get, url, .json(#"[{"id": "7", "plan": "gold", \#(address)}]"#))
    let backend = BackendService(transportService: TransportService(session: session, clock: TestClock()))
    func execute() async -> [Customer] {
      var customers: [Customer] = []
      // sample: report
      do {
        customers = try await backend.execute(AnyRequest<[Customer]>(url: url))
      } catch {
        print(FailureReport(error, search: .exhaustive)?.description ?? "\(error)")
      }
      // end sample
      return customers
    }
    #expect(await execute().isEmpty)
    let error = try await #require(throws: AnyError.self) {
      try await backend.execute(AnyRequest<[Customer]>(url: url))
    }
    try expectShown(#require(FailureReport(error, search: .exhaustive)).description.withShownDurations, in: "README.md")
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

  @Test func repositoriesAreWritten() throws {
    let repository = Repository(name: "bellows", owner: "ada", language: nil)
    // sample: writing
    let text = try JSON(encoding: repository).serializedText()
    // end sample
    #expect(text == #"{"name":"bellows","owner":{"login":"ada"}}"#)
  }

  @Test func usersAreUpdated() throws {
    // sample: updating
    struct User: Codable, DecoderUpdatable { var id: Int, login: String, bio: String? }
    // end sample
    var user = User(id: 1, login: "ada", bio: "counts")
    let response = HTTP.Response(
      request: HTTP.Request(url: try #require(URL(string: "https://api.example.com/users/1"))), status: 200,
      body: HTTP.Body(#"{"bio": null}"#))
    // sample: updating
    user = try response.body.update(user)  // {"bio": null}: the bio goes, id and login stay
    // end sample
    #expect((user.id, user.login, user.bio) == (1, "ada", nil))
  }

  @Test func sessionsAreStubbed() async throws {
    let url = try #require(URL(string: "https://api.example.com/users/1"))
    // sample: stub
    let session = StubSession { Issue.record($0) }  // AnvilTesting; a request that nobody expects fails the test
    session.on(.get, url, times: 1, .status(503))
    session.on(.get, url, .json(#"{"id": 1, "login": "ada"}"#))
    let backend = BackendService(transportService: TransportService(session: session))
    // end sample
    let request = Request<User, APIError>(url: url)
    await #expect(throws: APIError.self) { try await backend.execute(request) }
    #expect(try await backend.execute(request) == User(id: 1, login: "ada"))
  }
}
