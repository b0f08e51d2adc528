package import AnvilStore

extension SQLiteConnection {
  /// Returns a number of rows that makes the work before and after a call insignificant. Rows that may exist are written by a prepared
  /// statement that runs once for each row; certainly new rows are inserted in groups, see ``SQLiteNewRows``.
  package func rowsPerWrite(ofColumns count: Int) -> Int { 256 }

  package func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    let columnCount = writing.columns.count
    guard columnCount > 0, rows.count.isMultiple(of: columnCount) else {
      throw StoreError(
        code: .invalidStatement, reason: "\(rows.count) values are not complete rows of \(columnCount) columns")
    }
    let prepared = try prepared(writing)
    // The values are shared, not copied. `Array.span` needs macOS 26.
    let values = ContiguousArray(rows)
    let newRowCount = try prepared.newRows?.insert(values.span, on: self) ?? 0
    var outcome = RowWriting.Outcome(inserted: newRowCount)
    let rows = values.span.extracting((newRowCount * columnCount)...)
    guard !rows.isEmpty else { return outcome }
    let statement = try statements.take(prepared.upsert, on: handle)
    defer { statements.giveBack(statement) }
    let rowIDColumn = writing.rowIDColumn
    // Queried when a row is unchanged, because the following rows may be unchanged, too. The first flag is for the
    // row after it.
    var flags: [Bool]?
    var firstFlag = 0
    var total = handle.totalChangeCount
    for start in stride(from: 0, to: rows.count, by: columnCount) {
      if let flags, flags[start / columnCount - firstFlag] { continue }
      if start > 0 { statement.rewind() }
      let row = rows.extracting(start..<start + columnCount)
      try statement.start(with: row)
      // An insertion changes the last inserted row ID. To detect one, the ID must have another value before.
      var formerID: Int64 = 0
      if let rowIDColumn, case .integer(let key) = row[rowIDColumn] { formerID = key &+ 1 }
      handle.lastInsertedRowID = formerID
      while try statement.step() {}
      let newTotal = handle.totalChangeCount
      defer { total = newTotal }
      if newTotal == total {
        guard writing.existingRow == .updated else {
          throw StoreError(code: .conflict, sql: statement.sql, reason: "a row to be inserted already exists")
        }
        let next = start + columnCount
        if flags == nil, let unchanged = prepared.unchanged,
          (rows.count - next) / columnCount >= SQLiteUnchangedRows.fewest
        {
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

  private func prepared(_ writing: RowWriting) throws(StoreError) -> PreparedWriting {
    if let known = writings[ObjectIdentifier(writing)] { return known }
    let prepared = try PreparedWriting(writing, on: self)
    if writings.count >= Self.mostWritings { writings.removeAll() }
    writings[ObjectIdentifier(writing)] = prepared
    return prepared
  }

  /// The SQL statements that a connection uses for a ``RowWriting``.
  struct PreparedWriting {
    /// The key of this value in a dictionary. It is retained because the key is its identity.
    private let writing: RowWriting
    /// The statement that writes one row.
    let upsert: String
    /// The query for rows that are already up to date.
    let unchanged: SQLiteUnchangedRows?
    let newRows: SQLiteNewRows?

    init(_ writing: RowWriting, on connection: SQLiteConnection) throws(StoreError) {
      self.writing = writing
      let names = try writing.columns.map { column throws(StoreError) in try connection.quoted(column.name) }
      let insert = "INSERT INTO \(try connection.quoted(writing.table)) (\(names.joined(separator: ", "))) VALUES"
      let row = names.indices.map { connection.placeholder($0 + 1) }.joined(separator: ", ")
      upsert = "\(insert) (\(row))\(try Self.conflictClause(writing, names: names, on: connection))"
      let key = writing.rowIDColumn
      unchanged =
        if let key, writing.existingRow == .updated { try SQLiteUnchangedRows(writing, key: key, on: connection) } else
        { nil }
      newRows = try SQLiteNewRows(writing, key: key, insert: insert, on: connection)
    }

    /// Returns the clause at the end of an `INSERT` that determines the treatment of an existing row. It begins with a space, and is empty
    /// for rows without a key.
    private static func conflictClause(
      _ writing: RowWriting, names: [String], on connection: SQLiteConnection
    ) throws(StoreError) -> String {
      guard !writing.keyNames.isEmpty else { return "" }
      let table = try connection.quoted(writing.table)
      let keys = try writing.keyNames.map { name throws(StoreError) in try connection.quoted(name) }
      let conflict = " ON CONFLICT (\(keys.joined(separator: ", "))) DO"
      let others = names.filter { !keys.contains($0) }
      guard writing.existingRow == .updated, !others.isEmpty else { return "\(conflict) NOTHING" }
      let assignments = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      // In groups, because SQLite limits the depth of an expression to 1,000 operators. Source: sqlite.org/limits.html, 6.
      let size = 64
      let groups = stride(from: 0, to: others.count, by: size).map { start in
        others[start..<min(start + size, others.count)].map { "\(table).\($0) IS NOT excluded.\($0)" }
          .joined(separator: " OR ")
      }
      let differences = groups.count == 1 ? groups[0] : groups.map { "(\($0))" }.joined(separator: " OR ")
      return "\(conflict) UPDATE SET \(assignments) WHERE \(differences)"
    }
  }
}

extension RowWriting {
  /// The index of the column that is also SQLite's row ID; `nil` if the key is not a single integer. Source:
  /// sqlite.org/lang_createtable.html#rowid.
  fileprivate var rowIDColumn: Int? {
    guard keyNames.count == 1 else { return nil }
    return columns.firstIndex { $0.name == keyNames[0] && $0.type == .integer }
  }
}
