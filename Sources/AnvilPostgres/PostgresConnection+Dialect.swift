package import AnvilStore

extension PostgresConnection {
  /// Each statement sees what was committed before it began, so that a row that another transaction has just written is found
  /// and not a failure.
  package var beginWriting: String { "BEGIN ISOLATION LEVEL READ COMMITTED" }

  package var beginReading: String { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }

  /// Keys do not change: rows may be referred to meanwhile.
  package var rowLock: String { " FOR NO KEY UPDATE" }

  package var changesSchemaFirst: Bool { true }

  /// JSON and not JSONB: it is kept as it was written.
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

  /// The server's choice: names of indices are those of one place for all tables, and no longer than others.
  package func indexName(entity: String, column: String) -> String { "" }

  package var textPositionFunction: String { "strpos" }

  package func placeholder(_ position: Int) -> String { "$\(position)" }

  /// Fewer than the protocol takes, 65,535: of a description of more than 7,498 placeholders libpq believes that it lost the
  /// thread, and gives the connection up.
  package var maximumPlaceholderCount: Int { 4_096 }

  /// The identifier in quotation marks, those in it doubled.
  ///
  /// Of a longer one the server would take the first bytes, 63 as a rule, and so one name for another.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    guard identifier.utf8.count <= maximumNameLength else {
      throw StoreError(
        code: .invalidStatement,
        reason: "a name has \(identifier.utf8.count) bytes, and PostgreSQL takes \(maximumNameLength)")
    }
    return try inQuotationMarks(identifier)
  }
}
