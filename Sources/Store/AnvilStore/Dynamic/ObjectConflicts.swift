/// Applies conflict rules to objects whose rows already exist.
struct ObjectConflicts {
  private let rules: ConflictRules
  private let transaction: StoreTransaction
  private let schema: EntitySchema
  private let select: String
  private let layout: StoredRow.Layout

  /// - Throws: ``StoreError/Code/schemaMismatch`` for a rule that does not match its column.
  init(_ rules: ConflictRules, _ schema: EntitySchema, in transaction: StoreTransaction) throws {
    (self.rules, self.schema, self.transaction) = (rules, schema, transaction)
    let connection = transaction.connection
    try rules.check(schema, requiresColumns: false)
    select =
      try schema.select(on: connection) + " WHERE \(try schema.keyCondition(on: connection))" + transaction.rowLock
    layout = StoredRow.Layout(schema, aliases: [:])
  }

  /// Writes the last object of `rows` to the row with its key.
  func write(_ rows: ObjectRows, _ key: RowKey) throws -> RowWriting.Outcome {
    guard let row = try row(with: key) else {
      // Another transaction may insert the row in the meantime.
      return try transaction.write(rows.values, as: rows.inserting)
    }
    return try transaction.write(resolve(rows.values, of: rows.writing.columns, over: row), as: rows.writing)
  }

  private func row(with key: RowKey) throws -> StoredRow? {
    var found: StoredRow?
    try transaction.query(select, key.values) { row in
      found = StoredRow(layout: layout, values: try row.values())
      return .stop
    }
    return found
  }

  /// Returns the new values of the row. Columns that are missing from the object keep their values.
  private func resolve(
    _ values: [StoreValue], of columns: [RowWriting.Column], over row: StoredRow
  ) throws -> [StoreValue] {
    var resolved = values
    for (index, column) in columns.enumerated() where !schema.keyNames.contains(column.name) {
      guard let stored = row.cell(column.name) else { continue }
      switch rules.kind(for: column.name) {
      case .replace: break
      case .keep: if !stored.isNull { resolved[index] = stored.value }
      case .merge:
        guard case .text(let old) = stored.value, case .text(let new) = values[index], old != new else { break }
        resolved[index] = .text(try JSONMerge.text(of: new, into: old))
      case .newest(let version):
        // From values that no rule has changed yet.
        if isOlder(by: version, values, columns, row) { resolved[index] = stored.value }
      }
    }
    return resolved
  }

  /// Returns `true` if the object has an older version than the row. An object without a version is as new as the row.
  private func isOlder(
    by version: String, _ values: [StoreValue], _ columns: [RowWriting.Column], _ row: StoredRow
  ) -> Bool {
    guard let stored = row.cell(version), !stored.isNull, let index = columns.firstIndex(where: { $0.name == version })
    else { return false }
    return values[index].isLess(than: stored.value, as: stored.type) == true
  }
}

extension ConflictRules {
  /// - Parameter requiresColumns: True if a rule for a column that the table does not have is an error.
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a rule that does not match its column.
  fileprivate func check(_ schema: EntitySchema, requiresColumns: Bool) throws(StoreError) {
    func fail(_ reason: String) -> StoreError { StoreError(code: .schemaMismatch, reason: reason) }
    let named = requiresColumns ? versions.union(names).subtracting(schema.untypedNames) : []
    if let unknown = named.sorted().first(where: { schema.column(named: $0) == nil }) {
      let known = schema.columns.map(\.name).joined(separator: ", ")
      throw fail("a conflict rule is about \(unknown), but \(schema.entity) has no column \(unknown); it has \(known)")
    }
    for column in schema.columns where kind(for: column.name) == .merge && column.type != .json {
      throw fail("\(schema.entity).\(column.name) is \(column.type.rawValue), but only JSON can be merged")
    }
    for column in schema.columns where versions.contains(column.name) && [.json, .data].contains(column.type) {
      throw fail(
        "\(schema.entity).\(column.name) is \(column.type.rawValue) and cannot be used to determine which row is newer")
    }
  }
}

/// Checks of the settings for objects without a model.
extension StoreTransaction {
  /// Checks that the rules and the scope match the entity's table, if it exists.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` and ``StoreError/Code/invalidStatement``, also for columns that the table does not have.
  package func check(_ rules: [ConflictRule], _ missing: MissingRows, of entity: String) throws {
    guard let schema = try schema(of: entity) else { return }
    try ConflictRules([], rules).check(schema, requiresColumns: true)
    guard let scope = try missing.scope(of: entity) else { return }
    var writer = writer(schema, AttributeNames(), scope)
    _ = try writer.count(scope)
  }
}
