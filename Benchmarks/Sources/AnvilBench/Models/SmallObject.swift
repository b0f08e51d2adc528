import Foundation

/// A repository of about 500 bytes: the size of an ordinary answer.
struct SmallObject: Codable, Equatable, Sendable {
  struct Owner: Codable, Equatable, Sendable {
    var login: String
    var id: Int
    var url: String
    var site_admin: Bool
  }

  var id: Int
  var name: String
  var full_name: String
  var owner: Owner
  var description: String?
  var fork: Bool
  var stars: Int
  var score: Double
  var language: String?
  var topics: [String]
  var archived: Bool
  var size: Int

  static let name = "500 bytes"

  static let json = Data(
    #"""
    {"id": 1296269, "name": "bellows", "full_name": "ada/bellows", "owner": {"login": "ada", "id": 1, "url":
    "https:\/\/api.example.org\/users\/ada", "site_admin": false}, "description": "Keeps a fire going: a job queue over
    plain files, with priorities, retries and a log that can be read by people", "fork": false, "stars": 3120, "score":
    0.7512, "language": null, "topics": ["queue", "swift", "server", "files"], "archived": false, "size": 10834}
    """#.replacing("\n", with: " ").utf8)
}

/// A value that is always null, or an element of an array that is always empty.
struct Nothing: Codable, Equatable, Sendable {}
