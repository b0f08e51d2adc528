import Anvil
import Foundation
import Testing

@JSONCodable
private struct CatalogEntry {
  var id: Int
  @CodingKey("full_name") var name: String
  @CodingKey("owner", "login") var owner: String
  @CodableDefault([]) var topics: [String]
  @CodableBy(.iso8601) var created: Date
  var language: String?
}

@JSONCodable @CodableNaming(.snakeCase)
private struct Author {
  var displayName: String
  @CodableAlias("mail", "e_mail") var email: String?
}

private struct Percentage: CodableStrategy {
  func value(from text: String) throws -> Double {
    guard text.hasSuffix("%"), let number = Double(text.dropLast()) else { throw CodingFailure("no percentage") }
    return number / 100
  }
  func coded(_ value: Double) -> String { "\(value * 100)%" }
}

@JSONCodable
private struct Progress {
  @CodableBy(Percentage()) var done: Double
}

@JSONCodable @JSONTagged(by: "type")
private enum Shape: Equatable {
  case circle(radius: Double)
  case polygon(Polygon)
  @CodableUnknown case other(JSON)
}

@JSONCodable
private struct Polygon: Equatable {
  var corners: Int
}

@JSONCodable
private struct Project {
  var id: Int
  @CodingKey("full_name") var name: String
  @CodingKey("owner", "login") var owner: String
  @CodableDefault([]) var topics: [String]
}

/// The samples of the guide "Models in one word", and README's.
struct MacroSamples {
  @Test func aCatalogEntryIsReadByItsKeys() throws {
    let text =
      #"{"id": 1, "full_name": "a/b", "owner": {"login": "ada"}, "created": "2026-02-03T04:05:06Z", "language": null}"#
    let data = Data(text.utf8)
    let repository = try JSON.Decoder().decode(CatalogEntry.self, from: data)
    #expect(repository.name == "a/b")
    #expect(repository.owner == "ada")
    #expect(repository.topics.isEmpty)
    #expect(repository.created == Date(timeIntervalSince1970: 1_770_091_506))
    #expect(repository.language == nil)
  }

  @Test func namesBecomeKeysAndOtherKeysAreRead() throws {
    let author = try JSON.read(Author.self, from: #"{"display_name": "Ada", "mail": "a@b.c"}"#)
    #expect(author.displayName == "Ada")
    #expect(author.email == "a@b.c")
    #expect(try JSON(encoding: author).serializedText() == #"{"display_name":"Ada","email":"a@b.c"}"#)
  }

  @Test func aStrategyOfOnesOwnIsUsed() throws {
    let progress = try JSON.read(Progress.self, from: #"{"done": "25%"}"#)
    #expect(progress.done == 0.25)
    #expect(String(decoding: try JSON.write(progress), as: UTF8.self) == #"{"done":"25.0%"}"#)
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Progress.self, from: #"{"done": "some"}"#) }
  }

  @Test(arguments: [
    (#"{"type":"circle","radius":1}"#, Shape.circle(radius: 1)),
    (#"{"type":"polygon","corners":5}"#, .polygon(Polygon(corners: 5))),
    (#"{"type":"star"}"#, .other(["type": "star"])),
  ])
  private func casesAreToldApartByTheTag(text: String, shape: Shape) throws {
    #expect(try JSON.read(Shape.self, from: text) == shape)
    #expect(try JSON(encoding: shape) == JSON(parsing: text))
  }

  @Test func projectsAreDecoded() throws {
    let data = Data(#"[{"id": 1, "full_name": "a/b", "owner": {"login": "ada"}, "topics": ["x"]}]"#.utf8)
    let projects = try JSON.Decoder().decode([Project].self, from: data)
    #expect(projects.map(\.owner) == ["ada"])
  }
}
