import Anvil
import AnvilTesting
import Foundation
import Testing

/// The samples of the guide "Coming from URLSession, Alamofire and others".
@Suite(.timeLimit(.minutes(15))) struct ComingFromSamples {
  // sample: coming-complaint
  struct Complaint: Decodable, FailureBody { var message: String }
  // end sample

  // sample: coming-mapping
  struct Bellows: JSONDecodable {
    let name: String, owner: String, language: String?

    static func decode(_ json: JSON) throws -> Bellows {
      try Bellows(name: json => "name", owner: json => "owner" => "login", language: json =>? "language")
    }
  }
  // end sample

  struct Draft: Encodable, Sendable { var login: String }
  struct Photo: Decodable, Sendable { var id: Int }

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

  @Test(arguments: [1, 2]) func errorsOfTheAPIAreTyped(id: Int) async throws {
    // sample: coming-get
    let api = Gateway(baseURL: baseURL).failing(as: TypedFailure<Complaint>.self)
    do {
      let user = try await api.get("users/\(id)", as: User.self)
      print(user.login)
    } catch {
      switch error {  // a TypedFailure<Complaint>, nothing else
      case .typed(let complaint, _): print(complaint.message)
      case .raw(let failure): print(failure)  // such as a timeout, or an HTML page of a proxy
      case .undecodable(let failure): print(failure)  // the path and the location in the body
      }
    }
    // end sample
    let error = await #expect(throws: TypedFailure<Complaint>.self) { try await api.get("users/2", as: User.self) }
    #expect(error?.body?.message == "no such user")
  }

  @Test func bodiesAndFilesAreSent() async throws {
    let api = Gateway(baseURL: baseURL).failing(as: TypedFailure<Complaint>.self)
    let draft = Draft(login: "tomoko")
    // sample: coming-post
    let created = try await api.post("users", body: draft, as: User.self)
    // end sample
    #expect(created == User(id: 2, login: "tomoko"))
    #expect(server.requests.last?.body == Data(#"{"login":"tomoko"}"#.utf8))

    let photo = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try Data("pixels".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    var upload = api.request("photos", method: .post)
    upload.body = .file(photo, contentType: "image/jpeg")  // read as it is sent
    upload.progressHandler = { progress in if let fraction = progress.fraction { print(fraction) } }
    let stored = try await upload.execute(as: Photo.self)
    #expect(stored.id == 7)
    #expect(server.requests.last?.body == Data("pixels".utf8))
    #expect(server.requests.last?.headers[.contentType] == "image/jpeg")
  }

  @Test func retriesAreConfigured() async throws {
    var configuration = ClientConfiguration.standard
    configuration.retries?.attemptLimit = 5
    let patient = Gateway(baseURL: baseURL, configuration: configuration).failing(as: TypedFailure<Complaint>.self)
    #expect(configuration.retries?.attemptLimit == 5)
    #expect(try await patient.get("users/1", as: User.self).login == "ada")
  }

  @Test func requestsAreExecutedByABackend() async throws {
    let (backend, url) = (BackendService(), server.url("/users/1"))
    // sample: coming-hyperspace
    let request = Request<User, APIError>(url: url, headers: [.accept: .applicationJSON])
    let user = try await backend.execute(request)  // throws APIError, nothing else
    // end sample
    #expect(user.login == "ada")
  }

  @Test func promisesAreMadeFromRequests() async throws {
    let (gateway, draft) = (Gateway(baseURL: baseURL), Draft(login: "tomoko"))
    // sample: coming-forge
    var request = gateway.request("users", method: .post)
    try request.body.encode(draft)
    let user = request.execute().decode(as: User.self)  // a Promise<User>
    print(try await user.value.login)
    // end sample
    #expect(try await user.value.login == "tomoko")
    #expect(server.requests.map(\.body) == [Data(#"{"login":"tomoko"}"#.utf8)])
  }

  @Test func mappingsAreRead() throws {
    let data = Data(#"[{"name": "bellows", "owner": {"login": "ada"}}]"#.utf8)
    let repositories = try [Bellows].decode(JSON(parsing: data))
    #expect(repositories.map(\.owner) == ["ada"])
    #expect(repositories.map(\.language) == [nil])
  }
}
