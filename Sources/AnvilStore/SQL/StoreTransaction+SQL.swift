/// SQL, for what models cannot say.
extension StoreTransaction {
  /// Runs a statement.
  ///
  /// Observers of values are told that any rows may have changed; observers of counts are not told.
  ///
  /// - Returns: The number of rows that an INSERT, UPDATE or DELETE changed; 0 for other statements.
  /// - Throws: ``StoreError``, also for a statement that ends the transaction.
  @discardableResult
  public func execute(_ statement: StoreStatement) throws -> Int {
    try requireUsable()
    try requireWriting()
    try prepareForSQL()
    let (sql, values) = try statement.written(for: connection)
    hasExecutedSQL = true
    defer { forgetTables() }
    let count = try run(sql, values)
    try requireOpen(after: sql)
    return count
  }

  /// Runs a query and returns its rows.
  ///
  ///     struct TeamSize: Decodable { var team: String; var members: Int }
  ///     let sizes = try transaction.fetch(
  ///       TeamSize.self, sql: "SELECT team, count(*) AS members FROM Member GROUP BY team")
  ///     let oldest = try transaction.fetch(Int?.self, sql: "SELECT max(age) FROM Member").first
  ///
  /// A row is decoded by the names of its columns, or from its only column if `type` is a type of column values.
  ///
  /// - Throws: `DecodingError` when a row does not match the type; ``StoreError``, also for a statement that changes rows in a read-only
  ///   transaction.
  public func fetch<Row: Decodable>(_ type: Row.Type, sql statement: StoreStatement) throws -> [Row] {
    try requireUsable()
    try prepareForSQL()
    let (sql, values) = try statement.written(for: connection)
    if kind == .reading {
      try connection.requireReading(sql)
    } else {
      // A query may change rows too: with RETURNING, or by a function.
      hasExecutedSQL = true
    }
    defer { if kind == .writing { forgetTables() } }
    var rows: [Row] = []
    try query(sql, values) { row in
      rows.append(try Self.decode(type, row))
      return .goOn
    }
    try requireOpen(after: sql)
    return rows
  }

  /// Returns the database's plan for a statement, without running it.
  ///
  /// The text is the backend's own: `EXPLAIN QUERY PLAN` of SQLite as an indented list, `EXPLAIN` of PostgreSQL.
  public func explain(_ statement: StoreStatement) throws -> String {
    try requireUsable()
    try prepareForSQL()
    let (sql, values) = try statement.written(for: connection)
    return try attempt { try connection.explanation(of: sql, values) }
  }

  /// Returns the statements that create the tables, indices, views and triggers of the database, in SQL of the backend.
  public func schemaDump() throws -> String {
    try requireUsable()
    try prepareForSQL()
    return try attempt { try connection.schemaDump() }
  }

  private func prepareForSQL() throws {
    try flush()
    bulk?.forgetRows()
  }

  /// Forgets what is known of tables, which the statement may have changed.
  private func forgetTables() {
    bindings.forget()
    schemas = [:]
    absentKeys = [:]
  }

  private func requireOpen(after sql: String) throws(StoreError) {
    guard connection.isInTransaction else {
      throw StoreError(
        code: .invalidStatement, sql: sql, reason: "it ended the transaction, which only perform and read may do")
    }
  }

  private static func decode<Row: Decodable>(_ type: Row.Type, _ row: borrowing StoreRow) throws -> Row {
    var columns: [(name: String, type: StoredType)] = []
    let values = try row.values()
    for (index, value) in values.enumerated() {
      columns.append((try row.name(at: index), StoredType(holding: value)))
    }
    let stored = StoredRow(layout: StoredRow.Layout(columns), values: values)
    guard values.count == 1, isColumnValue(type) else { return try stored.decode(as: type) }
    return try stored.onlyColumn(as: type)
  }

  private static func isColumnValue(_ type: any Any.Type) -> Bool {
    ((type as? any OptionalType.Type)?.wrapped ?? type) is any StoredScalar.Type
  }
}

extension StoredRow {
  /// Decodes the value of the only column.
  fileprivate func onlyColumn<Row: Decodable>(as type: Row.Type) throws -> Row {
    let container = RowDecoder(row: self).container(keyedBy: AttributeKey.self)
    return try container.decode(type, forKey: AttributeKey(layout.columns[0].name))
  }
}

extension StoredType {
  /// The type of a column that holds the value, for columns of unknown types.
  fileprivate init(holding value: StoreValue) {
    self =
      switch value {
      case .null, .text: .text
      case .integer: .integer
      case .real: .real
      case .blob: .data
      }
  }
}
