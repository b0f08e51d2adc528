import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The storage of the samples' tokens.
actor Tokens {
  var current = "old"
  func refresh() { current = "new" }
}

// sample: authorization
struct Authorization: Interceptor {
  let tokens: Tokens

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var request = request
    request.headers[.authorization] = .authorizationBearer(token: await tokens.current)
    return try await next.send(request, options: options)
  }
}
// end sample

struct Timing: Interceptor {
  let report: @Sendable (String) -> Void

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let start = ContinuousClock.now
    let response = try await next.send(request, options: options)
    report("\(response.head) after \(ContinuousClock.now - start)")
    return response
  }
}

enum SignUpProblem: FailureBody {
  case conflict(Conflict)
  case invalid(Validation)
  case other(Message)

  struct Conflict: Decodable { var existing: Int }
  struct Validation: Decodable { var fields: [String: String] }
  struct Message: Decodable { var message: String }

  init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
    switch status {
    case .conflict: self = .conflict(try body.decode(as: Conflict.self))
    case .unprocessableContent: self = .invalid(try body.decode(as: Validation.self))
    default: self = .other(try body.decode(as: Message.self))
    }
  }
}

enum MemberError: DecodingFailureRepresentable {
  case notFound(ProblemDetails?)
  case overloaded
  case network(TransportFailure)
  case undecodable(DecodingFailure)

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.notFound): self = .notFound(try? failure.response?.body.decode(as: ProblemDetails.self))
    case .serverError(529): self = .overloaded
    default: self = .network(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }
}

@Suite(.timeLimit(.minutes(15))) struct FailureSamples {
  let server: LoopbackServer

  @Test func problemDetailsAreDecoded() async throws {
    server.on(.get, "/problem") { _ in
      .status(403, headers: [.contentType: .applicationProblemJSON], body: Data(#"{"title": "Out of credit"}"#.utf8))
    }
    let (backend, url) = (BackendService(), server.url("/problem"))
    // sample: problem
    do {
      _ = try await backend.execute(Request<User, ProblemFailure>(url: url))
    } catch {
      switch error {
      case .typed(let problem, _): print(problem.title ?? problem.type, problem.extensions)
      case .raw(let failure): print(failure)
      case .undecodable(let failure): print(failure)
      }
    }
    // end sample
    #expect(server.requests.count == 1)
  }

  @Test func aProblemIsACaseOfTheCallersEnumeration() async throws {
    server.on(.get, "/members/7") { _ in
      .status(404, headers: [.contentType: .applicationProblemJSON], body: Data(#"{"title": "No such member"}"#.utf8))
    }
    let (gateway, id) = (Gateway(baseURL: server.url, configuration: .bare), 7)
    var shown: String?
    let api = gateway.failing(as: MemberError.self)
    do {
      let member = try await api.get("members/\(id)", as: User.self)
      print(member.login)
    } catch {
      switch error {
      case .notFound(let problem): shown = problem?.title
      case .overloaded: print("try again later")
      case .network(let failure): print(failure)
      case .undecodable(let failure): print(failure)
      }
    }
    #expect(shown == "No such member")
    server.on(.get, "/members/7") { _ in .status(529) }
    let error = await #expect(throws: MemberError.self) { try await api.get("members/\(id)", as: User.self) }
    guard case .overloaded = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func errorBodyDependsOnTheStatus() async throws {
    server.on(.post, "/users") { _ in .json(#"{"fields": {"login": "too short"}}"#, status: 422) }
    let (backend, url) = (BackendService(), server.url("/users"))
    var shown: [String: String] = [:]
    // sample: reading-by-status
    do {
      _ = try await backend.execute(Request<User, TypedFailure<SignUpProblem>>(method: .post, url: url))
    } catch {
      switch error.body {
      case .conflict(let conflict): print("taken by \(conflict.existing)")
      case .invalid(let validation): shown = validation.fields
      case .other(let problem): print(problem.message)
      case nil: print(error)
      }
    }
    // end sample
    #expect(shown == ["login": "too short"])
  }

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/users/1") { request in
      request.headers[.authorization] == "Bearer new" ? .json(#"{"id": 1, "login": "ada"}"#) : .status(401)
    }
  }

  @Test func failuresAreSwitchedByCode() async throws {
    server.on(.get, "/users/1") { _ in .status(429, headers: [.retryAfter: "7"]) }
    let gateway = Gateway(baseURL: server.url, configuration: .bare)
    do {
      _ = try await gateway.request("users", 1).execute().value
    } catch let failure as TransportFailure {
      switch failure.error.code {
      case .clientError(.tooManyRequests):
        print("later: \(failure.response?.headers[.retryAfter]?.rawValue ?? "some day")")
      case .timedOut: print("slow: \(failure.error)")
      default: print(failure)
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test func temporaryFailuresAreRetried() async throws {
    let attempts = Atomic(0)
    server.on(.get, "/users/1") { _ in
      attempts.wrappingAdd(1, ordering: .relaxed).newValue == 1 ? .status(503) : .json(#"{"id": 1, "login": "ada"}"#)
    }
    var policy = RetryPolicy()
    policy.attemptLimit = 5
    policy.backoff = ExponentialBackoff(base: .milliseconds(100))
    var configuration = ClientConfiguration.standard
    configuration.retries = policy
    let backend = BackendService(configuration: configuration)
    #expect(try await backend.execute(Request<User, APIError>(url: server.url("/users/1"))).login == "ada")
  }

  @Test func tokensAreRefreshed() async throws {
    let tokens = Tokens()
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(Authorization(tokens: tokens), at: .call)]
    let gateway = Gateway(baseURL: server.url, configuration: configuration).recovering { failure, request in
      guard failure.transportError?.code == .clientError(.unauthorized) else { return nil }
      await tokens.refresh()
      return request
    }
    #expect(try await gateway.request("users", 1).execute().decode(as: User.self).value.login == "ada")
    #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
  }

  @Test func interceptorsReceiveEachAttempt() async throws {
    let baseURL = server.url
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(Timing { line in print(line) }, at: .attempt)]
    let gateway = Gateway(baseURL: baseURL, configuration: configuration)
    let error = await #expect(throws: APIError.self) {
      try await gateway.execute(Request<User, APIError>(url: server.url("/users/1")))
    }
    guard case .network(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.error.code == .clientError(.unauthorized))
  }
}
