/// The tables of a transaction: reads them from the catalog, creates them and adds columns.
final class Tables {
  let statements: Statements
  private let migrations: [StoreMigration]
  private let bindings: EntityBindings
  private(set) var known: KnownTables {
    didSet { bindings.schemaGeneration &+= 1 }
  }

  init(_ statements: Statements, _ migrations: [StoreMigration], _ bindings: EntityBindings, plan: SchemaPlan) {
    self.statements = statements
    self.migrations = migrations
    self.bindings = bindings
    known = KnownTables(after: bindings.tables, plan: plan)
    bindings.schemaGeneration &+= 1
  }

  var connection: any StoreConnection { statements.connection }
  var catalog: SchemaCatalog { SchemaCatalog(connection: connection) }

  /// Keeps the tables for the next transaction of the session, if this one has changed none.
  func keep() {
    if known.areLasting { bindings.tables = known }
  }

  /// Returns a function that restores the state as it is now, after a nested transaction was rolled back.
  func checkpoint() -> () -> Void {
    { [known] in
      self.known = known
      // Changes made for it at the beginning of the transaction would remain.
      if known.plan.changes.contains(where: \.isNested) { self.statements.requireRestart(.undone) }
    }
  }

  /// Sets the table of an entity, which this transaction has changed.
  func note(_ table: EntitySchema, of entity: String) { known.note(table, of: entity) }

  func forget() { known.forget() }

  /// Returns the entity's table; `nil` if it does not exist yet.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when a table of that name was not created by a store.
  func schema(of entity: String) throws -> EntitySchema? {
    if let known = known.known(entity) { return known }
    do {
      return try known.read(entity, on: connection)
    } catch let error as StoreError
      where error.code == .invalidStatement && bindings.tables.areLasting && !statements.isRefusal(error)
    {
      // The catalog no longer exists. The next attempt begins without it.
      bindings.tables = KnownTables()
      throw error.with(.conflict, reason: "another program has dropped the catalog of the tables")
    } catch {
      throw statements.cause(of: error)
    }
  }

  func table(of entity: String, readBy names: AttributeNames) throws -> EntitySchema? {
    try schema(of: entity)?.readable(by: names)
  }

  /// Binds the value encoded last to a table that has a column for each attribute.
  ///
  /// Nothing is changed until the model is known to fit the existing rows, because the rows may belong to another program's model.
  ///
  /// - Parameters:
  ///   - current: The table; `nil` if it does not exist.
  ///   - read: Returns the attributes that the model reads from a row; `nil` if it may read any.
  func bind(_ binding: EntityBinding, to current: EntitySchema?, _ read: (StoredRow) -> Set<String>?) throws {
    // If the error is caught, no part of a write or of a schema change may remain.
    let bound = try statements.attempt { try table(for: binding, current, read) }
    note(bound, of: binding.entity)
    binding.bind(to: bound)
  }

  private func table(
    for binding: EntityBinding, _ current: EntitySchema?, _ read: (StoredRow) -> Set<String>?
  ) throws -> EntitySchema {
    let columns = try columns(for: binding)
    var table = binding.schema(of: columns)
    if let current {
      try checkKeysAndTypes(of: current, columns, binding)
      table = current.extended(toHave: table)
      try checkOthers(of: table, binding, read)
      // Readers do not need the missing columns.
      guard table != current, statements.kind == .writing else { return current }
    }
    try statements.requireWriting()
    try requirePresence(of: table, beyond: current)
    let change = SchemaPlan.Change(
      current: current, wanted: table, indexedNames: Set(binding.encoder.indexedNames.map(binding.columnName(of:))),
      defaults: binding.names.defaults(bindings.datePrecision), isNested: statements.depth > 0)
    if connection.changesSchemaFirst, !(change.isNested && known.plan.changesWithinNested) {
      statements.requireRestart(.needs(change))
      throw StoreError(code: .conflict, reason: "the schema can only be changed at the beginning of a transaction")
    }
    try lock([binding.entity])
    // PostgreSQL changes no table with references that are still to be checked.
    try connection.checkDeferredConstraints()
    try make(change)
    return table
  }

  /// Checks that no newer program has renamed or dropped a column of `table` that `current` does not have.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` if one was renamed or dropped.
  func requirePresence(of table: EntitySchema, beyond current: EntitySchema?) throws {
    let names = Set(table.columns.map(\.name)).union(table.untypedNames)
    let present = Set(current?.columns.map(\.name) ?? []).union(current?.untypedNames ?? [])
    try MigrationLog(connection: connection).requirePresence(
      of: names.subtracting(present), in: table.entity, knownMigrations: migrations.count)
  }

  private func columns(for binding: EntityBinding) throws -> [EntitySchema.Column] {
    let columns = binding.encoder.attributes.compactMap { attribute in
      attribute.type.map {
        EntitySchema.Column(name: binding.columnName(of: attribute.name), type: $0, reference: attribute.reference)
      }
    }
    for key in binding.keys where !columns.contains(where: { $0.name == key.attribute }) {
      if key.index(in: binding.encoder.attributes) != nil { throw binding.nullKey(key) }
      throw StoreError(
        code: .schemaMismatch, reason: "\(binding.entity) does not encode its match key \(key.codingKey)")
    }
    guard !columns.isEmpty else {
      throw StoreError(code: .schemaMismatch, reason: "\(binding.entity) has no attributes to store")
    }
    return columns
  }

  /// Makes the changes of the plan, and locks the tables until the transaction ends.
  ///
  /// - Throws: ``SchemaPlan/Restart/stale``.
  func begin() throws {
    let changes = known.plan.changes
    guard !changes.isEmpty else { return }
    try statements.requireWriting()
    try lock(Set(changes.map(\.wanted.entity)))
    for change in changes { try make(change) }
  }

  private func make(_ change: SchemaPlan.Change) throws {
    guard try schema(of: change.wanted.entity) == change.current else {
      statements.requireRestart(.stale)
      throw StoreError(code: .conflict, reason: "the schema was changed by another transaction")
    }
    let wanted = change.wanted
    try make(wanted, from: change.current, defaults: change.defaults)
    try statements.attempt {
      let before = Set(change.current?.columns.map(\.name) ?? [])
      let former = before.union(wanted.keyNames)
      for column in wanted.columns where change.indexedNames.contains(column.name) {
        if !former.contains(column.name) { try catalog.createIndex(on: column, of: wanted) }
      }
      // Migrations could not create the indices of columns that did not exist.
      let after = Set(wanted.columns.map(\.name))
      for index in migrations.indices(of: wanted.entity) {
        let columns = Set(index.columns)
        guard columns.isSubset(of: after), !columns.isSubset(of: before) else { continue }
        // A column that another program has renamed has kept the index.
        if let lost = change.current?.lostNames, !lost.isDisjoint(with: columns) {
          _ = try connection.dropIndex(entity: wanted.entity, column: index.name)
        }
        try catalog.create(index, of: wanted)
      }
    }
  }

  /// Creates a table that is locked, or adds columns to it.
  func make(_ wanted: EntitySchema, from current: EntitySchema?, defaults: [String: StoreValue] = [:]) throws {
    try statements.attempt {
      if let current {
        try catalog.extend(current, to: wanted, defaults: defaults, targets: schema(of:))
      } else {
        try catalog.create(wanted, defaults: defaults, targets: schema(of:))
      }
      try ChangeLog(connection: connection).extend(current, to: wanted)
    }
    note(wanted, of: wanted.entity)
  }

  private func checkKeysAndTypes(
    of schema: EntitySchema, _ columns: [EntitySchema.Column], _ binding: EntityBinding
  ) throws(StoreError) {
    try schema.requireKeys(binding.keys.map(\.attribute))
    let differences = columns.compactMap { column -> String? in
      if let type = schema.undescribedColumns.first(where: { $0.name == column.name })?.declaration {
        guard !connection.keeps(column.type, inColumnDeclared: type) else { return nil }
        return "\(column.name) is declared as \(type), which does not keep \(column.kind) as in the model"
      }
      guard let stored = schema.column(named: column.name), stored != column else { return nil }
      return "\(column.name) is \(stored.kind), but \(column.kind) in the model"
    }
    guard differences.isEmpty else {
      throw StoreError(
        code: .schemaMismatch, reason: "in the table \(schema.entity), \(differences.joined(separator: "; "))")
    }
  }

  /// Declares the columns that the model reads but did not encode, so that they become null. Columns that the model neither writes nor
  /// reads belong to another version of it, and keep their values.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when such a column needs a value and has no default.
  private func checkOthers(
    of schema: EntitySchema, _ binding: EntityBinding, _ read: (StoredRow) -> Set<String>?
  ) throws {
    // A nil whose type is still unknown gets the type of its column, so that it clears the stored value.
    for attribute in binding.encoder.attributes where attribute.type == nil {
      guard let column = schema.column(named: binding.columnName(of: attribute.name)) else { continue }
      binding.encoder.declare(Attribute(attribute.name, column.type, column.reference))
    }
    let attributes = binding.encoder.attributes
    var known = Set(attributes.map { binding.columnName(of: $0.name) })
    guard schema.columns.contains(where: { !known.contains($0.name) }) else {
      return try requireValues(of: schema, known)
    }
    // An attribute that is not encoded now, for example because it is nil, may still be read.
    var values = Dictionary(zip(attributes.map { binding.columnName(of: $0.name) }, binding.encoder.values)) { $1 }
    for column in schema.columns where values[column.name] == nil { values[column.name] = .null }
    let row = StoredRow(
      layout: binding.layout(of: schema), values: schema.columns.map { values[$0.name] ?? .null })
    guard let names = read(row) else { return }
    for name in names {
      guard let column = schema.column(named: binding.columnName(of: name)), known.insert(column.name).inserted else {
        continue
      }
      binding.encoder.declare(Attribute(name, column.type, column.reference))
    }
    try requireValues(of: schema, known)
  }

  private func requireValues(of schema: EntitySchema, _ known: Set<String>) throws(StoreError) {
    let required = schema.requiredNames.subtracting(known).sorted()
    guard required.isEmpty else {
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "the table \(schema.entity) requires a value in the \(SchemaCatalog.list(required)), which the model does not "
          + "have and which \(required.count == 1 ? "has" : "have") no default"
      )
    }
  }

  /// Locks the tables against creation and changes until the transaction ends, and discards the known tables.
  func lock(_ entities: Set<String>) throws {
    // The first transaction of all creates the catalog.
    let isFirst = try !connection.tableExists(SchemaCatalog.table)
    // Locks are always acquired in the same order, to avoid deadlocks.
    for name in (isFirst ? entities.union([SchemaCatalog.table]) : entities).sorted() { try connection.lockTable(name) }
    forget()
  }

  /// Removes the part of the entity's table that another program has removed from the catalog, and returns it.
  func restore(_ entity: String) throws -> TableLoss? {
    try statements.requireWriting()
    guard try catalog.loss(of: entity) != nil else { return nil }
    try lock([entity])
    guard let loss = try catalog.loss(of: entity) else { return nil }
    try statements.attempt { try catalog.forget(loss) }
    forget()
    return loss
  }

  func writer(_ table: EntitySchema, _ names: AttributeNames, _ query: StoreQuery) -> QueryWriter {
    QueryWriter(table, names: names, isAliased: query.needsAliases, on: connection) {
      try self.table(of: $0, readBy: $1)
    }
  }
}

/// The tables of the database, as a transaction has read them from the catalog.
///
/// A session keeps the tables from one transaction to the next. They are valid as long as the schema of the database has the version that it
/// had when they were read: then no program has changed a table or the catalog. If a database has only versions of tables, each is compared
/// when a transaction first needs the table.
struct KnownTables {
  /// The tables by entity; `nil` for those that do not exist.
  private var tables: [String: EntitySchema?] = [:]
  /// The version of the schema that all ``tables`` belong to; `nil` if the tables are only known to this transaction, which may have changed
  /// them.
  private(set) var version: Int64?
  /// True if the version was compared with that of the database in this transaction.
  private var isCurrent = false
  /// The tables that were read before, with the versions that they had, if the database has no versions of the schema.
  private var former: [String: (table: EntitySchema, version: String)] = [:]
  /// True if this transaction may have changed tables. A later change of the same columns does not change the version of a table again.
  private var isChanging = false
  let plan: SchemaPlan

  init(after former: KnownTables? = nil, plan: SchemaPlan = SchemaPlan()) {
    self.plan = plan
    guard let former else { return }
    if former.version != nil { (tables, version) = (former.tables, former.version) }
    self.former = former.former
  }

  /// Whether a later transaction can use the tables.
  var areLasting: Bool { version != nil || !former.isEmpty }

  /// Returns the table of an entity, or `nil` if it has to be read first. The inner optional is `nil` if the table does not exist.
  func known(_ entity: String) -> EntitySchema?? { isCurrent ? tables[entity] : nil }

  /// Returns the table of an entity; `nil` if it does not exist. Reads it from the catalog unless it is known.
  mutating func read(_ entity: String, on connection: any StoreConnection) throws -> EntitySchema? {
    if !isCurrent {
      let current = try connection.schemaVersion()
      if current == nil || current != version { tables.removeAll() }
      (version, isCurrent) = (current, true)
    }
    if let known = tables[entity] { return known }
    let table =
      try version == nil
      ? tableOfVersion(entity, on: connection) : SchemaCatalog(connection: connection).schema(of: entity)
    tables[entity] = .some(table)
    return table
  }

  private mutating func tableOfVersion(_ entity: String, on connection: any StoreConnection) throws -> EntitySchema? {
    let catalog = SchemaCatalog(connection: connection)
    // Before the table is read: if it changes in between, the version is too old, and the table is read again.
    let version = try isChanging || former.isEmpty && !catalog.exists() ? nil : connection.tableVersion(of: entity)
    if let version, let former = former[entity], former.version == version { return former.table }
    let table = try catalog.schema(of: entity)
    former[entity] = if let table, let version { (table, version) } else { nil }
    return table
  }

  /// Sets the table of an entity, which this transaction has changed.
  mutating func note(_ table: EntitySchema, of entity: String) {
    if tables[entity] == .some(.some(table)) { return }
    tables[entity] = .some(table)
    former[entity] = nil
    (version, isCurrent, isChanging) = (nil, true, true)
  }

  /// Discards all tables, because this transaction changes them, or has waited for another transaction that may have.
  mutating func forget() {
    tables.removeAll()
    (version, isCurrent, isChanging) = (nil, true, true)
  }
}
