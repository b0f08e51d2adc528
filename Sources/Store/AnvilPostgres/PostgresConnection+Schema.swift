package import AnvilStore

extension PostgresConnection {
  // Tables are looked up in the current schema, the first of the search path that exists. Names are compared as text, because the type
  // `name` would cut off long ones.

  private static let table = """
    pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE n.nspname = pg_catalog.current_schema() AND c.relkind IN ('r', 'p') AND c.relname::text = $1
    """

  package func tableExists(_ name: String) throws(StoreError) -> Bool {
    guard !name.utf8.contains(0) else { return false }
    return try !rows(of: "SELECT c.oid FROM \(Self.table)", [.text(name)]).isEmpty
  }

  /// Returns the columns of a table. Types are spelled as the server spells them, such as `bigint` for BIGINT, and without the collation.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if another transaction rewrote the table, for example to change the type of a column, after
  ///   this transaction began to read. This transaction would see an empty table. Source: postgresql.org/docs/current/mvcc-caveats.html.
  package func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] {
    guard !name.utf8.contains(0) else { return [] }
    let sql = """
      SELECT a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, (\
      SELECT k.position FROM pg_catalog.pg_index AS i, \
      pg_catalog.unnest(i.indkey) WITH ORDINALITY AS k (number, position) \
      WHERE i.indrelid = t.oid AND i.indisprimary AND k.number = a.attnum AND k.position <= i.indnkeyatts), \
      a.atthasdef OR a.attidentity <> '', coalesce(pg_catalog.pg_relation_filenode(t.oid) <> t.relfilenode, FALSE) \
      FROM pg_catalog.pg_attribute AS a JOIN (SELECT c.oid, c.relfilenode FROM \(Self.table)) AS t ON a.attrelid = t.oid \
      WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """
    let rows = try rows(of: sql, [.text(name)])
    // The function uses the current table, while the query uses the table as it was when the transaction began to read.
    guard rows.first?[5] != .integer(1) else {
      throw StoreError(code: .conflict, reason: "the table \(name) was rewritten by another transaction")
    }
    return rows.compactMap { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1], case .integer(let isNotNull) = row[2],
        case .integer(let hasDefault) = row[4]
      else {
        return nil
      }
      var position: Int?
      if case .integer(let number) = row[3] { position = Int(exactly: number) }
      return StoreColumn(
        name: name, declaredType: type, isNotNull: isNotNull != 0, hasDefault: hasDefault != 0,
        primaryKeyPosition: position)
    }
  }

  package var altersColumnTypes: Bool { true }

  /// Only runs `body`. ALTER TABLE keeps the indices of a column, and fails when a view or a trigger depends on the column.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    try body()
  }

  package func lockReaders(ofTable name: String) throws(StoreError) {
    guard try tableExists(name) else { return }
    try run("LOCK TABLE \(try quoted(name)) IN ACCESS EXCLUSIVE MODE")
  }

  /// Acquires an advisory lock whose number is a hash of the names of the schema and the table. Waits if another transaction holds it. The
  /// lock is released at the end of the transaction.
  package func lockTable(_ name: String) throws(StoreError) {
    _ = try quoted(name)
    try run(
      """
      SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.concat('x', pg_catalog.substr(pg_catalog.md5(\
      pg_catalog.concat('anvil ', pg_catalog.current_schema(), '.', $1::text)), 1, 16))::bit(64)::bigint)
      """, [.text(name)])
  }
}
