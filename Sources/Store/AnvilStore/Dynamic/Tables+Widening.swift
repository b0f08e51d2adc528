internal import AnvilBase

struct ColumnChange {
  let name: String
  let from: StoredType
  let to: StoredType
  /// Returns the value of the new type for a stored value. The second argument returns a description of the row, for errors.
  let convert: (StoreValue, () -> String) throws -> StoreValue
}

extension Tables {
  /// Changes the types of columns of the entity's table, and converts their values.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a key that other tables refer to; the errors of the conversions; ``StoreError``.
  func change(_ changes: [ColumnChange], of schema: EntitySchema) throws -> EntitySchema {
    let types = Dictionary(changes.map { ($0.name, $0.to) }) { $1 }
    var widened = schema
    widened.columns = schema.columns.map { column in
      EntitySchema.Column(name: column.name, type: types[column.name] ?? column.type, reference: column.reference)
    }
    let hasOtherKey = schema.keyNames.contains { types[$0] != nil }
    if hasOtherKey { try checkReferences(to: schema) }
    try statements.attempt {
      try connection.keepingDependents(ofTable: schema.entity) {
        if hasOtherKey, !connection.altersColumnTypes {
          try rebuild(schema, as: widened, changes)
        } else {
          try replace(changes, in: schema)
        }
      }
      for change in changes { try catalog.note(change.to, of: change.name, in: schema) }
      // An index of elements may contain the keys of the rows.
      for column in widened.columns where hasOtherKey && column.type == .json {
        if try connection.dropIndex(entity: schema.entity, column: column.name) {
          try catalog.createIndex(on: column, of: widened)
        }
      }
    }
    return widened
  }

  /// Throws an error if other tables refer to rows of this table, also those that SQL has created. Their columns contain its keys and would
  /// keep the old type.
  private func checkReferences(to schema: EntitySchema) throws {
    let holder = try statements.attempt {
      try catalog.entities(referringTo: schema.entity).first ?? connection.tablesReferring(to: schema.entity).first
    }
    guard let holder else { return }
    throw StoreError(
      code: .schemaMismatch,
      reason: "the type of the key of \(schema.entity) cannot be changed: \(holder) refers to it")
  }

  /// Replaces each of the columns with a new column that contains the converted values.
  private func replace(_ changes: [ColumnChange], in schema: EntitySchema) throws {
    let defaults = try convertedDefaults(changes, of: schema)
    let table = try connection.quoted(schema.entity)
    var replacements: [(old: String, new: String, type: String)] = []
    for change in changes {
      let new = try connection.quoted(try freeName("anvil_wider", amongColumnsOf: schema.entity))
      let type = connection.columnType(for: change.to)
      // Only a database that cannot change the type of a column gets the default with the new column.
      let isReplaced = !connection.altersColumnTypes
      let expression = defaults[change.name].map { " DEFAULT \($0)" } ?? ""
      try connection.run("ALTER TABLE \(table) ADD COLUMN \(new) \(type)\(isReplaced ? expression : "")")
      replacements.append((try connection.quoted(change.name), new, type))
    }
    let keys = try schema.orderNames.map { try connection.quoted($0) }
    let count = changes.count
    let assignments = replacements.enumerated().map { "\($1.new) = \(connection.placeholder($0 + 1))" }
    let conditions = keys.enumerated().map { "\($1) = \(connection.placeholder(count + $0 + 1))" }
    let update =
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"
    let read = (replacements.map(\.old) + keys).joined(separator: ", ")
    try connection.query("SELECT \(read) FROM \(table)", []) { row in
      try Task.checkCancellation()
      var values = try row.values()
      let key = Array(values.suffix(keys.count))
      for (index, change) in changes.enumerated() {
        values[index] = try change.convert(values[index]) { describe(key, schema) }
      }
      // A row without a value would have the default of the new column.
      if !defaults.isEmpty || values.prefix(count).contains(where: { $0 != .null }) {
        try connection.run(update, values)
      }
      return .goOn
    }
    try connection.checkDeferredConstraints()
    for (change, (old, new, type)) in zip(changes, replacements) {
      if connection.altersColumnTypes {
        // Keeps the indices of the column. The default value has the old type.
        try connection.run(
          "ALTER TABLE \(table) ALTER COLUMN \(old) DROP DEFAULT, ALTER COLUMN \(old) TYPE \(type) USING \(new)")
        try connection.run("ALTER TABLE \(table) DROP COLUMN \(new)")
        if let value = defaults[change.name] {
          try connection.run("ALTER TABLE \(table) ALTER COLUMN \(old) SET DEFAULT \(value)")
        }
      } else {
        try connection.run("ALTER TABLE \(table) DROP COLUMN \(old)")
        try connection.run("ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)")
      }
    }
  }

  /// Returns the converted default values of the columns, as SQL. Leaves out those that are not constants or cannot be converted.
  private func convertedDefaults(_ changes: [ColumnChange], of schema: EntitySchema) throws -> [String: String] {
    var defaults: [String: String] = [:]
    let columns = try connection.columns(ofTable: schema.entity)
    for change in changes {
      guard let expression = columns.first(where: { $0.name == change.name })?.defaultExpression,
        StoreColumn.isConstant(expression)
      else { continue }
      let sql = "SELECT \(connection.typed("(\(expression))", as: change.from))"
      let value = try connection.first(sql, []) { row in try row.value(at: 0) }
      guard let value, value != .null, let converted = try? change.convert(value, { change.name }) else { continue }
      defaults[change.name] = connection.literal(converted, as: change.to)
    }
    return defaults
  }

  /// Copies the rows with converted values to a new table, which replaces the old one.
  private func rebuild(_ schema: EntitySchema, as changed: EntitySchema, _ changes: [ColumnChange]) throws {
    let known = Set(schema.columns.map(\.name) + [EntitySchema.orderColumn])
    let existing = try connection.columns(ofTable: schema.entity)
    let others = existing.map(\.name).filter { !known.contains($0) }
    guard others.isEmpty else {
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "the type of the key of \(schema.entity) cannot be changed: its \(SchemaCatalog.list(others)) would be lost")
    }
    let (name, table) = ("anvil_wider", try connection.quoted(schema.entity))
    let new = try connection.quoted(name)
    // A default value of the old type may not be one of the new type.
    let kept = existing.filter { column in !changes.contains { $0.name == column.name } }
    let defaults = kept.compactMap { column in column.defaultExpression.map { (column.name, $0) } }
    try catalog.createTable(
      changed, named: name, expressions: Dictionary(defaults) { first, _ in first }, targets: self.schema(of:))
    let columns = try schema.columns.map { try connection.quoted($0.name) }.joined(separator: ", ")
    let placeholders = schema.columns.indices.map { connection.placeholder($0 + 1) }.joined(separator: ", ")
    let conversions = schema.columns.map { column in changes.first { $0.name == column.name }?.convert }
    try connection.query("SELECT \(columns) FROM \(table)", []) { row in
      try Task.checkCancellation()
      let old = try row.values()
      let values = try zip(conversions, old).map { conversion, value in
        try conversion?(value) { describe(schema.keyIndices.map { old[$0] }, schema) } ?? value
      }
      try connection.run("INSERT INTO \(new) (\(columns)) VALUES (\(placeholders))", values)
      return .goOn
    }
    try connection.run("DROP TABLE \(table)")
    try connection.run("ALTER TABLE \(new) RENAME TO \(table)")
  }

  private func describe(_ key: [StoreValue], _ schema: EntitySchema) -> String {
    zip(schema.orderNames, key).map { name, value in
      switch value {
      case .null, .blob: name
      case .integer(let integer): "\(name) \(integer)"
      case .real(let real): "\(name) \(real)"
      case .text(let text): "\(name) “\(text.printable(limit: 40))”"
      }
    }.joined(separator: ", ")
  }

  private func freeName(_ base: String, amongColumnsOf table: String) throws -> String {
    let taken = Set(try connection.columns(ofTable: table).map { $0.name.lowercased() })
    var number = 1
    while taken.contains("\(base)_\(number)") { number += 1 }
    return "\(base)_\(number)"
  }
}

extension StoredObjects.Widening {
  var change: ColumnChange {
    ColumnChange(name: name, from: from, to: to) { value, _ in try self.value(of: value) }
  }

  private func value(of value: StoreValue) throws(StoreError) -> StoreValue {
    guard let widened = from.widened(value, to: to) else {
      throw StoreError(
        code: .invalidValue,
        reason:
          "the column \(name) cannot be converted to \(to.rawValue): its type is \(from.rawValue), but a row has \(value.kind.rawValue)"
      )
    }
    return widened
  }
}
