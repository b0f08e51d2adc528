/// The part of an entity's table that the database has lost, because another program has changed it.
package struct TableLoss: Hashable, Sendable, CustomStringConvertible {
  /// The entity whose table is affected.
  package let entity: String
  /// The names of the lost columns; `nil` if the whole table is lost.
  let columns: [String]?

  /// A Boolean value that indicates whether the whole table is lost.
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
      try connection.run(
        "DELETE FROM \(try connection.quoted(Self.table)) WHERE entity = \(connection.placeholder(1))",
        [.text(loss.entity)])
      return
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

/// Tables that other programs have dropped or changed.
extension StoreTransaction {
  /// Returns the part of the entity's table that the database has lost; `nil` if nothing is lost.
  package func loss(of entity: String) throws -> TableLoss? {
    try SchemaCatalog(connection: connection).loss(of: entity)
  }

  /// Removes the lost part of the entity's table from the catalog, and returns it. The next transaction that needs the part creates it
  /// again. The remaining rows are kept.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a lost column of the key.
  package func restore(_ entity: String) throws -> TableLoss? {
    try requireWriting()
    guard try loss(of: entity) != nil else { return nil }
    try lockTables([entity])
    guard let loss = try loss(of: entity) else { return nil }
    try attempt { try SchemaCatalog(connection: connection).forget(loss) }
    schemas.removeAll()
    return loss
  }
}
