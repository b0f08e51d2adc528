import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

// Written as a user would write it: with `import Anvil` alone, over real sockets, by the platform's default session.

struct Post: Codable, Equatable, Sendable {
  var id: Int
  var title: String
}

/// The error type of an app: nothing in this file casts an error.
enum AppError: DecodingFailureRepresentable {
  case server(message: String, status: HTTP.Status)
  case offline
  case tooSlow(TransportError.Phase?)
  case cancelled
  case undecodable(type: String, body: String)
  case unexpectedBody(String)
  case codeMismatch(Int)
  case other(TransportFailure)

  private struct Payload: Decodable { var message: String }

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError, .serverError:
      guard let response = failure.response, let payload = try? response.body.decode(as: Payload.self) else {
        self = .other(failure)
        return
      }
      self = .server(message: payload.message, status: response.status)
    case .noConnection: self = .offline
    case .timedOut: self = .tooSlow(failure.error.phase)
    case .cancelled: self = .cancelled
    default: self = .other(failure)
    }
  }

  init(decodingFailure: DecodingFailure) {
    switch decodingFailure {
    case .decodingError(let context):
      self = .undecodable(type: "\(context.failingType)", body: context.response.body.string ?? "")
    case .invalidEmptyResponse(let response): self = .unexpectedBody(response.body.string ?? "")
    }
  }

  var failureResponse: HTTP.Response? { if case .other(let failure) = self { failure.response } else { nil } }

  var transportError: TransportError? {
    switch self {
    case .server(_, .clientError(let status)): TransportError(code: .clientError(status))
    case .server(_, .serverError(let status)): TransportError(code: .serverError(status))
    case .offline: TransportError(code: .noConnection)
    case .tooSlow(let phase): TransportError(code: .timedOut, phase: phase)
    case .cancelled: TransportError(code: .cancelled)
    case .other(let failure): failure.error
    case .server, .undecodable, .unexpectedBody, .codeMismatch: nil
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct UserScenarioTests {
  let server: LoopbackServer
  let backend = BackendService()

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/posts/1") { _ in .json(#"{"id": 1, "title": "First"}"#) }
    server.on(.get, "/posts") { _ in .json(#"{"posts": [{"id": 1, "title": "First"}, {"id": 2, "title": "Second"}]}"#) }
    server.on(.post, "/posts") { .status(201, headers: [.contentType: .applicationJSON], body: $0.body) }
    server.on(.get, "/posts/404") { _ in .json(#"{"message": "no such post"}"#, status: 404) }
    server.on(.get, "/posts/500") { _ in .json(#"{"message": "out of ink"}"#, status: 500) }
    server.on(.get, "/posts/html") { _ in .text("<html>gateway says no</html>", status: 502) }
    server.on(.get, "/posts/odd") { _ in .json(#"{"id": "one", "title": "First"}"#) }
    server.on(.get, "/slow") { _ in .fault(.neverAnswers) }
    server.on(.delete, "/posts/1") { _ in .status(204) }
    server.on(.delete, "/posts/2") { _ in .json(#"{"returnCode": 500, "message": "stuck"}"#) }
    server.on(.get, "/moved") { _ in .status(302, headers: [.location: "app://callback?code=42"]) }
  }

  /// An exhaustive switch over the app's error type, with nothing else to catch.
  private func title(of path: String, timeout: TimeInterval = 240) async -> String {
    await title(at: server.url(path), timeout: timeout)
  }

  private func title(at url: URL, timeout: TimeInterval = 240) async -> String {
    do {
      return try await backend.execute(Request<Post, AppError>(url: url, timeout: timeout)).title
    } catch {
      switch error {
      case .server(let message, let status): return "\(status.code): \(message)"
      case .offline: return "offline"
      case .tooSlow(let phase): return "too slow while \(phase?.description ?? "?")"
      case .cancelled: return "cancelled"
      case .undecodable(let type, let body): return "\(type) from \(body)"
      case .unexpectedBody(let body): return "unexpected \(body)"
      case .codeMismatch(let code): return "mismatch \(code)"
      case .other(let failure): return "other: \(failure.error.code)"
      }
    }
  }

  @Test func everyOutcomeHasItsCase() async throws {
    #expect(await title(of: "/posts/1") == "First")
    #expect(await title(of: "/posts/404") == "404: no such post")
    #expect(await title(of: "/posts/500") == "500: out of ink")
    #expect(await title(of: "/posts/html") == "other: 502 Bad Gateway")
    #expect(await title(of: "/posts/odd") == #"Post from {"id": "one", "title": "First"}"#)
    // On a busy machine the time may be up before the request is sent.
    var (slow, timeout) = ("", 0.2)
    repeat {
      slow = await title(of: "/slow", timeout: timeout)
      timeout *= 4
    } while !server.requests.contains { $0.path == "/slow" }
    #expect(slow == "too slow while waiting for the response")
    #expect(await title(of: "/moved") == "other: redirection")
    // No server listens on port 1.
    #expect(await title(at: try #require(URL(string: "http://127.0.0.1:1/"))) == "offline")
  }

  @Test func cancellationHasItsCase() async {
    let running = Task { await title(of: "/slow") }
    await waitUntil { !server.requests.isEmpty }
    running.cancel()
    #expect(await running.value == "cancelled")
  }

  @Test func typedThrowsInsideAClosure() async {
    let read = { @Sendable () async -> String in
      do throws(AppError) {
        return try await backend.execute(Request<Post, AppError>(url: server.url("/posts/404"))).title
      } catch {
        switch error {
        case .server(let message, _): return message
        default: return "other"
        }
      }
    }
    #expect(await read() == "no such post")
  }

  @Test func wrappedArray() async throws {
    struct Posts: DecodableContainer {
      let element: [Post]
      enum CodingKeys: String, CodingKey { case element = "posts" }
    }
    let request = Request<[Post], AppError>(url: server.url("/posts"), containerType: Posts.self)
    #expect(try await backend.execute(request).map(\.title) == ["First", "Second"])
  }

  @Test func postingAModel() async throws {
    let post = Post(id: 7, title: "Seventh & last")
    let request = try Request<Post, AppError>(method: .post, url: server.url("/posts"), body: .json(post))
    #expect(try await backend.execute(request) == post)
    #expect(server.requests.last?.headers[.contentType] == .applicationJSON)
  }

  @Test func postingAForm() async throws {
    let request = AnyRequest<HTTP.Response>(
      method: .post, url: server.url("/posts"), body: .urlForm(["user": "ada n", "tag": "a&b"]),
      successTransformer: { .success($0.response) })
    let response = try await backend.execute(request)
    #expect(response.status == .success(.created))
    #expect(server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == "user=ada+n&tag=a%26b")
    #expect(server.requests.last?.headers[.contentType] == .applicationFormURLEncoded)
  }

  @Test func deletingExpectsNothingBack() async throws {
    typealias Delete = Request<EmptyResponse, AppError>
    _ = try await backend.execute(
      Delete.withEmptyResponse(method: .delete, url: server.url("/posts/1"), emptyDecodingStrategy: .validatedEmpty))
    _ = try await backend.execute(Delete.withEmptyResponse(method: .delete, url: server.url("/posts/2")))
    let strict = Delete.withEmptyResponse(
      method: .delete, url: server.url("/posts/2"), emptyDecodingStrategy: .validatingReturnCode)
    await #expect {
      try await backend.execute(strict)
    } throws: { error in
      if case AppError.codeMismatch(500) = error { true } else { false }
    }
  }

  @Test func redirectionAsSuccess() async throws {
    var request = Request<String, AppError>(url: server.url("/moved")) { success in
      .success(success.response.headers[.location]?.rawValue ?? "")
    }
    request.acceptedStatuses = [.found]
    #expect(try await backend.execute(request) == "app://callback?code=42")
  }

  /// A token that is refreshed on a 401, added before every request.
  @Test func reauthorization() async throws {
    server.on(.get, "/me") { request in
      request.headers[.authorization] == "Bearer fresh"
        ? .json(#"{"id": 1, "title": "me"}"#) : .json(#"{"message": "who?"}"#, status: 401)
    }
    let keychain = Keychain()
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(Authorize(keychain: keychain), at: .attempt)]
    let backend = BackendService(configuration: configuration)
    let request = Request<Post, AppError>(url: server.url("/me")).recovering { error, request in
      guard error.transportError?.code == .clientError(.unauthorized) else { return nil }
      keychain.token = "fresh"
      return request
    }
    #expect(try await backend.execute(request).title == "me")
    #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer stale", "Bearer fresh"])
  }

  @Test func completionHandler() async {
    let title = await withCheckedContinuation { continuation in
      backend.execute(Request<Post, AppError>(url: server.url("/posts/1"))) { result in
        switch result {
        case .success(let post): continuation.resume(returning: post.title)
        case .failure: continuation.resume(returning: "failed")
        }
      }
    }
    #expect(title == "First")
  }

  @Test func mappedRequest() async throws {
    let titles = AnyRequest<Post>(url: server.url("/posts/1"), timeout: 5).map(\.title).map { $0.uppercased() }
    #expect(try await backend.execute(titles) == "FIRST")
  }
}

final class Keychain: Sendable {
  private let value = Mutex("stale")
  var token: String {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

struct Authorize: Interceptor {
  let keychain: Keychain

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var request = request
    request.headers[.authorization] = .authorizationBearer(token: keychain.token)
    return try await next.send(request, options: options)
  }
}

private struct ReturnCode: Decodable {
  var returnCode: Int
}

extension Request.EmptyDecodingStrategy where Response == EmptyResponse, Failure == AppError {
  fileprivate static var validatingReturnCode: Self {
    .custom { success, makeFailure in
      guard let payload = try? success.body.decode(as: ReturnCode.self) else {
        return .failure(makeFailure(.invalidEmptyResponse(success.response)))
      }
      return payload.returnCode == 200 ? .success(EmptyResponse()) : .failure(.codeMismatch(payload.returnCode))
    }
  }
}
