/// A database of models.
///
///     let store = try await Store(.sqlite(path: "users.db"))
///     let users = try await store.context.fetch(User.self)
///
/// What a store keeps is the database's, in plain tables: other programs may read them. Which tables are the store's, and how
/// attributes are stored, stands in the table `anvil_attributes`.
public final class Store: Sendable {
  /// Which database, and where.
  ///
  /// Made by the modules of the backends: `.sqlite(path:)` and `.inMemory` by `AnvilSQLite`, `.postgres(_:)` by `AnvilPostgres`.
  public struct Location: Sendable {
    package let backend: any StoreBackend

    package init(_ backend: any StoreBackend) {
      self.backend = backend
    }
  }

  /// Where the models are kept.
  public let context: StoreContext
  private let name: String

  /// Opens the database, and makes it where there is none and the backend can.
  ///
  /// - Throws: ``StoreError`` when it cannot be opened.
  public init(_ location: Location) async throws {
    context = StoreContext(backend: location.backend)
    name = location.backend.description
    // Who only reads waits for nobody who writes.
    try await context.read { _ in }
  }

  /// Waits for what has begun, refuses what comes later with ``StoreError/Code/closed``, and ends all connections.
  ///
  /// A store that nobody holds any more ends its connections itself, at some moment.
  public func close() async {
    await context.close()
  }
}

extension Store: CustomStringConvertible {
  /// The kind of the database and its place, without credentials.
  public var description: String { name }
}
