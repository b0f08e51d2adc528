/// A column of a table in the database.
package struct StoreColumn: Hashable, Sendable {
  package var name: String
  /// The type as it is written in the table's definition; empty if there is no type, which SQLite allows.
  package var declaredType: String
  /// True if the column is declared NOT NULL.
  package var isNotNull: Bool
  /// True if rows can be inserted without a value for the column, because it has a default or is generated.
  package var hasDefault: Bool
  /// The default value as an SQL expression; `nil` without a default value, and if the backend does not need it.
  package var defaultExpression: String?
  /// The position in the primary key, counted from 1; `nil` for other columns.
  package var primaryKeyPosition: Int?

  package init(
    name: String, declaredType: String, isNotNull: Bool, hasDefault: Bool = false, defaultExpression: String? = nil,
    primaryKeyPosition: Int? = nil
  ) {
    self.name = name
    self.declaredType = declaredType
    self.isNotNull = isNotNull
    self.hasDefault = hasDefault
    self.defaultExpression = defaultExpression
    self.primaryKeyPosition = primaryKeyPosition
  }
}
