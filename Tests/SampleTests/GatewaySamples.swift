import Anvil
import AnvilTesting
import Foundation
import Testing

enum IssueState: String, Encodable, HTTP.QueryValue { case open, closed }

struct IssueFilter: Encodable {
  var state: IssueState?
  var labels: [String]
  var since: Date
}

@Suite(.timeLimit(.minutes(15))) struct GatewaySamples {
  let server: LoopbackServer
  let baseURL: URL
  let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users") { _ in .json(#"[{"id": 1, "login": "ada"}, {"id": 2, "login": "tomoko"}]"#) }
    server.on(.post, "/users") { .status(201, headers: [.contentType: .applicationJSON], body: $0.body) }
    baseURL = server.url
    gateway = Gateway(baseURL: server.url)
  }

  @Test func callsThrowOneError() async throws {
    server.on(.get, "/users") { request in request.query.count == 1 ? .json("[]") : .status(400) }
    let id = 1
    // sample: call
    let api = Gateway(baseURL: baseURL).failing(as: APIError.self)
    do {
      let user = try await api.get("users/\(id)", as: User.self)
      let team: [User] = try await api.get("users", query: ["team": user.login, "page": nil])
      print(user.login, team.count)
    } catch {
      switch error {  // an APIError, since both calls throw it
      case .noSuchUser(let message): print("404: \(message)")
      case .undecodable(let failure): print("undecodable: \(failure)")
      case .network(let failure): print("network: \(failure)")
      }
    }
    // end sample
    #expect(server.requests.map(\.target) == ["/users/1", "/users?team=ada"])
  }

  @Test func gatewaysContainSharedSettings() async throws {
    let (id, decoder) = (1, JSON.Decoder())
    // sample: gateway
    var gateway = Gateway(baseURL: baseURL)
    gateway.headers = [.accept: "application/vnd.example.v2+json"]
    gateway.decodingFormat = decoder  // a JSON.Decoder with your strategies, a PropertyListDecoder, …
    gateway.timeout = .seconds(10)
    let user = try await gateway.get("users/\(id)", as: User.self)
    // end sample
    #expect(user.login == "ada")
    #expect(server.requests.last?.headers[.accept] == "application/vnd.example.v2+json")
  }

  // sample: configured
  struct Members {
    let api: TypedGateway<APIError>

    init(_ gateway: Gateway, tokens: TokenRefresher) {
      api = gateway.configured { $0.authentication = [.bearer(tokens)] }.failing(as: APIError.self)
    }
  }
  // end sample

  @Test func aClientKeepsTheSessionOfItsGateway() async throws {
    let stub = StubSession { Issue.record($0) }
    stub.on("members", where: { $0.headers[.authorization] == "Bearer t" }) { _ in .json(#"{"id": 1, "login": "ada"}"#)
    }
    let tokens = TokenRefresher(token: .init("t")) { _ in .init("t") }
    let members = Members(Gateway("https://api.example.com", session: stub), tokens: tokens)
    #expect(try await members.api.get("members/1", as: User.self).login == "ada")
  }

  @Test func interpolatedValuesAreEscaped() throws {
    let api = gateway.failing(as: APIError.self)
    // sample: path
    let name = "bellows/tongs & co"
    let issues = api.request("repos/ada/\(name)/issues", query: ["labels": "help wanted"])
    // GET …/repos/ada/bellows%2Ftongs%20%26%20co/issues?labels=help%20wanted
    // end sample
    let target = "/repos/ada/bellows%2Ftongs%20%26%20co/issues?labels=help%20wanted"
    #expect(try issues.makeHTTPRequest().url.absoluteString == baseURL.absoluteString + target)
    let components = api.request("repos", "ada", name, "issues", query: ["labels": "help wanted"])
    #expect(try components.makeHTTPRequest().url.absoluteString == baseURL.absoluteString + target)
  }

  @Test func queriesContainValues() throws {
    let api = gateway.failing(as: APIError.self)
    let (state, date) = (IssueState.open as IssueState?, Date(timeIntervalSinceReferenceDate: 791_784_306))
    // sample: query
    let open = api.request("issues", query: ["state": state, "labels": ["a", "b"], "since": date, "page": nil])
    // GET …/issues?state=open&labels=a&labels=b&since=2026-02-03T04%3A05%3A06Z
    // end sample
    let target = "/issues?state=open&labels=a&labels=b&since=2026-02-03T04%3A05%3A06Z"
    #expect(try open.makeHTTPRequest().url.absoluteString == baseURL.absoluteString + target)
    // sample: encoded-query
    let filter = IssueFilter(state: .open, labels: ["a", "b"], since: date)
    let found = api.request("issues", query: try HTTP.Query(encoding: filter))
    // end sample
    #expect(try found.makeHTTPRequest().url.absoluteString == baseURL.absoluteString + target)
  }

  @Test func templatesAreExpanded() throws {
    let owner = "ada"
    // sample: template
    let commits = try gateway.request(
      template: "repos/{owner}/{name}/commits{?since,path}",
      ["owner": owner, "name": "bellows", "path": "src/fire.swift"])
    // end sample
    #expect(
      try commits.makeHTTPRequest().url.absoluteString
        == baseURL.absoluteString + "/repos/ada/bellows/commits?path=src%2Ffire.swift")
  }

  @Test func requestsAreValues() async throws {
    let api = gateway.failing(as: APIError.self)
    // sample: request
    var request = api.request("users", method: .post)
    request.headers["X-Client"] = "guide"
    request.timeout = .seconds(5)
    request.body = .encoding(User(id: 2, login: "tomoko"))
    let created = try await request.execute(as: User.self)
    // end sample
    #expect(created == User(id: 2, login: "tomoko"))
  }

  @Test func failuresAreRecovered() async throws {
    // sample: chain
    let greeting = gateway.request("users", 1).execute()
      .decode(as: User.self)
      .map { user in "Hello, \(user.login)" }
      .recover { error in
        guard let failure = error as? TransportFailure, failure.error.code == .clientError(.notFound) else {
          throw error
        }
        return "Hello, whoever you are"
      }
    print(try await greeting.value)
    // end sample
    #expect(try await greeting.value == "Hello, ada")
  }

  @Test func severalPromisesAreCombined() async throws {
    let user = gateway.request("users", 1).execute().decode(as: User.self)
    let others = gateway.request("users").execute().decode(as: [User].self)
    let (one, many) = try await Promise.all(user, others).value
    #expect(one.login == "ada" && many.count == 2)
  }

  @Test func promisesCanBeCancelled() async throws {
    server.on(.get, "/users/1") { _ in .fault(.neverAnswers) }
    let download = gateway.request("users", 1).execute().decode(as: User.self)
    download.cancel()  // the transfer ends
    let task = Task { try await gateway.request("users", 1).execute().decode(as: User.self).value }
    task.cancel()  // no other task waits: the transfer ends
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await download.value }
  }

  @Test func typedRequestsFailWithTheirOwnError() async throws {
    let path = try #require(URL(string: "users/1"))
    do {
      let user = try await gateway.execute(Request<User, APIError>(url: path))
      print(user.login)
    } catch {
      switch error {  // an APIError, nothing else
      case .noSuchUser(let message): print("404: \(message)")
      case .undecodable(let failure): print("undecodable: \(failure)")
      case .network(let failure): print("network: \(failure)")
      }
    }
    #expect(server.requests.map(\.path) == ["/users/1"])
  }
}
