import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct BackendServiceTests {
  static let octocat = User(id: 1, login: "octocat")
  static let json = #"{"id": 1, "login": "octocat"}"#

  struct Envelope: DecodableContainer {
    let element: User
    enum CodingKeys: String, CodingKey { case element = "user" }
  }

  // MARK: Success

  @Test func decodesTheResponse() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(Self.json))
    let user = try await world.backend.execute(Request<User, APIError>(url: world.url))
    #expect(user == Self.octocat)
    try world.session.verify()
  }

  @Test func decodesTheElementOfAContainer() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"user": \#(Self.json)}"#))
    let request = Request<User, APIError>(url: world.url, containerType: Envelope.self)
    #expect(try await world.backend.execute(request) == Self.octocat)
  }

  @Test func decodesInTheGivenFormat() async throws {
    struct Stamped: Decodable, Sendable { var createdAt: Date }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"created_at": "1970-01-01T00:01:00Z"}"#))
    let stamped = try await world.backend.execute(AnyRequest<Stamped>(url: world.url, decoder: decoder))
    #expect(stamped.createdAt == Date(timeIntervalSince1970: 60))
  }

  @Test func decodesPropertyLists() async throws {
    let world = try World()
    let plist = try PropertyListEncoder().encode(Self.octocat)
    world.session.on(.get, world.url, .status(200, body: plist))
    let request = Request<User, APIError>(url: world.url, decoder: PropertyListDecoder())
    #expect(try await world.backend.execute(request) == Self.octocat)
  }

  @Test func sendsEveryPartOfTheRequest() async throws {
    let world = try World()
    world.session.on(.patch, world.url, .json(Self.json))
    let request = try Request<User, APIError>(
      method: .patch, url: world.url, headers: [.accept: .applicationJSON, "X-A": "1", "X-A": "2"],
      body: .json(Self.octocat), cachePolicy: .reload, timeout: 5)
    _ = try await world.backend.execute(request)
    let sent = try #require(world.session.requests.first)
    #expect(sent.method == .patch)
    #expect(sent.headers.values(for: "x-a") == ["1", "2"])
    #expect(sent.headers[.contentType] == .applicationJSON)
    #expect(try sent.body.decode(as: User.self) == Self.octocat)
  }

  @Test func theRequestsContentTypeReplacesTheBodys() async throws {
    let world = try World()
    world.session.on(.post, world.url, .json(Self.json))
    let request = try Request<User, APIError>(
      method: .post, url: world.url, headers: [.contentType: "application/vnd.api+json"], body: .json(Self.octocat))
    _ = try await world.backend.execute(request)
    #expect(world.session.requests.map { $0.headers.values(for: .contentType) } == [["application/vnd.api+json"]])
  }

  @Test func completionHandlerReceivesTheSameResult() async throws {
    let world = try World()
    world.session.on(.get, world.url, times: 1, .json(Self.json))
    world.session.on(.get, world.url, .json(#"{"message": "gone"}"#, status: 404))
    for expected in [Result<User, APIError>.success(Self.octocat), .failure(.notFound(message: "gone"))] {
      let result = await withCheckedContinuation { continuation in
        world.backend.execute(Request<User, APIError>(url: world.url)) { continuation.resume(returning: $0) }
      }
      #expect(result == expected)
    }
  }

  @Test func cancellingTheReturnedTaskCancelsTheRequest() async throws {
    let world = try World()
    world.session.on(.get, world.url, .never)
    let (results, completion) = AsyncStream<Result<User, APIError>>.makeStream()
    let task = world.backend.execute(Request<User, APIError>(url: world.url)) { completion.yield($0) }
    await world.waitUntilSent()
    task.cancel()
    let result = await results.first { _ in true }
    #expect(result?.failure?.transportError?.code == .cancelled)
  }

  // MARK: Failure

  /// The error has the caller's type: the switch is exhaustive, without a cast.
  @Test func failuresHaveTheCallersType() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"message": "no such user"}"#, status: 404))
    func caught() async -> String {
      do {
        _ = try await world.backend.execute(Request<User, APIError>(url: world.url))
        return "nothing"
      } catch {
        switch error {
        case .notFound(let message): return "not found: \(message)"
        case .rejected(let code): return "rejected: \(code)"
        case .network(let failure): return "network: \(failure)"
        case .undecodable(let path, _): return "undecodable: \(path)"
        case .notEmpty: return "not empty"
        }
      }
    }
    #expect(await caught() == "not found: no such user")
  }

  @Test func decodingFailuresContainResponseTypeAndPath() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json(#"{"id": "one", "login": "octocat"}"#))
    let failure = await world.backend.outcome(AnyRequest<User>(url: world.url)).failure
    guard case .decodingError(let context) = try #require(failure?.error as? DecodingFailure) else {
      Issue.record("expected a decoding error")
      return
    }
    let isUser = context.failingType == User.self
    #expect(isUser)
    #expect(context.decodingError.path == ["id"])
    #expect(context.response.body.string == #"{"id": "one", "login": "octocat"}"#)
    #expect(
      failure?.description == "GET https://api.example.com/users/1 → 200 OK application/json: cannot decode User: "
        + "decode.type-mismatch $.id expected Int found string @1:8")
  }

  @Test func theFailingTypeIsTheContainer() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json("{}"))
    let request = AnyRequest<User>(url: world.url, containerType: Envelope.self)
    let failure = await world.backend.outcome(request).failure
    guard case .decodingError(let context) = try #require(failure?.error as? DecodingFailure) else {
      Issue.record("expected a decoding error")
      return
    }
    let isEnvelope = context.failingType == Envelope.self
    #expect(isEnvelope)
    #expect(context.decodingError.path == ["user"])
  }

  @Test(arguments: [200, 204])
  func anEmptyBodyFailsWithNoData(status: Int) async throws {
    let world = try World()
    world.session.on(.get, world.url, .status(HTTP.Status(code: status)))
    let failure = await world.backend.outcome(Request<User, APIError>(url: world.url)).failure
    #expect(failure?.transportError?.code == .noData)
    #expect(failure?.failureResponse?.code == status)
  }

  @Test func anErrorThrownByAModelIsWrapped() async throws {
    struct Picky: Decodable, Sendable {
      struct TooSmall: Error {}
      init(from decoder: any Decoder) throws { throw TooSmall() }
    }
    let world = try World()
    world.session.on(.get, world.url, .json("{}"))
    let failure = await world.backend.outcome(AnyRequest<Picky>(url: world.url)).failure
    guard case .decodingError(let context) = try #require(failure?.error as? DecodingFailure),
      case .dataCorrupted(let corrupted) = context.decodingError
    else {
      Issue.record("expected corrupted data")
      return
    }
    #expect(corrupted.underlyingError is Picky.TooSmall)
  }

  @Test func aRequestWithALineBreakInAFieldIsNotSent() async throws {
    let world = try World()
    let token = "a\r\nX-Admin: yes"
    let request = Request<User, APIError>(url: world.url, headers: [.authorization: .authorizationBearer(token: token)])
    let failure = await world.backend.outcome(request).failure
    #expect(failure?.transportError?.code == .invalidRequest)
    #expect(world.session.requests.isEmpty)
  }

  // MARK: Cancellation

  @Test func cancelledTaskEndsAtOnce() async throws {
    let world = try World()
    world.session.on(.get, world.url, .never)
    let running = Task { await world.backend.outcome(Request<User, APIError>(url: world.url)) }
    await world.waitUntilSent()
    running.cancel()
    #expect(await running.value.failure?.transportError?.code == .cancelled)
  }

  @Test func aCancelledTaskGetsNoResponse() async throws {
    let world = try World()
    world.session.on(.get, world.url, .never)
    let running = Task {
      await waitForCancellation()
      return await world.backend.outcome(Request<User, APIError>(url: world.url))
    }
    running.cancel()
    #expect(await running.value.failure?.transportError?.code == .cancelled)
  }

  // MARK: Validation and quick recovery

  @Test func theValidatorCanRejectA200() async throws {
    struct Envelope: Decodable { var code: Int? }
    let world = try World()
    world.session.on(.get, world.url, times: 1, .json(#"{"code": 500, "message": "Internal server error"}"#))
    world.session.on(.get, world.url, .json(Self.json))
    var request = Request<User, APIError>(url: world.url)
    request.successValidator = { success throws(APIError) in
      if let code = try? success.body.decode(as: Envelope.self).code { throw .rejected(code: code) }
    }
    #expect(await world.backend.outcome(request).failure == .rejected(code: 500))
    #expect(try await world.backend.execute(request) == Self.octocat)
  }

  @Test func anAcceptedStatusIsASuccess() async throws {
    let world = try World()
    world.session.on(.get, world.url, .status(302, headers: [.location: "app://done?code=7"]))
    var request = Request<String?, APIError>(url: world.url) { .success($0.response.headers[.location]?.rawValue) }
    request.acceptedStatuses = [.found]
    #expect(try await world.backend.execute(request) == "app://done?code=7")
  }

  @Test func aStatusThatIsNotAcceptedIsAFailure() async throws {
    let world = try World()
    world.session.on(.get, world.url, .status(500))
    var request = Request<User, APIError>(url: world.url)
    request.acceptedStatuses = [.found]
    let failure = await world.backend.outcome(request).failure
    #expect(failure?.transportError?.code == .serverError(.internalServerError))
  }
}
