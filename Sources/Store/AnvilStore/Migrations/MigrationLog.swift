#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The migrations that were applied to a database, stored in one of its tables.
struct MigrationLog {
  static let table = "anvil_migrations"

  let connection: any StoreConnection

  /// Returns the descriptions of the migrations, in the order in which they were applied.
  func steps() throws -> [String] {
    guard try connection.tableExists(Self.table) else { return [] }
    var steps: [String] = []
    try connection.query("SELECT step FROM \(try connection.quoted(Self.table)) ORDER BY place", []) { row in
      steps.append(try row.text(at: 0) ?? "")
      return .goOn
    }
    return steps
  }

  /// Creates the table if it does not exist. The caller must hold its lock.
  func create() throws {
    let (text, integer) = (connection.columnType(for: .text), connection.columnType(for: .integer))
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(try connection.quoted(Self.table)) (\
      place \(integer) NOT NULL PRIMARY KEY, step \(text) NOT NULL, entity \(text), removed \(text), \
      applied \(connection.columnType(for: .date)) NOT NULL)
      """)
  }

  func append(_ migration: StoreMigration, at place: Int) throws {
    let placeholders = (1...5).map(connection.placeholder).joined(separator: ", ")
    try connection.run(
      """
      INSERT INTO \(try connection.quoted(Self.table)) (place, step, entity, removed, applied) VALUES (\(placeholders))
      """,
      [
        .integer(Int64(place)), .text(migration.description), migration.entity.map(StoreValue.text) ?? .null,
        migration.removedColumn.map(StoreValue.text) ?? .null, .real(Date().timeIntervalSinceReferenceDate),
      ])
  }

  /// Checks that no later migration has removed one of the columns.
  ///
  /// - Parameter count: The number of migrations that the program knows.
  /// - Throws: ``StoreError/Code/schemaMismatch`` if a later migration has removed one. Newer programs would not find the values that this
  ///   program stores in the column.
  func requirePresence(of columns: Set<String>, in entity: String, knownMigrations count: Int) throws {
    guard !columns.isEmpty, try connection.tableExists(Self.table) else { return }
    let sql = """
      SELECT place, step, removed FROM \(try connection.quoted(Self.table)) \
      WHERE entity = \(connection.placeholder(1)) AND place >= \(connection.placeholder(2)) AND removed IS NOT NULL
      """
    try connection.query(sql, [.text(entity), .integer(Int64(count))]) { row in
      guard let removed = try row.text(at: 2), columns.contains(removed) else { return .goOn }
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "\(entity) no longer has the column \(removed): a newer program has applied the migration “\(try row.text(at: 1) ?? "")”"
      )
    }
  }
}
