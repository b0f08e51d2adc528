import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

struct RequestID: Interceptor {
  let makeID: @Sendable () -> String

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var request = request
    request.headers["X-Request-ID"] = HTTP.HeaderValue(rawValue: makeID())
    return try await next.send(request, options: options)
  }
}

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

@Suite(.timeLimit(.minutes(15))) struct HookSamples {
  @Test func eachHookIsCalledAtItsPosition() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(302, headers: [.location: "/new"]) }
    server.on(.get, "/new") { request in
      request.headers[.authorization] == "Bearer new" ? .json(#"{"id": 1, "login": "ada"}"#) : .status(401)
    }
    let baseURL = server.url
    let (key, tokens) = ("k", Tokens())
    let lastID = Atomic(0)
    let makeID: @Sendable () -> String = { "call-\(lastID.wrappingAdd(1, ordering: .relaxed).newValue)" }
    // sample: configuration
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [
      (RequestID(makeID: makeID), at: .call), (Authorization(tokens: tokens), at: .call),
      (Signature(key: key), at: .attempt),
    ]
    configuration.observers = [ExchangeObserver { event in if case .failed(let error) = event.kind { print(error) } }]
    let api = Gateway(baseURL: baseURL, configuration: configuration).failing(as: APIError.self)
      .recovering { failure, request in
        guard failure.transportError?.code == .clientError(.unauthorized) else { return nil }
        await tokens.refresh()
        return request
      }
    // end sample
    #expect(try await api.get("old", as: User.self).login == "ada")
    let requests = server.requests
    #expect(requests.map(\.path) == ["/old", "/new", "/old", "/new"])
    #expect(requests.map { $0.headers["X-Signature"] } == ["k:/old", "k:/new", "k:/old", "k:/new"])
    #expect(requests.map { $0.headers["X-Request-ID"] } == ["call-1", "call-1", "call-2", "call-2"])
    #expect(requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old", "Bearer new", "Bearer new"])
  }

  @Test(arguments: [(200, "", 1), (200, "X-No-Such-Team", nil), (410, "", 1), (404, "", nil)])
  func hooksApplyToOneRequest(status: Int, field: String, count: Int?) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/members") { _ in
      .json(
        #"[{"id": 1, "login": "ada"}]"#, status: HTTP.Status(code: status),
        headers: field.isEmpty ? [:] : [HTTP.HeaderKey(rawValue: field): "1"])
    }
    let api = Gateway(baseURL: server.url).failing(as: APIError.self)
    let path = try #require(URL(string: "members"))
    func members() async throws(APIError) -> [User] {
      // sample: request
      var request = Request<[User], APIError>(url: path)
      request.successValidator = { success throws(APIError) in
        if success.response.headers.contains("X-No-Such-Team") { throw .noSuchUser("the team does not exist") }
      }
      request.acceptedStatuses = [.gone]  // a team that is gone has no members: the response is []
      let members = try await api.execute(request)
      // end sample
      return members
    }
    let result = try? await members().count
    #expect(result == count)
  }
}
