package import AnvilStore

extension SQLiteConnection {
  package func mayChange(_ sql: String) throws(StoreError) -> Bool {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    return !statement.isReadOnly
  }

  /// Returns one line for each step of the plan, indented below the step that contains it. Source: sqlite.org/eqp.html.
  package func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String {
    let statement = try statements.take("EXPLAIN QUERY PLAN " + sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    while try statement.step() {
      guard let id = try statement.integer(at: 0), let parent = try statement.integer(at: 1),
        let detail = try statement.text(at: 3)
      else { continue }
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[id] = depth
      lines.append(String(repeating: "  ", count: depth) + detail)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the statements as they were written, those of tables first. Source: sqlite.org/schematab.html.
  package func schemaDump() throws(StoreError) -> String {
    let sql = """
      SELECT sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      ORDER BY type <> 'table', name
      """
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [])
    var dump = ""
    while try statement.step() { dump += "\(try statement.text(at: 0) ?? "");\n" }
    return dump
  }
}
