import Foundation

/// What `/bytes/500.json` holds.
struct Account: Decodable, Sendable {
  struct Plan: Decodable, Sendable {
    var name: String
    var seats: Int
  }

  var id: Int
  var login: String
  var name: String
  var email: String
  var type: String
  var isAdmin: Bool
  var followers: Int
  var following: Int
  var score: Double
  var company: String?
  var location: String
  var created: String
  var updated: String
  var tags: [String]
  var plan: Plan
  var biography: String

  private enum CodingKeys: String, CodingKey {
    case id, login, name, email, type, followers, following, score, company, location, tags, plan
    case isAdmin = "site_admin"
    case created = "created_at"
    case updated = "updated_at"
    case biography = "bio"
  }
}
