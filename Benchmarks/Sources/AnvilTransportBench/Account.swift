import Anvil

/// The model of `/bytes/500.json`.
@JSONCodable
struct Account: Sendable {
  @JSONCodable
  struct Plan: Sendable {
    var name: String
    var seats: Int
  }

  var id: Int
  var login: String
  var name: String
  var email: String
  var type: String
  @CodingKey("site_admin") var isAdmin: Bool
  var followers: Int
  var following: Int
  var score: Double
  var company: String?
  var location: String
  @CodingKey("created_at") var created: String
  @CodingKey("updated_at") var updated: String
  var tags: [String]
  var plan: Plan
  @CodingKey("bio") var biography: String
}
