internal import Synchronization

/// The models of a store: runs transactions, and reads beside them.
///
///     try await context.perform { transaction in
///       try User.createOrUpdate(in: transaction, from: decoder)
///     }
///     let adults = try await context.fetch(User.self, where: StoreAttribute("age") >= 18)
///
/// All functions are asynchronous, and each call is a transaction of its own. The ``StoreTransaction`` that `perform` and `read`
/// pass to their body has the same functions without `async`, as parts of one transaction.
///
/// All work runs on threads that the store owns, and no blocking call on those of the concurrency pool. When a task is cancelled,
/// its statement is interrupted, its transaction rolled back, and the call throws `CancellationError`.
public final class StoreContext: Sendable {
  private let writers: SessionPool
  private let readers: SessionPool
  private let observers = Mutex(Observers())

  init(backend: any StoreBackend) {
    let connect = backend.connector()
    let makeSession = { @Sendable () throws(StoreError) -> StoreSession in try StoreSession(connect: connect) }
    writers = SessionPool(limit: backend.writerCount, makeSession: makeSession)
    readers =
      backend.readerCount > 0 ? SessionPool(limit: backend.readerCount, makeSession: makeSession) : writers
  }

  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// `body` runs on a thread of the store. It is run anew, from its beginning, when another process's transaction was first to change what this one had read, or when the
  /// connection was lost before the commit: what it does besides has to bear that.
  ///
  /// A statement that fails makes the whole transaction fail with its error, also when `body` goes on: what may fail belongs in a
  /// nested `perform`.
  ///
  /// - Returns: what `body` returns, once it is committed.
  /// - Throws: what `body` throws; ``StoreError``; `CancellationError` when the task was cancelled before the commit.
  @discardableResult
  public func perform<Result: Sendable>(
    _ body: sending @escaping (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transact(.writing, body)
  }

  /// Runs `body` in a transaction that only reads: all it asks for is as it was at one moment.
  ///
  /// Readers do not wait for those who write, nor keep them waiting, but where the database is in memory.
  ///
  /// - Throws: what `body` throws; ``StoreError``; `CancellationError`.
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

/// Observing.
extension StoreContext {
  /// What happens to the rows of the model's entity from now on: an element for each transaction of this store that changed
  /// some, after its commit. Where several connections write, elements of transactions that commit at about the same time come in
  /// any order.
  ///
  /// What other stores and other processes do to the database is not seen. The sequence ends when the store is closed or let go,
  /// and elements wait for a reader that is slow.
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
    // Within the lock, so that elements come in the order of the commits.
    observers.withLock { observers in
      for (entity, counts) in changed { observers.tell(entity, counts) }
    }
  }
}

/// Those who observe, by entity.
private struct Observers {
  typealias Continuation = AsyncStream<StoreChanges.Counts>.Continuation

  private var byID: [UInt64: (entity: String, continuation: Continuation)] = [:]
  private var nextID: UInt64 = 0

  private var isClosed = false

  /// The observer's number; `nil` when there is nothing to observe any more.
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
