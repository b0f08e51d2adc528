import Anvil
import AnvilTesting  // for a server on the loopback interface, so that this runs anywhere

struct User: Decodable, Sendable {
  var id: Int
  var login: String
}

enum APIError: DecodingFailureRepresentable {
  case noSuchUser(String)
  case undecodable(DecodingFailure)
  case network(TransportFailure)

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.notFound): self = .noSuchUser(failure.response?.body.string ?? "")
    default: self = .network(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }

  var failureResponse: HTTP.Response? { nil }
  var transportError: TransportError? { if case .network(let failure) = self { failure.error } else { nil } }
}

let server = try LoopbackServer()
server.on(.get, "/users/1") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
server.on(.get, "/users/2") { _ in .text("nobody has the number 2", status: 404) }
server.on(.get, "/users/3") { _ in .json(#"{"id": "three", "login": "tomoko"}"#) }

let backend = BackendService()
for id in 1...3 {
  do {
    let user = try await backend.execute(Request<User, APIError>(url: server.url("/users/\(id)")))
    print("user \(user.id) is \(user.login)")
  } catch {
    switch error {  // an APIError, nothing else: the compiler checks that no case is missing
    case .noSuchUser(let message): print("404: \(message)")
    case .undecodable(let failure): print("undecodable: \(failure)")
    case .network(let failure): print("network: \(failure)")
    }
  }
}
