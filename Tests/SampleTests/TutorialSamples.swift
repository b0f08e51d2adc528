import Anvil
import AnvilTesting
import Foundation
import Testing

/// The samples of the guide "A typed client in fifteen minutes".
@Suite(.timeLimit(.minutes(15))) struct TutorialSamples {
  // sample: tutorial-model
  @JSONCodable
  struct Member: Hashable, Sendable {
    let id: Int
    let login: String
    @CodableBy(.iso8601) let joined: Date
    let plan: String
    let team: String?
  }
  // end sample

  // sample: tutorial-error
  enum MembersError: DecodingFailureRepresentable {
    case notFound
    case refused(message: String)
    case undecodable(DecodingFailure)
    case network(TransportFailure)

    private struct Explanation: Decodable { var message: String }

    init(transportFailure failure: TransportFailure) {
      let explanation = try? failure.response?.body.decode(as: Explanation.self)
      switch failure.error.code {
      case .clientError(.notFound): self = .notFound
      case .clientError: self = explanation.map { .refused(message: $0.message) } ?? .network(failure)
      default: self = .network(failure)
      }
    }

    init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }
  }
  // end sample

  // sample: tutorial-client
  struct MembersClient: Sendable {
    private let api: TypedGateway<MembersError>

    init(_ gateway: Gateway = Gateway("https://api.example.com")) {
      api = gateway.failing(as: MembersError.self)
    }

    func member(_ id: Int) async throws(MembersError) -> Member {
      try await api.get("members/\(id)")
    }

    func invite(_ login: String) async throws(MembersError) -> Member {
      try await api.post("members", body: ["login": login])
    }
  }
  // end sample

  @Test func programRuns() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/members/1") { _ in
      .json(#"{"id": 1, "login": "ada", "joined": "2024-05-01T10:00:00Z", "plan": "free"}"#)
    }
    let members = MembersClient(Gateway(baseURL: server.url))
    // sample: tutorial-program
    do {
      let member = try await members.member(1)
      print("\(member.login) joined on \(member.joined)")
    } catch {
      switch error {  // a MembersError, nothing else
      case .notFound: print("no such member")
      case .refused(let message): print("refused: \(message)")
      case .undecodable(let failure): print("the API has changed: \(failure)")
      case .network(let failure): print("network: \(failure)")
      }
    }
    // end sample
    #expect(server.requests.map(\.path) == ["/members/1"])
  }

  // sample: tutorial-stub
  @Test func aMemberIsFetched() async throws {
    let session = StubSession { Issue.record($0) }
    let url = try #require(URL(string: "https://api.example.com/members/1"))
    session.on(.get, url, .json(#"{"id": 1, "login": "ada", "joined": "2024-05-01T10:00:00Z", "plan": "free"}"#))
    let members = MembersClient(Gateway("https://api.example.com", session: session))

    let member = try await members.member(1)

    #expect(member.login == "ada")
    #expect(member.team == nil)
    try session.verify()
  }
  // end sample

  // sample: tutorial-server
  @Test func aRefusalHasAMessage() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/members") { _ in .json(#"{"message": "the login is taken"}"#, status: 409) }
    let members = MembersClient(Gateway(baseURL: server.url))

    let error = await #expect(throws: MembersError.self) { try await members.invite("ada") }

    guard case .refused(message: "the login is taken") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.requests.map(\.path) == ["/members"])
  }
  // end sample

  // sample: tutorial-change
  @Test func aChangedMemberIsReported() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/members/1") { _ in .json(#"{"id": "1", "login": "ada"}"#) }
    let members = MembersClient(Gateway(baseURL: server.url))

    let error = await #expect(throws: MembersError.self) { try await members.member(1) }

    guard case .undecodable(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(failure)".contains("$.id expected Int found string"))
  }
  // end sample
}
