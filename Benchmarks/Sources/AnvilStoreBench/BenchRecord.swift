import Anvil
import AnvilStore
import Foundation

/// A stored record: the attributes of a user as an API would send it.
protocol BenchRecord: StoredModel {
  associatedtype ID: StoredValue

  static var hasFewFollowers: StoreCondition<Self> { get }
  var followers: Int { get }

  static func id(_ number: Int) -> ID

  init(id: ID, _ values: RecordValues)

  var cRecord: CRecord { get }
}

extension BenchRecord {
  static var entityName: String { "Record" }

  /// The records 1 to `count`. With `changes`, every tenth has different values.
  static func records(_ count: Int, changes: Bool) -> [Self] {
    (1...max(count, 1)).map { Self(number: $0, changes: changes) }
  }

  /// The indices of `count` records in an order that is not that of their keys.
  static func scattered(_ count: Int) -> [Int] { (0..<count).map { $0 * 7_919 % count } }

  static func scatteredIDs(_ count: Int) -> [ID] { scattered(count).map { id($0 + 1) } }

  init(number: Int, changes: Bool) {
    self.init(id: Self.id(number), RecordValues(number: number, isChanged: changes && number % 10 == 3))
  }
}

/// The attributes of a record other than its key.
struct RecordValues {
  enum Kind: String, StoredValue {
    case user = "User"
    case organization = "Organization"
    case bot = "Bot"
  }

  var login: String
  var name: String
  var email: String
  var summary: String
  var kind: Kind
  var followers: Int
  var score: Double
  var isAdmin: Bool
  var created: Date
  var company: String?

  init(number: Int, isChanged: Bool) {
    let givenName = Self.names[number % Self.names.count]
    login = "\(givenName.lowercased())\(number)"
    name = "\(givenName) \(Self.names[number / 7 % Self.names.count]) the \(number % 97)th"
    email = "\(login)@mail.example.com"
    summary = Self.summary + (isChanged ? ", and has moved" : "")
    kind = number.isMultiple(of: 11) ? .organization : number.isMultiple(of: 13) ? .bot : .user
    followers = number &* 7919 % 100_003 + (isChanged ? 1 : 0)
    score = Double(number % 9_973) / 64
    isAdmin = number.isMultiple(of: 97)
    created = Date(timeIntervalSinceReferenceDate: Double(number) * 1_001.25)
    company = number.isMultiple(of: 3) ? nil : "Hammer & Tongs No. \(number % 501)"
  }

  /// More than the followers of a tenth of the records.
  static let fewFollowers = 10_000

  private static let names = ["Ada", "Wayland", "Brigid", "Hephaistos", "Ogun", "Ilmarinen", "Goibniu"]
  private static let summary = "Forges hinges, horseshoes and the occasional sword; teaches on Thursdays"
}

/// A record whose key is an integer. Records are stored in the order of their keys.
@StoredModel
struct NumberedRecord: BenchRecord {
  @MatchKey var id: Int
  var login: String
  var name: String
  var email: String
  var summary: String
  var kind: RecordValues.Kind
  var followers: Int
  var score: Double
  var isAdmin: Bool
  var created: Date
  var company: String?

  static var hasFewFollowers: StoreCondition<NumberedRecord> { \.followers < RecordValues.fewFollowers }

  static func id(_ number: Int) -> Int { number }

  init(id: Int, _ values: RecordValues) {
    (self.id, login, name, email, summary) = (id, values.login, values.name, values.email, values.summary)
    (kind, followers, score, isAdmin) = (values.kind, values.followers, values.score, values.isAdmin)
    (created, company) = (values.created, values.company)
  }

  var cRecord: CRecord {
    var record = CRecord(number: id)
    record.set(login, name, email, summary, kind.rawValue, company)
    record.set(followers, score, isAdmin, created)
    return record
  }
}

/// A record whose key is a string. Records are not stored in the order of their keys.
@StoredModel
struct NamedRecord: BenchRecord {
  @MatchKey var id: String
  var login: String
  var name: String
  var email: String
  var summary: String
  var kind: RecordValues.Kind
  var followers: Int
  var score: Double
  var isAdmin: Bool
  var created: Date
  var company: String?

  static var hasFewFollowers: StoreCondition<NamedRecord> { \.followers < RecordValues.fewFollowers }

  /// As long as a UUID, in a seemingly random order.
  static func id(_ number: Int) -> String {
    let digits = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-4f0e-anvil-benchmk"
  }

  init(id: String, _ values: RecordValues) {
    (self.id, login, name, email, summary) = (id, values.login, values.name, values.email, values.summary)
    (kind, followers, score, isAdmin) = (values.kind, values.followers, values.score, values.isAdmin)
    (created, company) = (values.created, values.company)
  }

  var cRecord: CRecord {
    var record = CRecord(key: id)
    record.set(login, name, email, summary, kind.rawValue, company)
    record.set(followers, score, isAdmin, created)
    return record
  }
}
