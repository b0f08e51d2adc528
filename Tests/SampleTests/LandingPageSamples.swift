import Anvil
import AnvilTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct LandingPageSamples {
  @Test func requestsComeBackAsModels() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    let url = server.url("/users/1")
    let backend = BackendService()
    // sample: request
    let request = Request<User, APIError>(url: url)
    let user = try await backend.execute(request)
    // end sample
    #expect(user == User(id: 1, login: "ada"))
  }
}
