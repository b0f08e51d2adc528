/// A column of a table as it is in the database.
package struct StoreColumn: Hashable, Sendable {
  package var name: String
  /// The type as the table's definition spells it; empty where it has none, which SQLite allows.
  package var declaredType: String
  /// Whether the definition says NOT NULL.
  package var isNotNull: Bool
  /// The place in the primary key, from 1 on; `nil` for a column outside it.
  package var primaryKeyPosition: Int?

  package init(name: String, declaredType: String, isNotNull: Bool, primaryKeyPosition: Int? = nil) {
    self.name = name
    self.declaredType = declaredType
    self.isNotNull = isNotNull
    self.primaryKeyPosition = primaryKeyPosition
  }
}
