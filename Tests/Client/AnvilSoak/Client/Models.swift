import Anvil
import AnvilSQLite

/// An entity in the store. Each worker has separate ones.
struct Item: Codable, Sendable, Equatable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var version: Int
  var text: String
}

/// An entity in the store that comes in lists that are stored as they arrive.
struct Reading: Codable, Sendable, Equatable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var version: Int
  var text: String
}

/// A response that identifies its operation.
struct Echo: Codable, Sendable {
  var echo: String
  var version: Int
  var sum: String?
}

/// A resource that may be returned from the cache.
struct CachedEntity: Codable, Sendable {
  var id: Int
  var version: Int
  var text: String
  var reader: String
}

/// An element of a page, or a line.
struct Numbered: Codable, Sendable {
  var version: Int
}

/// The answer to a request for a token.
struct TokenAnswer: Codable, Sendable {
  enum CodingKeys: String, CodingKey {
    case token = "access_token"
    case lifetime = "expires_in"
  }

  var token: String
  var lifetime: Double?
}
