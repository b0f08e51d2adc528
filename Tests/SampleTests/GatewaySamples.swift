import Anvil
import AnvilTesting
import Foundation
import Testing

// sample: interceptor
struct Signature: Interceptor {
  let key: String

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var request = request
    request.headers["X-Signature"] = HTTP.HeaderValue(rawValue: "\(key):\(request.url.path())")
    return try await next.send(request, options: options)
  }
}
// end sample

@Suite(.timeLimit(.minutes(5))) struct GatewaySamples {
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

  @Test func gatewaysHoldWhatRequestsHaveInCommon() async throws {
    let token = "t"
    let decoder = JSON.Decoder()
    // sample: gateway
    var gateway = Gateway(baseURL: baseURL)
    gateway.headers = [.authorization: "Bearer \(token)"]
    gateway.decodingFormat = decoder  // a JSON.Decoder with your strategies, a PropertyListDecoder, …
    let user = try await gateway.request("users", 1).execute().decode(as: User.self).value
    // end sample
    #expect(user.login == "ada")
    #expect(server.requests.last?.headers[.authorization] == "Bearer t")
  }

  @Test func pathsAndQueriesHoldAnyText() throws {
    // sample: components
    let issues = gateway.request(
      "repos", "ada", "bellows & tongs", "issues", query: ["labels": "help wanted", "page": 2])
    // end sample
    #expect(
      try issues.makeHTTPRequest().url.absoluteString
        == baseURL.absoluteString + "/repos/ada/bellows%20%26%20tongs/issues?labels=help%20wanted&page=2")
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
    // sample: request
    var request = gateway.request("users")
    request.method = .post
    request.headers.add(.contentType, "application/json")
    try request.body.encode(User(id: 2, login: "tomoko"))
    let created = try await request.execute().decode(as: User.self).value
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

  @Test func severalAreOne() async throws {
    // sample: all
    let user = gateway.request("users", 1).execute().decode(as: User.self)
    let others = gateway.request("users").execute().decode(as: [User].self).timeout(.seconds(5))
    let (one, many) = try await Promise.all(user, others).value
    // end sample
    #expect(one.login == "ada" && many.count == 2)
  }

  @Test func waitingIsCancelled() async throws {
    server.on(.get, "/users/1") { _ in .fault(.neverAnswers) }
    // sample: cancelling
    let download = gateway.request("users", 1).execute().decode(as: User.self)
    download.cancel()  // the transfer ends
    let task = Task { try await gateway.request("users", 1).execute().decode(as: User.self).value }
    task.cancel()  // nobody else waits: the transfer ends
    // end sample
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await download.value }
  }

  @Test func anInterceptorSigns() async throws {
    let key = "k"
    // sample: signing
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(Signature(key: key), at: .attempt)]
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    // end sample
    try await gateway.request("users", 1).send()
    #expect(server.requests.last?.headers["X-Signature"] == "k:/users/1")
  }

  @Test func typedRequestsFailWithTheirOwnError() async throws {
    let path = try #require(URL(string: "users/1"))
    // sample: typed
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
    // end sample
    #expect(server.requests.map(\.path) == ["/users/1"])
  }
}
