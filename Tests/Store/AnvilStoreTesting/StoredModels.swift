internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// A model with an attribute of each type that columns can store.
@StoredModel
struct AllTypes: Equatable {
  enum Kind: String, StoredValue { case small, large }
  enum Level: Int, StoredValue { case low, high }
  struct Point: Codable, Equatable { var x, y: Double }

  @MatchKey var id: Int
  var flag: Bool
  var text: String
  var small: Int8
  var large: UInt64
  var float: Float
  var double: Double
  var date: Date
  var data: Data
  var uuid: UUID
  var url: URL
  var decimal: Decimal
  var kind: Kind
  var level: Level
  var tags: [String]
  var point: Point
  var textIfAny: String?
  var dateIfAny: Date?
  var kindIfAny: Kind?
  var pointIfAny: Point?
}

/// A model with the same attributes and the same table as ``AllTypes``, but stored with `Codable`.
struct PlainTypes: Codable, Sendable, Equatable, ManagedDecodable {
  static let entityName = "AllTypes"
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var flag: Bool
  var text: String
  var small: Int8
  var large: UInt64
  var float: Float
  var double: Double
  var date: Date
  var data: Data
  var uuid: UUID
  var url: URL
  var decimal: Decimal
  var kind: AllTypes.Kind
  var level: AllTypes.Level
  var tags: [String]
  var point: AllTypes.Point
  var textIfAny: String?
  var dateIfAny: Date?
  var kindIfAny: AllTypes.Kind?
  var pointIfAny: AllTypes.Point?
}

/// A model with custom column names, and with keys that are different in payloads: paths, aliases, strategies and names.
@JSONCodable @StoredModel @CodableNaming(.snakeCase)
struct Repository: Equatable {
  @MatchKey @Column("repository") var id: Int
  @Column("title") var fullName: String
  @CodingKey("counts", "stars") var stars: Int
  @CodingKey("counts", "forks") @Column("copies") var forks: Int?
  @CodableAlias("lang") var mainLanguage: String?
  @CodableBy(.secondsSince1970) var pushedAt: Date
  @CodableDefault([]) var topics: [String]
  @CodableIgnored var isOpen = true
  let kind: String = "repository"
  private(set) var size: Int?

  init(_ id: Int, _ fullName: String, stars: Int = 0, language: String? = nil, size: Int? = nil) {
    (self.id, self.fullName, self.stars, mainLanguage, self.size) = (id, fullName, stars, language, size)
    (pushedAt, topics) = (Date(timeIntervalSince1970: 86_400), [])
  }
}

@StoredModel
struct Club: Equatable {
  @MatchKey var name: String
  var budget: Decimal?
}

/// A model with references to other rows and with two match keys.
@StoredModel
struct Athlete: Equatable {
  @MatchKey var country: String
  @MatchKey @Column("shirt") var number: Int
  var team: Club?
  var formerTeams: [Club]
  var goals: Int
}

/// A model whose columns have the names of other attributes.
@StoredModel
struct Relabelled: Equatable {
  @Column("title") var name: String = ""
  @MatchKey @Column("name") var id: String
  @Column("second") var first: Int?
  @Column("first") var second: Int?

  init(_ name: String, id: String, _ first: Int?, _ second: Int?) {
    (self.name, self.id, self.first, self.second) = (name, id, first, second)
  }
}

/// A model of the same table as ``Relabelled`` whose attributes have the names of the columns.
@StoredModel
struct Labelled: Equatable {
  static let entityName = "Relabelled"
  var title: String
  @MatchKey var name: String
  var second: Int?
  var first: Int?
}

/// A version of ``Labelled`` with fewer columns.
@StoredModel
struct Unlabelled: Equatable {
  static let entityName = "Relabelled"
  @MatchKey var name: String
  var second: Int?
}

/// A model without match keys.
@StoredModel
struct Entry: Equatable {
  var text: String
  var count: Int?
}

/// A model whose names need backticks.
@JSONCodable @StoredModel
struct RawNamed: Equatable {
  @MatchKey var `1st`: Int
  var `self`: String
  var `in progress`: Swift.Optional<Int>
}
