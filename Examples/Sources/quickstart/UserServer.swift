import AnvilTesting
import Foundation

/// A server on the loopback interface that imitates the API.
struct UserServer {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/users/2") { _ in .text("nobody has the number 2", status: 404) }
    server.on(.get, "/users/3") { _ in .json(#"{"id": "three", "login": "tomoko"}"#) }
  }

  var url: URL { server.url }
}
