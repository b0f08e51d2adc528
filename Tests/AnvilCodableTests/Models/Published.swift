public import AnvilCodable

@JSONCodable
public struct PublicModel: Equatable, Sendable {
  public var id: Int
  package var name: String?
  var kind: Kind?
  @CodableDefault([]) public var tags: [String]

  @JSONCodable
  public struct Part: Equatable, Sendable {
    public var id: Int
    @CodableDefault(Side.left) public var side: Side
  }

  @JSONCodable
  public enum Side: String, Sendable { case left, right }
}

@JSONCodable
package struct PackageModel: Equatable {
  package var id: Int
  package var part: PublicModel.Part?
}

@JSONCodable
public enum PublicEnum: Equatable, Sendable {
  case a, b(Int)
}

@JSONCodable
public final class OpenBook: Equatable, Sendable {
  public let title: String
  package let pages: Int?

  public init(title: String, pages: Int?) {
    self.title = title
    self.pages = pages
  }

  public static func == (left: OpenBook, right: OpenBook) -> Bool {
    left.title == right.title && left.pages == right.pages
  }
}
