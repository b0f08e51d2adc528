package import AnvilStore

extension SQLiteConnection {
  /// Acquires the write lock immediately: a read transaction that starts to write later may conflict with another writer.
  package var beginWriting: String { "BEGIN IMMEDIATE" }

  package var beginReading: String { "BEGIN" }

  package var rowLock: String { "" }

  package var freeRowLock: String { "" }

  /// The clock of the machine, because programs that share a file run on the same machine.
  package var currentTime: String { "((julianday('now') - 2451910.5) * 86400.0)" }

  /// Does nothing, because a writing transaction locks the whole database, including the schema.
  package func lockTable(_ name: String) {}

  /// The name of the type determines the conversion of values: text and blob columns convert none, number columns convert numbers.
  /// Source: sqlite.org/datatype3.html#determination_of_column_affinity.
  package func columnType(for type: StoredType) -> String {
    switch type {
    case .integer: "INTEGER"
    case .boolean: "BOOLEAN"
    case .real, .date: "REAL"
    case .data: "BLOB"
    case .text, .uuid, .url, .decimal, .json: "TEXT"
    }
  }

  /// Decimals are stored as text and compared as the nearest `Double`.
  package func comparable(_ expression: String, as type: StoredType) -> String {
    type == .decimal ? "CAST(\(expression) AS REAL)" : expression
  }

  package func rowNumberColumn(named name: String) -> String { "\(name) INTEGER PRIMARY KEY" }

  /// Includes the table's name, because all tables share one namespace for indices.
  package func indexName(entity: String, column: String) throws(StoreError) -> String {
    try quoted("\(entity).\(column)")
  }

  package var textPositionFunction: String { "instr" }

  /// Values that are not arrays have no elements.
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    """
    EXISTS (SELECT 1 FROM json_each(CASE WHEN json_type(\(column)) = 'array' THEN \(column) END) AS e \
    WHERE e.type = '\(kind == .text ? "text" : "integer")' AND e.value = \(placeholder))
    """
  }
}
