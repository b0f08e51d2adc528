// Each operator exists for columns and for key paths to columns.

/// Comparisons of columns with values.
extension StoredColumn where Value: StoredOperand {
  /// Returns a condition that is true if the column has the value, or is null if the value is `nil`.
  public static func == (lhs: StoredColumn, rhs: Value) -> StoreCondition<Model> {
    StoreCondition(lhs.equals(rhs._scalar))
  }

  /// Returns a condition that is true if the column is null or has another value, or is not null if the value is `nil`.
  public static func != (lhs: StoredColumn, rhs: Value) -> StoreCondition<Model> {
    !(lhs == rhs)
  }

  /// Returns a condition that is true if the column is not null and is less than the value.
  public static func < (lhs: StoredColumn, rhs: Value._Scalar) -> StoreCondition<Model> {
    StoreCondition(lhs.compare(.less, rhs))
  }

  /// Returns a condition that is true if the column is not null and is less than or equal to the value.
  public static func <= (lhs: StoredColumn, rhs: Value._Scalar) -> StoreCondition<Model> {
    StoreCondition(lhs.compare(.lessOrEqual, rhs))
  }

  /// Returns a condition that is true if the column is not null and is greater than the value.
  public static func > (lhs: StoredColumn, rhs: Value._Scalar) -> StoreCondition<Model> {
    StoreCondition(lhs.compare(.greater, rhs))
  }

  /// Returns a condition that is true if the column is not null and is greater than or equal to the value.
  public static func >= (lhs: StoredColumn, rhs: Value._Scalar) -> StoreCondition<Model> {
    StoreCondition(lhs.compare(.greaterOrEqual, rhs))
  }
}

/// Comparisons of columns with `nil`.
extension StoredColumn {
  /// Returns a condition that is true if the column is null.
  @_disfavoredOverload
  public static func == <Wrapped>(
    lhs: StoredColumn, rhs: _OptionalNilComparisonType
  ) -> StoreCondition<Model> where Value == Wrapped? {
    StoreCondition(.isNull(lhs._path))
  }

  /// Returns a condition that is true if the column is not null.
  @_disfavoredOverload
  public static func != <Wrapped>(
    lhs: StoredColumn, rhs: _OptionalNilComparisonType
  ) -> StoreCondition<Model> where Value == Wrapped? {
    !(lhs == nil)
  }

  fileprivate func equals(_ value: (some StoredValue)?) -> ConditionNode {
    value.map { compare(.equal, $0) } ?? .isNull(_path)
  }

  fileprivate func compare(_ comparison: ConditionNode.Operator, _ value: some StoredValue) -> ConditionNode {
    .comparison(_path, comparison, comparedValue(value))
  }
}

/// Returns a condition that is true if the column has the value, or is null if the value is `nil`.
public func == <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] == rhs
}

/// Returns a condition that is true if the column is null.
@_disfavoredOverload
public func == <Model: StoredModel, Wrapped>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Wrapped?>>, rhs: _OptionalNilComparisonType
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] == nil
}

/// Returns a condition that is true if the column is null or has another value, or is not null if the value is `nil`.
public func != <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value
) -> StoreCondition<Model> {
  !(lhs == rhs)
}

/// Returns a condition that is true if the column is not null.
@_disfavoredOverload
public func != <Model: StoredModel, Wrapped>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Wrapped?>>, rhs: _OptionalNilComparisonType
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] != nil
}

/// Returns a condition that is true if the column is not null and is less than the value.
public func < <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value._Scalar
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] < rhs
}

/// Returns a condition that is true if the column is not null and is less than or equal to the value.
public func <= <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value._Scalar
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] <= rhs
}

/// Returns a condition that is true if the column is not null and is greater than the value.
public func > <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value._Scalar
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] > rhs
}

/// Returns a condition that is true if the column is not null and is greater than or equal to the value.
public func >= <Model: StoredModel, Value: StoredOperand>(
  lhs: KeyPath<Model.Columns, StoredColumn<Model, Value>>, rhs: Value._Scalar
) -> StoreCondition<Model> {
  Model.columns[keyPath: lhs] >= rhs
}
