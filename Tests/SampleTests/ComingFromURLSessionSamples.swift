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

  struct Draft: Encodable { var login: String }

  let server: LoopbackServer
  let baseURL: URL

  init() throws {
    server = try LoopbackServer()
    baseURL = server.url
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users/2") { _ in .json(#"{"message": "no such user"}"#, status: 404) }
    server.on(.post, "/users") { _ in .json(#"{"id": 2, "login": "tomoko"}"#, status: 201) }
    server.on(.post, "/photos") { _ in .json(#"{"id": 7}"#, status: 201) }
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

  @Test func bodiesAreSent() async throws {
    let draft = Draft(login: "tomoko")
    // sample: before-post
    var request = URLRequest(url: baseURL.appending(path: "users"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(draft)
    let (data, response) = try await URLSession.shared.data(for: request)  // then check the status and decode, as above
    // end sample
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
    #expect(try JSONDecoder().decode(User.self, from: data).login == "tomoko")
    #expect(server.requests.last?.body == Data(#"{"login":"tomoko"}"#.utf8))
  }

  @Test func filesAreUploaded() async throws {
    let photo = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try Data("pixels".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    // sample: before-upload
    var request = URLRequest(url: baseURL.appending(path: "photos"))
    request.httpMethod = "POST"
    request.setValue("image/jpeg", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await URLSession.shared.upload(for: request, fromFile: photo)  // progress: in a delegate
    // end sample
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
    #expect(data == Data(#"{"id": 7}"#.utf8))
    #expect(server.requests.last?.body == Data("pixels".utf8))
  }
}
