extension StoreTransaction {
  private var catalog: SchemaCatalog { SchemaCatalog(connection: connection) }

  /// Returns the entity's table; `nil` if it does not exist yet.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when a table of that name was not created by a store.
  func schema(of entity: String) throws -> EntitySchema? {
    if let known = tables.known(entity) { return known }
    return try tables.read(entity, on: connection)
  }

  func table(of entity: String, readBy names: AttributeNames) throws -> EntitySchema? {
    try schema(of: entity)?.readable(by: names)
  }

  /// Encodes `model` into attributes, and makes sure that its table has a column for each.
  func encode<Model: StorableModel>(_ model: Model, with binding: EntityBinding) throws {
    let coder = binding.coder(of: Model.self)
    try coder.write(model, with: binding.encoder)
    guard !binding.isBound(since: bindings.schemaGeneration) else { return }
    let schema = try schema(of: binding.entity)
    guard !binding.isBound(to: schema, since: bindings.schemaGeneration) else { return }
    // Pending rows have the columns that were known before.
    try flush()
    if let schema, binding.adoptColumnTypes(from: schema) { try coder.write(model, with: binding.encoder) }
    // If the error is caught, no part of a write or of a schema change may remain.
    let bound = try attempt { try table(of: binding, for: model, schema) }
    tables.note(bound, of: binding.entity)
    binding.bind(to: bound)
  }

  /// Returns the table, with a column for each attribute of the model.
  ///
  /// Nothing is changed until the model is known to fit the existing rows, because the rows may belong to another program's model.
  private func table<Model: StorableModel>(
    of binding: EntityBinding, for model: Model, _ current: EntitySchema?
  ) throws -> EntitySchema {
    let columns = try columns(for: binding)
    var table = binding.schema(of: columns)
    if let current {
      try checkKeysAndTypes(of: current, columns, binding)
      table = current.extended(toHave: table)
      try checkOthers(of: table, model, binding)
      // Readers do not need the missing columns.
      guard table != current, kind == .writing else { return current }
    }
    try requireWriting()
    try requirePresence(of: table, beyond: current)
    let change = SchemaPlan.Change(
      current: current, wanted: table, indexedNames: Set(binding.encoder.indexedNames.map(binding.columnName(of:))),
      defaults: binding.names.defaults(), isNested: progress.depth > 0)
    if connection.changesSchemaFirst, !(change.isNested && tables.plan.changesWithinNested) {
      progress.requireRestart(.needs(change))
      throw StoreError(code: .conflict, reason: "the schema can only be changed at the beginning of a transaction")
    }
    try lockTables([binding.entity])
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
      of: names.subtracting(present), in: table.entity, knownMigrations: store.migrations.count)
  }

  private func columns(for binding: EntityBinding) throws -> [EntitySchema.Column] {
    var columns: [EntitySchema.Column] = []
    for attribute in binding.encoder.attributes {
      guard let type = attribute.type else { continue }
      columns.append(
        EntitySchema.Column(
          name: binding.columnName(of: attribute.name), type: type, reference: attribute.reference))
    }
    for key in binding.keys where !columns.contains(where: { $0.name == key.attribute }) {
      let isEncoded = binding.encoder.attributes.contains { $0.name == key.codingKey || $0.name == key.attribute }
      if isEncoded { throw binding.nullKey(key) }
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
  func beginSchema() throws {
    let changes = tables.plan.changes
    guard !changes.isEmpty else { return }
    try requireWriting()
    try lockTables(Set(changes.map(\.wanted.entity)))
    for change in changes { try make(change) }
  }

  /// Changes a table that is locked.
  private func make(_ change: SchemaPlan.Change) throws {
    guard try schema(of: change.wanted.entity) == change.current else {
      progress.requireRestart(.stale)
      throw StoreError(code: .conflict, reason: "the schema was changed by another transaction")
    }
    try attempt {
      if let current = change.current {
        try catalog.extend(current, to: change.wanted, defaults: change.defaults, targets: schema(of:))
      } else {
        try catalog.create(change.wanted, defaults: change.defaults, targets: schema(of:))
      }
      let before = Set(change.current?.columns.map(\.name) ?? [])
      let former = before.union(change.wanted.keyNames)
      for column in change.wanted.columns where change.indexedNames.contains(column.name) {
        if !former.contains(column.name) { try catalog.createIndex(on: column, of: change.wanted) }
      }
      // Migrations could not create the indices of columns that did not exist.
      let after = Set(change.wanted.columns.map(\.name))
      for index in store.migrations.indices(of: change.wanted.entity) {
        let columns = Set(index.columns)
        if columns.isSubset(of: after), !columns.isSubset(of: before) {
          try catalog.create(index, of: change.wanted)
        }
      }
      try changeLog.extend(change.current, to: change.wanted)
    }
    tables.note(change.wanted, of: change.wanted.entity)
  }

  private func checkKeysAndTypes(
    of schema: EntitySchema, _ columns: [EntitySchema.Column], _ binding: EntityBinding
  ) throws(StoreError) {
    let keys = binding.keys.map(\.attribute)
    guard schema.keyNames == keys else {
      func words(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "the match keys differ: \(words(schema.keyNames)) in the table \(schema.entity), \(words(keys)) in the model")
    }
    let differences = columns.compactMap { column -> String? in
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
  private func checkOthers<Model: StorableModel>(
    of schema: EntitySchema, _ model: Model, _ binding: EntityBinding
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
    guard let read = attributesRead(by: Model.self, in: row) else { return }
    for name in read {
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

  /// Waits until no other open transaction holds this lock of the model's entity, and holds the lock until this transaction ends.
  package func lock<Model: StorableModel>(_ type: Model.Type) throws {
    try requireWriting()
    try connection.lockTable(Model.entityName)
  }

  /// Locks the tables against creation and changes, and discards the known tables.
  func lockTables(_ entities: Set<String>) throws {
    // The first transaction of all creates the catalog.
    let isFirst = try !connection.tableExists(SchemaCatalog.table)
    // Locks are always acquired in the same order, to avoid deadlocks.
    for name in (isFirst ? entities.union([SchemaCatalog.table]) : entities).sorted() { try connection.lockTable(name) }
    tables.forget()
  }
}

extension EntitySchema.Column {
  fileprivate var kind: String { Attribute(name, type, reference).kind }
}
