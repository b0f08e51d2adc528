internal import AnvilBase

struct Migrator {
  let tables: Tables

  private var statements: Statements { tables.statements }
  private var connection: any StoreConnection { tables.connection }
  private var catalog: SchemaCatalog { tables.catalog }
  private var log: MigrationLog { MigrationLog(connection: connection) }

  /// Returns the number of migrations that were applied to the database.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when an applied migration differs from the migration at the same position of the list.
  ///   Applied migrations beyond the end of the list belong to a newer program.
  func appliedCount(of migrations: [StoreMigration]) throws -> Int {
    let steps = try log.steps()
    for (index, (step, migration)) in zip(steps, migrations).enumerated()
    where !migration.isRecorded(as: step) {
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "migration \(index + 1) is “\(migration)”, but “\(step)” was applied to the database: migrations must not be "
          + "changed, removed or reordered"
      )
    }
    return steps.count
  }

  func apply(_ migrations: [StoreMigration]) throws {
    try statements.attempt {
      try tables.lock(Set(migrations.compactMap(\.entity) + [MigrationLog.table]))
      try connection.lockReaders(ofTable: SchemaCatalog.table)
      try log.create()
      let count = try appliedCount(of: migrations)
      for (index, migration) in migrations.enumerated().dropFirst(count) {
        try apply(migration, after: Array(migrations.prefix(index)))
        try log.append(migration, at: index)
        tables.forget()
      }
    }
  }

  private func apply(_ migration: StoreMigration, after earlier: [StoreMigration]) throws {
    if case .sql(let statement) = migration.step {
      if let table = migration.entity, try !connection.tableExists(table) { return }
      try statements.requireWithinTransaction(statement)
      try connection.run(statement)
      return try statements.requireOpen(after: statement)
    }
    guard let entity = migration.entity, let schema = try table(entity, describing: migration.columns) else { return }
    try connection.checkDeferredConstraints()
    try ChangeLog(connection: connection).pause(entity, schema: { try catalog.schema(of: entity) }) {
      switch migration.step {
      case .rename(let column, let newName):
        try rename(column, to: newName, in: schema, earlier.indices(of: entity))
      case .drop(let column): try drop(column, in: schema)
      case .retype(let column, let conversion): try retype(column, conversion, in: schema)
      case .add(let column, let type, let value): try add(column, type, value, to: schema, earlier.indices(of: entity))
      case .index(let index):
        if index.columns.allSatisfy({ schema.column(named: $0) != nil }) { try catalog.create(index, of: schema) }
      case .sql: break
      }
    }
  }

  /// Returns the table, with those of the columns that SQL has added to it; `nil` if the table does not exist.
  private func table(_ entity: String, describing names: [String]) throws -> EntitySchema? {
    guard let schema = try tables.schema(of: entity) else { return nil }
    let added = schema.undescribedColumns.filter { names.contains($0.name) }
      .map { EntitySchema.Column(name: $0.name, type: $0.type) }
    guard !added.isEmpty else { return schema }
    let described = schema.extended(
      toHave: EntitySchema(entity: entity, columns: added, keyNames: schema.keyNames))
    try catalog.extend(schema, to: described, targets: tables.schema(of:))
    return described
  }

  /// Adds a column, and the indices that earlier migrations could not create without the column.
  private func add(
    _ name: String, _ type: StoredType, _ value: StoreValue, to schema: EntitySchema, _ indices: [StoreMigration.Index]
  ) throws {
    guard schema.column(named: name) == nil else { return }
    var wanted = schema
    wanted.columns.append(EntitySchema.Column(name: name, type: type))
    wanted.untypedNames.remove(name)
    wanted.lostNames.remove(name)
    try catalog.extend(schema, to: wanted, defaults: [name: value], targets: tables.schema(of:))
    let columns = Set(wanted.columns.map(\.name))
    for index in indices where index.columns.contains(name) && columns.isSuperset(of: index.columns) {
      try catalog.create(index, of: wanted)
    }
  }

  /// Renames a column, and the `indices` of earlier migrations that are named after it. Creates those that could not exist without `newName`.
  private func rename(
    _ name: String, to newName: String, in schema: EntitySchema, _ indices: [StoreMigration.Index]
  ) throws {
    if schema.untypedNames.contains(newName) { try catalog.remove(newName, in: schema) }
    guard let column = schema.column(named: name) else {
      guard schema.untypedNames.contains(name) else { return }
      if schema.column(named: newName) != nil {
        try catalog.remove(name, in: schema)
      } else {
        try catalog.rename(name, to: newName, in: schema)
      }
      return
    }
    if let other = schema.column(named: newName) { try dropEmpty(other, for: column, in: schema) }
    let hadIndex = try connection.dropIndex(entity: schema.entity, column: name)
    var created = try indices.filter { index in
      try index.columns.contains(name) && connection.dropIndex(entity: schema.entity, column: index.name)
    }
    try connection.execute(
      "ALTER TABLE \(identifier: schema.entity) RENAME COLUMN \(identifier: name) TO \(identifier: newName)")
    try catalog.rename(name, to: newName, in: schema)
    var renamed = schema
    renamed.columns = schema.columns.map { column in
      EntitySchema.Column(
        name: column.name == name ? newName : column.name, type: column.type, reference: column.reference)
    }
    if hadIndex, let column = renamed.column(named: newName) { try catalog.createIndex(on: column, of: renamed) }
    let columns = Set(renamed.columns.map(\.name))
    created += indices.filter { $0.columns.contains(newName) && columns.isSuperset(of: $0.columns) }
    for index in Set(created.map { $0.renaming(name, to: newName) }) { try catalog.create(index, of: renamed) }
  }

  /// Drops an empty column, because another column is about to be renamed to its name.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when the column contains values, which would be lost.
  private func dropEmpty(
    _ column: EntitySchema.Column, for other: EntitySchema.Column, in schema: EntitySchema
  ) throws {
    let hasValue = try connection.hasRow(
      "SELECT 1 FROM \(identifier: schema.entity) WHERE \(identifier: column.name) IS NOT NULL LIMIT 1")
    guard !hasValue else {
      throw StoreError(
        code: .schemaMismatch,
        reason: """
          \(other.name) of \(schema.entity) cannot be renamed: \(column.name) exists and contains values\
          \(column.type == other.type ? try merging(other, into: column, in: schema) : "")
          """)
    }
    try drop(column.name, in: schema)
  }

  /// Returns advice for a model that was saved under the new name before the migration was written.
  private func merging(
    _ old: EntitySchema.Column, into new: EntitySchema.Column, in schema: EntitySchema
  ) throws -> String {
    let (table, from, to) = (schema.entity, try connection.quoted(old.name), try connection.quoted(new.name))
    let sql = "UPDATE \(try connection.quoted(table)) SET \(to) = coalesce(\(to), \(from))"
    return
      ##"; to merge them, use .sql(#"\##(sql)"#, in: "\##(table)") and .drop("\##(old.name)", in: "\##(table)") instead"##
  }

  private func drop(_ name: String, in schema: EntitySchema) throws {
    if schema.column(named: name) != nil {
      guard !schema.keyNames.contains(name) else {
        throw StoreError(
          code: .schemaMismatch, reason: "\(name) of \(schema.entity) cannot be dropped: it is a match key")
      }
      try connection.dropIndices(entity: schema.entity, column: name)
      try connection.execute("ALTER TABLE \(identifier: schema.entity) DROP COLUMN \(identifier: name)")
    } else if !schema.untypedNames.contains(name) {
      return
    }
    try catalog.remove(name, in: schema)
  }

  private func retype(_ name: String, _ conversion: ColumnConversion, in schema: EntitySchema) throws {
    guard let column = schema.column(named: name) else { return }
    // A closure reads dates of both forms.
    let isDate = conversion.from == .timestamp && column.type == .date
    guard column.reference == nil, conversion.from == nil || conversion.from == column.type || isDate else {
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "\(name) of \(schema.entity) is \(column.kind) and cannot be converted \(conversion.description)"
      )
    }
    let change = ColumnChange(name: name, from: column.type, to: conversion.to) { value, row in
      do {
        if let converted = try conversion.value(of: value, from: column.type) { return converted }
      } catch {
        throw StoreError(
          code: .invalidValue, reason: "\(name) of the row with \(row()) cannot be converted: \(error)")
      }
      throw StoreError(
        code: .invalidValue,
        reason: "\(name) of the row with \(row()) cannot be converted to \(conversion.to.rawValue)")
    }
    _ = try tables.change([change], of: schema)
  }
}

/// The migrations that were applied to a database, stored in one of its tables.
struct MigrationLog {
  static let table = "anvil_migrations"

  let connection: any StoreConnection

  /// Returns the descriptions of the migrations, in the order in which they were applied.
  func steps() throws -> [String] {
    guard try connection.tableExists(Self.table) else { return [] }
    return try connection.all("SELECT step FROM \(identifier: Self.table) ORDER BY place") { row in try row.text(at: 0)
    }
  }

  /// Creates the table if it does not exist. The caller must hold its lock.
  func create() throws {
    let (text, integer) = (connection.columnType(for: .text), connection.columnType(for: .integer))
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(Self.table) (\
      place \(integer) NOT NULL PRIMARY KEY, step \(text) NOT NULL, entity \(text), removed \(text), \
      applied \(connection.columnType(for: .date)) NOT NULL)
      """)
  }

  func append(_ migration: StoreMigration, at place: Int) throws {
    try connection.execute(
      """
      INSERT INTO \(identifier: Self.table) (place, step, entity, removed, applied) \
      VALUES (\(place), \(migration.description), \(migration.entity), \(migration.removedColumn), \
      \(Date().timeIntervalSinceReferenceDate))
      """)
  }

  /// Checks that no later migration has removed one of the columns.
  ///
  /// - Parameter count: The number of migrations that the program knows.
  /// - Throws: ``StoreError/Code/schemaMismatch`` if a later migration has removed one. Newer programs would not find the values that this
  ///   program stores in the column.
  func requirePresence(of columns: Set<String>, in entity: String, knownMigrations count: Int) throws {
    guard !columns.isEmpty, try connection.tableExists(Self.table) else { return }
    try connection.query(
      """
      SELECT step, removed FROM \(identifier: Self.table) \
      WHERE entity = \(entity) AND place >= \(count) AND removed IS NOT NULL
      """
    ) { row in
      guard let removed = try row.text(at: 1), columns.contains(removed) else { return .goOn }
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "\(entity) no longer has the column \(removed): a newer program has applied the migration “\(try row.text(at: 0) ?? "")”"
      )
    }
  }
}
