import Anvil
import AnvilTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The code for URLSession in the guide "Coming from URLSession, Alamofire and others".
@Suite(.timeLimit(.minutes(15))) struct ComingFromURLSessionSamples {
  // sample: before-get
  struct Complaint: Decodable { var message: String }
  // end sample

  struct StatusError: Error, Equatable {
    var code: Int
    var message: String?
  }

  let server: LoopbackServer
  let baseURL: URL

  init() throws {
    server = try LoopbackServer()
    baseURL = server.url
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users/2") { _ in .json(#"{"message": "no such user"}"#, status: 404) }
  }

  private func user(_ id: Int) async throws -> User {
    // sample: before-get
    let (data, response) = try await URLSession.shared.data(from: baseURL.appending(path: "users/\(id)"))
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    guard (200..<300).contains(response.statusCode) else {
      let complaint = try? JSONDecoder().decode(Complaint.self, from: data)
      throw StatusError(code: response.statusCode, message: complaint?.message)  // your own type
    }
    let user = try JSONDecoder().decode(User.self, from: data)
    // end sample
    return user
  }

  @Test func usersAndErrorsAreDecoded() async throws {
    #expect(try await user(1).login == "ada")
    await #expect(throws: StatusError(code: 404, message: "no such user")) { try await user(2) }
  }
}
