internal import AnvilBase
package import AnvilStore

extension PostgresConnection {
  /// The statement that begins a transaction in which each statement sees all rows that were committed before the statement began. A row
  /// that another transaction has just written is therefore found, instead of causing a failure.
  package var beginWriting: String { "BEGIN ISOLATION LEVEL READ COMMITTED\(localSettings)" }

  package var beginReading: String { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY\(localSettings)" }

  /// The clause that locks rows. Other transactions may still refer to them, because their keys do not change.
  package var rowLock: String { " FOR NO KEY UPDATE" }

  package var freeRowLock: String { " FOR NO KEY UPDATE SKIP LOCKED" }

  /// The current time rather than the time when the transaction began. The transaction may have waited for locks since then.
  package var currentTime: String {
    "(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) - 978307200)"
  }

  package var changesSchemaFirst: Bool { true }

  /// Returns the SQL type of a column. JSON is used rather than JSONB, which does not keep the text as it was written.
  package func columnType(for type: StoredType) -> String {
    switch type {
    case .integer: "BIGINT"
    case .real, .date: "DOUBLE PRECISION"
    case .boolean: "BOOLEAN"
    case .text, .url: #"TEXT COLLATE "C""#
    case .data: "BYTEA"
    case .uuid: "UUID"
    case .decimal: "NUMERIC"
    case .json: "JSON"
    }
  }

  package func comparable(_ expression: String, as type: StoredType) -> String { expression }

  package func rowNumberColumn(named name: String) -> String {
    "\(name) BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
  }

  /// Returns an empty name, so that the server chooses one. All tables share one namespace for indices, and names have a maximum length.
  package func indexName(entity: String, column: String) -> String { "" }

  package var textPositionFunction: String { "strpos" }

  package func elements(
    of column: String, named name: String, as type: StoredType
  ) -> (list: String, value: String) {
    (
      """
      pg_catalog.json_array_elements(\
      CASE WHEN pg_catalog.json_typeof(\(column)) = 'array' THEN \(column) END) AS \(name) (v)
      """,
      typed("(\(name).v #>> '{}')", as: type)
    )
  }

  package func typed(_ placeholder: String, as type: StoredType) -> String {
    "\(placeholder)::\(columnType(for: type))"
  }

  package func literal(_ value: StoreValue, as type: StoredType) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): type == .boolean ? (integer == 0 ? "FALSE" : "TRUE") : "\(integer)"
    case .real(let real): real.isFinite ? "'\(real)'" : real > 0 ? "'Infinity'" : "'-Infinity'"
    case .text(let text): quoted(text: text)
    case .blob(let data): "'\\x\(HashFunction.hexadecimal([UInt8](data)))'"
    }
  }

  /// Returns the SQL condition that a JSON column contains an array with the element. It is false for JSON values that are not arrays.
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    """
    EXISTS (SELECT 1 FROM pg_catalog.json_array_elements(\
    CASE WHEN pg_catalog.json_typeof(\(column)) = 'array' THEN \(column) END) AS e (v) \
    WHERE pg_catalog.json_typeof(e.v) = '\(kind == .text ? "string" : "number")' \
    AND e.v #>> '{}' = \(placeholder)::\(kind == .text ? "text" : "bigint::text"))
    """
  }

  /// The names of the system columns that each table has. Source: postgresql.org/docs/current/ddl-system-columns.html.
  package var reservedColumnNames: Set<String> { ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] }

  /// The beginning of the names of system tables, which are found before tables of the same name in the search path.
  package var reservedTablePrefix: String? { "pg_" }

  package func placeholder(_ position: Int) -> String { "$\(position)" }

  /// The maximum number of placeholders in a statement. The protocol allows 65,535, but libpq treats the description of more than 7,498
  /// placeholders as a protocol error and closes the connection.
  package var maximumPlaceholderCount: Int { 4_096 }

  /// Returns the identifier in quotation marks. Quotation marks in the identifier are doubled.
  ///
  /// Identifiers that are longer than the server's limit, usually 63 bytes, are rejected. The server would cut them off, so that two names
  /// could become equal.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    guard identifier.utf8.count <= maximumNameLength else {
      throw StoreError(
        code: .invalidStatement,
        reason: "a name has \(identifier.utf8.count) bytes, but PostgreSQL supports at most \(maximumNameLength)")
    }
    return try inQuotationMarks(identifier)
  }
}
