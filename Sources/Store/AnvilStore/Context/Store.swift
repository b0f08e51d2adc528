/// A database of models. Its functions read and write models in transactions; reads run at the same time as writes.
///
///     let store = try await Store(.sqlite(path: "users.db"))
///     try await store.perform { transaction in
///       try User.createOrUpdate(in: transaction, from: decoder)
///     }
///     let adults = try await store.fetch(User.self, where: \.age >= 18)
///
/// All functions are asynchronous, and each call is a separate transaction. The ``StoreTransaction`` that `perform` and `read` pass to
/// their body has the same functions without `async`, as parts of one transaction.
///
/// All work runs on threads that the store owns, so that no call blocks a thread of the cooperative pool. When a task is cancelled, its
/// statement is interrupted, its transaction is rolled back, and the call throws `CancellationError`.
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

  private let name: String
  private let writers: SessionPool
  private let readers: SessionPool
  /// A random identifier of this store, which differs from those of other stores with the same database.
  let identifier = String(UInt64.random(in: .min ... .max), radix: 16)
  let observers = ObserverList()
  /// The detector of changes by other stores; `nil` if only this store can use the database.
  let foreignChanges: ForeignChanges?

  /// The migrations that the program knows.
  let migrations: [StoreMigration]

  /// The store itself, as the context of models.
  public var context: Store { self }

  /// Opens the database, and creates it if it does not exist and the backend is able to.
  ///
  /// - Parameters:
  ///   - location: The kind and the location of the database.
  ///   - migrations: All migrations of the program so far, in order. Those that were not yet applied to the database are applied in one
  ///     transaction: all of them, or none if one fails. Other stores of the same database wait during this time.
  /// - Throws: ``StoreError`` when the database cannot be opened; ``StoreError/Code/schemaMismatch`` when the applied migrations differ
  ///   from `migrations`, or a migration cannot be applied; ``StoreError/Code/invalidValue`` when a value cannot be converted.
  public init(_ location: Location, migrations: [StoreMigration] = []) async throws {
    let backend = location.backend
    name = backend.description
    self.migrations = migrations
    let connect = backend.connector()
    let makeSession = { @Sendable () throws(StoreError) -> StoreSession in try StoreSession(connect: connect) }
    writers = SessionPool(limit: backend.writerCount, makeSession: makeSession)
    readers =
      backend.readerCount > 0 ? SessionPool(limit: backend.readerCount, makeSession: makeSession) : writers
    foreignChanges =
      backend.isShared
      ? ForeignChanges(
        store: identifier, observers: observers,
        pool: backend.writerCount == 1 ? writers : SessionPool(limit: 1, makeSession: makeSession))
      : nil
    // A read transaction does not wait for writers.
    let count = try await read { transaction in
      migrations.isEmpty ? 0 : try transaction.appliedCount(of: migrations)
    }
    guard count < migrations.count else { return }
    try await perform { transaction in try transaction.migrate(migrations) }
  }

  deinit {
    observers.close()
  }

  /// Writes a copy of the database, as it is at one moment, to a new file. Readers and writers go on meanwhile.
  ///
  /// The copy contains committed rows only, without the space that deleted rows had used. It is complete when the call returns; after an
  /// error, remove the file.
  ///
  /// - Parameter path: The path of a file that does not exist yet, in a folder that exists.
  /// - Throws: ``StoreError``, also when the file exists or the disk is full; ``StoreError/Code/unsupported`` on PostgreSQL, for which
  ///   `pg_dump` is the tool; `CancellationError`.
  public func backUp(to path: String) async throws {
    let session = try await readers.take()
    defer { readers.giveBack(session) }
    try await session.backUp(to: path)
  }

  /// Closes all connections after the running calls have finished. Later calls throw ``StoreError/Code/closed``.
  ///
  /// Without a call to `close`, the connections are closed some time after the last reference to the store is released.
  public func close() async {
    await foreignChanges?.close()
    await writers.close()
    if readers !== writers { await readers.close() }
    observers.close()
  }
}

/// Transactions.
extension Store {
  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// `body` runs on a thread of the store. It is run again from the beginning when a concurrent transaction changed data that this one had
  /// read, when the connection was lost before the commit, and, on PostgreSQL, when the transaction needs a new table or column, which is
  /// created at its beginning. Side effects of `body` must therefore be safe to repeat.
  ///
  /// When a statement fails, the whole transaction fails with its error, even if `body` catches the error and continues. To recover from a
  /// failing statement, run it in a nested `perform`.
  ///
  /// - Returns: The result of `body`, after the commit.
  /// - Throws: The error that `body` throws; ``StoreError``; `CancellationError` when the task was cancelled before the commit.
  @discardableResult
  public func perform<Result: Sendable>(
    _ body: sending @escaping (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transact(.writing, body)
  }

  /// Runs `body` in a read-only transaction. All its reads see the database as it was at one moment.
  ///
  /// Readers and writers do not wait for each other. The exceptions are a SQLite database in memory or on a file system without shared
  /// memory, and a PostgreSQL table whose columns are being changed.
  ///
  /// - Throws: The error that `body` throws; ``StoreError``; `CancellationError`.
  public func read<Result: Sendable>(
    _ body: sending @escaping (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transact(.reading, body)
  }

  private func transact<Result: Sendable>(
    _ kind: StoreTransaction.Kind, _ body: sending @escaping (StoreTransaction) throws -> Result
  ) async throws -> Result {
    let pool = kind == .writing ? writers : readers
    let session = try await pool.take()
    defer { pool.giveBack(session) }
    return try await session.transact(kind, on: self, body)
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
