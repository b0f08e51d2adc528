internal import Synchronization

/// The models of a store. It runs transactions that write, and reads at the same time.
///
///     try await context.perform { transaction in
///       try User.createOrUpdate(in: transaction, from: decoder)
///     }
///     let adults = try await context.fetch(User.self, where: StoreAttribute("age") >= 18)
///
/// All functions are asynchronous, and each call is a separate transaction. The ``StoreTransaction`` that `perform` and `read` pass to
/// their body has the same functions without `async`, as parts of one transaction.
///
/// All work runs on threads that the store owns, so that no call blocks a thread of the cooperative pool. When a task is cancelled, its
/// statement is interrupted, its transaction is rolled back, and the call throws `CancellationError`.
public final class StoreContext: Sendable {
  private let writers: SessionPool
  private let readers: SessionPool
  private let observers = Mutex(Observers())

  /// The number of migrations that the program knows.
  let migrationCount: Int

  init(backend: any StoreBackend, migrationCount: Int) {
    self.migrationCount = migrationCount
    let connect = backend.connector()
    let makeSession = { @Sendable () throws(StoreError) -> StoreSession in try StoreSession(connect: connect) }
    writers = SessionPool(limit: backend.writerCount, makeSession: makeSession)
    readers =
      backend.readerCount > 0 ? SessionPool(limit: backend.readerCount, makeSession: makeSession) : writers
  }

  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// `body` runs on a thread of the store. It is run again from the beginning when a concurrent transaction changed data that this one had
  /// read, or when the connection was lost before the commit. Side effects of `body` must therefore be safe to repeat.
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
  /// Readers and writers do not wait for each other, except in a database in memory.
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
    await writers.close()
    if readers !== writers { await readers.close() }
    finishObservers()
  }

  deinit {
    finishObservers()
  }

  private func finishObservers() {
    observers.withLock { $0.close() }.forEach { $0.finish() }
  }
}

/// Observing changes.
extension StoreContext {
  /// Returns a sequence with one element for each later transaction of this store that changes rows of the model's entity.
  ///
  /// Elements arrive after the commit. With several connections that write, the elements of transactions that commit at about the same time
  /// may arrive in any order.
  ///
  /// Changes by other stores and other processes are not reported. The sequence ends when the store is closed or released. Elements are
  /// buffered without limit for slow readers.
  public func changes<Model: ManagedDecodable>(of type: Model.Type) -> AsyncStream<StoreChanges.Counts> {
    changes(of: Model.entityName)
  }

  private func changes(of entity: String) -> AsyncStream<StoreChanges.Counts> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChanges.Counts.self)
    guard let id = observers.withLock({ $0.add(continuation, to: entity) }) else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.observers.withLock { $0.remove(id) } }
    return stream
  }

  func publish(_ changes: [String: StoreChanges.Counts]) {
    let changed = changes.filter { !$0.value.isEmpty }
    guard !changed.isEmpty else { return }
    // Inside the lock, so that elements arrive in the order of the commits.
    observers.withLock { observers in
      for (entity, counts) in changed { observers.tell(entity, counts) }
    }
  }
}

/// The continuations of observers, by entity.
private struct Observers {
  typealias Continuation = AsyncStream<StoreChanges.Counts>.Continuation

  private var byID: [UInt64: (entity: String, continuation: Continuation)] = [:]
  private var nextID: UInt64 = 0

  private var isClosed = false

  /// Returns the observer's number; `nil` after the store was closed.
  mutating func add(_ continuation: Continuation, to entity: String) -> UInt64? {
    guard !isClosed else { return nil }
    nextID &+= 1
    byID[nextID] = (entity, continuation)
    return nextID
  }

  mutating func remove(_ id: UInt64) {
    byID[id] = nil
  }

  mutating func close() -> [Continuation] {
    isClosed = true
    defer { byID = [:] }
    return byID.values.map(\.continuation)
  }

  func tell(_ entity: String, _ counts: StoreChanges.Counts) {
    for observer in byID.values where observer.entity == entity { observer.continuation.yield(counts) }
  }
}
