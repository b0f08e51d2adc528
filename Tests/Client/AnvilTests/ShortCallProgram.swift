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

  struct Repo: Decodable, Equatable, Sendable {
    var name: String
  }

  struct Chunk: Decodable, Sendable {
    var text: String
  }

  /// A client of one API, which receives a gateway and sets what it needs.
  struct GitHub {
    let api: TypedGateway<APIError>

    init(_ gateway: Gateway, token: TokenRefresher) {
      api = gateway.configured { $0.authentication = [.bearer(token)] }.failing(as: APIError.self)
    }

    func user(_ id: Int) async throws(APIError) -> User {
      try await api.get("users/\(id)", as: User.self)
    }
  }

  static func run(
    _ api: TypedGateway<APIError>, id: Int, team: String, since date: some HTTP.QueryValue
  ) async throws(APIError) -> [User] {
    let user = try await api.get("users/\(id)", as: User.self)
    let found: [User] = try await api.get(
      "users", query: ["team": team, "labels": ["a", "b"], "since": date, "page": nil])
    let made = try await api.post("users", body: Draft(name: "Ada"), as: User.self)
    try await api.delete("users/\(id)")
    let exchange = try await api.get("users/\(id)", as: Decoded<User>.self)
    let others = [user] + found + [made, exchange.value]
    do {
      let user = try await api.request("users", id).execute(as: User.self)
      return others + [user]
    }
  }

  static func repos(_ api: TypedGateway<APIError>, of id: Int) async throws(APIError) -> [Repo] {
    var request = api.request("users", id, "repos")
    request.timeout = .seconds(5)
    let repos = try await request.execute(as: [Repo].self)
    return repos
  }

  static func chat(_ api: TypedGateway<APIError>) async throws(APIError) -> String {
    var text = ""
    for try await chunk in api.request("chat", method: .post).events(of: Chunk.self, until: "[DONE]") {
      text += chunk.text
    }
    return text
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
