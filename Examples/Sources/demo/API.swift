import Anvil
import AnvilSQLite

struct User: Decodable, Sendable {
  var name: String
  var followers: Int
}

@StoredModel
@JSONCodable
struct Repository {
  @MatchKey var id: Int
  @CodingKey("full_name") var name: String
  @CodingKey("stargazers_count") var stars: Int
  var description: String?

  var line: String { "\(name) ★ \(stars)  \(description ?? "(no description)")" }
}

/// The failures that a caller of this API distinguishes.
enum APIError: DecodingFailureRepresentable {
  /// A 404, with the message in its body.
  case notFound(String)
  /// A response that does not match the model.
  case undecodable(DecodingFailure)
  /// Any other failure of the exchange.
  case network(TransportFailure)

  private struct Explanation: Decodable { var message: String }

  init(transportFailure failure: TransportFailure) {
    let explanation = try? failure.response?.body.decode(as: Explanation.self)
    switch failure.error.code {
    case .clientError(.notFound): self = .notFound(explanation?.message ?? "no message")
    default: self = .network(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }
}
