internal import AnvilBase
internal import AnvilStore

/// A token that processes share, and the claim of the process that refreshes it. It is a row of the table `anvil_tokens`.
///
/// Times are in seconds since the beginning of 2001. All of them except the expiry are times of the database's clock.
struct SharedToken: Codable, Hashable, Sendable, ManagedDecodable {
  typealias Context = StoreTransaction

  static var entityName: String { "anvil_tokens" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.name)] }

  /// The time in seconds after which another process may refresh the token, because the refresh in progress counts as failed.
  static let longestRefresh = 60.0

  var name: String
  /// The token as it is stored, after `seal`; `nil` before the first refresh.
  var token: String?
  /// The expiry in seconds since the beginning of 2001; `nil` if it is not known.
  var expiry: Double?
  /// The identifier of the refresh in progress; empty if no refresh is in progress.
  var owner = ""
  /// The time after which the refresh in progress counts as failed.
  var claimEnd = 0.0

  init(name: String) {
    self.name = name
  }
}
