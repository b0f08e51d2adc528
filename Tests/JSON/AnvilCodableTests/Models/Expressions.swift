public import AnvilCodable
import AnvilDiagnosis
import Foundation

// Expressions of all kinds in defaults and strategies. Their names are also those of variables in the generated functions.

private let isOn = true, isOff = false
private let container = (size: 3, text: "c")
private let decoder = 4, reader = 5, value = 6, members = ParityStrategy(), key = 7, tags = 8

private func make(_ body: () -> Int) -> Int { body() }
private func number() throws -> Int { 9 }

@JSONCodable
struct Expressions: Equatable {
  static let base = 11

  @CodableDefault(isOff || isOn) var or: Bool
  @CodableDefault(isOn && isOn) var and: Bool
  @CodableDefault(isOn ? 1 : 2) var ternary: Int
  @CodableDefault var initial: Bool = isOff || isOn
  @CodableDefault var chosen: Int = isOff ? 1 : 2
  @CodableDefault var branch: Int = if isOn { 3 } else { 4 }
  @CodableDefault var choice: Int =
    switch isOn {
    case true: 5
    case false: 6
    }
  @CodableDefault(1 << 2 | 1) var bits: Int
  @CodableDefault(nil ?? 6) var coalesced: Int
  @CodableDefault(7 as Int) var cast: Int
  // swift-format-ignore: NeverForceUnwrap
  @CodableDefault((8 as Any) as! Int) var forced: Int
  // swift-format-ignore: NeverUseForceTry
  @CodableDefault(try! number()) var tried: Int
  @CodableDefault({ 10 }()) var closure: Int
  @CodableDefault(make { 11 }) var trailing: Int
  @CodableDefault(!isOn) var negated: Bool
  @CodableDefault(
    isOff  // a comment
      || isOn /* another */)
  var commented: Bool
  @CodableDefault("a\(isOff || isOn ? "b" : "c")") var interpolated: String
  @CodableDefault(
    """
    two
      "lines"
    """) var lines: String
  @CodableDefault(isOff || isOn) var optional: Bool?
  @CodableDefault(isOff ? nil : true) var states: Bool??
  @CodableDefault(isOn ? [1] : []) @LossyArray var wrapped: [Int]
  @CodableAlias("other") @CodableDefault(isOff || isOn) var aliased: Bool
  @CodingKey("in", "deep") @CodableDefault(isOff || isOn) var deep: Bool
  @CodableDefault(container.size) var size: Int
  @CodableDefault(decoder + reader) var sum: Int
  @CodableDefault(base) var own: Int
  @CodableDefault(Self.base + 1) var ownToo: Int
  @CodableDefault([1, 2].map { value in value + base }) var mapped: [Int]
  @CodableBy(members) var parity: Int
  @CodableBy(isOn ? members : ParityStrategy()) var parities: [Int]
  @CodableDefault(-value) var negative: Int
}

/// Codes numbers as twice the number.
struct ParityStrategy: CodableStrategy {
  func value(from coded: Int) -> Int { coded / 2 }
  func coded(_ value: Int) -> Int { value * 2 }
}

@JSONCodable
final class ExpressionsOfClass: Equatable {
  static let base = 11

  @CodableDefault(isOff || isOn) var or: Bool
  @CodableDefault(base) var own: Int
  @CodableDefault(container.size) var size: Int
  @CodableBy(members) var parity: Int

  init(or: Bool, own: Int, size: Int, parity: Int) {
    (self.or, self.own, self.size, self.parity) = (or, own, size, parity)
  }

  static func == (left: ExpressionsOfClass, right: ExpressionsOfClass) -> Bool {
    (left.or, left.own, left.size, left.parity) == (right.or, right.own, right.size, right.parity)
  }
}

@JSONCodable
enum ExpressionsOfCases: Equatable {
  static let base = 11

  case first(or: Bool = isOff || isOn, size: Int = container.size)
  case second(size: Int = isOff ? 1 : 2, own: Int = base, reader: Int = decoder + value, last: Int? = key)
}

@JSONCodable @JSONTagged(by: "tag")
enum ExpressionsOfTags: Equatable {
  case first(or: Bool = isOff || isOn, size: Int = tags + key)
}

/// A model that other modules create.
@JSONCodable
public struct PublicExpressions: Equatable {
  static let base = 11

  /// A value.
  public var or: Bool = isOff || isOn
  /// A value.
  public var choice: Int = if isOn { 3 } else { 4 }
  // swift-format-ignore: NeverUseForceTry
  /// A value.
  public var tried: Int = try! number()
  /// A value.
  @CodableDefault(base) public var own: Int
  /// A value.
  @CodableDefault({ 10 }()) public var closure: Int
  /// A value.
  public var lines: String = """
    two
      lines
    """
  /// A value.
  public var last: Int = 1
}

/// Nested types, whose expressions use names of the scope around them.
enum Expressed {
  struct Word: LosslessStringConvertible, Equatable {
    var description: String
    init?(_ description: String) { self.description = description }
  }

  static let base = 3, suffix = "s", get = 4

  @JSONCodable
  struct Defaults: Equatable {
    @CodableDefault(1 + base) var sum: Int
    @CodableDefault("a" + suffix) var text: String
    @CodableDefault(get) var accessor: Int
    @CodableDefault({ base }()) var closure: Int
    @CodableDefault([base]) var list: [Int]
    @CodableDefault(isOff || base == 3) var or: Bool
    @CodableDefault(Self.own) var own: Int
    @CodableDefault(-base) var negative: Int
    @CodableDefault([base, 1]) @LossyArray var wrapped: [Int]
    var children: [Self]?

    static let own = 12
  }

  @JSONCodable
  struct Strategies: Equatable {
    @CodableBy(.text(of: Word.self)) var word: Word
    @CodableBy(.text(of: Word.self)) var optional: Word?
    @CodableBy(.text(of: Word.self)) var states: Word??
    @CodableBy(.text(of: Word.self)) var list: [Word?]
    @CodableBy(.text(of: Word.self)) var map: [String: Word]?
    @CodableBy(.iso8601) var date: Date?
    @CodableBy(isOn ? .text(of: Int.self) : .text(of: Int.self)) var number: Int
  }
}

protocol Figure: Sendable { var corners: Int { get } }

struct Polygon3: Figure { var corners: Int }

struct FigureStrategy: CodableStrategy {
  func value(from corners: Int) -> any Figure { Polygon3(corners: corners) }
  func coded(_ figure: any Figure) -> Int { figure.corners }
}

/// Types that need parentheses before `?` and `.self`.
@JSONCodable
struct Existentials: Equatable {
  @CodableBy(FigureStrategy()) var figure: any Figure
  @CodableBy(FigureStrategy()) var composed: any Figure & Sendable
  @CodableBy(FigureStrategy()) var optional: (any Figure)?
  @CodableBy(FigureStrategy()) var generic: Optional<any Figure>
  @CodableBy(FigureStrategy()) var list: [any Figure]
  @CodableBy(FigureStrategy()) @CodableDefault(Polygon3(corners: 3)) var fallback: any Figure

  static func == (left: Existentials, right: Existentials) -> Bool {
    (try? JSON(encoding: left)) == (try? JSON(encoding: right))
  }

  @JSONCodable
  struct Nested: Equatable {
    @CodableBy(FigureStrategy()) var figure: any Figure
    @CodableBy(FigureStrategy()) var optional: (any Figure)?

    static func == (left: Nested, right: Nested) -> Bool {
      (try? JSON(encoding: left)) == (try? JSON(encoding: right))
    }
  }
}
