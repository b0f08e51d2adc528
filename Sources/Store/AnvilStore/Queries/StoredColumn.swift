/// A column of a model's table, for conditions and orders.
///
/// A ``StoredModel`` has a column for each property, which key paths name: `\.stars`. For other models, create a column with the name of
/// the coding key and the type of the property. The same conditions and orders take both:
///
///     try await store.fetch(User.self, where: \.stars > 100 && \.team == nil)
///     try await store.fetch(Member.self, where: StoredColumn<Member, Int>("age") >= 18)
///
/// A column of references to a ``StoredModel`` has the columns of that model as members: `\.assignee.login`, to any depth. If there is no
/// row, their value is `nil`. The model needs exactly one match key: it is a ``ReferencedModel``.
///
/// A column that the table does not have yet has the default value of its property, or `nil`. It is an error to use a column by a name that
/// neither the table nor the model has, unless its type is optional.
@dynamicMemberLookup
public struct StoredColumn<Model: ManagedDecodable, Value>: Sendable {
  // Not `path`: a member of this name would hide the column of a referenced model.
  let _path: ColumnPath

  /// Creates a column of a model.
  ///
  /// - Parameter name: The coding key of the property.
  public init(_ name: String) {
    _path = ColumnPath(name, isOptional: Value.self is any OptionalType.Type)
  }

  package init(_ key: some CodingKey) {
    self.init(key.stringValue)
  }

  fileprivate init(_ path: ColumnPath) {
    _path = path
  }
}

/// The place of a column, which may be reached over references.
package struct ColumnPath: Sendable {
  /// A reference from a row to one row of another model.
  struct Step: Sendable {
    let attribute: String
    let target: any RelatedModel.Type
  }

  private(set) var steps: [Step] = []
  let attribute: String
  let isOptional: Bool
  /// The references to count, if the number of references in the column takes the place of the column.
  private(set) var counted: Counted?

  enum Counted: Sendable {
    /// All references, whether their rows exist or not.
    case all
    indirect case matching(ConditionNode, of: any RelatedModel.Type)
  }

  init(_ attribute: String, isOptional: Bool) {
    self.attribute = attribute
    self.isOptional = isOptional
  }

  func counting(_ references: Counted?) -> ColumnPath {
    var path = self
    path.counted = references
    return path
  }

  /// The nesting depth of the conditions in the path; 0 without conditions.
  var depth: Int {
    if case .matching(let condition, of: _) = counted { condition.depth + 1 } else { 0 }
  }

  func forEachRelation(_ body: (any RelatedModel.Type) -> Void) {
    for step in steps { body(step.target) }
    guard case .matching(let condition, let target) = counted else { return }
    body(target)
    condition.forEachRelation(body)
  }

  /// Returns the path to a column of the row that this column refers to.
  fileprivate func appending(_ path: ColumnPath, of target: any RelatedModel.Type) -> ColumnPath {
    var path = path
    path.steps = steps + [Step(attribute: attribute, target: target)] + path.steps
    return path
  }
}

/// Numbers of references.
extension StoredColumn where Value == Int {
  /// Returns the number of references in a column, whether their rows exist or not. For a column without an array, the number is 0.
  ///
  ///     try await store.fetch(Issue.self, where: .count(\.labels) > 2, orderedBy: [.descending(.count(\.labels))])
  public static func count<References: _StoredRelations>(_ column: StoredColumn<Model, References>) -> StoredColumn {
    StoredColumn(column._path.counting(.all))
  }

  /// Returns the number of references in a column to rows that match `condition`.
  ///
  ///     .count(\.labels, where: \.name == "bug") == 1
  ///
  /// Uses the index of the references if no row can match without at least one of them, as in `.count(…) > 0 && \.id > 3`.
  public static func count<References: _StoredRelations>(
    _ column: StoredColumn<Model, References>, where condition: StoreCondition<References._Target>
  ) -> StoredColumn where References._Target: ReferencedModel {
    StoredColumn(column._path.counting(.matching(condition.node.nested, of: References._Target.self)))
  }
}

/// Numbers of references in columns that key paths name.
extension StoredColumn where Value == Int, Model: StoredModel {
  /// Returns the number of references in a column, whether their rows exist or not. For a column without an array, the number is 0.
  public static func count<References: _StoredRelations>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, References>>
  ) -> StoredColumn {
    count(Model.columns[keyPath: column])
  }

  /// Returns the number of references in a column to rows that match `condition`.
  public static func count<References: _StoredRelations>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, References>>,
    where condition: StoreCondition<References._Target>
  ) -> StoredColumn where References._Target: ReferencedModel {
    count(Model.columns[keyPath: column], where: condition)
  }
}

package typealias RelatedModel = ManagedDecodable & Codable & SendableMetatype

/// A type of properties that refer to rows of another model: a `_StoredRelation`, an array of them, or an optional of either.
public protocol _StoredRelated: SendableMetatype {
  /// The model whose rows are referred to.
  associatedtype _Target: ManagedDecodable & Codable & SendableMetatype
  /// The referenced models: an optional model, or an array of models.
  associatedtype _Related

  /// Returns the models of the rows that exist. They are in the order of the references.
  static func _related(_ models: [_Target]) -> _Related
}

/// A type of properties that are kept as the key of another model's row: a ``Reference``, or a model with match keys itself.
public protocol _StoredRelation: _StoredRelated {}

extension _StoredRelation {
  /// Returns the model; `nil` if its row does not exist.
  public static func _related(_ models: [_Target]) -> _Target? { models.first }
}

extension Reference: _StoredRelated, _StoredRelation where Model: ReferencedModel, Model._MatchKeyType == Model.ID {
  /// The model whose row is referred to.
  public typealias _Target = Model
}

/// An optional `_StoredRelation`.
public protocol _StoredOptionalRelation: _StoredRelated {}

/// A type of properties that refer to any number of rows: an array of `_StoredRelation`, or an optional array.
public protocol _StoredRelations: _StoredRelated {}

extension Optional: _StoredRelated where Wrapped: _StoredRelated {
  /// The model whose rows are referred to.
  public typealias _Target = Wrapped._Target

  /// Returns what the wrapped type returns.
  public static func _related(_ models: [_Target]) -> Wrapped._Related { Wrapped._related(models) }
}

extension Optional: _StoredOptionalRelation where Wrapped: _StoredRelation {}
extension Optional: _StoredRelations where Wrapped: _StoredRelations {}

extension Array: _StoredRelated, _StoredRelations where Element: _StoredRelation {
  /// The model whose rows are referred to.
  public typealias _Target = Element._Target

  /// Returns the models.
  public static func _related(_ models: [_Target]) -> [_Target] { models }
}

extension StoredColumn where Value: _StoredRelation, Value._Target: StoredModel & ReferencedModel {
  /// Returns a column of the referenced model.
  public subscript<Member>(
    dynamicMember column: KeyPath<Value._Target.Columns, StoredColumn<Value._Target, Member>>
  ) -> StoredColumn<Model, Member> {
    StoredColumn<Model, Member>(_path.appending(Value._Target.columns[keyPath: column]._path, of: Value._Target.self))
  }
}

extension StoredColumn where Value: _StoredOptionalRelation, Value._Target: StoredModel & ReferencedModel {
  /// Returns a column of the referenced model. Its value is `nil` if there is no reference.
  public subscript<Member>(
    dynamicMember column: KeyPath<Value._Target.Columns, StoredColumn<Value._Target, Member>>
  ) -> StoredColumn<Model, Member?> {
    StoredColumn<Model, Member?>(_path.appending(Value._Target.columns[keyPath: column]._path, of: Value._Target.self))
  }

  /// Returns a column of the referenced model. Its value is `nil` if there is no reference.
  public subscript<Member>(
    dynamicMember column: KeyPath<Value._Target.Columns, StoredColumn<Value._Target, Member?>>
  ) -> StoredColumn<Model, Member?> {
    StoredColumn<Model, Member?>(_path.appending(Value._Target.columns[keyPath: column]._path, of: Value._Target.self))
  }
}

/// A sort order of a model's rows by one column.
///
///     try await store.fetch(User.self, orderedBy: [.descending(\.stars), .ascending(\.team.name)])
///     try await store.fetch(Member.self, orderedBy: [.ascending(StoredColumn<Member, Int>("age"))])
///
/// Null is less than any value. Text is compared by its Unicode scalars.
public struct StoreOrder<Model: ManagedDecodable>: Sendable {
  let order: ColumnOrder

  /// Returns the order from the least to the greatest value; null comes first.
  public static func ascending(_ column: StoredColumn<Model, some StoredOperand>) -> StoreOrder {
    StoreOrder(order: ColumnOrder(path: column._path, isDescending: false))
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending(_ column: StoredColumn<Model, some StoredOperand>) -> StoreOrder {
    StoreOrder(order: ColumnOrder(path: column._path, isDescending: true))
  }
}

extension StoreOrder where Model: StoredModel {
  /// Returns the order from the least to the greatest value; null comes first.
  public static func ascending<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder {
    ascending(Model.columns[keyPath: column])
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder {
    descending(Model.columns[keyPath: column])
  }
}

struct ColumnOrder: Sendable {
  let path: ColumnPath
  let isDescending: Bool
}

/// A column with references whose rows are fetched together with the rows of a query.
struct RelatedColumn: Sendable {
  let path: ColumnPath
  let target: any RelatedModel.Type
  let isArray: Bool

  init<Model, Value: _StoredRelated>(_ column: StoredColumn<Model, Value>) {
    (path, target, isArray) = (column._path, Value._Target.self, Value.self is any _StoredRelations.Type)
  }
}

struct StoreQuery: Sendable {
  var condition = ConditionNode.all
  var orders: [ColumnOrder] = []
  var limit: Int?
  var offset = 0
  /// A place in the order of the rows.
  enum Position: Sendable {
    /// After the row with these values in the columns that determine the order. The first of them is null in all of the rows or in none.
    case after([StoreValue])
    /// At the last rows, whose first column in the order is null if that of the rows before is not, or the other way round.
    case lastSection
  }

  /// The position from which rows are returned; `nil` for the beginning.
  var position: Position?
  /// The columns with references that the result contains for each row, in addition to the row.
  var related: [RelatedColumn] = []

  /// The models other than the model of the rows whose rows determine the result.
  var relations: [any RelatedModel.Type] {
    var relations: [any RelatedModel.Type] = []
    condition.forEachRelation { relations.append($0) }
    for path in orders.map(\.path) + related.map(\.path) { path.forEachRelation { relations.append($0) } }
    return relations
  }

  /// Whether the tables of the query need aliases: there are several, or a column is an argument of the function that lists the elements of an
  /// array. Without the name of its table, such an argument is the column of the function with the same name, such as `value` or `path`.
  var needsAliases: Bool {
    condition.readsElements || orders.contains { $0.path.counted != nil } || !relations.isEmpty
  }
}

extension StoreQuery {
  init<Model>(
    _ condition: StoreCondition<Model>, _ orders: [StoreOrder<Model>] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.init(condition: condition.node, orders: orders.map(\.order), limit: limit, offset: offset)
  }
}
