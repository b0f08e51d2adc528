package import AnvilStore

extension SQLiteConnection {
  /// One row by one call: a statement of many rows is no faster than a prepared one of a single row.
  package func rowsPerWrite(ofColumns count: Int) -> Int { 1 }

  package func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    let columnCount = writing.columns.count
    guard columnCount > 0, rows.count.isMultiple(of: columnCount) else {
      throw StoreError(code: .invalidStatement, reason: "\(rows.count) values for rows of \(columnCount) columns")
    }
    let statement = try statements.take(try upsert(writing), on: handle)
    defer { statements.giveBack(statement) }
    let rows = rows.span
    let rowIDColumn = writing.rowIDColumn
    var outcome = RowWriting.Outcome()
    for start in stride(from: 0, to: rows.count, by: columnCount) {
      if start > 0 { statement.finish() }
      let row = rows.extracting(start..<start + columnCount)
      try statement.start(with: row)
      // Whether the row is a new one shows by its row ID, which must not be the one that is there already.
      var formerID: Int64 = 0
      if let rowIDColumn, case .integer(let key) = row[rowIDColumn] { formerID = key &+ 1 }
      handle.lastInsertedRowID = formerID
      let total = handle.totalChangeCount
      while try statement.step() {}
      if handle.totalChangeCount == total {
        guard writing.existingRow == .updated else {
          throw StoreError(code: .conflict, sql: statement.sql, reason: "the row was not there before")
        }
      } else if handle.lastInsertedRowID == formerID {
        outcome.updated += 1
      } else {
        outcome.inserted += 1
      }
    }
    return outcome
  }

  /// The statement that writes one row.
  private func upsert(_ writing: RowWriting) throws(StoreError) -> String {
    if let known = writingStatements[ObjectIdentifier(writing)] { return known.sql }
    let sql = try makeUpsert(writing)
    if writingStatements.count >= Self.mostWritings { writingStatements.removeAll() }
    writingStatements[ObjectIdentifier(writing)] = (writing, sql)
    return sql
  }

  private func makeUpsert(_ writing: RowWriting) throws(StoreError) -> String {
    let table = try quoted(writing.table)
    let names = try writing.columns.map { column throws(StoreError) in try quoted(column.name) }
    let placeholders = names.indices.map { placeholder($0 + 1) }
    let insert =
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(placeholders.joined(separator: ", ")))"
    guard !writing.keyNames.isEmpty else { return insert }
    let keys = try writing.keyNames.map { name throws(StoreError) in try quoted(name) }
    let conflict = "\(insert) ON CONFLICT (\(keys.joined(separator: ", "))) DO"
    let others = names.filter { !keys.contains($0) }
    guard writing.existingRow == .updated, !others.isEmpty else { return "\(conflict) NOTHING" }
    let assignments = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let differences = others.map { "\(table).\($0) IS NOT excluded.\($0)" }.joined(separator: " OR ")
    return "\(conflict) UPDATE SET \(assignments) WHERE \(differences)"
  }
}

extension RowWriting {
  /// Where the value is that is the row's ID at the same time. Source: sqlite.org/lang_createtable.html#rowid.
  fileprivate var rowIDColumn: Int? {
    guard keyNames.count == 1 else { return nil }
    return columns.firstIndex { $0.name == keyNames[0] && $0.type == .integer }
  }
}
