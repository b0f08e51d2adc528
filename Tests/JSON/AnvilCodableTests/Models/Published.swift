public import AnvilCodable
public import AnvilDiagnosis
public import Foundation

/// A model with members of each access.
@JSONCodable
public struct PublicModel: Equatable, Sendable {
  /// A number.
  public var id: Int
  package var name: String?
  var kind: Kind?
  /// Some texts.
  @CodableDefault([]) public var tags: [String]

  /// A model inside another one.
  @JSONCodable
  public struct Part: Equatable, Sendable {
    /// A number.
    public var id: Int
    /// A default that is visible in the outer scope only.
    @CodableDefault(Side.left) public var side: Side
  }

  /// The sides.
  @JSONCodable
  public enum Side: String, Sendable { case left, right }
}

@JSONCodable
package struct PackageModel: Equatable {
  package var id: Int
  package var part: PublicModel.Part?
}

/// An enum of two cases.
@JSONCodable
public enum PublicEnum: Equatable, Sendable {
  case a, b(Int)
}

/// A model with two initialisers, because `nil` could not choose the initial value of an optional date.
@JSONCodable
public struct Recorded: Equatable, Sendable {
  /// A number.
  public var id: Int
  /// A date.
  public var date: Date? = Date.distantPast
  /// A value that is not coded.
  @CodableIgnored public var seen: Date? = Date.distantPast

  /// Creates models with and without the initial date, as other modules do.
  @inlinable
  public static func both(_ id: Int) -> [Recorded] { [Recorded(id: id), Recorded(id: id, date: nil)] }
}

/// A model that other modules create.
@JSONCodable
public struct Created: Equatable, Sendable {
  /// A number.
  public let id: Int
  /// A name.
  public var name: String?, nickname: String?
  /// A note.
  public let note: String?
  /// Three, unless specified.
  public var count: Int = 3
  /// Seven, unless specified.
  @CodableDefault(7) public var level: Int
  /// A side.
  @CodableDefault(Created.standard) public var side: PublicModel.Side
  /// A date that only this module can change.
  @CodableBy(.iso8601) public private(set) var date: Date = Created.start { didSet { hidden += 1 } }
  /// Some numbers.
  @CodableDefault([]) @LossyArray public var numbers: [Int]
  /// A value that is not coded.
  @CodableIgnored public var cache: [Int] = [1, -2]
  /// A function.
  @CodableIgnored public var function: @Sendable () -> Int = { 1 }
  @CodableIgnored var hidden = 0
  @CodableIgnored var (left, right) = (0, 0)
  /// A constant.
  public let version: Int = 1
  /// Keywords.
  public var `default`: Int?, `let`: Int?, `var`: Int?, `inout`: Int?
  /// The other members.
  @CodableRest public var other: [String: JSON]

  static let standard = PublicModel.Side.left
  private static let start = Date(timeIntervalSince1970: 1)

  /// Compares all but the function.
  public static func == (left: Created, right: Created) -> Bool {
    (try? JSON(encoding: left)) == (try? JSON(encoding: right)) && left.cache == right.cache
  }
}

/// A model without properties that other modules create.
@JSONDecodable
public struct CreatedEmpty: Equatable, Sendable {}

/// A model that other modules only write.
@JSONEncodable
public struct CreatedRequest<Value: Equatable & Encodable>: Equatable {
  /// A value.
  public var value: Value
  /// Another value.
  public var optional: Value?
}

/// A model with an initialiser of its own.
@JSONCodable
public struct CreatedByHand: Equatable, Sendable {
  /// A number, which is positive.
  public let number: Int

  /// Creates a value for positive numbers.
  public init?(positive number: Int) {
    guard number > 0 else { return nil }
    self.number = number
  }
}

/// A class of two constants.
@JSONCodable
public final class OpenBook: Equatable, Sendable {
  /// The title.
  public let title: String
  package let pages: Int?

  /// Creates a book.
  public init(title: String, pages: Int?) {
    self.title = title
    self.pages = pages
  }

  /// Compares two books.
  public static func == (left: OpenBook, right: OpenBook) -> Bool {
    left.title == right.title && left.pages == right.pages
  }
}

public extension PublicModel {
  /// A model that is public because its extension is.
  @JSONCodable
  struct Extended: Equatable, Sendable {
    /// A number.
    public var id: Int
  }

  /// An enum that is public because its extension is.
  @JSONCodable
  enum Choice: Equatable, Sendable {
    case a, b(Int)
  }
}

struct InternalOuter: Equatable {
  /// A model that is public by its own modifier, but not by its place.
  @JSONCodable
  public struct Inner: Equatable {
    /// A number.
    public var a: Int
  }

  @JSONCodable
  struct Generic<Value: Equatable>: Equatable { var value: Value }
}
