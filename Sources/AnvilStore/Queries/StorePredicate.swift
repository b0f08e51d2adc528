/// A condition on the rows of an entity.
///
///     StoreAttribute("age") >= 18 && (StoreAttribute("team") == "red" || StoreAttribute("team") == nil)
///
/// Every predicate is either true or false for a row, as in Swift and unlike in SQL. Null equals only null, and is neither less nor greater
/// than any value. `!` turns false into true.
///
/// Values are compared in their stored form. Using a predicate is an error if it compares an attribute with a value of another kind, or if
/// the entity does not have the attribute. Text is converted if the attribute is a UUID or a decimal, so that `"1.50"` equals the decimal
/// 1.5.
///
/// Predicates may be nested 50 levels deep, where a sequence of `&&` or of `||` is one level. They may contain 4,000 values. Using a
/// predicate that exceeds these limits throws ``StoreError/Code/tooLarge``.
///
/// SQLite has no decimals. There, `<`, `<=`, `>`, `>=` and orders compare the nearest `Double` of each decimal. Decimals that differ only
/// after about 15 digits are therefore neither less nor greater than each other. `==` is exact. On PostgreSQL, all comparisons are exact.
public struct StorePredicate: Sendable {
  indirect enum Node: Sendable {
    case comparison(StoreAttribute, Operator, any Encodable & Sendable)
    case isNull(StoreAttribute)
    case isAmong(StoreAttribute, [any Encodable & Sendable])
    case position(StoreAttribute, of: String, TextPosition)
    /// A JSON array has the value as an element.
    case hasElement(StoreAttribute, any Encodable & Sendable)
    /// At least two conditions. None of them is itself a chain with the same connective.
    case chain(Connective, [Node], depth: Int)
    /// The negation of a condition that is not a negation itself.
    case not(Node)
    /// A placeholder for a condition that is nested deeper than ``depthLimit``. Using it throws an error.
    case tooDeep
  }

  /// The operator between a chain's conditions.
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

  /// Returns a predicate that is true if both predicates are true.
  public static func && (lhs: StorePredicate, rhs: StorePredicate) -> StorePredicate {
    StorePredicate(.chain(.all, lhs.node, rhs.node))
  }

  /// Returns a predicate that is true if at least one of the two predicates is true.
  public static func || (lhs: StorePredicate, rhs: StorePredicate) -> StorePredicate {
    StorePredicate(.chain(.any, lhs.node, rhs.node))
  }

  /// Returns a predicate that is true if `predicate` is false.
  public static prefix func ! (predicate: StorePredicate) -> StorePredicate {
    StorePredicate(predicate.node.negated)
  }
}

extension StorePredicate.Node {
  /// The maximum nesting depth of chains and negations. SQLite's parser stack has 100 entries.
  static let depthLimit = 50

  /// The nesting depth of chains and negations; 0 for a condition on one attribute.
  var depth: Int {
    switch self {
    case .comparison, .isNull, .isAmong, .position, .hasElement: 0
    case .chain(_, _, let depth): depth
    case .not(let inner): inner.depth + 1
    case .tooDeep: Self.depthLimit + 1
    }
  }

  /// Returns a chain of both conditions. A condition that is a chain with the same connective is extended instead of nested.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions in the chain.
  static func chain(_ connective: StorePredicate.Connective, _ first: Self, _ second: Self) -> Self {
    let (before, depthBefore) = first.terms(of: connective)
    let (after, depthAfter) = second.terms(of: connective)
    let depth = max(depthBefore, depthAfter) + 1
    return depth > depthLimit ? .tooDeep : .chain(connective, before + after, depth: depth)
  }

  /// Returns the conditions to add to a chain with this connective, and their depth.
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
  /// Returns a predicate that is true if the attribute equals the value, or is null if the value is `nil`.
  public static func == <Value: Encodable & Sendable>(lhs: StoreAttribute, rhs: Value?) -> StorePredicate {
    StorePredicate(rhs.map { .comparison(lhs, .equal, $0) } ?? .isNull(lhs))
  }

  /// Returns a predicate that is true if the attribute is null.
  public static func == (lhs: StoreAttribute, rhs: _OptionalNilComparisonType) -> StorePredicate {
    StorePredicate(.isNull(lhs))
  }

  /// Returns a predicate that is true if the attribute is null or has another value, or is not null if the value is `nil`.
  public static func != <Value: Encodable & Sendable>(lhs: StoreAttribute, rhs: Value?) -> StorePredicate {
    !(lhs == rhs)
  }

  /// Returns a predicate that is true if the attribute is not null.
  public static func != (lhs: StoreAttribute, rhs: _OptionalNilComparisonType) -> StorePredicate {
    !(lhs == nil)
  }

  /// Returns a predicate that is true if the attribute is not null and is less than the value.
  public static func < (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .less, rhs))
  }

  /// Returns a predicate that is true if the attribute is not null and is less than or equal to the value.
  public static func <= (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .lessOrEqual, rhs))
  }

  /// Returns a predicate that is true if the attribute is not null and is greater than the value.
  public static func > (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .greater, rhs))
  }

  /// Returns a predicate that is true if the attribute is not null and is greater than or equal to the value.
  public static func >= (lhs: StoreAttribute, rhs: some Encodable & Sendable) -> StorePredicate {
    StorePredicate(.comparison(lhs, .greaterOrEqual, rhs))
  }

  /// Returns a predicate that is true if the attribute has one of these values. With no values it is always false. The values count
  /// towards the predicate's limit of 4,000.
  public func isAmong(_ values: some Sequence<some Encodable & Sendable>) -> StorePredicate {
    StorePredicate(.isAmong(self, Array(values)))
  }

  /// Returns a predicate that is true if the attribute is text that contains `text`. The comparison is case-sensitive, by
  /// Unicode scalars: `"e"` is contained in a decomposed é, but not in a precomposed one.
  public func contains(_ text: String) -> StorePredicate {
    StorePredicate(.position(self, of: text, .anywhere))
  }

  /// Returns a predicate that is true if the attribute is text that begins with `text`. The comparison is case-sensitive,
  /// by Unicode scalars: a decomposed é begins with `"e"`, but not with a precomposed é.
  public func hasPrefix(_ text: String) -> StorePredicate {
    StorePredicate(.position(self, of: text, .beginning))
  }
}
