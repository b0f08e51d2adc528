package import AnvilStore

extension SQLiteConnection {
  /// The right to write is waited for at once: a reader that wants to write later may find that others were first.
  package var beginWriting: String { "BEGIN IMMEDIATE" }

  package var beginReading: String { "BEGIN" }

  package var rowLock: String { "" }

  /// Who writes is alone with the database, its schema included.
  package func lockTable(_ name: String) {}

  /// The name decides how values are converted: columns of text and blobs convert none, numbers become what the column holds.
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

  /// Decimals are text, and compared as the nearest `Double`.
  package func comparable(_ expression: String, as type: StoredType) -> String {
    type == .decimal ? "CAST(\(expression) AS REAL)" : expression
  }

  package func rowNumberColumn(named name: String) -> String { "\(name) INTEGER PRIMARY KEY" }

  /// Names of indices are those of one place for all tables.
  package func indexName(entity: String, column: String) throws(StoreError) -> String {
    try quoted("\(entity).\(column)")
  }

  package var textPositionFunction: String { "instr" }
}
