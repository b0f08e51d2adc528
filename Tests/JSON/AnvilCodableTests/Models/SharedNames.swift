public import AnvilCodable
import Foundation

// Models whose members have the names of types, or names that generated declarations would have.

enum Status: String, Codable, JSONReadable, JSONWritable { case active, closed }

@JSONCodable
struct Address: Equatable { var city: String }

/// Members with the names of their types, as for APIs with keys in Pascal case.
@JSONCodable
struct Titled: Equatable {
  var Status: Status
  var Address: Address?
  @CodableDefault var Other: Status = .closed
  var Colors: [Status], all: [String: Address]?
  @CodableBy(.secondsSince1970) var Date: Foundation.Date
  @CodableBy(.secondsSince1970) var dates: [Date]
  @CodableAlias("When") var when: Date?
  @CodingKey("nested", "Status") var nested: Status?
  static func Thing() {}
}

/// Functions and computed properties with the names of used types.
@JSONCodable
struct Described: Equatable {
  var status: Status
  var address: Address?
  var list: [Int]
  var Address: Int { 3 }
  func Status() -> String { status.rawValue }
}

@JSONCodable
final class TitledClass: Equatable {
  var Status: Status
  var TitledClass: Int
  init(Status: Status, TitledClass: Int) {
    self.Status = Status
    self.TitledClass = TitledClass
  }
  static func == (left: TitledClass, right: TitledClass) -> Bool {
    left.Status == right.Status && left.TitledClass == right.TitledClass
  }
}

@JSONDecodable
struct TitledDecodable: Equatable { var Status: Status, id: Int }

@JSONCodable
enum TitledEnum: Equatable { case Status(Status), Address(Address: Address, Status: Status?), TitledEnum }

@JSONCodable @JSONTagged(by: "type")
enum TitledTagged: Equatable {
  case Address(Address), Status(x: Status), TitledTagged
  @CodableUnknown case JSON(JSON)
}

@JSONCodable @JSONTagged
enum TitledExternal: Equatable { case Address(Address), Status(Status), TitledExternal }

// Names that differ only in the case of their first letter, and names that resemble generated ones.

enum SharedNames {
  typealias FirstMemberType = String
  static let limitDefault = 5

  @JSONCodable
  struct Letters: Equatable {
    var id: Int
    var Id: String
    var first: FirstMemberType
    @CodableDefault(limitDefault) var limit: Int
  }

  @JSONCodable
  struct Raw: Equatable {
    @CodableDefault([1]) var `a-b`: [Int]
    @CodableDefault(["x"]) var a_2d_b: [String]
    @CodingKey("c-d", "x") var first: Int
    @CodingKey("c_2d_d", "x") var second: Int?
  }
}

@JSONCodable
struct KeyNames: Equatable {
  @CodingKey("o", "a") var first: Int
  @CodingKey("O", "a") var second: Int
  @CodingKey("o_", "a") var third: Int?
  var OKeys: Int
  var o_members: Int
}

@JSONCodable
enum LetterCases: Equatable {
  case id(x: Int), Id(y: Int), IdKeys(z: Int)
  @CodableAlias("other") case id2(x: Int)
  @CodableAlias("more") case id2_2(x: Int)
}

@JSONCodable @JSONTagged(by: "type")
enum TaggedLetters: Equatable { case id(x: Int), Id(y: Int) }

@JSONCodable @JSONTagged(by: "type", content: "c")
enum AdjacentLetters: Equatable { case id(x: Int), Id(y: Int) }

@JSONCodable @JSONTagged
enum ExternalLetters: Equatable { case id(x: Int), Id(y: Int) }

// Types that are private to the model, or to the type around it.

struct PrivateTypes {
  @JSONCodable
  struct Model: Equatable {
    private enum Kind: String, Codable, JSONReadable, JSONWritable { case a, b }
    private var kind: Kind
    @CodableDefault(Self.standard) private var other: Kind
    private static let standard = Kind.b
  }
}

@JSONCodable
final class PrivateTypeClass {
  private enum Kind: String, Codable, JSONReadable, JSONWritable { case a, b }
  private static let standard = Kind.b
  @CodableDefault(standard) private var kind: Kind
}

/// A type with a property that initialises another one.
@JSONCodable
struct InitAccessor: Equatable {
  @CodingKey("a") private var _a: Int
  var a: Int {
    @storageRestrictions(initializes: _a) init(value) { _a = value }
    get { _a }
    set { _a = newValue }
  }
  var b: Int
}

/// A model whose initial values use static members with the names of properties.
@JSONCodable
public struct InitialValues: Equatable, Sendable {
  static let now = 1
  static func newID() -> String { "new" }
  static let limit = 7
  /// A number that is also that of a static property.
  public var now: Int
  /// A number that is derived from the static property.
  public var later: Int = now + 1
  /// Numbers.
  public var many: [Int] = [now]
  /// A text.
  public var id: String = newID()
  /// A number.
  public var limit: Int = limit
  /// A number that is also the default.
  @CodableDefault public var level: Int = limit
  /// A number that is not coded.
  @CodableIgnored public var cached: Int = now + limit
}
