/// The catalog of the tables that a store has created, stored in a table of the database. It contains the storage types of attributes,
/// which the column types of a database do not fully express.
///
/// Other processes may change it at any time; see ``KnownTables``.
package struct SchemaCatalog {
  package static let table = "anvil_attributes"
  static let reservedPrefix = "anvil_"
  private static let untyped = ""

  let connection: any StoreConnection

  func exists() throws(StoreError) -> Bool { try connection.tableExists(Self.table) }

  /// Returns the entity's table; `nil` if it does not exist.
  ///
  /// A column that the catalog describes but the table lacks, because another program has dropped or renamed it, is not part of the table: it
  /// is created again by the next write that needs it.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when a table of that name was not created by a store, or when another program has dropped
  ///   the table or a column of its key.
  func schema(of entity: String) throws -> EntitySchema? {
    if let schema = try notedSchema(of: entity) { return schema }
    guard try connection.tableExists(entity) || connection.viewExists(entity) else { return nil }
    // Another transaction may have created and committed it between the two statements.
    if let schema = try notedSchema(of: entity) { return schema }
    throw try foreignTable(entity)
  }

  private func notedSchema(of entity: String) throws -> EntitySchema? {
    guard var schema = try recordedSchema(of: entity) else { return nil }
    let table = try connection.columns(ofTable: entity)
    if let loss = loss(of: schema, in: table) {
      let lost = Set(loss.columns ?? [])
      schema.columns.removeAll { lost.contains($0.name) }
      guard !loss.isWholeTable, lost.isDisjoint(with: schema.keyNames), !schema.columns.isEmpty else {
        throw StoreError(code: .schemaMismatch, reason: "\(loss.description): another program has changed the database")
      }
      schema.lostNames = lost
    }
    schema.requiredNames = Set(table.lazy.filter { $0.isRequired }.map(\.name))
    for column in table where column.name != EntitySchema.orderColumn && schema.column(named: column.name) == nil {
      let type = connection.storedType(ofDeclared: column.declaredType)
      schema.undescribedColumns.append(
        EntitySchema.Column(name: column.name, type: type, declaration: column.declaredType))
    }
    return schema
  }

  /// Returns the table as the catalog describes it, even if the database has lost it. Returns `nil` for an unknown entity.
  func recordedSchema(of entity: String) throws -> EntitySchema? {
    guard try exists() else { return nil }
    var columns: [EntitySchema.Column] = []
    var untypedNames: Set<String> = []
    var keys: [(position: Int64, name: String)] = []
    try connection.query(
      """
      SELECT name, type, reference, target, key_place FROM \(identifier: Self.table) WHERE entity = \(entity) \
      ORDER BY place
      """
    ) { row in
      let name = try row.text(at: 0) ?? ""
      guard try row.text(at: 1) != Self.untyped else {
        untypedNames.insert(name)
        return .goOn
      }
      columns.append(try Self.column(name, in: row, of: entity))
      if let position = try row.integer(at: 4) { keys.append((position, name)) }
      return .goOn
    }
    guard !columns.isEmpty else { return nil }
    return EntitySchema(
      entity: entity, columns: columns, keyNames: keys.sorted { $0.position < $1.position }.map(\.name),
      untypedNames: untypedNames)
  }

  /// Creates the entity's table. It must not exist, and the caller has to hold the lock for schema changes.
  func create(
    _ schema: EntitySchema, defaults: [String: StoreValue] = [:], targets: (String) throws -> EntitySchema?
  ) throws {
    try checkName(of: schema.entity)
    try checkNames(of: schema)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(try connection.quoted(Self.table)) (\
      entity \(text) NOT NULL, place \(connection.columnType(for: .integer)) NOT NULL, name \(text) NOT NULL, \
      type \(text) NOT NULL, reference \(text), target \(text), key_place \(connection.columnType(for: .integer)), \
      PRIMARY KEY (entity, name))
      """)
    try createTable(schema, named: schema.entity, defaults: defaults, targets: targets)
    try note(schema.columns, of: schema, from: 0)
    try noteUntyped(schema.untypedNames, of: schema)
    for column in schema.columns { try index(column, of: schema) }
  }

  /// Creates a table of this name with the entity's columns, without adding it to the catalog.
  ///
  /// - Parameter expressions: The default values of columns as SQL expressions, by name.
  func createTable(
    _ schema: EntitySchema, named name: String, defaults: [String: StoreValue] = [:],
    expressions: [String: String] = [:], targets: (String) throws -> EntitySchema?
  ) throws {
    var parts: [String] = []
    for column in schema.columns {
      let isKey = schema.keyNames.contains(column.name)
      let fallback = expressions[column.name].map { " DEFAULT (\($0))" } ?? ""
      parts.append(try definition(of: column, defaults[column.name], targets) + fallback + (isKey ? " NOT NULL" : ""))
    }
    if schema.keyNames.isEmpty {
      parts.append(try connection.rowNumberColumn(named: connection.quoted(EntitySchema.orderColumn)))
    } else {
      let keys = try schema.keyNames.map { try connection.quoted($0) }
      parts.append("PRIMARY KEY (\(keys.joined(separator: ", ")))")
    }
    try connection.run("CREATE TABLE \(try connection.quoted(name)) (\(parts.joined(separator: ", ")))")
  }

  func note(_ type: StoredType, of column: String, in schema: EntitySchema) throws {
    try connection.execute(
      """
      UPDATE \(identifier: Self.table) SET type = \(type.rawValue) WHERE entity = \(schema.entity) AND name = \(column)
      """)
    try connection.advanceSchemaVersion()
  }

  /// Returns the names of the entities that have a column with references to `entity`.
  func entities(referringTo entity: String) throws -> [String] {
    try connection.all("SELECT DISTINCT entity FROM \(identifier: Self.table) WHERE target = \(entity)") { row in
      try row.text(at: 0)
    }
  }

  func extend(
    _ schema: EntitySchema, to extended: EntitySchema, defaults: [String: StoreValue] = [:],
    targets: (String) throws -> EntitySchema?
  ) throws {
    try checkNames(of: extended)
    let added = extended.columns.filter { schema.column(named: $0.name) == nil }
    let restored = schema.lostNames.subtracting(extended.lostNames)
    for name in restored.sorted() {
      // A column that was renamed has kept the index.
      _ = try connection.dropIndex(entity: schema.entity, column: name)
      if let recorded = try recordedSchema(of: schema.entity) { try remove(name, in: recorded) }
    }
    var schema = schema
    schema.lostNames.subtract(restored)
    try add(added, to: schema, defaults: defaults, targets: targets)
    try noteUntyped(extended.untypedNames.subtracting(schema.untypedNames), of: schema)
    try connection.advanceSchemaVersion()
  }

  /// Adds columns to the entity's table, which must not have columns with these names.
  private func add(
    _ columns: [EntitySchema.Column], to schema: EntitySchema, defaults: [String: StoreValue],
    targets: (String) throws -> EntitySchema?
  ) throws {
    // Another program may have added columns by SQL.
    let existing = Set(columns.isEmpty ? [] : try connection.columns(ofTable: schema.entity).map(\.name))
    for column in columns where !existing.contains(column.name) {
      if connection.ignoresCaseOfNames, let other = existing.first(where: { $0.foldedName == column.name.foldedName }) {
        throw indistinct(other, column.name, in: schema)
      }
      let definition = try definition(of: column, defaults[column.name], targets)
      try connection.run("ALTER TABLE \(try connection.quoted(schema.entity)) ADD COLUMN \(definition)")
      try index(column, of: schema)
    }
    // Attributes that were recorded without a type have one now.
    for column in columns where schema.untypedNames.contains(column.name) {
      try removeRow(of: column.name, in: schema)
    }
    try note(columns, of: schema, from: schema.columns.count + schema.lostNames.count)
  }

  func noteUntyped(_ names: Set<String>, of schema: EntitySchema) throws {
    for name in names {
      try connection.execute(
        """
        INSERT INTO \(identifier: Self.table) (entity, place, name, type) \
        VALUES (\(schema.entity), \(Int32.max), \(name), \(Self.untyped))
        """)
    }
  }

  /// Returns the names as text: "column a" or "columns a, b".
  static func list(_ names: [String]) -> String {
    (names.count == 1 ? "column " : "columns ") + names.joined(separator: ", ")
  }

  private var text: String { connection.columnType(for: .text) }

  /// Returns the error for an existing table that is not in the catalog. Databases may treat names that differ only in case as equal.
  private func foreignTable(_ entity: String) throws -> StoreError {
    let kind = try connection.tableExists(entity) ? "table" : "view"
    var reason = "the \(kind) \(entity) exists already, but was not created by a store"
    if try connection.tableExists(Self.table) {
      try connection.query("SELECT DISTINCT entity FROM \(identifier: Self.table)") { row in
        guard let name = try row.text(at: 0), name.lowercased() == entity.lowercased() else { return .goOn }
        reason = "the database does not distinguish the name \(entity) from that of the table \(name)"
        return .stop
      }
    }
    return StoreError(code: .schemaMismatch, reason: reason)
  }

  static let ownEntities: Set<String> = [
    "anvil_pulls", "anvil_pull_leases", "anvil_pull_rounds", "anvil_limits", "anvil_tokens",
  ]

  private func checkName(of entity: String) throws(StoreError) {
    func reserved(_ prefix: String, for owner: String) -> StoreError {
      StoreError(
        code: .invalidStatement,
        reason:
          "\(entity) cannot be the name of an entity: names that begin with \(prefix) are reserved for the \(owner)")
    }
    let name = entity.foldedName
    guard !name.hasPrefix(Self.reservedPrefix) || Self.ownEntities.contains(entity) else {
      throw reserved(Self.reservedPrefix, for: "store")
    }
    if let prefix = connection.reservedTablePrefix, name.hasPrefix(prefix) { throw reserved(prefix, for: "database") }
  }

  /// Checks that the database distinguishes the names of the columns, including those that will be added when their types are known.
  private func checkNames(of schema: EntitySchema) throws(StoreError) {
    guard connection.ignoresCaseOfNames, let (first, second) = schema.namesThatDifferByCase else { return }
    throw indistinct(first, second, in: schema)
  }

  private func indistinct(_ first: String, _ second: String, in schema: EntitySchema) -> StoreError {
    StoreError(
      code: .schemaMismatch,
      reason: """
        the database does not distinguish the columns \(first) and \(second) of \(schema.entity): give one of them another \
        name
        """)
  }

  private func definition(
    of column: EntitySchema.Column, _ defaultValue: StoreValue?, _ targets: (String) throws -> EntitySchema?
  ) throws -> String {
    guard column.name.lowercased() != EntitySchema.orderColumn else {
      throw StoreError(
        code: .invalidStatement, reason: "\(column.name) cannot be an attribute: the name is reserved by the store")
    }
    var definition = "\(try connection.quoted(column.name)) \(connection.columnType(for: column.type))"
    if let defaultValue, column.reference == nil {
      definition += " DEFAULT \(connection.literal(defaultValue, as: column.type))"
    }
    guard case .one(let entity) = column.reference, let target = try targets(entity), target.keyNames.count == 1 else {
      return definition
    }
    // Checked when the transaction ends, so that rows may be written and removed in any order.
    return """
      \(definition) REFERENCES \(try connection.quoted(entity)) (\(try connection.quoted(target.keyNames[0]))) \
      DEFERRABLE INITIALLY DEFERRED
      """
  }

  /// Creates an index if the column has references. The index of references to one row is also used to find those to a row that is removed.
  func index(_ column: EntitySchema.Column, of schema: EntitySchema) throws {
    switch column.reference {
    case nil: return
    case .one: if column.type == .json { return }
    case .many: break
    }
    try createIndex(on: column, of: schema)
  }

  /// Creates an index on a column: of its values, or of the elements of its arrays.
  func createIndex(on column: EntitySchema.Column, of schema: EntitySchema) throws {
    guard column.type != .json else {
      return try connection.createElementIndex(
        of: column.name, in: schema.entity,
        keys: schema.orderNames.map { RowWriting.Column($0, schema.column(named: $0)?.type ?? .integer) })
    }
    // PostgreSQL chooses the name. SQLite requires one, which is unique among the indices of all tables.
    try connection.run(
      """
      CREATE INDEX \(try connection.indexName(entity: schema.entity, column: column.name)) \
      ON \(try connection.quoted(schema.entity)) (\(try indexed(column.name, in: schema)))
      """)
  }

  func create(_ index: StoreMigration.Index, of schema: EntitySchema) throws {
    if index.columns.count == 1, !index.isUnique, let column = schema.column(named: index.columns[0]),
      column.type == .json
    {
      return try createIndex(on: column, of: schema)
    }
    let entity = schema.entity
    let columns = try index.columns.map { try indexed($0, in: schema) }.joined(separator: ", ")
    try connection.run(
      """
      CREATE \(index.isUnique ? "UNIQUE INDEX" : "INDEX") \
      \(try connection.indexName(entity: entity, column: index.name)) \
      ON \(try connection.quoted(entity)) (\(columns))
      """)
  }

  /// Returns a column in an index that serves conditions and orders. The columns of the key are never null.
  private func indexed(_ column: String, in schema: EntitySchema) throws -> String {
    try connection.quoted(column) + (schema.orderNames.contains(column) ? "" : connection.nullsFirstInIndex)
  }

  private func note(_ columns: [EntitySchema.Column], of schema: EntitySchema, from first: Int) throws {
    for (offset, column) in columns.enumerated() {
      let (reference, target): (String?, String?) =
        switch column.reference {
        case nil: (nil, nil)
        case .one(let entity): ("one", entity)
        case .many(let entity): ("many", entity)
        }
      try connection.execute(
        """
        INSERT INTO \(identifier: Self.table) (entity, place, name, type, reference, target, key_place) \
        VALUES (\(schema.entity), \(first + offset), \(column.name), \(column.type.rawValue), \(reference), \(target), \
        \(schema.keyNames.firstIndex(of: column.name)))
        """)
    }
  }

  private static func column(
    _ name: String, in row: borrowing StoreRow, of entity: String
  ) throws -> EntitySchema.Column {
    let type = try row.text(at: 1) ?? ""
    guard let type = StoredType(rawValue: type) else {
      throw StoreError(
        code: .unsupported, reason: "\(entity).\(name) has the stored type \(type), which this version does not support"
      )
    }
    let reference: EntityReference? =
      switch (try row.text(at: 2), try row.text(at: 3)) {
      case ("one", let target?): .one(entity: target)
      case ("many", let target?): .many(entity: target)
      default: nil
      }
    return EntitySchema.Column(name: name, type: type, reference: reference)
  }
}

extension StoreColumn {
  fileprivate var isRequired: Bool { isNotNull && !hasDefault && primaryKeyPosition == nil }
}

/// The part of an entity's table that the database has lost, because another program has changed it.
package struct TableLoss: Hashable, Sendable, CustomStringConvertible {
  package let entity: String
  /// The names of the lost columns; `nil` if the whole table is lost.
  let columns: [String]?

  package var isWholeTable: Bool { columns == nil }

  /// The loss in words: `the table Member no longer exists`.
  package var description: String {
    guard let columns else { return "the table \(entity) no longer exists" }
    return "the table \(entity) no longer has the \(SchemaCatalog.list(columns))"
  }
}

/// Detection of tables and columns that the catalog describes but the database has lost.
extension SchemaCatalog {
  /// Returns the part of the entity's table that the database has lost; `nil` if it has lost nothing, or never had the table.
  func loss(of entity: String) throws -> TableLoss? {
    guard let schema = try recordedSchema(of: entity) else { return nil }
    return loss(of: schema, in: try connection.columns(ofTable: entity))
  }

  func loss(of schema: EntitySchema, in table: [StoreColumn]) -> TableLoss? {
    guard !table.isEmpty else { return TableLoss(entity: schema.entity, columns: nil) }
    let present = Set(table.map(\.name))
    let lost = schema.columns.map(\.name).filter { !present.contains($0) }
    return lost.isEmpty ? nil : TableLoss(entity: schema.entity, columns: lost)
  }

  /// Removes the lost part from the catalog, so that it is created again when it is needed. A lost column is recorded as an attribute
  /// without a type: all of its values are null.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when a column of the key is lost: without it, rows cannot be identified.
  func forget(_ loss: TableLoss) throws {
    guard let columns = loss.columns else {
      try connection.execute("DELETE FROM \(identifier: Self.table) WHERE entity = \(loss.entity)")
      return try connection.advanceSchemaVersion()
    }
    for name in columns {
      guard let schema = try recordedSchema(of: loss.entity) else { return }
      guard !schema.keyNames.contains(name) else {
        throw StoreError(
          code: .schemaMismatch,
          reason: "the table \(loss.entity) no longer has the key column \(name): drop the table to begin again")
      }
      try remove(name, in: schema)
      try noteUntyped([name], of: schema)
    }
  }
}

/// Changes to the catalog that migrations make.
extension SchemaCatalog {
  func rename(_ name: String, to newName: String, in schema: EntitySchema) throws {
    try connection.execute(
      "UPDATE \(identifier: Self.table) SET name = \(newName) WHERE entity = \(schema.entity) AND name = \(name)")
    try connection.advanceSchemaVersion()
  }

  private func removeRow(of name: String, in schema: EntitySchema) throws {
    try connection.execute(
      "DELETE FROM \(identifier: Self.table) WHERE entity = \(schema.entity) AND name = \(name)")
  }

  func remove(_ name: String, in schema: EntitySchema) throws {
    try removeRow(of: name, in: schema)
    try connection.advanceSchemaVersion()
    guard let place = schema.columns.firstIndex(where: { $0.name == name }) else { return }
    // Places stay consecutive: the next column takes the number of columns for its place.
    for (index, column) in schema.columns.enumerated() where index > place {
      try connection.execute(
        """
        UPDATE \(identifier: Self.table) SET place = \(index - 1) WHERE entity = \(schema.entity) AND name = \(column.name)
        """)
    }
  }
}
