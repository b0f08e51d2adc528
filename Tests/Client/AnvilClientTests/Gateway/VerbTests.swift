import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// Every form of each verb: without a result, with a model, and with a model and its response.
@Suite(.timeLimit(.minutes(15))) struct VerbTests {
  private typealias Call = (method: HTTP.Method, body: String, call: () async throws -> Void)

  private struct Draft: Codable, Sendable {
    var name: String
  }

  private static let draft = Draft(name: "Ada")
  private let encoded = #"{"name":"Ada"}"#
  private let session = StubSession { Issue.record($0) }
  private let gateway: Gateway

  init() throws {
    let url = try #require(URL(string: "https://api.example.com"))
    for method in [HTTP.Method.get, .post, .put, .patch, .delete] {
      session.on(method, url.appending(path: "users/1"), .json(#"{"id": 1, "login": "ada"}"#))
    }
    session.on(.head, url.appending(path: "users/1"), .status(200))
    gateway = Gateway(baseURL: url, session: session, configuration: .bare)
  }

  private func expectAda(_ user: User) {
    #expect(user == User(id: 1, login: "ada"))
  }

  private func expectAda(_ decoded: Decoded<User>) {
    #expect(decoded.value == User(id: 1, login: "ada") && decoded.response.code == 200)
  }

  private func expectSuccess(_ response: HTTP.Response) {
    #expect(response.code == 200)
  }

  private func check(_ calls: [Call]) async throws {
    for (number, call) in calls.enumerated() {
      try await call.call()
      let request = try #require(session.requests.last)
      #expect(request.method == call.method && (request.body.string ?? "") == call.body, "call \(number)")
      #expect(session.requests.count == number + 1)
    }
  }

  @Test func everyFormIsSentByAGateway() async throws {
    try await check([
      ("POST", encoded, { try await gateway.post("users/1", body: Self.draft) }),
      ("POST", encoded, { try expectAda(await gateway.post("users/1", body: Self.draft, as: User.self)) }),
      ("POST", encoded, { try expectAda(await gateway.post("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("POST", "x", { try await gateway.post("users/1", body: HTTP.Body("x")) }),
      ("POST", "x", { try expectAda(await gateway.post("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("POST", "x", { try expectAda(await gateway.post("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("PUT", encoded, { try await gateway.put("users/1", body: Self.draft) }),
      ("PUT", encoded, { try expectAda(await gateway.put("users/1", body: Self.draft, as: User.self)) }),
      ("PUT", encoded, { try expectAda(await gateway.put("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("PUT", "x", { try await gateway.put("users/1", body: HTTP.Body("x")) }),
      ("PUT", "x", { try expectAda(await gateway.put("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("PUT", "x", { try expectAda(await gateway.put("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("PATCH", encoded, { try await gateway.patch("users/1", body: Self.draft) }),
      ("PATCH", encoded, { try expectAda(await gateway.patch("users/1", body: Self.draft, as: User.self)) }),
      ("PATCH", encoded, { try expectAda(await gateway.patch("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("PATCH", "x", { try await gateway.patch("users/1", body: HTTP.Body("x")) }),
      ("PATCH", "x", { try expectAda(await gateway.patch("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("PATCH", "x", { try expectAda(await gateway.patch("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("DELETE", "", { try await gateway.delete("users/1") }),
      ("DELETE", "", { try expectAda(await gateway.delete("users/1", as: User.self)) }),
      ("DELETE", "", { try expectAda(await gateway.delete("users/1", as: Decoded<User>.self)) }),
      ("GET", "", { try expectAda(await gateway.get("users/1", as: User.self)) }),
      ("GET", "", { try expectAda(await gateway.get("users/1", as: Decoded<User>.self)) }),
      ("HEAD", "", { expectSuccess(try await gateway.head("users/1")) }),
    ])
  }

  @Test func everyFormIsSentByATypedGateway() async throws {
    let api = gateway.failing(as: APIError.self)
    try await check([
      ("POST", encoded, { try await api.post("users/1", body: Self.draft) }),
      ("POST", encoded, { try expectAda(await api.post("users/1", body: Self.draft, as: User.self)) }),
      ("POST", encoded, { try expectAda(await api.post("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("POST", "x", { try await api.post("users/1", body: HTTP.Body("x")) }),
      ("POST", "x", { try expectAda(await api.post("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("POST", "x", { try expectAda(await api.post("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("PUT", encoded, { try await api.put("users/1", body: Self.draft) }),
      ("PUT", encoded, { try expectAda(await api.put("users/1", body: Self.draft, as: User.self)) }),
      ("PUT", encoded, { try expectAda(await api.put("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("PUT", "x", { try await api.put("users/1", body: HTTP.Body("x")) }),
      ("PUT", "x", { try expectAda(await api.put("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("PUT", "x", { try expectAda(await api.put("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("PATCH", encoded, { try await api.patch("users/1", body: Self.draft) }),
      ("PATCH", encoded, { try expectAda(await api.patch("users/1", body: Self.draft, as: User.self)) }),
      ("PATCH", encoded, { try expectAda(await api.patch("users/1", body: Self.draft, as: Decoded<User>.self)) }),
      ("PATCH", "x", { try await api.patch("users/1", body: HTTP.Body("x")) }),
      ("PATCH", "x", { try expectAda(await api.patch("users/1", body: HTTP.Body("x"), as: User.self)) }),
      ("PATCH", "x", { try expectAda(await api.patch("users/1", body: HTTP.Body("x"), as: Decoded<User>.self)) }),
      ("DELETE", "", { try await api.delete("users/1") }),
      ("DELETE", "", { try expectAda(await api.delete("users/1", as: User.self)) }),
      ("DELETE", "", { try expectAda(await api.delete("users/1", as: Decoded<User>.self)) }),
      ("GET", "", { try expectAda(await api.get("users/1", as: User.self)) }),
      ("GET", "", { try expectAda(await api.get("users/1", as: Decoded<User>.self)) }),
      ("HEAD", "", { expectSuccess(try await api.head("users/1")) }),
    ])
  }
}
