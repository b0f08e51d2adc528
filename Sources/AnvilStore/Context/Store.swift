/// A database of models.
///
///     let store = try await Store(.sqlite(path: "users.db"))
///     let users = try await store.context.fetch(User.self)
///
/// A store keeps its models in plain tables that other programs can read. The table `anvil_attributes` lists the store's tables and how
/// each attribute is stored.
public final class Store: Sendable {
  /// The kind and the location of a database.
  ///
  /// The backend modules provide the values: `.sqlite(path:)` and `.inMemory` come from `AnvilSQLite`, `.postgres(_:)` from
  /// `AnvilPostgres`.
  public struct Location: Sendable {
    package let backend: any StoreBackend

    package init(_ backend: any StoreBackend) {
      self.backend = backend
    }
  }

  /// The context that reads and writes the models.
  public let context: StoreContext
  private let name: String

  /// Opens the database, and creates it if it does not exist and the backend is able to.
  ///
  /// - Parameters:
  ///   - location: The kind and the location of the database.
  ///   - migrations: All migrations of the program so far, in order. Those that were not yet applied to the database are applied in one
  ///     transaction: all of them, or none if one fails. Other stores of the same database wait during this time.
  /// - Throws: ``StoreError`` when the database cannot be opened; ``StoreError/Code/schemaMismatch`` when the applied migrations differ
  ///   from `migrations`, or a migration cannot be applied; ``StoreError/Code/invalidValue`` when a value cannot be converted.
  public init(_ location: Location, migrations: [StoreMigration] = []) async throws {
    context = StoreContext(backend: location.backend, migrationCount: migrations.count)
    name = location.backend.description
    // A read transaction does not wait for writers.
    let count = try await context.read { transaction in
      migrations.isEmpty ? 0 : try transaction.appliedCount(of: migrations)
    }
    guard count < migrations.count else { return }
    try await context.perform { transaction in try transaction.migrate(migrations) }
  }

  /// Closes all connections after the running calls have finished. Later calls throw ``StoreError/Code/closed``.
  ///
  /// Without a call to `close`, the connections are closed some time after the last reference to the store is released.
  public func close() async {
    await context.close()
  }
}

extension Store.Location: CustomStringConvertible, CustomReflectable {
  /// The kind and the location of the database, without credentials.
  public var description: String { backend.description }

  /// No children. The properties of a location contain passwords.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Store: CustomStringConvertible {
  /// The kind and the location of the database, without credentials.
  public var description: String { name }
}
