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

  package var refusesChangesInReading: Bool { true }

  /// Returns the SQL type of a column. JSON is used rather than JSONB, which does not keep the text as it was written.
  package func columnType(for type: StoredType) -> String {
    switch type {
    case .integer: "BIGINT"
    case .real, .date: "DOUBLE PRECISION"
    case .timestamp: "TIMESTAMPTZ"
    case .boolean: "BOOLEAN"
    case .text, .url: #"TEXT COLLATE "C""#
    case .data: "BYTEA"
    case .uuid: "UUID"
    case .decimal: "NUMERIC"
    case .json: "JSON"
    }
  }

  /// Values of types that are not in this list are read and written as their text: those of DATE and of enumerations, for example.
  package func storedType(ofDeclared declaration: String) -> StoredType {
    // Without the length or the precision.
    switch declaration.prefix(while: { $0 != "(" }) {
    case "smallint", "integer", "bigint": .integer
    case "real", "double precision": .real
    case "boolean": .boolean
    case "bytea": .data
    // Times without a zone are in UTC. With a precision, the zone follows it.
    case "timestamp", "timestamp with time zone", "timestamp without time zone": .timestamp
    case "uuid": .uuid
    case "numeric": .decimal
    case "json", "jsonb": .json
    default: .text
    }
  }

  /// Numbers are read from the digits of NUMERIC. Values that a column of these types would change are refused one by one.
  package func keeps(_ type: StoredType, inColumnDeclared declaration: String) -> Bool {
    let declared = storedType(ofDeclared: declaration)
    return switch type {
    case .integer, .real: [.integer, .real, .decimal].contains(declared)
    case .boolean: declared == .boolean || declared == .integer
    case .timestamp: declared == type || declared == .text && declaration != "date"
    case .text, .url: declared == .text
    case .decimal, .data: declared == type
    case .date, .uuid, .json: declared == type || declared == .text
    }
  }

  package var datePrecision: StoredDate.Precision { .microseconds }

  /// Text is compared by its bytes, also in a column with another collation, which SQL has added. The server removes the cast and the
  /// collation where they change nothing, so that indices are used.
  package func comparable(_ expression: String, as type: StoredType) -> String {
    type == .text || type == .url ? "(\(expression))::text COLLATE \"C\"" : expression
  }

  package func exact(_ expression: String, as type: StoredType) -> String { comparable(expression, as: type) }

  package func rowNumberColumn(named name: String) -> String {
    "\(name) BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
  }

  /// Returns an empty name, so that the server chooses one. All tables share one namespace for indices, and names have a maximum length.
  package func indexName(entity: String, column: String) -> String { "" }

  package var textPositionFunction: String { "strpos" }

  package func elements(
    of column: String, named name: String, as type: StoredType
  ) -> (list: String, value: String) {
    let text = "(\(name).v #>> '{}')"
    let value =
      switch type {
      case .data: "pg_catalog.decode(\(text), 'base64')"
      // As by `StoredDate.textWithEra(_:)`.
      case .timestamp: typed("pg_catalog.regexp_replace(\(text), '^0000(.*)', '0001\\1 BC')", as: type)
      default: typed(text, as: type)
      }
    return (
      """
      pg_catalog.json_array_elements(\
      CASE WHEN pg_catalog.json_typeof(\(column)) = 'array' THEN \(column) END) AS \(name) (v)
      """, value
    )
  }

  /// With 100,000 rows of five elements each, `contains` took 527 ms without an index and 11 ms with it, and `any` 524 ms and 32 ms. Inserting
  /// a row takes 4 µs longer. A table of elements that a trigger fills would make queries no faster, and inserting a row 50 µs slower.
  package func createElementIndex(
    of column: String, in entity: String, keys: [RowWriting.Column]
  ) throws(StoreError) {
    guard try !hasElementIndex(of: column, in: entity) else { return }
    try run(
      "CREATE INDEX ON \(try quoted(entity)) USING gin ((\(try quoted(column))::jsonb) pg_catalog.jsonb_path_ops)")
  }

  package func elementIndex(
    of column: String, in entity: String, keys: [String], named name: String
  ) throws(StoreError) -> ElementIndex? {
    guard try hasElementIndex(of: column, in: entity) else { return nil }
    let array = "\(name).\(try quoted(column))::jsonb"
    var columns: [String] = []
    for key in keys { columns.append("\(name).\(try quoted(key))") }
    return ElementIndex(list: "\(try quoted(entity)) AS \(name)", keys: columns, isTable: false) { element, type in
      // Models write UUIDs in upper case, other programs may not.
      let elements = type == .uuid ? ["pg_catalog.upper(\(element)::text)", "\(element)::text"] : [element]
      let alternatives = elements.map { "\(array) @> pg_catalog.jsonb_build_array(\($0))" }
      return "(\(alternatives.joined(separator: " OR ")))"
    }
  }

  private func hasElementIndex(of column: String, in entity: String) throws(StoreError) -> Bool {
    let sql = """
      SELECT 1 FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid \
      JOIN pg_catalog.pg_am AS m ON m.oid = c.relam WHERE i.indrelid = pg_catalog.to_regclass($1) AND m.amname = 'gin' \
      AND i.indisvalid AND i.indpred IS NULL AND i.indnatts = 1 \
      AND pg_catalog.pg_get_expr(i.indexprs, i.indrelid) = pg_catalog.format('(%I)::jsonb', $2::text)
      """
    return try !rows(of: sql, [.text(try quoted(entity)), .text(column)]).isEmpty
  }

  package func typed(_ placeholder: String, as type: StoredType) -> String {
    "\(placeholder)::\(columnType(for: type))"
  }

  package func literal(_ value: StoreValue, as type: StoredType) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): type == .boolean ? (integer == 0 ? "FALSE" : "TRUE") : "\(integer)"
    case .real(let real): real.isFinite ? "'\(real)'" : real > 0 ? "'Infinity'" : "'-Infinity'"
    case .text(let text): quoted(text: type == .timestamp ? StoredDate.textWithEra(text) ?? text : text)
    case .blob(let data): "'\\x\(HashFunction.hexadecimal([UInt8](data)))'"
    }
  }

  /// Returns the SQL condition that a JSON column contains an array with the element. It is false for JSON values that are not arrays.
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    let element = "pg_catalog.jsonb_build_array(\(placeholder)::\(kind == .text ? "text" : "bigint"))"
    return "(\(column) IS NOT NULL AND \(column)::jsonb @> \(element))"
  }

  /// The names of the system columns that each table has. Source: postgresql.org/docs/current/ddl-system-columns.html.
  package var reservedColumnNames: Set<String> { ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] }

  /// The beginning of the names of system tables, which are found before tables of the same name in the search path.
  package var reservedTablePrefix: String? { "pg_" }

  package func placeholder(_ position: Int) -> String { "$\(position)" }

  /// The protocol allows 65,535, but for more than 7,498 libpq reports a protocol error and closes the connection.
  package var maximumPlaceholderCount: Int { 4_096 }

  /// Rejects identifiers above the server's limit, usually 63 bytes. The server would cut them off, and two could become equal.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    guard identifier.utf8.count <= maximumNameLength else {
      throw StoreError(
        code: .invalidStatement,
        reason: "a name has \(identifier.utf8.count) bytes, but PostgreSQL supports at most \(maximumNameLength)")
    }
    return try inQuotationMarks(identifier)
  }
}
