internal import AnvilBase
package import AnvilStore

extension SQLiteConnection {
  package var changeRecorder: any ChangeRecorder { SQLiteChangeRecorder(connection: self) }
}

/// Records changes by three triggers for each table. A position is the number of a change. Only one transaction writes at a time, so that
/// the numbers are in the order of commits.
private struct SQLiteChangeRecorder: ChangeRecorder {
  /// The events that have a trigger. The flags indicate whether the event has an old row and a new row.
  private static let events = [("insert", false, true), ("update", true, true), ("delete", true, false)]

  let connection: SQLiteConnection

  var recordsKnownColumns: Bool { true }
  var rowFormat: RecordedRowFormat { .lines }

  func createTables() throws(StoreError) {
    try connection.run(
      """
      CREATE TABLE anvil_changes (position INTEGER PRIMARY KEY AUTOINCREMENT, entity TEXT NOT NULL, kind TEXT NOT NULL, \
      old TEXT, new TEXT, made INTEGER NOT NULL)
      """)
    try connection.run("CREATE INDEX anvil_changes_of ON anvil_changes (entity, position)")
    try connection.run("CREATE TABLE anvil_feeds (entity TEXT NOT NULL PRIMARY KEY, retention INTEGER NOT NULL)")
    // The last expired change of each entity is kept, because positions before it are too old. Changes expire in the order of positions.
    try connection.run(
      """
      CREATE TRIGGER anvil_expire AFTER INSERT ON anvil_changes WHEN NEW.position % 1000 = 0 BEGIN \
      DELETE FROM anvil_changes WHERE position IN (\
      SELECT c.position FROM anvil_feeds AS f JOIN anvil_changes AS c ON c.entity = f.entity AND c.position < (\
      SELECT max(e.position) FROM anvil_changes AS e WHERE e.entity = f.entity AND e.position < coalesce((\
      SELECT k.position FROM anvil_changes AS k WHERE k.entity = f.entity AND k.made >= NEW.made - f.retention \
      ORDER BY k.position LIMIT 1), NEW.position))); END
      """)
  }

  func createTriggers(onTable name: String, columns: [String]) throws(StoreError) {
    // The column may have a collation in which different texts are equal.
    let differences = try columns.map { column throws(StoreError) in
      let name = try connection.quoted(column)
      return "OLD.\(name) COLLATE BINARY IS NOT NEW.\(name)"
    }
    for (event, hasOld, hasNew) in Self.events {
      let condition = hasOld && hasNew ? "WHEN \(SQLiteConnection.chain(differences, "OR")) " : ""
      let old = hasOld ? try row("OLD", columns) : "NULL"
      let new = hasNew ? try row("NEW", columns) : "NULL"
      try connection.run(
        """
        CREATE TRIGGER \(try trigger(event, name)) AFTER \(event.uppercased()) ON \(try connection.quoted(name)) \
        \(condition)BEGIN INSERT INTO anvil_changes (entity, kind, old, new, made) \
        VALUES (\(connection.quoted(text: name)), '\(event)', \(old), \(new), CAST(strftime('%s', 'now') AS INTEGER)); END
        """)
    }
  }

  func hasAllTriggers(onTable placeholder: String) -> String {
    let names = Self.events.map { "'anvil_\($0.0).' || \(placeholder)" }.joined(separator: ", ")
    return """
      (SELECT count(*) FROM main.sqlite_master WHERE tbl_name = \(placeholder) COLLATE NOCASE \
      AND (type = 'table' OR type = 'trigger' AND name IN (\(names)))) IN (0, \(Self.events.count + 1))
      """
  }

  func recordsAllColumns(_ columns: [String], ofTable name: String) throws(StoreError) -> Bool {
    let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'trigger' AND name = ?1"
    let statement = try connection.first(sql, [.text("anvil_update.\(name)")]) { row throws(StoreError) in
      try row.text(at: 0)
    }
    guard let statement else { return false }
    for column in columns where !statement.contains("OLD.\(try connection.quoted(column)) ") { return false }
    return true
  }

  func dropTriggers(onTable name: String) throws(StoreError) {
    for (event, _, _) in Self.events { try connection.run("DROP TRIGGER IF EXISTS \(try trigger(event, name))") }
  }

  private func trigger(_ event: String, _ table: String) throws(StoreError) -> String {
    try connection.quoted("anvil_\(event).\(table)")
  }

  /// Returns an expression for the text of a row. JSON functions are not used, because some versions of SQLite do not allow them in
  /// triggers of untrusted schemas.
  ///
  /// Few functions are called for each row. If `char` made the separators and the texts were compared, 200,000 insertions would take 6.1 s
  /// of processor time instead of 1.7 s.
  private func row(_ alias: String, _ columns: [String]) throws(StoreError) -> String {
    var terms: [String] = []
    for (index, column) in columns.enumerated() {
      let value = "\(alias).\(try connection.quoted(column))"
      let name = column.replacingScalars { $0 == "\\" ? #"\\"# : $0 == "\n" ? #"\n"# : nil }
      terms.append(
        """
        \(connection.quoted(text: (index > 0 ? "\n" : "") + name + "\n")) || CASE typeof(\(value)) \
        WHEN 'text' THEN 't' || replace(replace(\(value), '\\', '\\\\'), '\n', '\\n') WHEN 'integer' THEN 'i' || \(value) \
        WHEN 'null' THEN 'n' WHEN 'real' THEN 'r' || quote(\(value)) ELSE 'b' || hex(\(value)) END
        """)
    }
    return SQLiteConnection.chain(terms, "||")
  }

  func presentPosition() throws(StoreError) -> String {
    "\(try connection.firstInteger(of: "SELECT max(position) FROM anvil_changes") ?? 0)"
  }

  func changes(ofTable name: String, after position: String, limit: Int) throws -> RecordedChanges {
    guard let number = Int64(position) else {
      throw StoreError(
        code: .invalidValue, reason: "“\(position.prefix(40))” is not a position in the changes of a SQLite database")
    }
    let first = try connection.firstInteger(
      of: "SELECT min(position) FROM anvil_changes WHERE entity = ?1", [.text(name)])
    guard let first, number >= first else {
      throw StoreError(code: .changesExpired, reason: "the recorded changes of \(name) begin after the position")
    }
    let last = try connection.firstInteger(of: "SELECT seq FROM sqlite_sequence WHERE name = 'anvil_changes'") ?? 0
    guard number <= last else {
      throw StoreError(
        code: .changesExpired,
        reason: "the position \(number) is after the last change of the database, \(last): it is from another "
          + "database, or a backup has replaced this one")
    }
    var page = RecordedChanges(changes: [], end: position, isAtEnd: true)
    let sql =
      "SELECT position, old, new FROM anvil_changes WHERE entity = ?1 AND position > ?2 ORDER BY position LIMIT ?3"
    try connection.query(sql, [.text(name), .integer(number), .integer(Int64(limit))]) { row in
      let position = "\(try row.integer(at: 0) ?? number)"
      page.changes.append(.init(position: position, old: try row.text(at: 1), new: try row.text(at: 2)))
      return .goOn
    }
    if let last = page.changes.last { page.end = last.position }
    page.isAtEnd = page.changes.count < limit
    return page
  }
}
