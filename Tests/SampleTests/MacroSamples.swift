public import Anvil
import AnvilTestSupport
import Foundation
import Testing

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@JSONCodable
public struct Label: Sendable {
  public var id: Int
  public var name: String?
  public var color: String = "ffffff"
  @CodableDefault([]) public var aliases: [String]
}

/// The samples of the guide "Models in one word", and README's.
@Suite struct MacroSamples {
  // sample: oneWord
  @JSONCodable
  struct Repository {
    var id: Int
    @CodingKey("full_name") var name: String
    @CodingKey("owner", "login") var owner: String
    @CodableDefault([]) var topics: [String]
    @CodableBy(.iso8601) var created: Date
    var language: String?
  }
  // end sample

  /// The model that `anvil model` writes for the guide's samples.
  enum Generated {
    // sample: fromSamples
    @JSONCodable
    struct Repository: Hashable, Sendable {
      let id: Int
      @CodingKey("full_name") let fullName: String
      let language: String?
      let owner: Owner
      @CodingKey("created_at") @CodableBy(.iso8601) let createdAt: Date

      @JSONCodable
      struct Owner: Hashable, Sendable {
        let login: String
      }
    }
    // end sample
  }

  // sample: naming
  @JSONCodable @CodableNaming(.snakeCase)
  struct Author {
    var displayName: String  // display_name
    @CodableAlias("mail", "e_mail") var email: String?  // email, mail or e_mail
  }
  // end sample

  // sample: codingStrategy
  struct Percentage: CodableStrategy {
    func value(from text: String) throws -> Double {
      guard text.hasSuffix("%"), let number = Double(text.dropLast()) else {
        throw CodingStrategyError("no percentage")
      }
      return number / 100
    }
    func coded(_ value: Double) -> String { "\(value * 100)%" }
  }

  @JSONCodable
  struct Progress {
    @CodableBy(Percentage()) var done: Double
  }
  // end sample

  // sample: absentAndNull
  @JSONCodable
  struct IssuePatch: Equatable {
    var title: String??  // nil: not written
    @CodableBy(.iso8601) var due: Date??  // .some(nil): null
    @CodableNull var parent: Int?  // nil: null
  }
  // end sample

  // sample: otherMembers
  @JSONCodable
  struct Event: Equatable {
    var id: Int
    @CodableRest var other: [String: JSON]
  }
  // end sample

  // sample: tagged
  @JSONCodable @JSONTagged(by: "type")
  enum Shape: Equatable {
    case circle(radius: Double)  // {"type": "circle", "radius": 1}
    case polygon(Polygon)  // {"type": "polygon", "corners": 5}
    @CodableUnknown case other(JSON)  // any other value
  }

  @JSONCodable
  struct Polygon: Equatable {
    var corners: Int
  }
  // end sample

  @JSONCodable @JSONTagged(by: "ok", content: "result")
  enum Answer: Equatable {
    @CodingKey(true) case success(Polygon)  // {"ok": true, "result": {"corners": 5}}
    @CodingKey(false) case failure(String)  // {"ok": false, "result": "no polygon"}
  }

  @JSONCodable
  struct Account: DecoderUpdatable, Equatable {
    var login: String
    var bio: String?
    var address: Address
  }

  @JSONCodable
  struct Address: DecoderUpdatable, Equatable {
    var city: String
    var zip: String?
  }

  // sample: readmeMacro
  @JSONCodable
  struct Project {
    var id: Int
    @CodingKey("full_name") var name: String
    @CodingKey("owner", "login") var owner: String
    @CodableDefault([]) var topics: [String]
  }
  // end sample

  /// `GeneratedSourceTests` checks that the tool writes the model for these documents.
  @Test func theGeneratedModelReadsTheDocumentsOfTheGuide() throws {
    let guide = "\(Checkout.guides)/ModelsInOneWord.md"
    let samples = [
      #"{"id": 44838949, "full_name": "swiftlang/swift", "language": "C++", "owner": {"login": "swiftlang"}, "created_at": "2015-10-23T21:15:07Z"}"#,
      #"{"id": 10639145, "full_name": "ada/notes", "language": null, "owner": {"login": "ada"}, "created_at": "2026-01-02T03:04:05Z"}"#,
    ]
    try expectShown(samples.joined(separator: "\n"), in: guide, language: "json")
    for sample in samples { _ = try JSON.read(Generated.Repository.self, from: sample) }
  }

  @Test func repositoryIsReadByItsKeys() throws {
    let text =
      #"{"id": 1, "full_name": "a/b", "owner": {"login": "ada"}, "created": "2026-02-03T04:05:06Z", "language": null}"#
    let data = Data(text.utf8)
    // sample: oneWord
    let repository = try JSON.Decoder().decode(Repository.self, from: data)
    // end sample
    #expect(repository.name == "a/b")
    #expect(repository.owner == "ada")
    #expect(repository.topics.isEmpty)
    #expect(repository.created == Date(timeIntervalSince1970: 1_770_091_506))
    #expect(repository.language == nil)
  }

  @Test func accountIsUpdatedFromAText() throws {
    var account = Account(login: "ada", bio: "counts", address: Address(city: "London", zip: "W1"))
    let data = Data(#"{"bio": null, "address": {"city": "Turin"}}"#.utf8)
    account = try JSON.Decoder().update(account, from: data)  // {"bio": null, "address": {"city": "Turin"}}
    #expect(account == Account(login: "ada", bio: nil, address: Address(city: "Turin", zip: "W1")))
  }

  @Test func keysAreConvertedAndAliasesAreRead() throws {
    let author = try JSON.read(Author.self, from: #"{"display_name": "Ada", "mail": "a@b.c"}"#)
    #expect(author.displayName == "Ada")
    #expect(author.email == "a@b.c")
    #expect(try JSON(encoding: author).serializedText() == #"{"display_name":"Ada","email":"a@b.c"}"#)
  }

  @Test func customStrategyIsUsed() throws {
    let progress = try JSON.read(Progress.self, from: #"{"done": "25%"}"#)
    #expect(progress.done == 0.25)
    #expect(String(decoding: try JSON.write(progress), as: UTF8.self) == #"{"done":"25.0%"}"#)
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Progress.self, from: #"{"done": "some"}"#) }
  }

  @Test func absentAndNullAreToldApart() throws {
    let patch =
      // sample: absentAndNull
      IssuePatch(due: .some(nil), parent: 3)  // {"due": null, "parent": 3}
    // end sample
    #expect(String(decoding: try JSON.write(patch), as: UTF8.self) == #"{"due":null,"parent":3}"#)
    #expect(try JSON.read(IssuePatch.self, from: #"{"due": null, "parent": 3}"#) == patch)
    #expect(String(decoding: try JSON.write(IssuePatch()), as: UTF8.self) == #"{"parent":null}"#)
    #expect(try JSON.read(IssuePatch.self, from: #"{"title": "a"}"#).title == "a")
  }

  @Test func publicModelsHaveDefaults() {
    let label =
      Label(id: 1, color: "d73a4a")  // in any module
    #expect(label.name == nil && label.color == "d73a4a" && label.aliases == [])
  }

  @Test func otherMembersAreKept() throws {
    let tags =
      // sample: otherMembers
      try JSON.read(Event.self, from: #"{"id": 1, "tags": ["a"]}"#).other["tags"]  // ["a"]
    // end sample
    #expect(tags == ["a"])
    #expect(
      String(decoding: try JSON.write(Event(id: 1, other: ["b": 2, "a": 1])), as: UTF8.self) == #"{"id":1,"a":1,"b":2}"#
    )
  }

  @Test(arguments: [
    (#"{"type":"circle","radius":1}"#, Shape.circle(radius: 1)),
    (#"{"type":"polygon","corners":5}"#, .polygon(Polygon(corners: 5))),
    (#"{"type":"star"}"#, .other(["type": "star"])), (#"{"corners":5}"#, .other(["corners": 5])),
  ])
  func casesAreDistinguishedByTheTag(text: String, shape: Shape) throws {
    #expect(try JSON.read(Shape.self, from: text) == shape)
    #expect(try JSON(encoding: shape) == JSON(parsing: text))
  }

  @Test(arguments: [
    (#"{"ok":true,"result":{"corners":5}}"#, Answer.success(Polygon(corners: 5))),
    (#"{"ok":false,"result":"no polygon"}"#, .failure("no polygon")),
  ])
  func tagsMayBeBooleans(text: String, answer: Answer) throws {
    #expect(try JSON.read(Answer.self, from: text) == answer)
    #expect(String(decoding: try JSON.write(answer), as: UTF8.self) == text)
  }

  @Test func projectsAreDecoded() throws {
    let data = Data(#"[{"id": 1, "full_name": "a/b", "owner": {"login": "ada"}, "topics": ["x"]}]"#.utf8)
    // sample: readmeMacro
    let projects = try JSON.Decoder().decode([Project].self, from: data)  // without Codable's containers
    // end sample
    #expect(projects.map(\.owner) == ["ada"])
  }
}
