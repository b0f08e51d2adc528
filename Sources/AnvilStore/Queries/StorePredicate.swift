/// A condition on the rows of an entity.
///
///     StoreAttribute("age") >= 18 && (StoreAttribute("team") == "red" || StoreAttribute("team") == nil)
///
/// Every condition is true or false for every row, as it would be in Swift: null equals null and nothing else, it is neither less
/// nor greater than anything, and `!` turns false into true. Values are compared as what they are stored as; comparing with a
/// value of another kind is an error when the condition is used, and so is an attribute that the entity does not have. Text is
/// taken for a UUID or a decimal where the attribute is one, however it is written: `"1.50"` is the decimal 1.5.
///
/// `&&` and `||` in a row count as one, however many conditions there are; they may nest 50 deep, and a condition may have 4,000
/// values. What exceeds that is an error when the condition is used, ``StoreError/Code/tooLarge``.
///
/// SQLite has no decimals: there `<`, `<=`, `>`, `>=` and orders take each for the nearest `Double`, so that decimals that differ
/// only after about 15 digits are neither less nor greater than each other. `==` is exact, and on PostgreSQL everything is.
public struct StorePredicate: Sendable {
  indirect enum Node: Sendable {
    case comparison(StoreAttribute, Operator, any Encodable & Sendable)
    case isNull(StoreAttribute)
    case isAmong(StoreAttribute, [any Encodable & Sendable])
    case position(StoreAttribute, of: String, TextPosition)
    /// Conditions none of which is a chain of the same connective, at least two of them.
    case chain(Connective, [Node], depth: Int)
    /// Of anything but another negation.
    case not(Node)
    /// In the place of what nests deeper than ``depthLimit``, which neither we nor a database could go through.
    case tooDeep
  }

  /// How a chain's conditions belong together.
  enum Connective: String, Sendable {
    case all = "AND"
    case any = "OR"
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
    StorePredicate(.chain(.all, lhs.node, rhs.node))
  }

  /// Whether one is true, or both are.
  public static func || (lhs: StorePredicate, rhs: StorePredicate) -> StorePredicate {
    StorePredicate(.chain(.any, lhs.node, rhs.node))
  }

  /// Whether it is false.
  public static prefix func ! (predicate: StorePredicate) -> StorePredicate {
    StorePredicate(predicate.node.negated)
  }
}

extension StorePredicate.Node {
  /// How deep chains and negations may nest in each other: SQLite's parser has room for 100 tokens that wait for others.
  static let depthLimit = 50

  /// How deep chains and negations nest in each other; 0 for a condition on one attribute.
  var depth: Int {
    switch self {
    case .comparison, .isNull, .isAmong, .position: 0
    case .chain(_, _, let depth): depth
    case .not(let inner): inner.depth + 1
    case .tooDeep: Self.depthLimit + 1
    }
  }

  /// Both conditions as one; a chain of the same connective becomes longer rather than deeper.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions in the chain.
  static func chain(_ connective: StorePredicate.Connective, _ first: Self, _ second: Self) -> Self {
    let (before, depthBefore) = first.terms(of: connective)
    let (after, depthAfter) = second.terms(of: connective)
    let depth = max(depthBefore, depthAfter) + 1
    return depth > depthLimit ? .tooDeep : .chain(connective, before + after, depth: depth)
  }

  /// What the condition adds to a chain, and how deep that nests.
  private func terms(of connective: StorePredicate.Connective) -> (terms: [Self], depth: Int) {
    guard case .chain(connective, let terms, let depth) = self else { return ([self], depth) }
    return (terms, depth - 1)
  }

  fileprivate var negated: Self {
    if case .not(let inner) = self { return inner }
    return depth >= Self.depthLimit ? .tooDeep : .not(self)
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
    !(lhs == nil)
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

  /// Whether the attribute is one of these values; never where there are none. There may be 4,000 of them.
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
