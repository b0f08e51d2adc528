import Anvil
import AnvilTesting
import Foundation
import Testing

// sample: failure
enum ShopError: DecodingFailureRepresentable {
  case soldOut(item: String)
  case loggedOut
  case unavailable(TransportFailure)
  case unreadable(DecodingFailure)

  private struct Payload: Decodable { var item: String }

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.unauthorized): self = .loggedOut
    case .clientError(.conflict):
      let payload = try? failure.response?.body.decode(as: Payload.self)
      self = payload.map { .soldOut(item: $0.item) } ?? .unavailable(failure)
    default: self = .unavailable(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .unreadable(failure) }
}
// end sample

enum EditError: DecodingFailureRepresentable {
  case changedMeanwhile
  case unreadable(DecodingFailure)
  case failed(TransportFailure)

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.preconditionFailed): self = .changedMeanwhile
    default: self = .failed(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .unreadable(failure) }
}

// sample: container
struct Page: DecodableContainer {
  let items: [User]
  var element: [User] { items }
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct TypedRequestSamples {
  let server: LoopbackServer
  let backend = BackendService()

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users/1/friends") { _ in .json("[]") }
    server.on(.get, "/users") { _ in .json(#"{"items": [{"id": 1, "login": "ada"}]}"#) }
    server.on(.get, "/cart") { _ in .json(#"{"item": "anvil"}"#, status: 409) }
    server.on(.get, "/out") { _ in .json(#"{"id": 1, "login": "ada"}"#, headers: ["X-Logged-Out": "1"]) }
    server.on(.delete, "/users/1") { _ in .status(204) }
  }

  @Test func requestsHaveBodiesAndDecoders() async throws {
    server.on(.post, "/users") { .status(201, headers: [.contentType: .applicationJSON], body: $0.body) }
    let url = server.url("/users")
    let draft = User(id: 1, login: "ada")
    let decoder = JSON.Decoder()
    // sample: arguments
    let post = try Request<User, APIError>(
      method: .post, url: url, headers: [.accept: .applicationJSON], body: .json(draft), timeout: 2.5, decoder: decoder)
    // end sample
    #expect(try await backend.execute(post) == draft)
    #expect(server.requests.first?.headers[.accept] == .applicationJSON)
  }

  @Test func requestsDeclareTheirResponseType() async throws {
    let url = server.url("/users/1")
    let request = Request<User, APIError>(url: url, headers: [.accept: .applicationJSON], timeout: 2.5)
    let user = try await backend.execute(request)
    #expect(user.login == "ada")
    // sample: closure
    let task = Task {
      do throws(APIError) {
        return try await backend.execute(request).login
      } catch {
        return "nobody: \(error)"
      }
    }
    // end sample
    #expect(await task.value == "ada")
  }

  @Test func shortCallsWork() async throws {
    let (baseURL, id) = (server.url, 1)
    let api = Gateway(baseURL: baseURL).failing(as: APIError.self)
    let user = try await api.get("users/\(id)", as: User.self)
    #expect(user.login == "ada")
  }

  @Test func doBlocksNameTheirErrorType() async throws {
    let api = Gateway(baseURL: server.url).failing(as: APIError.self)
    let (id, maximum) = (1, 1)
    do {
      let user = try await api.get("users/\(id)", as: User.self)
      let friends = try await api.get("users/\(user.id)/friends", as: [User].self)
      print(user.login, friends.count)
    } catch {
      switch error {  // an APIError, since both calls throw it
      case .noSuchUser(let message): print("404: \(message)")
      case .undecodable(let failure): print("undecodable: \(failure)")
      case .network(let failure): print("network: \(failure)")
      }
    }
    #expect(server.requests.map(\.path) == ["/users/1", "/users/1/friends"])
    // sample: do-throws
    do throws(APIError) {
      let user = try await api.get("users/\(id)", as: User.self)
      if user.id > maximum { throw .noSuchUser("not on this page") }
    } catch {
      switch error {
      case .noSuchUser(let message): print("404: \(message)")
      case .undecodable(let failure): print("undecodable: \(failure)")
      case .network(let failure): print("network: \(failure)")
      }
    }
    // end sample
  }

  @Test func failuresAreCreatedFromTheBody() async throws {
    let error = await #expect(throws: ShopError.self) {
      try await backend.execute(Request<User, ShopError>(url: server.url("/cart")))
    }
    guard case .soldOut("anvil") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func containersAreUnwrapped() async throws {
    let url = server.url("/users")
    // sample: unwrapping
    let users = try await backend.execute(Request<[User], APIError>(url: url, containerType: Page.self))
    // end sample
    #expect(users.map(\.login) == ["ada"])
  }

  @Test func emptyResponsesAreAccepted() async throws {
    let url = server.url("/users/1")
    _ = try await backend.execute(
      Request<EmptyResponse, APIError>.withEmptyResponse(
        method: .delete, url: url, emptyDecodingStrategy: .validatedEmpty))
    #expect(server.requests.last?.method == .delete)
  }

  @Test func changesAreSentAsAMergePatch() async throws {
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#, headers: [.eTag: #""v1""#]) }
    server.on(.patch, "/users/1") { request in
      request.headers[.ifMatch] == #""v1""# ? .json(#"{"id": 1, "login": "lovelace"}"#) : .status(412)
    }
    let url = server.url("/users/1")
    // sample: merge-patch
    let response = try await backend.execute(Request<HTTP.Response, EditError>(url: url))
    let user = try response.body.decode(as: User.self)
    var changed = user
    changed.login = "lovelace"
    var headers: HTTP.Headers = [:]
    headers[.ifMatch] = response.headers[.eTag]
    let patch = Request<User, EditError>(
      method: .patch, url: url, headers: headers, body: .mergePatch(from: user, to: changed))  // {"login":"lovelace"}
    let saved = try await backend.execute(patch)
    // end sample
    #expect(saved == changed)
    #expect(server.requests.last?.body == Data(#"{"login":"lovelace"}"#.utf8))
    #expect(server.requests.last?.headers[.contentType] == "application/merge-patch+json")
    let stale = await #expect(throws: EditError.self) {
      try await backend.execute(patch.usingHeaders([.ifMatch: #""v0""#]))
    }
    guard case .changedMeanwhile = stale else {
      Issue.record("\(String(describing: stale))")
      return
    }
  }

  @Test func bodiesAreCompressed() async throws {
    server.on(.post, "/reports") { _ in .status(204) }
    let (url, report) = (server.url("/reports"), Array(repeating: User(id: 1, login: "ada"), count: 100))
    let request = try Request<EmptyResponse, APIError>.withEmptyResponse(
      method: .post, url: url, body: .json(report).gzipped())
    _ = try await backend.execute(request)
    #expect(server.requests.last?.headers[.contentEncoding] == "gzip")
    #expect(server.requests.last?.headers[.contentType] == .applicationJSON)
    #expect(try #require(server.requests.last).body.count < 200)
  }

  @Test func requestsCanBeTransformed() async throws {
    let url = server.url("/out")
    var request = Request<User, ShopError>(url: url)
    request.successValidator = { success throws(ShopError) in
      if success.response.headers.contains("X-Logged-Out") { throw .loggedOut }
    }
    let login = request.map { $0.login }
    let error = await #expect(throws: ShopError.self) { try await backend.execute(login) }
    guard case .loggedOut = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
