/// The models of a store. Its functions read and write models in transactions; reads run at the same time as writes.
///
///     try await context.perform { transaction in
///       try User.createOrUpdate(in: transaction, from: decoder)
///     }
///     let adults = try await context.fetch(User.self, where: \.age >= 18)
///
/// All functions are asynchronous, and each call is a separate transaction. The ``StoreTransaction`` that `perform` and `read` pass to
/// their body has the same functions without `async`, as parts of one transaction.
///
/// All work runs on threads that the store owns, so that no call blocks a thread of the cooperative pool. When a task is cancelled, its
/// statement is interrupted, its transaction is rolled back, and the call throws `CancellationError`.
public final class StoreContext: Sendable {
  private let writers: SessionPool
  private let readers: SessionPool
  /// A random identifier of this store, which differs from those of other stores with the same database.
  let identifier = String(UInt64.random(in: .min ... .max), radix: 16)
  let observers = ObserverList()
  /// The detector of changes by other stores; `nil` if only this store can use the database.
  let foreignChanges: ForeignChanges?

  /// The number of migrations that the program knows.
  let migrationCount: Int

  init(backend: any StoreBackend, migrationCount: Int) {
    self.migrationCount = migrationCount
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
  }

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

  func close() async {
    await foreignChanges?.close()
    await writers.close()
    if readers !== writers { await readers.close() }
    observers.close()
  }

  deinit {
    observers.close()
  }
}
