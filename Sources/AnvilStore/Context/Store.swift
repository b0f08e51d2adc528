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
  /// - Throws: ``StoreError`` when it cannot be opened.
  public init(_ location: Location) async throws {
    context = StoreContext(backend: location.backend)
    name = location.backend.description
    // A read transaction does not wait for writers.
    try await context.read { _ in }
  }

  /// Closes all connections after the running calls have finished. Later calls throw ``StoreError/Code/closed``.
  ///
  /// Without a call to `close`, the connections are closed some time after the last reference to the store is released.
  public func close() async {
    await context.close()
  }
}

extension Store: CustomStringConvertible {
  /// The kind and the location of the database, without credentials.
  public var description: String { name }
}
