public import AnvilCodable

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
