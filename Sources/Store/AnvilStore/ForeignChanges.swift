internal import Synchronization

/// Detects changes by other stores and processes while values are observed.
///
/// It queries the database at intervals. A query takes little time: SQLite reads a counter in shared memory, and PostgreSQL's notifications
/// are already in the connection's buffer.
final class ForeignChanges: Sendable {
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var observerCount = 0
    var task: Task<Void, Never>?
    /// The error of a database that cannot report changes. The detection has ended.
    var refusal: StoreError?
    var isQuerying = false
  }

  private let store: String
  private let observers: ObserverList
  private let pool: SessionPool
  /// True if the session is also that of the store's writing transactions.
  private let isSessionShared: Bool
  private let state = Mutex(State())

  /// - Parameter pool: A pool of one session. All queries must use the same connection, because a connection compares the state of the
  ///   database with the previous state.
  init(store: String, observers: ObserverList, pool: SessionPool, isSessionShared: Bool) {
    self.store = store
    self.observers = observers
    self.pool = pool
    self.isSessionShared = isSessionShared
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Begins to detect changes for one more observer. Changes that are committed after the call returns are detected.
  func begin() async throws {
    state.withLock { state in
      if state.observerCount == 0 { state.refusal = nil }
      state.observerCount += 1
    }
    do {
      // Later results are compared with this one. An observer waits for the session while another one begins: the first result says that
      // anything may have changed, and would deliver an element without a change to an observer that has already read the values. Such an
      // element is better than to wait for a running transaction, after which the first result says the same.
      let mayWait = !isSessionShared || state.withLock { $0.isQuerying }
      if let session = try await mayWait ? pool.take() : pool.takeIfIdle() {
        do {
          observers.signal(try await changes(from: session))
        } catch let error as StoreError where error.code == .connectionLost {
          // It may have been lost since the last observation. The session opens another one.
          observers.signal(try await changes(from: pool.take()))
        }
      }
    } catch {
      end()
      throw error
    }
    state.withLock { state in
      guard state.task == nil, state.observerCount > 0 else { return }
      // Detached, because the task must outlive the first observer.
      state.task = Task.detached { [weak self] in
        while true {
          do { try await Task.sleep(for: Self.interval) } catch { break }
          guard let self else { return }
          await self.look()
          guard self.state.withLock({ $0.refusal == nil }) else { break }
        }
        await self?.ignoreChanges()
      }
    }
  }

  /// Removes an observer. Ends the detection if it was the last one.
  func end() {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.observerCount -= 1
      return state.observerCount == 0 ? state.task.take() : nil
    }
    task?.cancel()
  }

  /// Stops the notifications of the database, because there are no observers.
  private func ignoreChanges() async {
    // The current task was cancelled. The new one is not cancelled, so that it can wait for the session.
    await Task.detached { [self] in
      guard let session = try? await pool.take() else { return }
      defer { pool.giveBack(session) }
      // If new observers have begun, the notifications continue. Later observers begin them again.
      guard state.withLock({ $0.observerCount == 0 }) else { return }
      await session.ignoreForeignChanges()
    }.value
  }

  func close() async {
    state.withLock { $0.task.take() }?.cancel()
    await pool.close()
  }

  func requireDetection() throws(StoreError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
  }

  private func look() async {
    do {
      observers.signal(try await changes(from: pool.take()))
    } catch let error as StoreError where error.code == .connectionLost || error.code == .cannotOpen {
      // The next query opens another connection, and its result says that anything may have changed.
    } catch is CancellationError {
      // The last observer has ended.
    } catch {
      // The observers receive the error when they read the values.
      observers.signal(nil)
    }
  }

  private func changes(from session: StoreSession) async throws -> Set<String>? {
    state.withLock { $0.isQuerying = true }
    defer {
      state.withLock { $0.isQuerying = false }
      pool.giveBack(session)
    }
    // An observer that has waited for the session of a refused one is refused too, instead of trying again for some seconds.
    try requireDetection()
    do throws(StoreError) {
      return try await session.foreignChanges(to: store)
    } catch {
      if error.code == .unsupported { state.withLock { $0.refusal = error } }
      throw error
    }
  }
}

final class ObserverList: Sendable {
  enum Channel: Sendable {
    /// The counts of each transaction of this store that changes rows of the entity.
    case counts(entity: String, AsyncStream<StoreChanges.Counts>.Continuation)
    /// A signal when rows of these entities may have changed. Without entities, a change to any entity sends a signal.
    case signals(entities: Set<String>?, AsyncStream<Void>.Continuation)
  }

  private struct State {
    var channels: [UInt64: Channel] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds an observer and returns its number, or `nil` if the list was closed.
  func add(_ channel: Channel) -> UInt64? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.nextID &+= 1
      state.channels[state.nextID] = channel
      return state.nextID
    }
  }

  func remove(_ id: UInt64) {
    state.withLock { _ = $0.channels.removeValue(forKey: id) }
  }

  /// Limits the signals of an observer to changes of these entities. `nil` removes the limit.
  func limit(_ id: UInt64, to entities: Set<String>?) {
    state.withLock { state in
      if case .signals(_, let continuation)? = state.channels[id] {
        state.channels[id] = .signals(entities: entities, continuation)
      }
    }
  }

  /// Reports the changes of a transaction of this store. Each observer of values receives one signal.
  ///
  /// - Parameter tables: The tables whose rows the transaction has changed, as far as the database reports them. Triggers and foreign keys may
  ///   have changed rows that are not in `changes`.
  func notify(_ changes: RowChanges, in tables: Set<String>) {
    let (changed, isAny) = (changes.counts.filter { !$0.value.isEmpty }, changes.mayBeAny)
    let all = tables.filter { !$0.hasPrefix("anvil_") }.union(changed.keys)
    guard !all.isEmpty || isAny else { return }
    // Reported while the lock is held, so that elements arrive in the order of the commits.
    state.withLock { state in
      for channel in state.channels.values {
        switch channel {
        case .counts(let entity, let continuation):
          if let counts = changed[entity] { continuation.yield(counts) }
        case .signals(let entities, let continuation):
          if isAny || entities?.isDisjoint(with: all) != true { continuation.yield() }
        }
      }
    }
  }

  /// Sends a signal to the observers of these entities. `nil` means that rows of any entity may have changed.
  func signal(_ changed: Set<String>?) {
    guard changed?.isEmpty != true else { return }
    state.withLock { state in
      for case .signals(let entities, let continuation) in state.channels.values {
        if let entities, let changed, entities.isDisjoint(with: changed) { continue }
        continuation.yield()
      }
    }
  }

  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      defer { state.channels = [:] }
      return state.channels.values
    }
    // After the lock was released, because the end of a stream removes its observer.
    for channel in channels {
      switch channel {
      case .counts(_, let continuation): continuation.finish()
      case .signals(_, let continuation): continuation.finish()
      }
    }
  }
}
