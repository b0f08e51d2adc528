import Foundation

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The models for the catalog of failures.
struct User: Decodable {
  struct Address: Decodable {
    var street: String
    var city: String
    var zip: String
  }

  enum Status: String, Decodable {
    case active, suspended, closed
  }

  var id: Int
  var name: String
  var address: Address
  var createdAt: Date
  var status: Status
  var isAdmin: Bool
  var score: Double
  var tags: [String]
  var homepage: URL?

  enum CodingKeys: String, CodingKey {
    case id, name, address, status, score, tags, homepage
    case createdAt = "created_at"
    case isAdmin = "admin"
  }
}

/// More cases than a diagnosis lists.
enum Element: String, Decodable {
  case hydrogen, helium, lithium, beryllium, boron, carbon, nitrogen, oxygen, fluorine, neon, sodium, magnesium,
    aluminium
}

/// A model without conversions.
struct Item: Decodable {
  var id: Int
  var title: String
}

/// An enumeration of numbers.
enum Level: Int, Decodable {
  case low = 1
  case high
}

struct Sizes: Decodable {
  var tiny: Int8?
  var count: UInt?
  var ratio: Float?
}

struct Picture: Decodable {
  var data: Data
}

struct Point: Decodable {
  var x: Double
  var y: Double

  init(from decoder: any Decoder) throws {
    var elements = try decoder.unkeyedContainer()
    x = try elements.decode(Double.self)
    y = try elements.decode(Double.self)
  }
}

/// A model whose code throws an error.
struct Email: Decodable {
  struct Malformed: Error, CustomStringConvertible {
    var text: String
    var description: String { "no at sign in \(text)" }
  }

  var text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(String.self)
    guard text.contains("@") else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no at sign in \(text)")
    }
  }
}

struct Contact: Decodable {
  var name: String
  var email: Email
}

struct Post: Decodable {
  var postTitle: String
  var wordCount: Int
}

struct Repository: JSONDecodable {
  enum Visibility: String, JSONDecodable {
    case `public`, `private`
  }

  var id: Int
  var owner: String
  var visibility: Visibility

  static func decode(_ json: JSON) throws -> Repository {
    try Repository(id: json => "id", owner: json => "owner" => "login", visibility: json => "visibility")
  }
}
