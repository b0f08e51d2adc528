import AnvilBase
import AnvilCodable
import Foundation

@JSONCodable
struct Empty: Equatable {}

@JSONCodable
struct User: Equatable {
  var id: Int
  @CodingKey("full_name") var name: String
  @CodableDefault([]) var tags: [String]
  var company: String?
}

/// Values in nested objects, one of which is optional.
@JSONCodable
struct Repository: Equatable {
  var name: String
  @CodingKey("owner", "login") var owner: String
  @CodingKey("owner", "site") var site: URL?
  @CodingKey("counts", "stars") var stars: Int?
  @CodingKey("counts", "forks") var forks: Int?
  @CodingKey("a", "b", "c") var deep: Bool
  @CodingKey("a", "b", "d") var deeper: Bool?
  @CodingKey("a", "x") @CodableDefault(7) var beside: Int
}

@JSONCodable
struct Aliased: Equatable {
  @CodableAlias("old", "older") var new: Int
  @CodableAlias("nick") var name: String?
  @CodableAlias("labels") @CodableDefault(["none"]) var tags: [String]
  @CodingKey("owner", "id") @CodableAlias("number") var owner: Int
  @CodingKey("size", "w") @CodableAlias("width") var width: Double?
}

/// Properties whose names resemble those of the generated keys for aliases.
@JSONCodable
struct Numbered: Equatable {
  @CodableAlias("b", "c") var a: Int
  var a_2: Int
  @CodableDefault(nil) var a_3: Int?
}

@JSONCodable
struct Defaulted: Equatable {
  @CodableDefault(3) var count: Int
  @CodableDefault("none") var text: String
  @CodableDefault([1, 2]) var list: [Int]
  @CodableDefault(["a": 1]) var map: [String: Int]
  @CodableDefault([:]) var empty: [String: [Int]]
  @CodableDefault(5) var optional: Int?
  @CodableDefault(Sort.byName) var sort: Sort
  @CodableDefault var initial: Int = 9
  @CodableDefault var member: Sort = .bySize
  @CodableDefault([]) var set: Set<Int>
  @CodableDefault(-1) var negative: Double
}

@JSONCodable
enum Sort: String { case byName, bySize }

@JSONCodable
struct Partly: Equatable {
  var id: Int
  @CodableIgnored var cache: [Int] = [4]
  @CodableIgnored var note: String?
  let version: Int = 2
  let kind: String = "partly"
  static let shared = 1
  var doubled: Int { id * 2 }
  var observed: Int = 0 { didSet { cache = [observed] } }
}

@JSONCodable
struct Page<Item: Equatable>: Equatable {
  var items: [Item]
  var next: Item?
  @CodingKey("meta", "total") var total: Int?
}

/// The parameter is not coded.
@JSONCodable
struct Identifier<Entity>: Hashable, DecoderUpdatable {
  var rawValue: Int
  @CodableIgnored var entity: Entity.Type?
  @CodableIgnored var entities: [ObjectIdentifier: Entity]?
  static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

@JSONCodable
struct Identified: Equatable { var id: Identifier<Identified>, others: [Identifier<any Error>] }

@JSONCodable
enum Lookup<Entity>: Equatable { case id(Int), name(String) }

/// Only a member of the parameter is coded.
@JSONCodable
struct Batch<Source: Sequence>: Equatable where Source.Element: Equatable {
  var elements: [Source.Element]
  var last: Source.Element?
}

/// A nested type has the parameter.
@JSONCodable
struct Listing<Value: Equatable>: Equatable {
  @JSONCodable
  struct Entry: Equatable { var value: Value }
  typealias Values = [Value]

  var entries: [Entry]
  var values: Values
}

@JSONCodable
struct Pair<First: Equatable, Second: Equatable>: Equatable {
  var first: First
  @CodableAlias("two") var second: Second
}
