import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The requests of a gateway, and the decoding of their responses.
@Suite(.timeLimit(.minutes(15))) struct GatewayTests {
  let session = StubSession { Issue.record($0) }

  private func gateway(interceptors: [any Interceptor] = []) throws -> Gateway {
    let backend = BackendService(transportService: TransportService(session: session, interceptors: interceptors))
    return Gateway(baseURL: try #require(URL(string: "https://api.example.com")), backend: backend)
  }

  private func answer(
    _ method: HTTP.Method, _ path: String, times: Int? = nil, _ reply: StubSession.Reply
  ) throws {
    session.on(method, try #require(URL(string: "https://api.example.com\(path)")), times: times, reply)
  }

  private var sent: HTTP.Request {
    get throws { try #require(session.requests.last) }
  }

  // MARK: Requests

  @Test func requestsAreValues() async throws {
    try answer(.get, "/users", .json("[]"))
    try answer(.post, "/users", .json("{}"))
    let request = try gateway().request("users")
    var other = request
    other.method = .post
    other.headers.add(.contentType, "application/json")
    try other.body.encode(User(id: 1, login: "ada"))
    _ = try await request.execute().value
    #expect(try sent.method == .get && sent.headers.isEmpty && sent.body.isEmpty)
    _ = try await other.execute().value
    #expect(try sent.body.decode(as: User.self) == User(id: 1, login: "ada"))
    #expect(try sent.headers.values(for: .contentType) == ["application/json"])
  }

  @Test func requestsInheritTheGatewaysHeaders() async throws {
    try answer(.get, "/x", .json("{}"))
    var gateway = try gateway()
    gateway.headers = [.accept: "text/plain", .userAgent: "Anvil"]
    var request = gateway.request("x")
    request.headers.add(.accept, .applicationJSON)
    _ = try await request.execute().value
    #expect(try sent.headers == [.accept: .applicationJSON, .userAgent: "Anvil"])
  }

  @Test func bodiesAreEncodedInTheGatewaysFormatUnlessTheyHaveOne() async throws {
    var gateway = try gateway()
    gateway.encodingFormat = PropertyListEncoder()
    var request = gateway.request("x", method: .put)
    try request.body.encode(User(id: 1, login: "ada"))
    #expect(try request.body.decode(as: User.self, with: PropertyListDecoder()).login == "ada")

    request.body = HTTP.Body("plain")
    try request.body.encode(User(id: 2, login: "bob"))
    #expect(try request.body.decode(as: User.self, with: PropertyListDecoder()).login == "bob")

    var own = HTTP.Body.empty
    own.encodingFormat = JSONEncoder()
    request.body = own
    try request.body.encode(User(id: 3, login: "cy"))
    #expect(try request.body.decode(as: User.self, with: JSONDecoder()).login == "cy")
    request.body = .empty
    request.encodingFormat = JSONEncoder()
    try request.body.encode(User(id: 4, login: "dee"))
    #expect(try request.body.decode(as: User.self, with: JSONDecoder()).login == "dee")
    request.encodingFormat = nil
    try request.body.encode(User(id: 5, login: "eve"))
    #expect(try request.body.decode(as: User.self, with: PropertyListDecoder()).login == "eve")
  }

  /// A format that is a structure has no identity: a change of the body must not make the inherited format the body's own.
  @Test func changingABodyKeepsItsFormatInherited() async throws {
    var gateway = try gateway()
    gateway.encodingFormat = URLForm.Encoder()
    try answer(.put, "/x", .status(204))
    var request = gateway.request("x", method: .put)
    request.body = .encoding(User(id: 1, login: "ada"))
    request.body.contentType = "application/x-users"
    request.body.contentEncoding = nil
    let copy = request.body
    request.body = copy
    request.encodingFormat = JSONEncoder.sorted
    try await request.send()
    #expect(try sent.body.string == #"{"id":1,"login":"ada"}"#)

    try request.body.encode(User(id: 2, login: "bob"))
    request.encodingFormat = nil
    try request.body.encode(User(id: 3, login: "cy"))
    #expect(request.body.string == "id=3&login=cy")
    // A format that is set on the body is its own, even if it is the inherited one.
    request.body.encodingFormat = URLForm.Encoder()
    request.encodingFormat = JSONEncoder()
    try request.body.encode(User(id: 4, login: "dee"))
    #expect(request.body.string == "id=4&login=dee")
  }

  // MARK: Responses

  @Test func responsesDecodeInTheGatewaysFormat() async throws {
    let data = try PropertyListEncoder().encode(User(id: 1, login: "ada"))
    try answer(.get, "/x", .status(200, body: data))
    var gateway = try gateway()
    gateway.decodingFormat = PropertyListDecoder()
    #expect(try await gateway.request("x").execute().decode(as: User.self).value.login == "ada")
    var request = gateway.request("x")
    request.decodingFormat = JSONDecoder()
    #expect(await request.execute().decode(as: User.self).error is DecodingFailure)
    #expect(
      try await request.execute().decode(as: User.self, with: PropertyListDecoder()).value.login == "ada")
  }

  @Test func responsesOfFailuresHaveTheGatewaysFormat() async throws {
    let data = try PropertyListEncoder().encode(["message": "no"])
    try answer(.get, "/x", .status(404, body: data))
    var gateway = try gateway()
    gateway.decodingFormat = PropertyListDecoder()
    let failure = await gateway.request("x").execute().decode(as: User.self).error as? TransportFailure
    #expect(failure?.error.code == .clientError(.notFound))
    #expect(try failure?.response?.body.decode(as: [String: String].self) == ["message": "no"])
  }

  @Test(arguments: [301, 400, 404, 500, 503])
  func failureStatusesFailThePromise(code: Int) async throws {
    try answer(.get, "/x", .status(HTTP.Status(code: code)))
    let failure = try await gateway().request("x").execute().error as? TransportFailure
    #expect(failure?.response?.code == code)
  }

  @Test func modelsCanBeUnwrappedCreatedAndUpdated() async throws {
    struct Wrapped: DecodableContainer {
      let user: User
      var element: User { user }
    }
    struct Login: DecodingFactory {
      func create(from decoder: any Decoder) throws -> String {
        try decoder.singleValueContainer().decode(User.self).login
      }
    }
    struct Profile: Codable, DecoderUpdatable, Equatable, Sendable { var login: String, bio: String? }
    try answer(.get, "/wrapped", .json(#"{"user": {"id": 1, "login": "ada"}}"#))
    try answer(.get, "/user", .json(#"{"id": 1, "login": "ada"}"#))
    try answer(.get, "/users", .json(#"[{"id": 1, "login": "ada"}, {"id": 2, "login": "bob"}]"#))
    let gateway = try gateway()
    let wrapped = gateway.request("wrapped").execute()
    #expect(try await wrapped.decode(as: User.self, container: Wrapped.self).value.login == "ada")
    #expect(try await gateway.request("user").execute().decode(using: Login()).value == "ada")
    #expect(try await gateway.request("users").execute().decode(using: Login().array).value == ["ada", "bob"])
    let updated = gateway.request("user").execute().update(Profile(login: "eve", bio: "b"))
    #expect(try await updated.value == Profile(login: "ada", bio: "b"))
  }

  @Test func decodingFailuresNameTheRequestedType() async throws {
    struct Profile: Codable, DecoderUpdatable, Sendable { var login: Int }
    try answer(.get, "/x", .json(#"{"id": 1, "login": "ada"}"#))
    try answer(.get, "/empty", .status(204))
    let gateway = try gateway()
    let response = gateway.request("x").execute()
    #expect(
      await response.decode(as: [User].self).error.map { "\($0)" }
        == "GET https://api.example.com/x → 200 OK application/json: cannot decode Array<User>: "
        + "decode.type-mismatch $ expected [User] found object @1:1")
    #expect(
      await response.update(Profile(login: 1)).error.map { "\($0)" }
        == "GET https://api.example.com/x → 200 OK application/json: cannot decode Profile: "
        + "decode.type-mismatch $.login expected Int found string @1:20")
    let empty = await gateway.request("empty").execute().decode(as: User.self).error as? TransportFailure
    #expect(empty?.error.code == .noData)
  }

  @Test func cancellingThePromiseCancelsTheTransfer() async throws {
    try answer(.get, "/x", .never)
    let user = try gateway().request("x").execute().decode(as: User.self)
    await waitUntil { !session.requests.isEmpty }
    user.cancel()
    #expect(await user.error is CancellationError)
  }

  @Test func streamedResponsesAreNotDecodedImplicitly() async throws {
    try answer(.get, "/x", .chunks([Data("{".utf8), Data("}".utf8)]))
    let response = try await gateway().request("x").stream()
    #expect(throws: HTTP.BodyError.notCollected) { try response.body.decode(as: User.self) }
    #expect(try await response.body.collect() == Data("{}".utf8))
  }

  @Test func progressIsReported() async throws {
    try answer(.get, "/x", .chunks([Data("ab".utf8), Data("c".utf8)]))
    let heard = Log<Int>()
    var request = try gateway().request("x")
    request.progressHandler = { heard.note($0.byteCount) }
    _ = try await request.execute().value
    #expect(heard.entries.last == 3)
  }

  // MARK: Typed

  @Test func typedRequestsUseTheGatewaysSettings() async throws {
    try answer(.get, "/users/1?a=1", .json(#"{"id": 1, "login": "ada"}"#))
    try answer(.get, "/users/2", .status(404, body: Data(#"{"message": "no"}"#.utf8)))
    var gateway = try gateway()
    gateway.headers = [.authorization: "Bearer t"]
    let user = try await gateway.execute(Request<User, APIError>(url: #require(URL(string: "users/1?a=1"))))
    #expect(user.login == "ada")
    #expect(try sent.headers[.authorization] == "Bearer t")
    let absolute = Request<User, APIError>(url: try #require(URL(string: "https://api.example.com/users/2")))
    await #expect(throws: APIError.notFound(message: "no")) { try await gateway.execute(absolute) }
    #expect(try sent.headers[.authorization] == "Bearer t")
  }

  @Test func theGatewaysHeadersAreNotSentToOtherServers() async throws {
    let url = try #require(URL(string: "https://other.example/x"))
    session.on(.get, url, .json(#"{"id": 1, "login": "ada"}"#))
    var gateway = try gateway()
    gateway.headers = [.authorization: "Bearer t"]
    _ = try await gateway.execute(Request<User, APIError>(url: url))
    #expect(try sent.headers.isEmpty)
  }

  @Test func anInvalidPathFailsATypedRequestWithItsOwnError() async throws {
    let request = Request<User, APIError>(url: try #require(URL(string: "users/..")))
    let gateway = try gateway()
    let error = await #expect(throws: APIError.self) { try await gateway.execute(request) }
    #expect(error?.transportError?.code == .invalidRequest)
  }
}

extension JSONEncoder {
  /// An encoder with a fixed order of keys.
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}
