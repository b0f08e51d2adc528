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
        pool: backend.writerCount == 1 ? writers : SessionPool(limit: 1, makeSession: makeSession),
        isSessionShared: backend.writerCount == 1)
      : nil
    // A read transaction does not wait for writers.
    let count = try await read { transaction in
      migrations.isEmpty ? 0 : try Migrator(tables: transaction.tables).appliedCount(of: migrations)
    }
    guard count < migrations.count else { return }
    try await perform { transaction in
      try Migrator(tables: transaction.tables).apply(migrations)
      transaction.rows.noteAnyChange()
    }
  }

  deinit {
    observers.close()
  }

  /// Writes a copy of the database, as it is at one moment, to a new file. Readers and writers go on meanwhile.
  ///
  /// The copy contains committed rows only, without the space that deleted rows had used. It is complete when the call returns; after
  /// another error than `cannotOpen`, remove the file.
  ///
  /// - Parameter path: The path of a file that does not exist yet, in a folder that exists.
  /// - Throws: ``StoreError``: ``StoreError/Code/cannotOpen`` if the file exists, ``StoreError/Code/unsupported`` on PostgreSQL, for which
  ///   `pg_dump` is the tool, and others, such as for a full disk; `CancellationError`.
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

/// A database at one location, and the way to open connections to it.
package protocol StoreBackend: Sendable {
  /// The kind and the location of the database, without credentials; safe to log.
  var description: String { get }

  /// The maximum number of connections that write at the same time; at least 1.
  var writerCount: Int { get }

  /// The maximum number of additional connections for reading; 0 if readers share the connections for writing.
  var readerCount: Int { get }

  /// A Boolean value that indicates whether other stores and processes can use the database at the same time.
  var isShared: Bool { get }

  /// Returns a function that opens the connections of one store. It is called on the thread on which the connection is used.
  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection
}

extension StoreBackend {
  package var isShared: Bool { true }
}

/// Reading and writing models. Each call runs in a separate transaction.
extension Store {
  /// Returns the models that match `condition`.
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be decoded as the model; ``StoreError``; `CancellationError`.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await read { transaction in
      try transaction.fetch(type, where: condition, orderedBy: orders, limit: limit, offset: offset)
    }
  }

  /// Returns the model whose match keys have these values, which are in the order of the keys. Returns `nil` if the model is not stored.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, key: some StoredValue, _ others: any StoredValue...
  ) async throws -> Model? where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.rows.fetch(type, keys: [key] + others) }
  }

  /// Returns the number of rows that match `condition`.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.count(type, where: condition) }
  }

  /// Removes the row that has the model's match keys. Returns `true` if there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> Bool where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(model) }
  }

  /// Removes the rows that match `condition`; with ``StoreCondition/all``, all rows of the model. Returns the number of removed rows.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model>
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(type, where: condition) }
  }

  /// Stores the models in one transaction. Rows with the same match keys are updated; the other models are inserted.
  ///
  /// Rows that already have the same values are not written. Of several models with the same match keys, the last one is stored. If there
  /// are rules, all of them are stored, one after the other.
  ///
  /// - Parameters:
  ///   - models: The models, of one type.
  ///   - rules: Rules for rows that exist. They take precedence over those of the model.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ models: some Sequence<Model> & Sendable, rules: [ConflictRule] = []
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let models = Array(models)
    do {
      return try await perform { transaction in try transaction.rows.store(models, rules: rules, writing: .early) }
    } catch is CollectedRows.OutOfOrder {
      return try await perform { transaction in try transaction.rows.store(models, rules: rules) }
    }
  }

  /// Stores the model: updates the row that has its match keys, or inserts a new row.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.save(model) }
  }

  /// Returns a sequence of the models that match `condition`. It reads them page by page, so that results may be larger than memory.
  ///
  ///     for try await user in store.stream(User.self, where: \.age >= 18) { … }
  ///
  /// Each page of `pageSize` models is read when it is needed. Nothing in the database is locked between two pages. The sequence may or may
  /// not reflect rows that are inserted, changed or deleted after the current position. No row is returned twice unless its position in the
  /// order changes, and no row that keeps its position is left out.
  public func stream<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    pageSize: Int = 500
  ) -> StoreSequence<Model> where Model.Context == StoreTransaction {
    let query = StoreQuery(condition, orders, limit: max(pageSize, 1))
    return StoreSequence {
      var next: StoreQuery? = query
      return {
        guard let query = next else { return nil }
        let page = try await self.read { transaction in try transaction.rows.page(type, query) }
        next = page.next == nil ? nil : query
        next?.position = page.next
        return page.models
      }
    }
  }
}

/// A sequence whose elements are read from a store, as `stream`, `values` and `changes` of ``Store`` return it. It can be iterated any number of
/// times, from the beginning each time.
public struct StoreSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Returns a function that returns the next elements, or none of them yet, and `nil` at the end.
  let makePages: @Sendable () -> () async throws -> [Element]?

  /// Returns an iterator that starts at the first element.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextPage: makePages()) }

  /// An iterator of the elements, in their order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let nextPage: () async throws -> [Element]?
    private var page: ArraySlice<Element> = []
    private var isAtEnd = false

    fileprivate init(nextPage: @escaping () async throws -> [Element]?) { self.nextPage = nextPage }

    /// Returns the next element; `nil` at the end and after an error.
    ///
    /// - Throws: The same errors as `fetch`.
    public mutating func next() async throws -> Element? {
      while page.isEmpty {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        guard let next = try await nextPage() else { return nil }
        (page, isAtEnd) = (next[...], false)
      }
      return page.popFirst()
    }
  }

  /// Returns the result of `body`; `nil` if the store was closed or the task cancelled.
  static func untilClosed<Result>(_ body: () async throws -> Result?) async throws -> Result? {
    do {
      return try await body()
    } catch let error as StoreError where error.code == .closed {
      return nil
    } catch is CancellationError {
      return nil
    }
  }
}
