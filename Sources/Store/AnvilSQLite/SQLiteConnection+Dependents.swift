internal import AnvilStore

extension SQLiteConnection {
  /// Drops the index of a column, and returns `true` if it existed. SQLite cannot drop a column that has an index, and does not rename the
  /// index with the column.
  package func dropIndex(entity: String, column: String) throws(StoreError) -> Bool {
    if try dropElementIndex(of: column, in: entity) { return true }
    guard try indexExists("\(entity).\(column)") else { return false }
    try run("DROP INDEX main.\(try indexName(entity: entity, column: column))")
    return true
  }

  package func dropIndices(entity: String, column: String) throws(StoreError) {
    _ = try dropElementIndex(of: column, in: entity)
    let sql = """
      SELECT l.name FROM pragma_index_list(?1) AS l \
      WHERE l.origin = 'c' AND EXISTS (SELECT 1 FROM pragma_index_info(l.name) AS i WHERE i.name = ?2)
      """
    var names: [String] = []
    do {
      try query(sql, [.text(entity), .text(column)]) { row in
        names.append(try row.text(at: 0) ?? "")
        return .goOn
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(code: .other, reason: "\(error)")
    }
    for name in names { try run("DROP INDEX main.\(try quoted(name))") }
  }

  private func indexExists(_ name: String) throws(StoreError) -> Bool {
    let statement = try statements.take(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'index' AND name = ?1 COLLATE NOCASE", on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [.text(name)])
    return try statement.step()
  }

  /// Drops the table's indices and all views and triggers, because they may refer to its columns. After `body`, they are created again with
  /// the statements from the schema.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    var dependents: [Dependent] = []
    // Indices that are part of a table's definition have no statement. They are dropped and created together with the table.
    let sql = """
      SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL \
      AND (type IN ('view', 'trigger') OR type = 'index' AND tbl_name = ?1 COLLATE NOCASE) ORDER BY rowid
      """
    try query(sql, [.text(name)]) { row in
      guard let kind = Dependent.Kind(rawValue: try row.text(at: 0) ?? ""), let name = try row.text(at: 1),
        let sql = try row.text(at: 2)
      else { return .goOn }
      dependents.append(Dependent(kind: kind, name: name, sql: sql))
      return .goOn
    }
    // Triggers are dropped before views, because a trigger may belong to a view.
    for kind in [Dependent.Kind.trigger, .view, .index] {
      for dependent in dependents where dependent.kind == kind {
        try run("DROP \(kind.keyword) main.\(try quoted(dependent.name))")
      }
    }
    try body()
    for kind in [Dependent.Kind.index, .view, .trigger] {
      for dependent in dependents where dependent.kind == kind { try run(dependent.sql) }
    }
  }
}

/// An object of the schema that may depend on a table.
private struct Dependent {
  enum Kind: String {
    case index, view, trigger

    var keyword: String { rawValue.uppercased() }
  }

  let kind: Kind
  let name: String
  let sql: String
}
