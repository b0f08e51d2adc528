/// Returns a predicate that is true if the column has the value.
public func == <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .equal, rhs)
}

/// Returns a predicate that is true if the column has the value, or is null if the value is `nil`.
public func == <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value?
) -> ModelPredicate<Model> {
  guard let rhs else { return ModelPredicate(attribute(lhs) == nil) }
  return ModelPredicate(attribute(lhs), .equal, rhs)
}

/// Returns a predicate that is true if the column has another value.
public func != <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  !(lhs == rhs)
}

/// Returns a predicate that is true if the column is null or has another value, or is not null if the value is `nil`.
public func != <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value?
) -> ModelPredicate<Model> {
  !(lhs == rhs)
}

/// Returns a predicate that is true if the column is less than the value.
public func < <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .less, rhs)
}

/// Returns a predicate that is true if the column is not null and is less than the value.
public func < <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .less, rhs)
}

/// Returns a predicate that is true if the column is less than or equal to the value.
public func <= <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .lessOrEqual, rhs)
}

/// Returns a predicate that is true if the column is not null and is less than or equal to the value.
public func <= <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .lessOrEqual, rhs)
}

/// Returns a predicate that is true if the column is greater than the value.
public func > <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .greater, rhs)
}

/// Returns a predicate that is true if the column is not null and is greater than the value.
public func > <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .greater, rhs)
}

/// Returns a predicate that is true if the column is greater than or equal to the value.
public func >= <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .greaterOrEqual, rhs)
}

/// Returns a predicate that is true if the column is not null and is greater than or equal to the value.
public func >= <Model, Value: Encodable & Sendable>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value?>>, rhs: Value
) -> ModelPredicate<Model> {
  ModelPredicate(attribute(lhs), .greaterOrEqual, rhs)
}
