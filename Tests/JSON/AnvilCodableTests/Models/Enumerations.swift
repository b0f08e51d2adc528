import AnvilCodable
import Foundation

@JSONCodable
enum Level: Int { case low = 1, high = 10 }

typealias RawText = String

/// The macro cannot see that its raw type is a string, only that its cases have raw values.
@JSONCodable
enum Renamed: RawText { case first = "1st", second }

@JSONCodable
enum Qualified: Swift.String {
  case first = "1st", second
  @CodableUnknown case other
}

@JSONCodable
enum Ratio: Double { case half = 0.5, whole = 1 }

@JSONCodable
enum Suit: String { case hearts = "♥", spades, `default` }

@JSONCodable
enum Grade: UInt8 {
  case good = 1, bad = 2
  @CodableUnknown case other = 0
}

@JSONCodable
enum Kind: String {
  case user, group
  @CodableUnknown case other
}

@JSONCodable
enum State: Equatable {
  case open, closed
  @CodingKey("in-progress") @CodableAlias("started", "running") case active
  @CodableUnknown case other(String)
}

@JSONCodable @CodableNaming(.upperSnakeCase)
enum Mode: Equatable {
  case readOnly, readWrite
  @CodableUnknown case unknown
}

/// Coded as by the compiler. `Plain`, a `Codable` type with the same cases, is the oracle.
@JSONCodable
enum Plain: Equatable {
  case dot
  case circle(radius: Double, Int)
  case user(id: Int?, name: String = "none")
  case number(Int)
  case pair(Int, Int)
  case optional(Int?)
  case document(_id: String, name: String)
  case labelled(_0: Int)
}

enum CompilersPlain: Equatable, Codable {
  case dot
  case circle(radius: Double, Int)
  case user(id: Int?, name: String = "none")
  case number(Int)
  case pair(Int, Int)
  case optional(Int?)
  case document(_id: String, name: String)
  case labelled(_0: Int)
}

@JSONCodable @CodableNaming(.snakeCase)
enum NamedPlain: Equatable {
  case firstCase(someValue: Int)
  @CodingKey("2nd") @CodableAlias("second_case", "other") case secondCase
  @CodableAlias("old") case thirdCase(Int, label: String?)
}

@JSONCodable @JSONTagged
enum Filter: Equatable {
  case all
  @CodableAlias("nothing") case none
  case named(String)
  case newer(than: Int, by: Double?)
  case range(Int, Int)
  @CodableAlias("any") case oneOf([Filter])
  case maybe(Int?)
  case limited(to: Int?)
  case page(Int = 1)
}

/// An enumeration with the keys of the compiler's own `Codable`.
@JSONCodable
enum DeclaredKeys: Equatable {
  case circle(radius: Int, Int), empty

  private enum CodingKeys: String, CodingKey { case circle = "Circle", empty }
  private enum CircleCodingKeys: String, CodingKey { case radius = "r", _1 }
}

@JSONCodable @JSONTagged
enum OpenFilter: Equatable {
  case all
  case named(String)
  @CodableUnknown case other(JSON)
}

@JSONCodable @JSONTagged
enum ClosedFilter: Equatable {
  case all
  case named(String)
  case sized(width: Int)
  @CodableUnknown case other
}

/// Enumerations with cases that no code can use, and with one that warns.
enum Retired {
  @JSONCodable
  enum Plain: Equatable {
    case used(x: Int), sized(Int)
    @available(*, deprecated) case old
    @available(*, unavailable, renamed: "used(x:)") case user(x: Int)
    @available(*, unavailable) @CodingKey("sized") case size(Int)
  }

  @JSONCodable
  enum Name: Equatable {
    case used
    @available(*, unavailable, message: "gone") case gone
  }

  @JSONCodable @JSONTagged(by: "type")
  enum Tagged: Equatable {
    case used(x: Int)
    @available(*, unavailable) case gone(type: Int), point(Point)
    @CodableUnknown case other
  }

  @JSONCodable
  enum Level: String {
    case used
    @available(*, unavailable) case gone
    @CodableUnknown case other
  }
}

@JSONCodable @JSONTagged
enum Direction: Equatable {
  case up
  @CodableAlias("back") case down
}

@JSONCodable @JSONTagged
enum OpenDirection: Equatable {
  case up, down
  @CodableUnknown case other(JSON)
}

@JSONCodable
struct Box: Equatable {
  var width: Int
  var height: Int?
}

@JSONCodable @JSONTagged(by: "type")
enum Shape: Equatable {
  case circle(radius: Double)
  @CodableAlias("rect", "rectangle") case box(Box)
  case dot
  case line(from: Int, to: Int?, style: String = "solid")
  case nested(Shapes)
  case stored(_id: String)
  @CodableUnknown case other(JSON)
}

@JSONCodable
struct Shapes: Equatable { var shapes: [Shape] }

@JSONCodable @JSONTagged(by: "kind") @CodableNaming(.kebabCase)
enum Event: Equatable {
  case userJoined(userName: String)
  case userLeft
  @CodingKey("x") case custom(Box)
}

/// Nested tagged values.
@JSONCodable @JSONTagged(by: "type")
enum Envelope: Equatable {
  case event(Event)
  case again(Inner)
  case plain(PlainObject)

  @JSONCodable @JSONTagged(by: "inner")
  enum Inner: Equatable {
    case event(Event)
    case choice(Choice<Int>)
  }
}

@JSONCodable @JSONTagged(by: "kind")
enum QuietEvent: Equatable {
  case joined(name: String)
  @CodableUnknown case other
}

@JSONCodable @JSONTagged(by: "t", content: "c")
enum Message: Equatable {
  case ping
  case text(String)
  case move(x: Int, y: Int?)
  case pair(Int, String)
  case maybe(Int?)
  case allOptional(a: Int?, b: Int?)
  @CodableAlias("list") case many([Message])
}

@JSONCodable @JSONTagged(by: "t", content: "c")
enum OpenMessage: Equatable {
  case ping
  case text(String)
  @CodableUnknown case other(JSON)
}

@JSONCodable
enum Choice<Value: Equatable>: Equatable {
  case none
  case one(Value)
  case many(values: [Value])
  indirect case nested(Choice, other: [Choice]?)
}

@JSONCodable @JSONTagged(by: "is")
enum Reply<Success: Equatable, Failure: Equatable>: Equatable {
  case success(value: Success)
  case failure(reason: Failure, code: Int?)
}

@JSONCodable
indirect enum Tree: Equatable {
  case leaf(Int)
  case node(left: Tree, right: Tree?)
  case empty(depth: Int?, isRoot: Bool = false)
}

/// A model with a member that has the key of a tag.
@JSONCodable
struct Badge: Equatable {
  var first: Int?
  var type: String?
  var last: [String]?
}

@JSONCodable @JSONTagged(by: "type")
enum Worn: Equatable {
  case badge(Badge)
  case set(Codables)

  struct Codables: Codable, Equatable { var type: String }
}

@JSONCodable @JSONTagged(by: "kind")
enum OpenInner: Equatable {
  case point(x: Int)
  @CodableUnknown case other(JSON)
}

@JSONCodable @JSONTagged(by: "type")
enum OpenOuter: Equatable { case inner(OpenInner) }

/// Tags that are numbers and Booleans.
@JSONCodable @JSONTagged(by: "code")
enum Coded: Equatable {
  @CodingKey(1) case one(x: Int)
  @CodingKey(-2) @CodableAlias(20, 21) case box(Box)
  @CodingKey(true) case yes
  @CodingKey("3") case text
  @CodingKey("1.5") case half
  @CodingKey("18446744073709551615") case large
}

@JSONCodable @JSONTagged(by: "ok", content: "result")
enum Answered: Equatable {
  @CodingKey(true) case success(Box)
  @CodingKey(false) case failure(String)
  @CodableUnknown case other(JSON)
}

/// A value that is identified by the same member.
@JSONCodable @JSONTagged(by: "type")
enum SameTag: Equatable {
  case inner(SameTagValue)
  case generic(GenericTagged<Int>)
  case plain(x: Int)
}

@JSONCodable @JSONTagged(by: "type")
enum SameTagValue: Equatable { case j(v: Int) }

@JSONCodable @JSONTagged(by: "type", content: "content")
enum GenericTagged<Value: Equatable>: Equatable { case some(Value) }

/// Values that contain each other in one object.
@JSONCodable @JSONTagged(by: "a")
indirect enum CycleA: Equatable {
  case b(CycleB)
  case end
}

@JSONCodable @JSONTagged(by: "b")
indirect enum CycleB: Equatable {
  case a(CycleA)
  case end
}

@JSONCodable @JSONTagged(by: "type")
indirect enum OpenCycle: Equatable {
  case end
  @CodableUnknown case other(OtherOpenCycle)
}

@JSONCodable @JSONTagged(by: "type")
indirect enum OtherOpenCycle: Equatable {
  case stop
  @CodableUnknown case other(OpenCycle)
}

/// A case for unknown tags that hands over to another enumeration with the same tag.
@JSONCodable @JSONTagged(by: "type")
enum Successor: Equatable {
  case new(x: Int)
  @CodableUnknown case old(SameTagValue)
}

/// Contains itself in a value that is coded in the same object by handwritten code.
@JSONCodable @JSONTagged(by: "op")
indirect enum BoxedExpression: Equatable {
  case negative(ExpressionBox)
  case reading(ExpressionReader)
  case number(value: Int)
}

struct ExpressionBox: Codable, Equatable {
  let value: BoxedExpression

  init(from decoder: any Decoder) throws { value = try BoxedExpression(from: decoder) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct ExpressionReader: Codable, Equatable, JSONReadable, JSONWritable, JSONDecodable {
  let value: BoxedExpression

  init(_ value: BoxedExpression) { self.value = value }
  init(from decoder: any Decoder) throws { value = try BoxedExpression(from: decoder) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self { Self(try reader.read()) }
  func write(to writer: inout JSON.Writer) { value.write(to: &writer) }
  static func decode(_ json: JSON) throws -> Self { Self(try BoxedExpression.decode(json)) }
}

/// Contains itself in another object.
@JSONCodable @JSONTagged(by: "op", content: "args")
indirect enum Expression: Equatable {
  case negative(Expression)
  case sum(Expression, Expression)
  case number(Int)
}

/// Nested values whose tags are behind their content.
@JSONCodable @JSONTagged(by: "type")
indirect enum Block: Equatable {
  case list(Blocks)
  case group(item: Block, tail: [String])
  case text(Text)
  case end

  @JSONCodable @JSONTagged(by: "style")
  enum Text: Equatable { case plain(lines: [[String]]) }
}

@JSONCodable
struct Blocks: Equatable { var blocks: [Block] }

/// Names that need backticks.
@JSONCodable
enum RawCases: Equatable {
  case `in progress`(x: Int)
  case `1h`(`the value`: Int, Int)
  @CodableAlias("done") case `all done`
  case `self`(`self`: Int)
}

@JSONCodable @JSONTagged(by: "type")
enum TaggedRawCases: Equatable {
  case `in progress`(x: Int)
  @CodableAlias("hour") case `1h`(Box)
  case `all done`
  @CodableUnknown case `something else`(JSON)
}

@JSONCodable
enum RawTexts: String {
  case `in progress`, `1h`
  @CodableUnknown case `something else`
}

enum RawScope {
  static let text = NumberText()
  enum Level: String, Codable { case low }

  @JSONCodable
  struct Inner: Equatable {
    var `1h`: Level
    @CodableDefault(Level.low) var `in progress`: Level
    @CodableBy(OptionalSeconds()) var `the date`: Date?
    @CodableBy(RawScope.text) var text: Swift.Optional<Int>
  }
}
