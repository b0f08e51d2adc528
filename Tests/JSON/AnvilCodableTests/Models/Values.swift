import AnvilCodable
import Foundation

@JSONCodable
struct Integers: Equatable {
  var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
  var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
}

@JSONCodable
struct WideIntegers: Equatable {
  var signed: Int128
  var unsigned: UInt128?
}

@JSONCodable
struct Scalars: Equatable {
  var bool: Bool
  var double: Double
  var float: Float
  var string: String
  var decimal: Decimal
}

@JSONCodable
struct FoundationValues: Equatable {
  var url: URL
  var uuid: UUID
  var data: Data
  var date: Date
  var urls: [URL]?
  var dates: [String: Date]?
  var optionalDate: Date?
}

@JSONCodable
struct Documents: Equatable {
  var json: JSON
  var optional: JSON?
  var list: [JSON]
  var map: [String: JSON]
}

@JSONCodable
struct Containers: Equatable {
  var list: [Int]
  var lists: [[String]]
  var map: [String: Int]
  var maps: [String: [String: Bool]]
  var optionals: [Int?]
  var optionalValues: [String: String?]?
  var optionalList: [Int]?
  var users: [User]
  var usersByName: [String: User]?
  var explicit: Optional<Int>
  var array: Array<Int>
  var dictionary: Dictionary<String, Int>
}

/// Property types that are only `Codable`.
@JSONCodable
struct OnlyCodable: Equatable {
  var set: Set<Int>
  var plain: PlainPoint
  var optional: PlainPoint?
  var list: [PlainPoint]
  var byNumber: [Int: String]
  var range: Range<Int>
  @CodableAlias("other") var aliased: PlainPoint?
  @CodingKey("a", "b") var inner: PlainPoint
  @CodableDefault(PlainPoint(x: 1, y: 2)) var fallback: PlainPoint
  var optionalSet: Set<String>?
  var raw: PlainRaw
  var stamp: PlainStamp?
  var dates: Set<Date>?
}

struct PlainStamp: Codable, Equatable { var date: Date }

/// A type from another module.
struct PlainPoint: Codable, Equatable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    x = try container.decode(Double.self)
    y = try container.decode(Double.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
  }
}

enum PlainRaw: String, Codable { case a, b }

@JSONCodable
struct AllOptional: Equatable {
  var a: Int?
  var b: String?
  var c: [Int]?
  var d: User?
  var e: PlainPoint?
  @CodingKey("f", "g") var f: Int?
  @CodableBy(.millisecondsSince1970) var h: Date?
  var i: Kind?
  var j: Shape?
}

@JSONCodable
struct Strategies: Equatable {
  @CodableBy(.secondsSince1970) var seconds: Date
  @CodableBy(.millisecondsSince1970) var milliseconds: Date?
  @CodableBy(.iso8601) var iso: Date
  @CodableBy(.base64) var data: Data
  @CodableBy(.text(of: Int.self)) var number: Int
  @CodableBy(.secondsSince1970) var dates: [Date]
  @CodableBy(.text(of: Double.self)) @CodableDefault([]) var numbers: [Double]
  @CodableBy(.text(of: Int.self)) @CodableAlias("old") var aliased: Int?
  @CodingKey("a", "b") @CodableBy(Reversed()) var reversed: String?
  @CodableBy(Reversed()) @CodableDefault("abc") var withDefault: String
}

@JSONCodable
struct NestedStrategies: Equatable {
  @CodableBy(.secondsSince1970) var byKey: [String: Date]
  @CodableBy(.secondsSince1970) var gaps: [Date?]?
  @CodableBy(.iso8601) @CodableDefault([:]) var lists: [String: [Date]?]
}

struct Reversed: CodableStrategy {
  func value(from text: String) throws -> String {
    if text == "bad" { throw CodingStrategyError("a bad text") }
    return String(text.reversed())
  }

  func coded(_ value: String) throws -> String {
    if value == "worse" { throw CodingStrategyError("a worse text") }
    return String(value.reversed())
  }
}

/// Properties with the names that the generated functions use.
@JSONCodable
struct Names: Equatable {
  var reader: Int
  var writer: Int
  var json: Int
  var container: Int
  var decoder: Int
  var encoder: Int
  var members: Int
  var key: Int
  var value: Int?
  var name: Int
  var inner: Int
  var offset: Int
  var tags: Int?
  var `self`: Int
  var `class`: Int
  var `default`: Int?
  var await: Int?
  var `init`: Int
  var Self_: Int
  var values: Int
  var text: Int
  var read: Int
  var write: Int
  var decode: Int
  var encode: Int
  var hash: Int
  @CodableAlias("members_2") var model: Int
  @CodingKey("containers", "x") var containerX: Int?
  @CodingKey("reader-inner", "json") var readerInner: Int
  @CodingKey("readerinner", "json") var readerinner: Int?
  @CodingKey("Owner", "json") var owner: Int?
  @CodingKey("owner", "json") var other: Int?
}

@JSONCodable
enum NamedCases: Equatable {
  case reader(reader: Int, writer: Int)
  case json(json: Int, key: Int, value: Int?)
  case `self`(decoder: Int, container: Int)
  case `default`, `await`(await: Int)
  case value(name: Int, objectOffset: Int)
  case name(Int)
  case keys(keys: Int, encoder: Int, members: Int, tags: Int)
  case `init`(default: Int, in: Int)
}

@JSONCodable @JSONTagged(by: "tag")
enum NamedTags: Equatable {
  case tag(reader: Int, tags: Int, decoder: Int)
  case tags(key: Int, json: Int?, container: Int)
  case content(PlainObject)
}

@JSONCodable @JSONTagged(by: "tag", content: "content")
enum NamedContents: Equatable {
  case tag(tag: Int, content: Int)
  case content(reader: Int, tags: Int)
}

struct PlainObject: Codable, Equatable { var x: Int }

/// Keys with characters of all kinds.
@JSONCodable
struct Keys: Equatable {
  @CodingKey("with space") var space: Int
  @CodingKey("quo\"te") var quote: Int
  @CodingKey("back\\slash") var backslash: Int
  @CodingKey("dotted.key") var dotted: Int
  @CodingKey("ümläut") var umlaut: Int
  @CodingKey("🙂") var emoji: Int
  @CodingKey("") var empty: Int
  @CodingKey("new\nline") var newline: Int
  @CodingKey("\u{1}") var control: Int
  @CodingKey("a very long key of more than sixty-three bytes, which is compared in another way") var long: Int
  @CodingKey("🙃", "x") var face: Int?
  @CodingKey("1", "2") var digits: Int?
  @CodingKey("$ref") var dollar: Int?
  @CodingKey(#"raw"key"#) var raw: Int?
  var größe: Int
}

@JSONCodable
struct Slashed: Equatable {
  @CodingKey("a/b") var path: String
  var url: URL?
}

@JSONCodable @CodableNaming(.snakeCase)
struct SnakeNamed: Equatable {
  var fullName: String
  var homeURL: String
  var urlString2: String
  @CodingKey("other") var notConverted: Int
  var `inOut`: Int
}

@JSONCodable @CodableNaming(.kebabCase) struct KebabNamed: Equatable { var fullName: Int, isOn: Int }
@JSONCodable @CodableNaming(.pascalCase) struct PascalNamed: Equatable { var fullName: Int, isOn: Int }
@JSONCodable @CodableNaming(.lowercase) struct LowerNamed: Equatable { var fullName: Int, isOn: Int }
@JSONCodable @CodableNaming(.upperSnakeCase) struct UpperNamed: Equatable { var fullName: Int, isOn: Int }
@JSONCodable @CodableNaming(.camelCase) struct CamelNamed: Equatable { var fullName: Int, isOn: Int }

@JSONCodable
struct Wide: Equatable {
  var property0: Int
  var property1: String?
  var property2: Double?
  var property3: [Int]
  var property4: Bool
  var property5: Int
  var property6: String?
  var property7: Double?
  var property8: [Int]
  var property9: Bool
  var property10: Int
  var property11: String?
  var property12: Double?
  var property13: [Int]
  var property14: Bool
  var property15: Int
  var property16: String?
  var property17: Double?
  var property18: [Int]
  var property19: Bool
  var property20: Int
  var property21: String?
  var property22: Double?
  var property23: [Int]
  var property24: Bool
  var property25: Int
  var property26: String?
  var property27: Double?
  var property28: [Int]
  var property29: Bool
  var property30: Int
  var property31: String?
  var property32: Double?
  var property33: [Int]
  var property34: Bool
  var property35: Int
  var property36: String?
  var property37: Double?
  var property38: [Int]
  var property39: Bool
  var property40: Int
  var property41: String?
  var property42: Double?
  var property43: [Int]
  var property44: Bool
  var property45: Int
  var property46: String?
  var property47: Double?
  var property48: [Int]
  var property49: Bool
  var property50: Int
  var property51: String?
  var property52: Double?
  var property53: [Int]
  var property54: Bool
  var property55: Int
  var property56: String?
  var property57: Double?
  var property58: [Int]
  var property59: Bool
}
