/// A condition on the rows of an entity.
///
///     StoreAttribute("age") >= 18 && (StoreAttribute("team") == "red" || StoreAttribute("team") == nil)
///
/// Every condition is true or false for every row, as it would be in Swift: null equals null and nothing else, it is neither less
/// nor greater than anything, and `!` turns false into true. Values are compared as what they are stored as; comparing with a
/// value of another kind is an error when the condition is used, and so is an attribute that the entity does not have.
public struct StorePredicate: Sendable {
  indirect enum Node: Sendable {
    case comparison(StoreAttribute, Operator, any Encodable & Sendable)
    case isNull(StoreAttribute)
    case isAmong(StoreAttribute, [any Encodable & Sendable])
    case position(StoreAttribute, of: String, TextPosition)
    case both(Node, Node)
    case either(Node, Node)
    case not(Node)
  }

  enum Operator: String, Sendable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  enum TextPosition: Sendable {
    case beginning
    case anywhere
  }

  let node: Node

  init(_ node: Node) {
    self.node = node
  }

  /// Whether both are true.
  public static func && (lhs: StorePredicate, rhs: StorePredicate) -> StorePredicate {
    StorePredicate(.both(lhs.node, rhs.node))
  }

  /// Whether one is true, or both are.
  public static func || (lhs: StorePredicate, rhs: StorePredicate) -> StorePredicate {
    StorePredicate(.either(lhs.node, rhs.node))
  }

  /// Whether it is false.
  public static prefix func ! (predicate: StorePredicate) -> StorePredicate {
    StorePredicate(.not(predicate.node))
  }
}

extension StoreAttribute {
  /// Whether the attribute is this value; whether it is null where that is `nil`.
  public static func == <Value: Encodable & Sendable>(lhs: StoreAttribute, rhs: Value?) -> StorePredicate {
    StorePredicate(rhs.map { .comparison(lhs, .equal, $0) } ?? .isNull(lhs))
  }

  /// Whether the attribute is null.
  public static func == (lhs: StoreAttribute, rhs: _OptionalNilComparisonType) -> StorePredicate {
    StorePredicate(.isNull(lhs))
  }

  /// Whether the attribute is another value, or null; whether it is not null where the value is `nil`.
  public static func != <Value: Encodable & Sendable>(lhs: StoreAttribute, rhs: Value?) -> StorePredicate {
    !(lhs == rhs)
  }

  /// Whether the attribute is not null.
  public static func != (lhs: StoreAttribute, rhs: _OptionalNilComparisonType) -> StorePredicate {
    StorePredicate(.not(.isNull(lhs)))
  }

  /// Whether the attribute is less than the value, and not null.
  public static func < (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .less, rhs))
  }

  /// Whether the attribute is the value or less, and not null.
  public static func <= (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .lessOrEqual, rhs))
  }

  /// Whether the attribute is greater than the value, and not null.
  public static func > (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .greater, rhs))
  }

  /// Whether the attribute is the value or greater, and not null.
  public static func >= (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .greaterOrEqual, rhs))
  }

  /// Whether the attribute is one of these values; never where there are none.
  public func isAmong(_ values: some Sequence<some Encodable & Sendable>) -> StorePredicate {
    StorePredicate(.isAmong(self, Array(values)))
  }

  /// Whether the attribute is text that has `text` in it, letter by letter in its own case.
  public func contains(_ text: String) -> StorePredicate {
    StorePredicate(.position(self, of: text, .anywhere))
  }

  /// Whether the attribute is text that begins with `text`, letter by letter in its own case.
  public func hasPrefix(_ text: String) -> StorePredicate {
    StorePredicate(.position(self, of: text, .beginning))
  }
}
