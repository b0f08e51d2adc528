/// The tables of the database, as a transaction has read them from the catalog.
///
/// A session keeps the tables from one transaction to the next. They are valid as long as the schema of the database has the version that it
/// had when they were read: then no program has changed a table or the catalog. A database without versions of the schema is read by each
/// transaction.
struct KnownTables {
  /// The tables by entity; `nil` for those that do not exist.
  private var tables: [String: EntitySchema?] = [:]
  /// The version of the schema that all ``tables`` belong to; `nil` if the tables are only known to this transaction, which may have changed
  /// them.
  private(set) var version: Int64?
  /// True if the version was compared with that of the database in this transaction.
  private var isCurrent = false
  let plan: SchemaPlan

  init(after former: KnownTables? = nil, plan: SchemaPlan = SchemaPlan()) {
    self.plan = plan
    if let former, former.version != nil { (tables, version) = (former.tables, former.version) }
  }

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
    let table = try SchemaCatalog(connection: connection).schema(of: entity)
    tables[entity] = .some(table)
    return table
  }

  /// Sets the table of an entity, which this transaction has changed.
  mutating func note(_ table: EntitySchema, of entity: String) {
    if tables[entity] == .some(.some(table)) { return }
    tables[entity] = .some(table)
    (version, isCurrent) = (nil, true)
  }

  /// Discards all tables, because this transaction changes them, or has waited for another transaction that may have.
  mutating func forget() {
    tables.removeAll()
    (version, isCurrent) = (nil, true)
  }
}
