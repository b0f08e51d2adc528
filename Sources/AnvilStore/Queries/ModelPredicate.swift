/// A condition on the rows of a ``StoredModel``. Key paths name the columns.
///
///     \.stars > 100 && (\.team == "red" || \.team == nil)
///     .isAmong(\.id, [1, 2, 3]) && .hasPrefix(\.login, "a")
///
/// It means the same as a ``StorePredicate`` with the names of the attributes. The condition does not compile if the model does not have
/// the column, or if the value and the column have different types. If the compiler cannot infer the model, write the root of the key path:
///
///     let popular = \User.Columns.stars > 100
public struct ModelPredicate<Model: StoredModel>: Sendable {
  /// The same condition for any model.
  package let predicate: StorePredicate

  /// Creates a condition from a predicate that names attributes by text.
  public init(_ predicate: StorePredicate) {
    self.predicate = predicate
  }

  /// Returns a predicate that is true if both predicates are true.
  public static func && (lhs: ModelPredicate, rhs: ModelPredicate) -> ModelPredicate {
    ModelPredicate(lhs.predicate && rhs.predicate)
  }

  /// Returns a predicate that is true if at least one of the two predicates is true.
  public static func || (lhs: ModelPredicate, rhs: ModelPredicate) -> ModelPredicate {
    ModelPredicate(lhs.predicate || rhs.predicate)
  }

  /// Returns a predicate that is true if `predicate` is false.
  public static prefix func ! (predicate: ModelPredicate) -> ModelPredicate {
    ModelPredicate(!predicate.predicate)
  }

  /// Returns a predicate that is true if the column has one of these values. With no values it is always false. The values count
  /// towards the predicate's limit of 4,000.
  public static func isAmong<Value: Encodable & Sendable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ values: some Sequence<Value>
  ) -> ModelPredicate {
    ModelPredicate(.init(.isAmong(attribute(column), values.map(stored))))
  }

  /// Returns a predicate that is true if the column has one of these values. With no values it is always false. The values count
  /// towards the predicate's limit of 4,000.
  public static func isAmong<Value: Encodable & Sendable>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, _ values: some Sequence<Value>
  ) -> ModelPredicate {
    ModelPredicate(.init(.isAmong(attribute(column), values.map(stored))))
  }

  /// Returns a predicate that is true if the column is text that contains `text`. The comparison is case-sensitive.
  public static func contains<Value>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ text: String
  ) -> ModelPredicate {
    ModelPredicate(attribute(column).contains(text))
  }

  /// Returns a predicate that is true if the column is text that begins with `text`. The comparison is case-sensitive.
  public static func hasPrefix<Value>(
    _ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>, _ text: String
  ) -> ModelPredicate {
    ModelPredicate(attribute(column).hasPrefix(text))
  }

  init(
    _ column: StoreAttribute, _ comparison: StorePredicate.Operator, _ value: some Encodable & Sendable
  ) {
    predicate = StorePredicate(.comparison(column, comparison, stored(value)))
  }
}

/// A sort order of a model's rows by one column.
///
///     try await context.fetch(User.self, orderedBy: [.descending(\.stars), .ascending(\.login)])
public struct ModelOrder<Model: StoredModel>: Hashable, Sendable {
  let order: StoreOrder

  /// Returns the order from the least to the greatest value; null comes first. Text is compared by its Unicode scalars.
  public static func ascending<Value>(_ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>) -> ModelOrder {
    ModelOrder(order: .ascending(attribute(column)))
  }

  /// Returns the order from the greatest to the least value; null comes last.
  public static func descending<Value>(_ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>) -> ModelOrder {
    ModelOrder(order: .descending(attribute(column)))
  }
}

/// Returns the attribute of a column.
func attribute<Model, Value>(_ column: KeyPath<Model.Columns, StoredColumn<Model, Value>>) -> StoreAttribute {
  Model._columns[keyPath: column].attribute
}

/// Returns the form of the value that columns store: the raw value if it has one, and otherwise the value itself.
private func stored<Value: Encodable & Sendable>(_ value: Value) -> any Encodable & Sendable {
  value is any RawRepresentable ? RawValueOf(value: value) : value
}

/// A value that encodes itself as its raw value.
private struct RawValueOf<Value: Encodable & Sendable>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    func rawValue<Raw: RawRepresentable>(_ value: Raw) -> Any { value.rawValue }
    let raw = (value as? any RawRepresentable).map { rawValue($0) } as? any Encodable
    try (raw ?? value).encode(to: encoder)
  }
}
