import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

/// Failures with an API's error body, or with a response from another server.
struct TypedFailureTests {
  struct Message: FailureBody, Decodable, Equatable {
    var message: String
  }

  /// Error bodies of an API, a different one for each status.
  enum Problem: FailureBody, Equatable {
    case conflict(version: Int)
    case invalid(fields: [String: String])
    case other(Message)

    init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
      switch status {
      case .conflict: self = .conflict(version: try body.decode(as: [String: Int].self)["version"] ?? 0)
      case .unprocessableContent: self = .invalid(fields: try body.decode(as: [String: String].self))
      default: self = .other(try body.decode(as: Message.self))
      }
    }
  }

  private func failure<Failure: DecodingFailureRepresentable>(
    _ type: Failure.Type, status: HTTP.Status = 403, contentType: HTTP.HeaderValue?, _ body: String
  ) async throws -> Failure {
    let world = try World()
    let headers: HTTP.Headers = contentType.map { [.contentType: $0] } ?? [:]
    world.session.on(.get, world.url, .status(status, headers: headers, body: Data(body.utf8)))
    do throws(Failure) {
      _ = try await world.backend.execute(
        Request<User, Failure>(url: world.url, successTransformer: { _ in .success(User(id: 0, login: "")) }))
    } catch {
      return error
    }
    throw TransportError(code: .other, reason: "nothing failed")
  }

  @Test func problemDetailsAreDecoded() async throws {
    let failure = try await failure(
      ProblemFailure.self, contentType: .applicationProblemJSON,
      """
      {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.", "status": 403,
       "detail": "Your balance is 30.", "instance": "/account/12345/msgs/abc", "balance": 30, "accounts": ["/a", "/b"]}
      """)
    let problem = try #require(failure.body)
    #expect(problem.type == "https://example.com/probs/out-of-credit")
    #expect(problem.title == "You do not have enough credit.")
    #expect(problem.status == 403)
    #expect(problem.detail == "Your balance is 30.")
    #expect(problem.instance == "/account/12345/msgs/abc")
    #expect(problem.extensions == ["balance": 30, "accounts": ["/a", "/b"]])
    #expect(failure.transportError?.code == .clientError(.forbidden))
    #expect(
      "\(failure)"
        == "GET https://api.example.com/users/1 → 403 Forbidden application/problem+json: You do not have enough credit. (403)"
    )
  }

  @Test(arguments: [
    (#"{"message": "none", "status": 404}"#, false), (#"{"type": 1, "title": null}"#, false),
    (#"{"title": "Not found"}"#, true), (#"{"type": "https://api.example.com/problems/1"}"#, true),
  ])
  func anotherJSONObjectIsAProblemIfItNamesOne(text: String, isProblem: Bool) async throws {
    let failure = try await failure(ProblemFailure.self, contentType: "application/json", text)
    #expect((failure.body != nil) == isProblem)
  }

  @Test func theLocalizedDescriptionIsTheDescription() async throws {
    let failure = try await failure(ProblemFailure.self, contentType: nil, "busy")
    #expect((failure as any Error).localizedDescription == "\(failure)")
  }

  /// Source: RFC 9457 §3.1: consumers ignore members of another type.
  @Test func membersOfAnUnexpectedTypeAreIgnored() async throws {
    let failure = try await failure(
      ProblemFailure.self, contentType: "application/problem+json; charset=utf-8",
      #"{"type": 7, "title": ["x"], "status": "403", "detail": null, "instance": {}}"#)
    #expect(failure.body == ProblemDetails())
  }

  @Test func problemDetailsCanBeAPartOfAModel() throws {
    struct Report: Decodable, Equatable { var problems: [ProblemDetails] }
    var problem = ProblemDetails()
    problem.title = "Missing"
    problem.status = 404
    problem.extensions = ["id": 7]
    let body = HTTP.Body(Data(#"{"problems": [{"title": "Missing", "status": 404, "id": 7}, {"type": 1}]}"#.utf8))
    #expect(try body.decode(as: Report.self) == Report(problems: [problem, ProblemDetails()]))
    let text = Data(#"{"title": "Missing", "status": 404, "id": 7}"#.utf8)
    #expect(try Foundation.JSONDecoder().decode(ProblemDetails.self, from: text) == problem)
    for text in ["[]", "7", "null"] {
      #expect(throws: DecodingError.self) { try HTTP.Body(Data(text.utf8)).decode(as: ProblemDetails.self) }
    }
  }

  @Test(
    arguments: [
      ("text/html", "<html>502 Bad Gateway</html>"), ("application/json", "<html>"), ("application/json", ""),
      ("application/json", "[]"), (nil, "{}"),
    ] as [(HTTP.HeaderValue?, String)])
  func aProxysErrorPageIsARawFailure(contentType: HTTP.HeaderValue?, body: String) async throws {
    let failure = try await failure(ProblemFailure.self, status: 502, contentType: contentType, body)
    guard case .raw(let raw) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(raw.error.code == .serverError(.badGateway))
    #expect(raw.response?.body.string == body)
  }

  @Test func errorBodiesAreDecodedAsTheCallersType() async throws {
    let typed = try await failure(
      TypedFailure<Message>.self, contentType: "Application/Vnd.Example+JSON ; v=1", #"{"message": "no"}"#)
    #expect(typed.body == Message(message: "no"))
    let raw = try await failure(TypedFailure<Message>.self, contentType: .applicationJSON, #"{"error": "no"}"#)
    #expect(raw.body == nil && raw.failureResponse?.code == 403)
  }

  @Test(
    arguments: [
      (.conflict, #"{"version": 7}"#, .conflict(version: 7)),
      (.unprocessableContent, #"{"name": "too long"}"#, .invalid(fields: ["name": "too long"])),
      (.notFound, #"{"message": "no such user"}"#, .other(Message(message: "no such user"))),
      (.badGateway, #"{"version": 7}"#, nil),
    ] as [(HTTP.Status, String, Problem?)])
  func aBodyIsDecodedByItsStatus(status: HTTP.Status, body: String, expected: Problem?) async throws {
    let failure = try await failure(
      TypedFailure<Problem>.self, status: status, contentType: .applicationJSON, body)
    #expect(failure.body == expected)
    #expect(failure.failureResponse?.status == status)
  }

  @Test func aFailureWithoutAResponseIsRaw() async throws {
    let world = try World()
    world.session.on(.get, world.url, .failure(TransportError(code: .noConnection)))
    let outcome = await world.backend.outcome(Request<User, ProblemFailure>(url: world.url))
    #expect(outcome.failure?.underlyingTransportFailure?.error.code == .noConnection)
  }

  @Test func aSuccessThatDoesNotDecodeIsNotATransportError() async throws {
    let world = try World()
    world.session.on(.get, world.url, .json("{}"))
    let outcome = await world.backend.outcome(Request<User, ProblemFailure>(url: world.url))
    guard case .undecodable(let failure) = outcome.failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.response.body.string == "{}")
    #expect(outcome.failure?.transportError == nil)
  }
}
