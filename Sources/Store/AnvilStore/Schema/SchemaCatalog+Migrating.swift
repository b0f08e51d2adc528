/// Changes to the catalog that migrations make.
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
}
