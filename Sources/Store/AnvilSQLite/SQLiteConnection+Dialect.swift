internal import AnvilBase
package import AnvilStore

extension SQLiteConnection {
  /// The statement that acquires the write lock immediately. A transaction that reads first and starts to write later may conflict with
  /// another writer.
  package var beginWriting: String { "BEGIN IMMEDIATE" }

  package var beginReading: String { "BEGIN" }

  package var rowLock: String { "" }

  package var freeRowLock: String { "" }

  /// The time on the clock of the machine. Programs that share a file run on the same machine.
  package var currentTime: String { "((julianday('now') - 2451910.5) * 86400.0)" }

  /// Does nothing, because a writing transaction locks the whole database, including the schema.
  package func lockTable(_ name: String) {}

  /// Returns the name of a column's type. In SQLite the name determines how the column converts values. Columns of numbers convert text
  /// that looks like a number, columns of text convert numbers to text, and columns of blobs convert nothing. Source:
  /// sqlite.org/datatype3.html#determination_of_column_affinity.
  package func columnType(for type: StoredType) -> String {
    switch type {
    case .integer: "INTEGER"
    case .boolean: "BOOLEAN"
    case .real, .date: "REAL"
    case .data: "BLOB"
    case .text, .timestamp, .uuid, .url, .decimal, .json: "TEXT"
    }
  }

  /// Returns an expression that compares decimals, which are stored as text, by the nearest `Double`. Other expressions are returned
  /// unchanged.
  package func comparable(_ expression: String, as type: StoredType) -> String {
    type == .decimal ? "CAST(\(expression) AS REAL)" : expression
  }

  package var ignoresCaseOfNames: Bool { true }

  package var reservedTablePrefix: String? { "sqlite_" }

  package func rowNumberColumn(named name: String) -> String { "\(name) INTEGER PRIMARY KEY" }

  /// Returns the name of an index. It includes the name of the table, because all tables share one namespace for indices.
  package func indexName(entity: String, column: String) throws(StoreError) -> String {
    try quoted("\(entity).\(column)")
  }

  package var textPositionFunction: String { "instr" }

  package func elements(
    of column: String, named name: String, as type: StoredType
  ) -> (list: String, value: String) {
    (
      "json_each(CASE WHEN json_type(\(column)) = 'array' THEN \(column) END) AS \(name)",
      type == .data ? "\(SQLiteHandle.bytesFunction)(\(name).value)" : "\(name).value"
    )
  }

  package func typed(_ placeholder: String, as type: StoredType) -> String { placeholder }

  package func literal(_ value: StoreValue, as type: StoredType) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): real.isFinite ? "\(real)" : real > 0 ? "9e999" : "-9e999"
    case .text(let text): quoted(text: text)
    case .blob(let data): "X'\(HashFunction.hexadecimal([UInt8](data)))'"
    }
  }

  /// Returns the SQL condition that a JSON column contains an array with the element. It is false for JSON values that are not arrays.
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    """
    EXISTS (SELECT 1 FROM json_each(CASE WHEN json_type(\(column)) = 'array' THEN \(column) END) AS e \
    WHERE e.type = '\(kind == .text ? "text" : "integer")' AND e.value = \(placeholder))
    """
  }
}
