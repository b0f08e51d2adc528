import Anvil

// Types that the samples use without declaring them. README's first sample declares both in full.

struct User: Codable, Equatable, Sendable {
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
