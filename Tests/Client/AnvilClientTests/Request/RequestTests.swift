import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct RequestTests {
  private func configured() throws -> Request<User, APIError> {
    let url = try #require(URL(string: "https://api.example.com/users/1"))
    var request = Request<User, APIError>(
      method: .put, url: url, headers: [.accept: .applicationJSON], body: HTTP.Body("body"),
      cachePolicy: .maxStale, timeout: 7.5)
    request.responseDelivery = .streamed
    request.successValidator = { success throws(APIError) in
      if success.response.code == 202 { throw .rejected(code: 202) }
    }
    request.acceptedStatuses = [.found]
    return request
  }

  private func success(_ code: Int, _ text: String) throws -> TransportSuccess {
    let url = try #require(URL(string: "https://api.example.com/users/1"))
    return TransportSuccess(
      response: HTTP.Response(request: HTTP.Request(url: url), status: HTTP.Status(code: code), body: HTTP.Body(text)))
  }

  @Test func everyArgumentButTheURLHasADefault() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = AnyRequest<User>(url: url)
    #expect(request.method == .get && request.headers.isEmpty && request.body.isEmpty)
  }

  @Test func mapKeepsEveryOtherProperty() throws {
    let mapped = try configured().map(\.login)
    #expect(mapped.method == .put && mapped.headers == [.accept: .applicationJSON])
    #expect(mapped.body.string == "body" && mapped.cachePolicy == .maxStale)
    #expect(mapped.responseDelivery == .streamed)
    #expect(mapped.timeout == .seconds(7.5))
    #expect(try mapped.transform(success(200, #"{"id": 1, "login": "o"}"#)) == "o")
    #expect(throws: APIError.rejected(code: 202)) { try mapped.transform(success(202, "{}")) }
    #expect(mapped.acceptedStatuses == [.found])
  }

  @Test func mapCanReceiveTheResponse() throws {
    let mapped = try configured().map { success, user in "\(success.response.code) \(user.login)" }
    #expect(try mapped.transform(success(201, #"{"id": 1, "login": "o"}"#)) == "201 o")
  }

  struct Wrapped: TransportFailureRepresentable, Equatable {
    var inner: APIError?
    init(_ inner: APIError) { self.inner = inner }
    init(transportFailure: TransportFailure) {}
    var failureResponse: HTTP.Response? { inner?.failureResponse }
    var transportError: TransportError? { inner?.transportError }
  }

  @Test func mapErrorKeepsEveryOtherProperty() throws {
    let mapped = try configured().mapError(Wrapped.init)
    #expect(mapped.method == .put && mapped.headers == [.accept: .applicationJSON])
    #expect(mapped.body.string == "body" && mapped.cachePolicy == .maxStale)
    #expect(mapped.responseDelivery == .streamed)
    #expect(mapped.timeout == .seconds(7.5))
    #expect(throws: Wrapped(.rejected(code: 202))) { try mapped.transform(success(202, "{}")) }
    #expect(throws: Wrapped(.undecodable(path: ["id"], body: "{}"))) { try mapped.transform(success(200, "{}")) }
    #expect(mapped.acceptedStatuses == [.found])
  }

  @Test func mapErrorAppliesToTransportFailures() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"message": "gone"}"#, status: 404))
    let request = Request<User, APIError>(url: world.url).mapError(Wrapped.init).map(\.login)
    #expect(await world.backend.outcome(request).failure == Wrapped(.notFound(message: "gone")))
  }

  @Test func changesReturnCopies() throws {
    let request = try configured()
    let other = try #require(URL(string: "https://example.com/other"))
    #expect(request.usingURL(other).url == other)
    #expect(request.usingBody(.empty).body.isEmpty)
    #expect(request.usingHeaders(["A": "1"]).headers == ["A": "1"])
    let added = request.addingHeaders([.accept: .textPlain, "A": "1"])
    #expect(added.headers == [.accept: .textPlain, "A": "1"])
    #expect(added.usingURL(other).timeout == .seconds(7.5))
    #expect(request.headers == [.accept: .applicationJSON])
  }

  @Test func transformersCanBeCreatedForFailuresWithoutDecoding() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = Request<User, Wrapped>(
      url: url,
      successTransformer: Request.successTransformer(
        for: JSONDecoder(), errorTransformer: { Wrapped(APIError(decodingFailure: $0)) }))
    #expect(throws: Wrapped(.undecodable(path: ["id"], body: "{}"))) { try request.transform(success(200, "{}")) }
  }

  struct Envelope: DecodableContainer {
    let element: User
    enum CodingKeys: String, CodingKey { case element = "user" }
  }

  @Test func transformersUnwrapContainers() throws {
    let plain = Request<User, APIError>.successTransformer(for: JSONDecoder(), with: Envelope.self)
    #expect(try plain(success(200, #"{"user": {"id": 1, "login": "o"}}"#)).get() == User(id: 1, login: "o"))
    let mapping = Request<User, Wrapped>.successTransformer(
      for: JSONDecoder(), with: Envelope.self, errorTransformer: { Wrapped(APIError(decodingFailure: $0)) })
    #expect(try mapping(success(200, "{}")).failure == Wrapped(.undecodable(path: ["user"], body: "{}")))
  }

  // MARK: Empty responses

  typealias Delete = Request<EmptyResponse, APIError>

  @Test(arguments: ["", "gone", "{}"])
  func theDefaultEmptyStrategyAcceptsAnyBody(body: String) throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(try Delete.withEmptyResponse(method: .delete, url: url).transform(success(200, body)) == EmptyResponse())
  }

  @Test func validatedEmptyRejectsABody() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = Delete.withEmptyResponse(method: .delete, url: url, emptyDecodingStrategy: .validatedEmpty)
    #expect(try request.transform(success(204, "")) == EmptyResponse())
    #expect(throws: APIError.notEmpty("surprise")) { try request.transform(success(200, "surprise")) }
  }

  @Test func aCustomEmptyStrategyDecides() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = Delete.withEmptyResponse(method: .delete, url: url, emptyDecodingStrategy: .matchingReturnCode)
    #expect(try request.transform(success(200, #"{"returnCode": 204}"#)) == EmptyResponse())
    #expect(throws: APIError.rejected(code: 500)) { try request.transform(success(200, #"{"returnCode": 500}"#)) }
    #expect(throws: APIError.notEmpty("?")) { try request.transform(success(200, "?")) }
  }

  @Test func emptyResponsesForFailuresThatCannotDecode() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = Request<EmptyResponse, Wrapped>.withEmptyResponse(
      method: .delete, url: url, emptyDecodingStrategy: .validatedEmpty,
      decodingFailureTransformer: { Wrapped(APIError(decodingFailure: $0)) })
    #expect(throws: Wrapped(.notEmpty("x"))) { try request.transform(success(200, "x")) }
  }

  // MARK: Timeouts

  @Test(arguments: [0, -1, .infinity, -.infinity, .nan, 1e300, Double.greatestFiniteMagnitude])
  func invalidTimeoutsMeanNoLimit(timeout: Double) throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(AnyRequest<User>(url: url, timeout: timeout).timeout == .unlimited)
  }

  @Test func timeoutsKeepTheirFractions() throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(AnyRequest<User>(url: url, timeout: 0.25).timeout == .milliseconds(250))
  }

  @Test func descriptionIsSafeToLog() throws {
    let url = try #require(URL(string: "https://api.example.com/users?token=s3cret"))
    #expect("\(AnyRequest<User>(url: url))" == "GET https://api.example.com/users?token=<redacted> → User")
  }
}

extension Request.EmptyDecodingStrategy where Response == EmptyResponse, Failure == APIError {
  /// An API that always answers 200 and puts the real status code in the body.
  fileprivate static var matchingReturnCode: Self {
    .custom { success, makeFailure in
      guard let payload = try? success.body.decode(as: ReturnCode.self) else {
        return .failure(makeFailure(.invalidEmptyResponse(success.response)))
      }
      return payload.returnCode < 300 ? .success(EmptyResponse()) : .failure(.rejected(code: payload.returnCode))
    }
  }
}

private struct ReturnCode: Decodable {
  var returnCode: Int
}
