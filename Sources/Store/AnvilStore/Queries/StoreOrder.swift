/// A sort order of a model's rows by one column.
///
///     try await store.fetch(User.self, orderedBy: [.descending(\.stars), .ascending(\.team.name)])
///     try await store.fetch(Member.self, orderedBy: [.ascending(StoredColumn<Member, Int>("age"))])
///
/// Null is less than any value. Text is compared by its Unicode scalars.
public struct StoreOrder<Model: ManagedDecodable>: Sendable {
  let order: ColumnOrder

  private init(_ path: ColumnPath, isDescending: Bool) {
    order = ColumnOrder(path: path, isDescending: isDescending)
  }

  /// Returns the order from the least to the greatest value; null comes first.
  public static func ascending(_ column: StoredColumn<Model, some StoredOperand>) -> StoreOrder {
    StoreOrder(column._path, isDescending: false)
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending(_ column: StoredColumn<Model, some StoredOperand>) -> StoreOrder {
    StoreOrder(column._path, isDescending: true)
  }
}

extension StoreOrder where Model: StoredModel {
  /// Returns the order from the least to the greatest value; null comes first.
  public static func ascending<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: false)
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending<Value: StoredOperand>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: true)
  }

  /// Returns the order from the least to the greatest raw value.
  @_disfavoredOverload
  public static func ascending<Value: RawRepresentable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder where Value.RawValue: StoredValue {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: false)
  }

  /// Returns the order from the greatest to the least raw value.
  @_disfavoredOverload
  public static func descending<Value: RawRepresentable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>
  ) -> StoreOrder where Value.RawValue: StoredValue {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: true)
  }

  /// Returns the order from the least to the greatest raw value; null comes first.
  @_disfavoredOverload
  public static func ascending<Value: RawRepresentable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value?>>
  ) -> StoreOrder where Value.RawValue: StoredValue {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: false)
  }

  /// Returns the order from the greatest to the least raw value; null comes last.
  @_disfavoredOverload
  public static func descending<Value: RawRepresentable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value?>>
  ) -> StoreOrder where Value.RawValue: StoredValue {
    StoreOrder(Model.columns[keyPath: column]._path, isDescending: true)
  }
}

/// The contents of a ``StoreOrder``, without its model.
struct ColumnOrder: Sendable {
  let path: ColumnPath
  let isDescending: Bool
}

/// A column with references whose rows are fetched together with the rows of a query.
struct RelatedColumn: Sendable {
  let path: ColumnPath
  let target: any RelatedModel.Type
  /// A Boolean value that indicates whether the column refers to any number of rows.
  let isArray: Bool

  init<Model, Value: StoredRelated>(_ column: StoredColumn<Model, Value>) {
    (path, target, isArray) = (column._path, Value._Target.self, Value.self is any StoredRelations.Type)
  }
}

/// A query for rows of a model: the condition and the order.
struct StoreQuery: Sendable {
  var condition = ConditionNode.all
  var orders: [ColumnOrder] = []
  var limit: Int?
  var offset = 0
  /// The position after which rows are returned: the values of the row before the first result, in the columns that determine the order.
  var after: [StoreValue]?
  /// The columns with references that the result contains for each row, in addition to the row.
  var related: [RelatedColumn] = []

  /// The models other than the model of the rows whose rows determine the result.
  var relations: [any RelatedModel.Type] {
    var relations: [any RelatedModel.Type] = []
    condition.forEachRelation { relations.append($0) }
    for path in orders.map(\.path) + related.map(\.path) { relations += path.steps.map(\.target) }
    return relations
  }
}

extension StoreQuery {
  init<Model>(
    _ condition: StoreCondition<Model>, _ orders: [StoreOrder<Model>] = [], limit: Int? = nil, offset: Int = 0
  ) {
    self.init(condition: condition.node, orders: orders.map(\.order), limit: limit, offset: offset)
  }
}
