/// The records of columns that migrations change.
extension SchemaCatalog {
  private var attributes: String { get throws(StoreError) { try connection.quoted(Self.table) } }

  func rename(_ name: String, to newName: String, in schema: EntitySchema) throws {
    try connection.run(
      """
      UPDATE \(try attributes) SET name = \(connection.placeholder(1)) \
      WHERE entity = \(connection.placeholder(2)) AND name = \(connection.placeholder(3))
      """, [.text(newName), .text(schema.entity), .text(name)])
  }

  func remove(_ name: String, in schema: EntitySchema) throws {
    try connection.run(
      """
      DELETE FROM \(try attributes) WHERE entity = \(connection.placeholder(1)) AND name = \(connection.placeholder(2))
      """, [.text(schema.entity), .text(name)])
    guard let place = schema.columns.firstIndex(where: { $0.name == name }) else { return }
    // Places stay consecutive: the next column takes the number of columns for its place.
    for (index, column) in schema.columns.enumerated() where index > place {
      try connection.run(
        """
        UPDATE \(try attributes) SET place = \(connection.placeholder(1)) \
        WHERE entity = \(connection.placeholder(2)) AND name = \(connection.placeholder(3))
        """, [.integer(Int64(index - 1)), .text(schema.entity), .text(column.name)])
    }
  }

  /// Drops the index that the store has created for a reference, where its name contains the column's.
  func dropIndex(of column: EntitySchema.Column, in schema: EntitySchema) throws {
    guard let name = try indexName(of: column, in: schema) else { return }
    try connection.run("DROP INDEX IF EXISTS \(name)")
  }

  /// Creates the index again under the name of the renamed column.
  func restoreIndex(of column: EntitySchema.Column, in schema: EntitySchema) throws {
    guard try indexName(of: column, in: schema) != nil else { return }
    try index(column, of: schema.entity)
  }

  private func indexName(of column: EntitySchema.Column, in schema: EntitySchema) throws -> String? {
    guard case .one = column.reference, column.type != .json else { return nil }
    let name = try connection.indexName(entity: schema.entity, column: column.name)
    return name.isEmpty ? nil : name
  }
}
