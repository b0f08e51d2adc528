package import AnvilStore

extension SQLiteConnection {
  /// A statement for many rows is no faster than a prepared one that is run for each row. But the work before and after a call is done only
  /// once for all its rows.
  package func rowsPerWrite(ofColumns count: Int) -> Int { 256 }

  package func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    let columnCount = writing.columns.count
    guard columnCount > 0, rows.count.isMultiple(of: columnCount) else {
      throw StoreError(code: .invalidStatement, reason: "\(rows.count) values for rows of \(columnCount) columns")
    }
    let (sql, unchanged) = try upsert(writing)
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    let rows = rows.span
    let rowIDColumn = writing.rowIDColumn
    var outcome = RowWriting.Outcome()
    // Asked for when a row turns out to be unchanged: the others may be, too. The first is of the row after that.
    var flags: [Bool]?
    var firstFlag = 0
    var total = handle.totalChangeCount
    for start in stride(from: 0, to: rows.count, by: columnCount) {
      if let flags, flags[start / columnCount - firstFlag] { continue }
      if start > 0 { statement.rewind() }
      let row = rows.extracting(start..<start + columnCount)
      try statement.start(with: row)
      // Whether the row is a new one shows by its row ID, which must not be the one that is there already.
      var formerID: Int64 = 0
      if let rowIDColumn, case .integer(let key) = row[rowIDColumn] { formerID = key &+ 1 }
      handle.lastInsertedRowID = formerID
      while try statement.step() {}
      let newTotal = handle.totalChangeCount
      defer { total = newTotal }
      if newTotal == total {
        guard writing.existingRow == .updated else {
          throw StoreError(code: .conflict, sql: statement.sql, reason: "the row was not there before")
        }
        let next = start + columnCount
        if flags == nil, let unchanged, (rows.count - next) / columnCount >= SQLiteUnchangedRows.fewest {
          firstFlag = next / columnCount
          flags = try unchanged.flags(of: rows.extracting(next..<rows.count), on: self)
        }
      } else if handle.lastInsertedRowID == formerID {
        outcome.updated += 1
      } else {
        outcome.inserted += 1
      }
    }
    return outcome
  }

  /// Returns the statement that writes one row, and the query that finds rows that are already up to date.
  private func upsert(_ writing: RowWriting) throws(StoreError) -> (sql: String, unchanged: SQLiteUnchangedRows?) {
    if let known = writingStatements[ObjectIdentifier(writing)] { return (known.sql, known.unchanged) }
    let sql = try makeUpsert(writing)
    var unchanged: SQLiteUnchangedRows?
    if writing.existingRow == .updated, let key = writing.rowIDColumn {
      unchanged = try SQLiteUnchangedRows(writing, key: key, on: self)
    }
    if writingStatements.count >= Self.mostWritings { writingStatements.removeAll() }
    writingStatements[ObjectIdentifier(writing)] = (writing, sql, unchanged)
    return (sql, unchanged)
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
  /// The index of the value that is also the row ID. Source: sqlite.org/lang_createtable.html#rowid.
  fileprivate var rowIDColumn: Int? {
    guard keyNames.count == 1 else { return nil }
    return columns.firstIndex { $0.name == keyNames[0] && $0.type == .integer }
  }
}
