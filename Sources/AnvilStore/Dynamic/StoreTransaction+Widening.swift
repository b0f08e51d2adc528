/// Changing the types of columns.
extension StoreTransaction {
  /// Gives columns of the entity's table types that hold what is in them and more.
  ///
  /// - Returns: the table as it is then.
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a key that rows of other tables hold too;
  ///   ``StoreError/Code/invalidValue`` for what is in a column and not of its type; ``StoreError``.
  func widen(_ widenings: [StoredObjects.Widening], of schema: EntitySchema) throws -> EntitySchema {
    let types = Dictionary(widenings.map { ($0.name, $0.to) }) { $1 }
    var widened = schema
    widened.columns = schema.columns.map { column in
      EntitySchema.Column(name: column.name, type: types[column.name] ?? column.type, reference: column.reference)
    }
    let hasOtherKey = schema.keyNames.contains { types[$0] != nil }
    if hasOtherKey { try checkReferences(to: schema) }
    try attempt {
      try connection.keepingDependents(ofTable: schema.entity) {
        if hasOtherKey { try rebuild(schema, as: widened) } else { try replace(widenings, in: schema) }
      }
      let catalog = SchemaCatalog(connection: connection)
      for widening in widenings { try catalog.note(widening.to, of: widening.name, in: schema) }
    }
    return widened
  }

  /// Throws an error if other tables refer to rows of this one: they contain its keys, in columns of the keys' types.
  private func checkReferences(to schema: EntitySchema) throws {
    var holders: [String] = []
    try SchemaCatalog(connection: connection).references(to: schema.entity) { holders.append($0) }
    guard let holder = holders.first else { return }
    throw StoreError(
      code: .schemaMismatch,
      reason: "the key of \(schema.entity) cannot have another type: \(holder) refers to it")
  }

  /// Puts a new column in the place of each old one.
  private func replace(_ widenings: [StoredObjects.Widening], in schema: EntitySchema) throws {
    let table = try connection.quoted(schema.entity)
    var replacements: [(old: String, new: String)] = []
    for widening in widenings {
      let name = try freeName("anvil_wider", amongColumnsOf: schema.entity)
      let new = try connection.quoted(name)
      try connection.run("ALTER TABLE \(table) ADD COLUMN \(new) \(connection.columnType(for: widening.to))")
      replacements.append((try connection.quoted(widening.name), new))
    }
    let keys = try schema.orderNames.map { try connection.quoted($0) }
    let count = widenings.count
    let assignments = replacements.enumerated().map { "\($1.new) = \(connection.placeholder($0 + 1))" }
    let conditions = keys.enumerated().map { "\($1) = \(connection.placeholder(count + $0 + 1))" }
    let update =
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"
    let read = (replacements.map(\.old) + keys).joined(separator: ", ")
    try connection.query("SELECT \(read) FROM \(table)", []) { row in
      try Task.checkCancellation()
      var values = try row.values()
      for (index, widening) in widenings.enumerated() { values[index] = try widening.value(of: values[index]) }
      if values.prefix(count).contains(where: { $0 != .null }) { try connection.run(update, values) }
      return .goOn
    }
    for (old, new) in replacements {
      try connection.run("ALTER TABLE \(table) DROP COLUMN \(old)")
      try connection.run("ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)")
    }
  }

  /// Copies the rows to a new table, which takes the old one's place.
  private func rebuild(_ schema: EntitySchema, as widened: EntitySchema) throws {
    let known = Set(schema.columns.map(\.name) + [EntitySchema.orderColumn])
    let others = try connection.columns(ofTable: schema.entity).map(\.name).filter { !known.contains($0) }
    guard others.isEmpty else {
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "the key of \(schema.entity) cannot have another type: its \(SchemaCatalog.list(others)) would be lost")
    }
    let (name, table) = ("anvil_wider", try connection.quoted(schema.entity))
    let new = try connection.quoted(name)
    try SchemaCatalog(connection: connection).createTable(widened, named: name, targets: self.schema(of:))
    let columns = try schema.columns.map { try connection.quoted($0.name) }.joined(separator: ", ")
    let placeholders = schema.columns.indices.map { connection.placeholder($0 + 1) }.joined(separator: ", ")
    let widenings = zip(schema.columns, widened.columns).map {
      StoredObjects.Widening(name: $0.name, from: $0.type, to: $1.type)
    }
    try connection.query("SELECT \(columns) FROM \(table)", []) { row in
      try Task.checkCancellation()
      let values = try zip(widenings, row.values()).map { try $0.value(of: $1) }
      try connection.run("INSERT INTO \(new) (\(columns)) VALUES (\(placeholders))", values)
      return .goOn
    }
    try connection.run("DROP TABLE \(table)")
    try connection.run("ALTER TABLE \(new) RENAME TO \(table)")
  }

  private func freeName(_ base: String, amongColumnsOf table: String) throws -> String {
    let taken = Set(try connection.columns(ofTable: table).map { $0.name.lowercased() })
    var number = 1
    while taken.contains("\(base)_\(number)") { number += 1 }
    return "\(base)_\(number)"
  }
}

extension StoredObjects.Widening {
  fileprivate func value(of value: StoreValue) throws(StoreError) -> StoreValue {
    guard from != to else { return value }
    guard let widened = from.widened(value, to: to) else {
      throw StoreError(
        code: .invalidValue,
        reason:
          "the column \(name) cannot become \(to.rawValue): it holds \(value.kind.rawValue), stored as \(from.rawValue)"
      )
    }
    return widened
  }
}
