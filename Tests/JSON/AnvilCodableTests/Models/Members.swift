import AnvilBase
import AnvilCodable
import AnvilDiagnosis
import Foundation

// MARK: - The rest of an object

@JSONCodable @CodableNaming(.snakeCase)
struct WithRest: Equatable, DecoderUpdatable {
  var id: Int
  @CodingKey("owner", "login") var owner: String?
  @CodableAlias("nick") var displayName: String?
  @CodableRest var other: [String: JSON]
  @CodableDefault([]) var tags: [String]
  let version: Int = 2
  @CodableIgnored var note = "n"
}

@JSONCodable
struct RestOfNames: Equatable, DecoderUpdatable {
  var id: Int
  var displayName: String?
  @CodableRest var other: [String: JSON]
}

@JSONCodable
struct RestOfAccents: Equatable {
  var éA: Int?
  @CodableRest var other: [String: JSON]
}

@JSONCodable @JSONTagged(by: "\u{E9}")
enum TaggedByAccent: Equatable { case rest(RestOfAccents) }

@JSONCodable
struct OnlyRest: Equatable { @CodableRest var values: [String: Int?] }

@JSONCodable
struct RestOfModels: Equatable, DecoderUpdatable {
  var name: String?
  @CodableRest let streets: Swift.Dictionary<Swift.String, Street>
}

/// The values are only `Codable`.
@JSONCodable
struct RestOfPoints: Equatable { @CodableRest var points: [String: Point] }

@JSONCodable
struct RestWithOwnKeys: Equatable {
  enum CodingKeys: String, CodingKey { case id = "ID" }
  var id: Int
  @CodableRest var other: [String: JSON]
}

@JSONCodable
struct RestWithInitializer: Equatable {
  var reader: Int
  @CodableRest var decoder: [String: JSON] = ["a": 1]

  init(reader: Int) { self.reader = reader }
}

@JSONCodable
struct GenericRest<Value: Equatable>: Equatable {
  var first: Value?
  @CodableRest var other: [String: Value]
}

@JSONCodable
final class RestClass: Equatable {
  let id: Int
  @CodableRest var other: [String: JSON]

  init(id: Int, other: [String: JSON]) {
    self.id = id
    self.other = other
  }

  static func == (left: RestClass, right: RestClass) -> Bool { left.id == right.id && left.other == right.other }
}

enum RestScope {
  struct Level: Codable, Equatable { var value: Int }

  @JSONCodable
  struct Nested: Equatable {
    var level: Level
    @CodableRest var levels: [String: Level]
  }
}

@JSONCodable @JSONTagged(by: "type")
enum RestInTag: Equatable { case event(WithTagRest) }

@JSONCodable @JSONTagged(by: "kind")
enum RestInTags: Equatable {
  case inner(RestInTag)
  case open(RestOfUnknown)
  case deep(RestAroundTag)
  case own(RestByHand)
}

@JSONCodable @JSONTagged(by: "type", content: "content")
enum RestInContent: Equatable { case event(WithTagRest) }

@JSONCodable @JSONTagged(by: "type")
enum RestOfUnknown: Equatable {
  case event(WithTagRest)
  @CodableUnknown case other(WithTagRest)
}

@JSONCodable
struct RestAroundTag: Equatable {
  var part: RestInTag
  @CodableRest var other: [String: JSON]
}

/// A type that decodes another one from the same object.
struct RestByHand: Codable, Equatable {
  var value: WithTagRest

  init(value: WithTagRest) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(WithTagRest.self) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

@JSONCodable
struct WithTagRest: Equatable {
  var id: Int
  @CodableRest var other: [String: JSON]
}

// MARK: - Null

@JSONCodable
struct WrittenNulls: Equatable, DecoderUpdatable {
  @CodableNull var parent: Int?
  @CodableNull @CodableBy(.secondsSince1970) var end: Date?
  @CodableNull @CodingKey("a", "b") var deep: String?
  @CodingKey("a", "c") var beside: Int?
  @CodableNull @CodableAlias("old") @CodableDefault(3) var new: Int?
  @CodableNull var point: Point?
  @CodableNull @CodableBy(OptionalSeconds()) var left: Date?
  var plain: Int?
}

@JSONCodable
struct ThreeStates: Equatable, DecoderUpdatable {
  var count: Int??
  var text: String??
  @CodableBy(.secondsSince1970) var date: Date??
  var plainDate: Swift.Optional<Date?> = nil
  @CodingKey("a", "b") @CodableAlias("c") var deep: Int??
  @CodableDefault(5) var fallback: Int??
  @CodableDefault(nil) var none: Int??
  var point: Point??
  var list: [Int]??
  var street: Street??
}

@JSONCodable
enum ThreeStateCases: Equatable {
  case patch(title: String??, count: Int)
}

@JSONCodable
final class ThreeStateClass: Equatable {
  var title: String??

  init(title: String??) { self.title = title }

  static func == (left: ThreeStateClass, right: ThreeStateClass) -> Bool { left.title == right.title }
}

enum NullScope {
  struct Level: Codable, Equatable { var value: Int }

  @JSONCodable
  struct Nested: Equatable {
    var level: Level??
    @CodableNull var other: Level?
    @CodableBy(NumberText()) var number: Int??
    @CodableNull @CodableBy(NumberText()) var written: Int?
    @CodableBy(NumberText()) var numbers: [Int?]?
  }
}

// MARK: - Strategies for containers

@JSONCodable
struct ContainerStrategies: Equatable, DecoderUpdatable {
  @CodableBy(.iso8601) var dates: Set<Date>
  @CodableBy(.iso8601) var byKey: [String: Date]
  @CodableBy(.iso8601) var optional: [Date]?
  @CodableBy(.secondsSince1970) var gaps: [Date?]
  @CodableBy(.text(of: Int.self)) @CodableDefault([]) var numbers: Set<Int>
  @CodableBy(.secondsSince1970) var nested: Swift.Dictionary<String, [Swift.Optional<Date>]>?
  @CodableBy(NumberText()) var own: Array<Array<Int>>?
  @CodableBy(.base64) var optionals: [String: Data?]??
  /// The strategy is one for the array, and not for its elements.
  @CodableBy(CommaSeparated()) var texts: [String]?
  @CodableBy(CommaSeparated()) var lists: [String: [String]]?
  @CodableBy(OptionalSeconds()) var unknown: [Date?]?
}

struct CommaSeparated: CodableStrategy {
  func value(from text: String) -> [String] { text.split(separator: ",").map(String.init) }
  func coded(_ values: [String]) -> String { values.joined(separator: ",") }
}

// MARK: - Unknown cases

@JSONCodable @JSONTagged(by: "code")
enum OpenCoded: Equatable {
  @CodingKey(1) case one(x: Int)
  @CodingKey(2) case box(Box)
  @CodingKey(true) case yes
  @CodableUnknown case other(JSON)
}

@JSONCodable @JSONTagged(by: "code", content: "value")
enum QuietCoded: Equatable {
  @CodingKey(1) case one(Int)
  @CodingKey(false) case no
  @CodableUnknown @CodingKey(0) case other
}

@JSONCodable
struct OpenPart: Equatable {
  var code: Int
  var text: String?
}

@JSONCodable @JSONTagged(by: "code")
enum TypedUnknown: Equatable {
  @CodingKey(1) case one(x: Int)
  @CodableUnknown case other(OpenPart)
}

/// Booleans and numbers as aliases of tags.
@JSONCodable @JSONTagged(by: "ok")
enum AliasedTags: Equatable {
  @CodingKey("yes") @CodableAlias(true) case success(x: Int)
  @CodingKey(0) @CodableAlias(false) @CodableAlias("no") @CodableAlias(-1, 1) case failure
}
