/// A condition on the rows of a model.
///
///     \.stars > 100 && (\.team == "red" || \.team == nil)
///     .isAmong(\.id, [1, 2, 3]) && .hasPrefix(\.login, "a")
///     \.assignee.login == "ada" && .any(\.labels, where: \.name == "bug")
///     StoredColumn<Member, Int>("age") >= 18
///
/// Key paths name the columns of a ``StoredModel``. Columns of other models are a ``StoredColumn``. Both may occur in one condition. If the
/// compiler cannot infer the model, write the root of the key path: `let popular = \User.Columns.stars > 100`.
///
/// Conditions compare scalars: numbers, text, Booleans, dates, `Data`, `UUID`, `URL`, `Decimal`, and enumerations with such raw values.
/// Structs, arrays, models and references cannot be compared. To find a reference, compare the key: `\.assignee.id == 3`. Conditions follow
/// references to models with exactly one match key.
///
/// Every condition is either true or false for a row, as in Swift and unlike in SQL. `nil` equals only `nil`, and is neither less nor
/// greater than any value. `!` turns false into true.
///
/// Values are compared in their stored form. It is an error to compare a column with a value of another kind, which is possible only with
/// columns that are named by text. Text is converted if the column is a UUID or a decimal, so that `"1.50"` equals the decimal 1.5.
///
/// Conditions may be nested 50 levels deep, where a sequence of `&&` or of `||` is one level. They may contain 4,000 values. The
/// values of `isAmong` count as one if there are more than 256, except floating-point numbers, Booleans and data. Using a condition that
/// exceeds these limits throws ``StoreError/Code/tooLarge``.
///
/// SQLite has no decimals. There, `<`, `<=`, `>`, `>=` and orders compare the nearest `Double` of each decimal. Decimals that differ only
/// after about 15 digits are therefore neither less nor greater than each other. `==` is exact. On PostgreSQL, all comparisons are exact.
public struct StoreCondition<Model: ManagedDecodable>: Sendable {
  let node: ConditionNode

  init(_ node: ConditionNode) {
    self.node = node
  }

  /// A condition that is true for all rows.
  public static var all: StoreCondition { StoreCondition(.all) }

  /// Returns a condition that is true if both conditions are true.
  public static func && (lhs: StoreCondition, rhs: StoreCondition) -> StoreCondition {
    StoreCondition(.chain(.all, lhs.node, rhs.node))
  }

  /// Returns a condition that is true if at least one of the two conditions is true.
  public static func || (lhs: StoreCondition, rhs: StoreCondition) -> StoreCondition {
    StoreCondition(.chain(.any, lhs.node, rhs.node))
  }

  /// Returns a condition that is true if `condition` is false.
  public static prefix func ! (condition: StoreCondition) -> StoreCondition {
    StoreCondition(condition.node.negated)
  }
}

/// Conditions on columns.
extension StoreCondition {
  /// Returns a condition that is true if the column has one of these values. With no values it is always false.
  public static func isAmong<Value: StoredOperand>(
    _ column: StoredColumn<Model, Value>, _ values: some Sequence<Value._Scalar>
  ) -> StoreCondition {
    StoreCondition(.isAmong(column._path, values.map(comparedValue)))
  }

  /// Returns a condition that is true if the column is text that contains `text`. The comparison is case-sensitive, by Unicode scalars:
  /// `"e"` is contained in a decomposed é, but not in a precomposed one.
  public static func contains<Value: StoredOperand>(
    _ column: StoredColumn<Model, Value>, _ text: String
  ) -> StoreCondition where Value._Scalar: StoredText {
    StoreCondition(.position(column._path, of: text, .anywhere))
  }

  /// Returns a condition that is true if the column is text that begins with `text`. The comparison is case-sensitive, by Unicode scalars:
  /// a decomposed é begins with `"e"`, but not with a precomposed é.
  public static func hasPrefix<Value: StoredOperand>(
    _ column: StoredColumn<Model, Value>, _ text: String
  ) -> StoreCondition where Value._Scalar: StoredText {
    StoreCondition(.position(column._path, of: text, .beginning))
  }

  /// Returns a condition that is true if the column refers to the model with this id, among others.
  ///
  /// Uses the index of the references if no row can match without this condition, as in `.any(…) && \.id > 3`. With `||` and `!`, the
  /// references of each row are read.
  public static func contains<Value: _StoredRelations>(
    _ column: StoredColumn<Model, Value>, _ id: Value._Target._MatchKeyType
  ) -> StoreCondition where Value._Target: ReferencedModel, Value._Target._MatchKeyType: StoredValue {
    StoreCondition(.hasElement(column._path, comparedValue(id)))
  }

  /// Returns a condition that is true if the column refers to a row that matches `condition`.
  ///
  /// Uses the index of the references if no row can match without this condition, as in `.any(…) && \.id > 3`. With `||` and `!`, the
  /// references of each row are read.
  public static func any<Value: _StoredRelations>(
    _ column: StoredColumn<Model, Value>, where condition: StoreCondition<Value._Target>
  ) -> StoreCondition where Value._Target: ReferencedModel {
    StoreCondition(.any(column._path, of: Value._Target.self, condition.node.nested))
  }

  /// Returns a condition that is true if the column does not refer to any row that matches `condition`.
  public static func noneOf<Value: _StoredRelations>(
    _ column: StoredColumn<Model, Value>, where condition: StoreCondition<Value._Target>
  ) -> StoreCondition where Value._Target: ReferencedModel {
    !any(column, where: condition)
  }
}

/// Conditions on columns that key paths name; see those on a ``StoredColumn``.
extension StoreCondition where Model: StoredModel {
  /// Returns a condition that is true if the column has one of these values.
  public static func isAmong<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ values: some Sequence<Value._Scalar>
  ) -> StoreCondition {
    isAmong(Model.columns[keyPath: column], values)
  }

  /// Returns a condition that is true if the column is text that contains `text`. The comparison is case-sensitive.
  public static func contains<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ text: String
  ) -> StoreCondition where Value._Scalar: StoredText {
    contains(Model.columns[keyPath: column], text)
  }

  /// Returns a condition that is true if the column is text that begins with `text`. The comparison is case-sensitive.
  public static func hasPrefix<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ text: String
  ) -> StoreCondition where Value._Scalar: StoredText {
    hasPrefix(Model.columns[keyPath: column], text)
  }

  /// Returns a condition that is true if the column refers to the model with this id, among others.
  public static func contains<Value: _StoredRelations>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ id: Value._Target._MatchKeyType
  ) -> StoreCondition where Value._Target: ReferencedModel, Value._Target._MatchKeyType: StoredValue {
    contains(Model.columns[keyPath: column], id)
  }

  /// Returns a condition that is true if the column refers to a row that matches `condition`.
  public static func any<Value: _StoredRelations>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, where condition: StoreCondition<Value._Target>
  ) -> StoreCondition where Value._Target: ReferencedModel {
    any(Model.columns[keyPath: column], where: condition)
  }

  /// Returns a condition that is true if the column does not refer to any row that matches `condition`.
  public static func noneOf<Value: _StoredRelations>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, where condition: StoreCondition<Value._Target>
  ) -> StoreCondition where Value._Target: ReferencedModel {
    noneOf(Model.columns[keyPath: column], where: condition)
  }
}

/// The contents of a ``StoreCondition``, without its model.
package indirect enum ConditionNode: Sendable {
  case all
  case comparison(ColumnPath, Operator, any Encodable & Sendable)
  case isNull(ColumnPath)
  case isAmong(ColumnPath, [any Encodable & Sendable])
  case position(ColumnPath, of: String, TextPosition)
  /// An array of references has the value as an element.
  case hasElement(ColumnPath, any Encodable & Sendable)
  /// An array of references refers to a row that matches a condition.
  case any(ColumnPath, of: any RelatedModel.Type, ConditionNode)
  /// At least two conditions. None of them is itself a chain with the same connective.
  case chain(Connective, [ConditionNode], depth: Int)
  /// The negation of a condition that is not a negation itself.
  case not(ConditionNode)
  /// A placeholder for a condition that is nested deeper than ``depthLimit``. Using it throws an error.
  case tooDeep

  package enum Connective: String, Sendable {
    case all = "AND"
    case any = "OR"
  }

  package enum Operator: String, Sendable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  package enum TextPosition: Sendable {
    case beginning
    case anywhere
  }

  /// The maximum nesting depth of chains and negations. SQLite's parser stack has 100 entries.
  static let depthLimit = 50

  /// The nesting depth of chains and negations; 0 for a condition on one column.
  var depth: Int {
    switch self {
    case .all: 0
    case .comparison(let path, _, _), .isNull(let path), .isAmong(let path, _), .position(let path, of: _, _),
      .hasElement(let path, _):
      path.depth
    case .any(_, of: _, let inner), .not(let inner): inner.depth + 1
    case .chain(_, _, let depth): depth
    case .tooDeep: Self.depthLimit + 1
    }
  }

  /// Returns a chain of both conditions. A condition that is a chain with the same connective is extended instead of nested.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions in the chain.
  static func chain(_ connective: Connective, _ first: Self, _ second: Self) -> Self {
    switch (first, second) {
    case (.all, let other), (let other, .all): return connective == .all ? other : .all
    default: break
    }
    let (before, depthBefore) = first.terms(of: connective)
    let (after, depthAfter) = second.terms(of: connective)
    let depth = max(depthBefore, depthAfter) + 1
    return depth > depthLimit ? .tooDeep : .chain(connective, before + after, depth: depth)
  }

  private func terms(of connective: Connective) -> (terms: [Self], depth: Int) {
    guard case .chain(connective, let terms, let depth) = self else { return ([self], depth) }
    return (terms, depth - 1)
  }

  var nested: Self { depth < Self.depthLimit ? self : .tooDeep }

  fileprivate var negated: Self {
    if case .not(let inner) = self { return inner }
    return depth >= Self.depthLimit ? .tooDeep : .not(self)
  }

  var readsElements: Bool {
    switch self {
    case .all, .tooDeep: false
    case .hasElement, .any: true
    case .comparison(let path, _, _), .isNull(let path), .isAmong(let path, _), .position(let path, of: _, _):
      path.counted != nil
    case .chain(_, let terms, _): terms.contains(where: \.readsElements)
    case .not(let inner): inner.readsElements
    }
  }

  func forEachRelation(_ body: (any RelatedModel.Type) -> Void) {
    switch self {
    case .all, .tooDeep: break
    case .comparison(let path, _, _), .isNull(let path), .isAmong(let path, _), .position(let path, of: _, _),
      .hasElement(let path, _):
      path.forEachRelation(body)
    case .any(let path, of: let target, let inner):
      path.forEachRelation(body)
      body(target)
      inner.forEachRelation(body)
    case .chain(_, let terms, _):
      for term in terms { term.forEachRelation(body) }
    case .not(let inner): inner.forEachRelation(body)
    }
  }
}

/// Conditions on columns whose types are known only from their values.
extension ConditionNode {
  /// Returns the condition that a column has a value, or is null if the value is `nil`.
  package static func equals(_ column: String, _ value: (some Encodable & Sendable)?) -> ConditionNode {
    let path = ColumnPath(column, isOptional: false)
    return value.map { .comparison(path, .equal, $0) } ?? .isNull(path)
  }

  package static func joined(_ nodes: [ConditionNode], matchingAll: Bool) -> ConditionNode {
    guard let first = nodes.first else { return matchingAll ? .all : .not(.all) }
    return nodes.dropFirst().reduce(first) { chain(matchingAll ? .all : .any, $0, $1) }
  }
}

/// Returns the form of a value that columns store: the raw value if it has one, and otherwise the value itself.
func comparedValue<Value: StoredValue>(_ value: Value) -> any Encodable & Sendable {
  func rawValue<Raw: RawRepresentable>(_ value: Raw) -> Any { value.rawValue }
  guard let raw = value as? any RawRepresentable else { return value }
  return (rawValue(raw) as? any StoredValue).map { comparedValue($0) } ?? value
}
