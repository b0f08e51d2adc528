internal import AnvilModel
internal import AnvilStore

/// A token that processes share, and the claim of the process that refreshes it: a row of the table `anvil_tokens`.
///
/// Times are those of the database's clock, in seconds since the beginning of 2001, except the expiry.
struct SharedToken: Codable, Hashable, Sendable, ManagedDecodable {
  typealias Context = StoreTransaction

  static var entityName: String { "anvil_tokens" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.name)] }

  /// The time after which another process may refresh.
  static let longestRefresh = 60.0

  var name: String
  /// The sealed token; `nil` before the first refresh.
  var token: String?
  /// The expiry in seconds since the beginning of 2001; `nil` if it is not known.
  var expiry: Double?
  /// The identifier of the refresh in progress; empty after its end.
  var owner = ""
  /// The time at which that refresh counts as failed.
  var claimEnd = 0.0

  init(name: String) {
    self.name = name
  }
}
