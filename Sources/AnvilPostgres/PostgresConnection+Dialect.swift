package import AnvilStore

extension PostgresConnection {
  /// Each statement sees what was committed before it began. A row that another transaction has just written is therefore found, instead of
  /// causing a failure.
  package var beginWriting: String { "BEGIN ISOLATION LEVEL READ COMMITTED" }

  package var beginReading: String { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }

  /// Keys do not change, so other transactions may refer to the rows meanwhile.
  package var rowLock: String { " FOR NO KEY UPDATE" }

  package var freeRowLock: String { " FOR NO KEY UPDATE SKIP LOCKED" }

  /// The time of the statement rather than of the transaction, which may have waited for locks.
  package var currentTime: String {
    "(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) - 978307200)"
  }

  package var changesSchemaFirst: Bool { true }

  /// JSON rather than JSONB, which does not keep the text as written.
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

  /// Empty, so that the server chooses the name: all tables share one namespace for indices, and names have a maximum length.
  package func indexName(entity: String, column: String) -> String { "" }

  package var textPositionFunction: String { "strpos" }

  /// Values that are not arrays have no elements.
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    """
    EXISTS (SELECT 1 FROM pg_catalog.json_array_elements(\
    CASE WHEN pg_catalog.json_typeof(\(column)) = 'array' THEN \(column) END) AS e (v) \
    WHERE pg_catalog.json_typeof(e.v) = '\(kind == .text ? "string" : "number")' \
    AND e.v #>> '{}' = \(placeholder)::\(kind == .text ? "text" : "bigint::text"))
    """
  }

  /// The system columns of each table. Source: postgresql.org/docs/current/ddl-system-columns.html.
  package var reservedColumnNames: Set<String> { ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] }

  package func placeholder(_ position: Int) -> String { "$\(position)" }

  /// Fewer than the protocol's limit of 65,535: libpq takes a description of more than 7,498 placeholders for a protocol error, and closes
  /// the connection.
  package var maximumPlaceholderCount: Int { 4_096 }

  /// Returns the identifier in quotation marks, with quotation marks inside doubled.
  ///
  /// Longer identifiers are rejected: the server would use only the first bytes, usually 63, so that two names could become equal.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    guard identifier.utf8.count <= maximumNameLength else {
      throw StoreError(
        code: .invalidStatement,
        reason: "a name has \(identifier.utf8.count) bytes, but PostgreSQL supports at most \(maximumNameLength)")
    }
    return try inQuotationMarks(identifier)
  }
}
