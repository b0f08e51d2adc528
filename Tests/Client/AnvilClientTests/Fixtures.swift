import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The fixtures of the tests: a user, an API's error type, and a backend with a stub.
struct User: Codable, Equatable, Sendable {
  var id: Int
  var login: String
}

/// A caller's error type. Every case is handled without a cast.
enum APIError: DecodingFailureRepresentable, Equatable {
  case notFound(message: String)
  case rejected(code: Int)
  case network(TransportFailure)
  case undecodable(path: [String], body: String)
  case notEmpty(String)

  struct Payload: Decodable { var message: String }

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.notFound):
      let payload = try? failure.response?.body.decode(as: Payload.self)
      self = .notFound(message: payload?.message ?? "")
    default: self = .network(failure)
    }
  }

  init(decodingFailure: DecodingFailure) {
    switch decodingFailure {
    case .decodingError(let context):
      self = .undecodable(path: context.decodingError.path, body: context.response.body.string ?? "")
    case .invalidEmptyResponse(let response):
      self = .notEmpty(response.body.string ?? "")
    }
  }

  var failureResponse: HTTP.Response? {
    if case .network(let failure) = self { failure.response } else { nil }
  }

  var transportError: TransportError? {
    switch self {
    case .network(let failure): failure.error
    case .notFound: TransportError(code: .clientError(.notFound))
    default: nil
    }
  }
}

extension DecodingError {
  var path: [String] {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.map(\.stringValue)
    case .keyNotFound(let key, let context): context.codingPath.map(\.stringValue) + [key.stringValue]
    @unknown default: []
    }
  }
}

/// A stub, and a backend that sends through it. An unexpected request fails the test.
struct World {
  let session = StubSession { Issue.record($0) }
  let url: URL
  let backend: BackendService

  init(interceptors: [any Interceptor] = []) throws {
    url = try #require(URL(string: "https://api.example.com/users/1"))
    backend = BackendService(transportService: TransportService(session: session, interceptors: interceptors))
  }

  /// Waits until a request has reached the session.
  func waitUntilSent() async {
    await waitUntil { !session.requests.isEmpty }
  }
}

extension BackendService {
  /// Returns the result of executing `request`. A closure would lose the failure's type.
  func outcome<Response, Failure>(_ request: Request<Response, Failure>) async -> Result<Response, Failure> {
    do throws(Failure) {
      return .success(try await execute(request))
    } catch {
      return .failure(error)
    }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }

  var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}

/// A clock that never waits and records the requested delays.
final class RecordingClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }
  let pauses = Mutex<[Duration]>([])
  var now: Instant { Instant() }
  let minimumResolution = Duration.zero
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    pauses.withLock { $0.append(deadline.offset) }
  }
}

extension TestClock {
  /// Returns the result of `work`, and moves the clock by `step` whenever a task sleeps.
  func running<Value: Sendable>(
    by step: Duration = .seconds(20), _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let isDone = Mutex(false)
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return try await work()
    }
    while !isDone.withLock({ $0 }) {
      await waitUntil { sleeperCount > 0 || isDone.withLock { $0 } }
      advance(by: step)
    }
    return try await task.value
  }
}
