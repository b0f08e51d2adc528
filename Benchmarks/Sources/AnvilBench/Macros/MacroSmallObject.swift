import AnvilCodable

/// The repository of ``SmallObject``, coded by macros.
@JSONCodable
struct MacroSmallObject: Equatable, Sendable {
  @JSONCodable
  struct Owner: Equatable, Sendable {
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
}

/// A value that is always null, or an element of an array that is always empty.
@JSONCodable
struct MacroNothing: Equatable, Sendable {}
