package import AnvilStore

extension SQLiteConnection {
  // Table names are compared without regard to the case of ASCII letters, as in SQLite itself. The schema "main" is the file, so temporary
  // tables are ignored.

  package func tableExists(_ name: String) throws(StoreError) -> Bool {
    let sql = "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [.text(name)])
    return try statement.step()
  }

  /// Checks all tables that have foreign keys, and describes the first violation. Returns `nil` if all foreign keys are valid.
  package func foreignKeyViolation() throws(StoreError) -> String? {
    let statement = try statements.take("PRAGMA foreign_key_check", on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [])
    guard try statement.step(), let table = try statement.text(at: 0), let parent = try statement.text(at: 2) else {
      return nil
    }
    return "a row of \(table) refers to a row of \(parent) that does not exist"
  }

  /// Returns the columns of the table. Generated columns are included; hidden columns of virtual tables are not.
  package func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] {
    // The function would read only up to the first NUL.
    guard !name.utf8.contains(0) else { return [] }
    let sql = #"""
      SELECT name, type, "notnull", pk, dflt_value IS NOT NULL OR hidden > 1, dflt_value FROM pragma_table_xinfo(?1, 'main') \#
      WHERE hidden <> 1 ORDER BY cid
      """#
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [.text(name)])
    var columns: [StoreColumn] = []
    while try statement.step() {
      let position = try statement.integer(at: 3).flatMap { Int(exactly: $0) } ?? 0
      columns.append(
        StoreColumn(
          name: try statement.text(at: 0) ?? "", declaredType: try statement.text(at: 1) ?? "",
          isNotNull: try statement.integer(at: 2) != 0, hasDefault: try statement.integer(at: 4) != 0,
          defaultExpression: try statement.text(at: 5),
          primaryKeyPosition: position > 0 ? position : nil))
    }
    return columns
  }
}
