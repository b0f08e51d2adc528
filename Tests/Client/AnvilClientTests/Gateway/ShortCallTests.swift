import AnvilBase
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

/// The calls that return a model or throw one type of error.
@Suite(.timeLimit(.minutes(15))) struct ShortCallTests {
  private struct Draft: Codable, Sendable {
    var name: String
    var score = 0.5
  }

  private struct Envelope: DecodableContainer {
    var data: User
    var element: User { data }
  }

  private let session = StubSession { Issue.record($0) }
  private let gateway: Gateway
  private let api: TypedGateway<APIError>
  private static let ada = User(id: 1, login: "ada")
  private static let text = #"{"id": 1, "login": "ada"}"#

  init() throws {
    let url = try #require(URL(string: "https://api.example.com/v1"))
    gateway = Gateway(baseURL: url, session: session, configuration: .bare)
    api = gateway.failing(as: APIError.self)
  }

  private func answer(_ reply: StubSession.Reply, method: HTTP.Method = .get, path: String = "users/1") throws {
    session.on(method, try #require(URL(string: "https://api.example.com/v1/\(path)")), reply)
  }

  private var sent: String? {
    session.requests.last.map { "\($0.method) \($0.url.absoluteString.dropFirst("https://api.example.com".count))" }
  }

  // MARK: Responses

  /// White space is not a JSON value (RFC 8259 §2), so there is nothing to decode.
  @Test(arguments: ["", " ", "\r\n\t \n"]) func aBlankBodyDecodesToNilForAnOptional(body: String) async throws {
    try answer(.json(body))
    #expect(try await api.get("users/1", as: User?.self) == nil)
    #expect(try await gateway.request("users/1").execute().decode(as: User?.self).value == nil)
    await #expect(throws: APIError.self) { try await api.get("users/1", as: User.self) }
  }

  @Test func aBodyWithMoreThanWhiteSpaceIsDecodedForAnOptional() async throws {
    try answer(.json(" {"))
    await #expect(throws: APIError.self) { try await api.get("users/1", as: User?.self) }
  }

  @Test func callsReturnTheDecodedModel() async throws {
    try answer(.json(Self.text))
    let id = 1
    #expect(try await api.get("users/\(id)", as: User.self) == Self.ada)
    let inferred: User = try await gateway.get("users/\(id)")
    #expect(inferred == Self.ada)
    #expect(try await gateway.request("users", id).execute(as: User.self) == Self.ada)
    #expect(try await api.request("users", id).execute() == Self.ada)
  }

  @Test func decodedResultsIncludeTheResponse() async throws {
    try answer(.status(200, headers: [.eTag: "\"v1\""], body: Data(Self.text.utf8)))
    let exchange = try await api.get("users/1", as: Decoded<User>.self)
    #expect(exchange.value == Self.ada)
    #expect(exchange.response.headers[.eTag] == "\"v1\"")
    #expect(try await gateway.request("users/1").execute(as: Decoded<User>.self).response.code == 200)
    let promised = gateway.request("users/1").execute().decode(as: Decoded<User>.self)
    #expect(try await promised.value.response.code == 200)
    let optional = try await api.get("users/1", as: Decoded<User>?.self)
    #expect(optional?.value == Self.ada)
    #expect(optional?.response.headers[.eTag] == "\"v1\"")
  }

  @Test func aListOfDecodedValuesIsAnErrorWithAHint() async throws {
    try answer(.json("[\(Self.text)]"))
    #expect(try await gateway.get("users/1", as: Decoded<[User]>.self).value == [Self.ada])
    let error = await #expect(throws: AnyError.self) { try await gateway.get("users/1", as: [Decoded<User>].self) }
    guard case .decodingError(let context) = error?.underlyingDecodingFailure else {
      Issue.record("\(error as Any)")
      return
    }
    #expect("\(context.decodingError)".contains("write Decoded<[User]>"), "\(context.decodingError)")
  }

  @Test func aContainerIsUnwrapped() async throws {
    try answer(.json(#"{"data": \#(Self.text)}"#))
    #expect(try await api.get("users/1", container: Envelope.self) == Self.ada)
    #expect(try await gateway.get("users/1", as: User.self, container: Envelope.self) == Self.ada)
  }

  @Test func anEmptyResponseDecodesToNilForAnOptional() async throws {
    try answer(.status(204))
    #expect(try await api.get("users/1", as: User?.self) == nil)
    let failure = await #expect(throws: APIError.self) { try await api.get("users/1", as: User.self) }
    guard case .network(let failure) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure.error.code == .noData)
  }

  // MARK: Requests

  @Test func queryItemsWithNilAreOmitted() async throws {
    try answer(.json("[]"), path: "users?team=a%26b")
    let team: String? = "a&b"
    let found: [User] = try await api.get("users", query: ["team": team, "page": nil])
    #expect(found.isEmpty)
  }

  @Test func eachVerbSendsItsMethodAndBody() async throws {
    for method in [HTTP.Method.post, .put, .patch, .delete, .head] {
      try answer(.status(200, body: method == .head ? Data() : Data(Self.text.utf8)), method: method)
    }
    let draft = Draft(name: "Ada")
    #expect(try await api.post("users/1", body: draft, as: User.self) == Self.ada)
    #expect(session.requests.last?.body.string == #"{"name":"Ada","score":0.5}"#)
    #expect(session.requests.last?.headers[.contentType] == "application/json")
    try await api.post("users/1")
    #expect(sent == "POST /v1/users/1" && session.requests.last?.body.isEmpty == true)
    #expect(try await api.put("users/1", body: HTTP.Body("x"), as: User.self) == Self.ada)
    #expect(sent == "PUT /v1/users/1" && session.requests.last?.body.string == "x")
    #expect(try await gateway.patch("users/1", body: draft, as: Decoded<User>.self).value == Self.ada)
    #expect(sent == "PATCH /v1/users/1")
    try await gateway.delete("users/1")
    #expect(sent == "DELETE /v1/users/1")
    #expect(try await gateway.head("users/1").code == 200)
    #expect(sent == "HEAD /v1/users/1")
  }

  /// A default for all requests, and the type without its boundary, are common mistakes with forms.
  @Test(arguments: ["application/json", "multipart/form-data"] as [HTTP.HeaderValue])
  func aFormStatesItsBoundaryWhateverTheDefaultType(type: HTTP.HeaderValue) async throws {
    try answer(.json("[]"), method: .post, path: "users")
    var gateway = gateway
    gateway.headers[.contentType] = type
    _ = try await gateway.post("users", body: .multipart([.text("1", name: "a")], boundary: "b"))
    #expect(session.requests.last?.headers.values(for: .contentType) == ["multipart/form-data; boundary=b"])
    var request = gateway.request("users", method: .post)
    request.body = .multipart([], boundary: "b")
    request.headers[.contentType] = "multipart/related; boundary=b"
    _ = try await request.send()
    #expect(session.requests.last?.headers.values(for: .contentType) == ["multipart/related; boundary=b"])
  }

  @Test func anInterpolatedValueStaysInItsSegment() async throws {
    try answer(.json(Self.text), path: "users/a%2Fb%3Fc")
    _ = try await api.get("users/\("a/b?c")", as: User.self)
    #expect(sent == "GET /v1/users/a%2Fb%3Fc")
  }

  @Test(arguments: ["..", "."]) func anInterpolatedDotSegmentIsRejected(value: String) async throws {
    let failure = await #expect(throws: APIError.self) { try await api.get("users/\(value)/x", as: User.self) }
    guard case .network(let failure) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure.error.code == .invalidRequest)
    #expect(session.requests.isEmpty)
  }

  @Test func anEmptyValueAsASegmentIsRejected() async throws {
    let id = ""
    for path: HTTP.Path in ["users/\(id)", "users/\(id)/repos"] {
      let failure = await #expect(throws: APIError.self) { try await api.delete(path) }
      #expect(failure?.transportError?.code == .invalidRequest)
      #expect(failure?.transportError?.reason == "an empty value was interpolated as a segment of the path")
    }
    #expect(session.requests.isEmpty)
  }

  @Test func dotsFromTwoValuesCannotFormADotSegment() async throws {
    let point = "."
    await #expect(throws: AnyError.self) { try await gateway.get("users/\(point)\(point)", as: User.self) }
    #expect(session.requests.isEmpty)
  }

  @Test func aPathIsFollowedBySegments() throws {
    let name = "a/b"
    #expect(try gateway.request("users/1").makeHTTPRequest().url.path() == "/v1/users/1")
    for request in [
      gateway.request("a/b", "c", name), gateway.request("/a/b/", "c", name), gateway.request("a/\("b")", "c", name),
    ] {
      #expect(try request.makeHTTPRequest().url.path() == "/v1/a/b/c/a%2Fb")
    }
    #expect(try gateway.request("\(name)").makeHTTPRequest().url.path() == "/v1/a%2Fb")
    #expect(
      try gateway.request("users", name).makeHTTPRequest().url.absoluteString
        == "https://api.example.com/v1/users/a%2Fb")
  }

  @Test(arguments: ["a?x=1", "a#b"]) func aPathWithAQueryIsNotFollowedBySegments(path: String) async throws {
    let failure = await #expect(throws: APIError.self) {
      try await api.request(HTTP.Path(syntax: path), "b").send()
    }
    #expect(failure?.transportError?.code == .invalidRequest)
    #expect(session.requests.isEmpty)
  }

  // MARK: Failures

  @Test func failuresHaveTheCallersType() async throws {
    try answer(.json(#"{"message": "nobody"}"#, status: 404))
    do {
      _ = try await api.get("users/1", as: User.self)
      Issue.record("succeeded")
    } catch {
      // Exhaustive, without a cast.
      switch error {
      case .notFound(let message): #expect(message == "nobody")
      case .rejected, .network, .undecodable, .notEmpty: Issue.record("\(error)")
      }
    }
    do {
      try await api.delete("users/..")
    } catch {
      let error: APIError = error
      #expect(error.transportError?.code == .invalidRequest)
    }
    do {
      try await gateway.delete("users/..")
    } catch {
      let error: AnyError = error
      #expect(error.transportError?.code == .invalidRequest)
    }
  }

  @Test func anUndecodableBodyIsADecodingFailure() async throws {
    try answer(.json(#"{"id": "one", "login": "ada"}"#))
    await #expect(throws: APIError.undecodable(path: ["id"], body: #"{"id": "one", "login": "ada"}"#)) {
      try await api.get("users/1", as: User.self)
    }
  }

  @Test func aBodyThatCannotBeEncodedIsAFailureAndIsNotSent() async throws {
    let failure = await #expect(throws: APIError.self) {
      try await api.post("users", body: Draft(name: "Ada", score: .nan))
    }
    guard case .network(let failure) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure.error.code == .invalidRequest)
    #expect(failure.error.reason == "a value of type Draft cannot be encoded: invalid value at $.score")
    #expect(session.requests.isEmpty)
  }

  @Test func sendReturnsTheResponseOrThrows() async throws {
    try answer(.status(202))
    try await gateway.request("users/1").send()
    #expect(try await api.request("users/1").send().code == 202)
    try answer(.status(500), path: "users/2")
    do throws(TransportFailure) {
      try await gateway.failing(as: TransportFailure.self).request("users/2").send()
      Issue.record("succeeded")
    } catch {
      #expect(error.error.code == .serverError(.internalServerError))
    }
  }

  @Test func cancellationEndsTheCall() async throws {
    let (body, _) = TransportBody.makeStream()
    let session = HeldSession(body: body, headers: [:])
    let gateway = Gateway(
      baseURL: try #require(URL(string: "https://api.example.com")), session: session, configuration: .bare)
    let call = Task { () -> TransportError.Code? in
      do throws(AnyError) {
        _ = try await gateway.get("users/1", as: User.self)
        return nil
      } catch {
        return error.transportError?.code
      }
    }
    try await session.requests.wait()
    call.cancel()
    #expect(await call.value == .cancelled)
  }
}
