// sample: first
import Anvil

// end sample

/// README's first sample. This file has no other import, since the sample has none.
enum FirstSample {
  // sample: first
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
  }
  // end sample

  static func gateway() -> TypedGateway<APIError> {
    // sample: first
    let api = Gateway("https://api.example.com").failing(as: APIError.self)
    // end sample
    return api
  }

  static func run(_ api: TypedGateway<APIError>) async {
    // sample: first
    for id in 1...3 {
      do {
        let user = try await api.get("users/\(id)", as: User.self)
        print("user \(user.id) is \(user.login)")
      } catch {
        switch error {  // `error` is an APIError: the compiler checks that every case is handled
        case .noSuchUser(let message): print("404: \(message)")
        case .undecodable(let failure): print("undecodable: \(failure)")
        case .network(let failure): print("network: \(failure)")
        }
      }
    }
    // end sample
  }
}
