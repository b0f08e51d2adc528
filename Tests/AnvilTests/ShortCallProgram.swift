import Anvil

/// The program that the design states for short calls, with no other import. Only the URL is different when it runs.
enum ShortCallProgram {
  // swift-format-ignore
  enum APIError: DecodingFailureRepresentable {
    case notFound, undecodable(DecodingFailure), network(TransportFailure)
    init(transportFailure failure: TransportFailure) { self = failure.error.code == .clientError(.notFound) ? .notFound : .network(failure) }
    init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }
  }

  struct User: Decodable, Equatable, Sendable {
    var id: Int
    var name: String
  }

  struct Draft: Encodable, Sendable {
    var name: String
  }

  static func gateway() -> TypedGateway<APIError> {
    let api = Gateway("https://api.example.com/v1").failing(as: APIError.self)
    return api
  }

  static func run(_ api: TypedGateway<APIError>, id: Int, team: String) async throws(APIError) -> [User] {
    let user = try await api.get("users/\(id)", as: User.self)
    let found: [User] = try await api.get("users", query: ["team": team, "page": nil])
    let made = try await api.post("users", body: Draft(name: "Ada"), as: User.self)
    try await api.delete("users/\(id)")
    let exchange = try await api.get("users/\(id)", as: Decoded<User>.self)
    let others = [user] + found + [made, exchange.value]
    do {
      let user = try await api.request("users", id).execute(as: User.self)
      return others + [user]
    }
  }

  /// Returns the case of the error that getting the user `id` throws.
  static func failure(_ api: TypedGateway<APIError>, id: Int) async -> String {
    do {
      let user = try await api.get("users/\(id)", as: User.self)
      let again = try await api.get("users/\(id)", as: User.self)
      return "users \(user.id) and \(again.id)"
    } catch {
      switch error {
      case .notFound: return "not found"
      case .undecodable: return "undecodable"
      case .network: return "network"
      }
    }
  }
}
