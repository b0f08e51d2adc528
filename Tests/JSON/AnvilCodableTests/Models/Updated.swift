public import AnvilBase
public import AnvilCodable
import AnvilDiagnosis
import Foundation

@JSONCodable
struct Street: Equatable, DecoderUpdatable {
  var name: String
  var number: Int?
}

@JSONCodable
struct AnnotatedStreet: Equatable, DecoderUpdatable {
  enum CodingKeys: String, CodingKey { case name }

  var name: String
  @CodableIgnored var note = "n"
  @CodableIgnored @Trimmed private(set) var trimmed = "t"
  @CodableIgnored let constant = 1
  var count: Int = 0
  var notCoded: String?

  init(name: String) { self.name = name }
}

/// Has no declared initialiser. The compiler's has parameters for the variables in the pattern.
@JSONCodable
struct Paired: Equatable, DecoderUpdatable {
  var name: String
  @CodableIgnored var (width, (height, _)) = (1, (2, 3))
}

@JSONCodable
struct Member: Equatable, DecoderUpdatable {
  let id: Int
  var name: String?
  var street: Street
  var second: Street?
  @CodableDefault(Street(name: "default")) var third: Street
  @CodableDefault(7) var count: Int
  @CodableDefault("none") var text: String?
  var kind: Kind
  var filter: Filter?
  var document: JSON?
  var plain: Point
  var list: [Street]
  var map: [String: Int]
  var set: Set<Int>?
  var date: Date
  @CodableBy(.secondsSince1970) var joined: Date
  @CodableBy(.secondsSince1970) var left: Date?
  let constant: Int = 4
  @CodableIgnored var note = "n"
}

@JSONCodable
struct Point: Equatable {
  var x: Int
  var y: Int?
}

@JSONCodable
struct AliasedAccount: Equatable, DecoderUpdatable {
  @CodableAlias("older", "oldest") var old: Int?
  @CodableAlias("length") var size: Int
  @CodableAlias("nick") @CodableDefault("x") var nickname: String?
  @CodableAlias("sum") @CodableDefault(1) var total: Int
  @CodableAlias("home") var street: Street?
}

@JSONCodable
struct AliasedContact: Equatable, DecoderUpdatable {
  var id: Int
  @CodableAlias("mail", "e_mail") var email: String
  @CodableAlias("nick") var nickname: String?
  @CodableAlias("sum") @CodableDefault(1) var total: Int
  @CodableAlias("alias") @CodableDefault("x") var other: String?
  @CodableAlias("since") @CodableBy(.secondsSince1970) var joined: Date
  @CodableAlias("until") @CodableBy(.secondsSince1970) var left: Date?
  @CodingKey("a", "b") @CodableAlias("c") var deep: Int
  @CodingKey("o", "p") @CodableAlias("q") var deepOptional: Street?
  @CodableAlias("home") var street: Street
  @CodableAlias("homes") var streets: [Street]
  @CodableAlias("names") var map: [String: Int]?
  @CodableAlias("type") var kind: UpdatedMode
  @CodableAlias("values") @LossyArray var list: [Int]
  @CodableAlias("amount") @NumberOrString var number: Int?
}

@JSONCodable
struct GroupedAccount: Equatable, DecoderUpdatable {
  @CodingKey("a", "b") var b: Int
  @CodingKey("a", "c") var c: Int?
  @CodingKey("a", "street") var street: Street
  @CodingKey("o", "x") var x: Int?
  @CodingKey("o", "y") @CodableDefault(3) var y: Int?
  @CodingKey("o", "p", "z") var z: Street?
  @CodingKey("o", "p", "q") @CodableAlias("r") var q: Int?
  @CodingKey("d", "n") @CodableDefault(5) var n: Int
  var reader: Int?
  var updating: Bool
}

@JSONCodable
struct WrappedAccount: Equatable, DecoderUpdatable {
  @LossyArray var list: [Street]
  @DefaultValue<Zero> var zero: Int
  @NumberOrString var number: Int
  @NumberOrString var optional: Int?
  @Trimmed var text: String
  @CodingKey("a", "b") @Trimmed var deep: String
  var state: OpenEnum<PlainRaw>
}

@JSONCodable
struct WrappedPathAccount: Equatable, DecoderUpdatable {
  var id: Int
  @CodingKey("a", "zero") @DefaultValue<Zero> var zero: Int
  @CodingKey("a", "list") @CodableDefault([]) @LossyArray var list: [Int]
  @CodingKey("a", "number") @CodableAlias("count") @NumberOrString var number: Int?
  @CodingKey("a", "text") var text: String?
  @CodingKey("o", "p", "list") @LossyArray var deep: [Int]
}

/// Declares an initialiser, so that the compiler does not generate the memberwise one.
@JSONCodable
struct InitializedAccount: Equatable, DecoderUpdatable {
  var old: Int
  var street: Street?

  init() { old = 0 }
}

enum UpdateScope {
  enum Level: String, Codable { case low, high }

  @JSONCodable
  struct Nested: Equatable, DecoderUpdatable {
    var level: Level
    @CodableDefault(Level.low) var other: Level
    fileprivate var inner: Inner?

    @JSONCodable
    fileprivate struct Inner: Equatable, DecoderUpdatable {
      var a: Int
      var b: Level?
    }
  }
}

/// A public enum, which is replaced as a whole.
@JSONCodable
public enum UpdatedMode: Equatable, DecoderUpdatable {
  case off
  case timer(minutes: Int)
}

/// A public model with such an enum.
@JSONCodable
public struct UpdatedModes: Equatable, DecoderUpdatable {
  /// The required mode.
  public var mode: UpdatedMode
  /// The optional mode.
  public var other: UpdatedMode?
  /// The number of modes.
  public var count: Int
}

/// Counts its updates.
@JSONCodable
struct Revised: Equatable, DecoderUpdatable {
  var text: String
  @CodableIgnored var revision = 0

  mutating func update(from decoder: any Decoder) throws {
    let old = revision
    try updateByDefault(from: decoder)
    revision = old + 1
  }
}

/// Counts its updates in an extension.
@JSONCodable
struct ExtensionRevised: Equatable {
  var text: String
  @CodableIgnored var revision = 0
}

extension ExtensionRevised: DecoderUpdatable {
  mutating func update(from decoder: any Decoder) throws {
    let old = revision
    try updateByDefault(from: decoder)
    revision = old + 1
  }
}

@JSONCodable
struct Revisions: Equatable, DecoderUpdatable {
  var count: Int
  var first: Revised?
  var second: ExtensionRevised
}

/// A class that is updated in place.
@JSONCodable
final class SharedCounter: DecoderUpdatable {
  var count: Int
  @CodableIgnored var updates = 0

  init(count: Int) { self.count = count }

  func update(from decoder: any Decoder) throws {
    count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
    updates += 1
  }
}

@JSONCodable
struct CounterHolder: DecoderUpdatable {
  var name: String?
  var counter: SharedCounter
}

@JSONCodable
struct UpdatedPage<Item: Codable & Equatable>: Equatable, DecoderUpdatable {
  var item: Item
  var total: Int
}

/// Names that need backticks, and other forms of optional types.
@JSONCodable
struct RawNames: Equatable, DecoderUpdatable {
  var `self`: Int
  @CodableAlias("hour", "h") var `1h`: Int
  var `in progress`: String?
  @CodingKey("a", "b c") @CodableDefault(3) var `b c`: Int
  @CodingKey("a", "d") @DefaultValue<Zero> var `2 wrapped`: Int
  @CodableBy(.secondsSince1970) var `the date`: Date?
  var qualified: Swift.Optional<Int>
  var parenthesized: (Street)?
  @CodableIgnored var `not coded` = 1
}

/// Dates whose coded form has no fraction of a second.
@JSONCodable
struct LossyDates: Equatable, DecoderUpdatable {
  @JSONCodable
  struct Inner: Equatable, DecoderUpdatable {
    @CodableBy(WholeSeconds()) var date: Date
    @CodableBy(WholeSeconds()) let constant: Date
  }

  @CodableBy(WholeSeconds()) var date: Date
  @CodableBy(WholeSeconds()) var optional: Date?
  @CodableAlias("other") @CodableBy(WholeSeconds()) var aliased: Date
  @CodingKey("a", "b") @CodableBy(WholeSeconds()) var deep: Date
  var inner: Inner
}

/// Codes dates without the fraction of a second.
struct WholeSeconds: CodableStrategy {
  func value(from text: String) throws -> Date {
    guard let date = try? Date.ISO8601FormatStyle().parse(text) else { throw CodingStrategyError("no date") }
    return date
  }
  func coded(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// Strategies whose values are optional.
@JSONCodable
struct OptionalStrategies: Equatable, DecoderUpdatable {
  @CodableBy(OptionalSeconds()) var date: Date?
  @CodingKey("a", "b") @CodableBy(OptionalSeconds()) var deep: Date?
  @CodableAlias("old") @CodableBy(OptionalSeconds()) var aliased: Date?
}

/// Codes a missing date as -1.
struct OptionalSeconds: CodableStrategy {
  func value(from seconds: Double) -> Date? { seconds < 0 ? nil : Date(timeIntervalSince1970: seconds) }
  func coded(_ date: Date?) -> Double { date?.timeIntervalSince1970 ?? -1 }
}

/// Codes numbers as text.
struct NumberText: CodableStrategy {
  func value(from text: String) throws -> Int {
    guard let number = Int(text) else { throw CodingStrategyError("no number") }
    return number
  }
  func coded(_ number: Int) -> String { "\(number)" }
}

@JSONDecodable
struct OtherEncoding: Equatable, Encodable, DecoderUpdatable {
  var a: Int
  var b: Int?
}

struct UpdatedScope<Value: Codable & Equatable & JSONReadable & JSONWritable> {
  @JSONCodable
  struct Noted: DecoderUpdatable, Equatable {
    var value: Value
    @CodableIgnored var note = ""
  }
}
