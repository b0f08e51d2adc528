internal import Synchronization

/// A connection with a dedicated thread and the state between transactions.
///
/// Only one task at a time uses a session: it takes the session from the pool and gives it back.
actor StoreSession {
  private let executor: StoreExecutor
  private let openConnection: @Sendable () throws(StoreError) -> any StoreConnection
  private let interruption = Interruption()
  private let opened = OpenedConnection()
  private var bindings = EntityBindings()

  // Safety: the actor retains its executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(connect: @escaping @Sendable () throws(StoreError) -> any StoreConnection) throws(StoreError) {
    executor = try StoreExecutor()
    openConnection = connect
  }

  // The connection is released on its own thread, because that may block.
  deinit {
    executor.perform { [opened] in opened.connection = nil }
  }

  private var connection: (any StoreConnection)? {
    get { opened.connection }
    set { opened.connection = newValue }
  }

  /// The maximum number of times that a transaction is run because of conflicts.
  private static let mostAttempts = 100
  private static let mostConnections = 3

  /// `body` is run again after a conflict with another transaction, or when the connection was lost before the commit.
  func transact<Result: Sendable>(
    _ kind: StoreTransaction.Kind, on store: Store,
    _ body: sending @escaping (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      var attempt = 1
      var plan = SchemaPlan()
      var restarts = 0
      while true {
        do {
          return try run(kind, by: plan, on: store, body)
        } catch let restart as SchemaPlan.Restart {
          if !plan.revise(for: restart) { restarts += 1 }
          guard restarts < Self.mostAttempts else {
            throw StoreError(code: .conflict, reason: "the schema kept changing while the transaction was retried")
          }
          continue
        } catch let error as StoreTransaction.UncertainCommit {
          connection = nil
          throw error.error
        } catch let error as StoreError {
          switch error.code {
          case .conflict where attempt < Self.mostAttempts: break
          case .connectionLost:
            connection = nil
            guard attempt < Self.mostConnections else { throw error }
          default: throw error
          }
        }
        // The pauses grow, so that conflicting transactions are separated.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...min(attempt * 2, 50))))
        attempt += 1
      }
    } onCancel: {
      interruption.interrupt()
    }
  }

  func backUp(to path: String) async throws {
    try await withTaskCancellationHandler {
      do {
        let connection = try connect()
        try Task.checkCancellation()
        try connection.backUp(to: path)
      } catch let error as StoreError where error.code == .interrupted && Task.isCancelled {
        throw CancellationError()
      }
    } onCancel: {
      interruption.interrupt()
    }
  }

  func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    do throws(StoreError) {
      return try connect().foreignChanges(to: store)
    } catch {
      if error.code == .connectionLost { connection = nil }
      throw error
    }
  }

  func ignoreForeignChanges() {
    // A missing connection receives no changes. A connection that fails is opened again by the next use.
    do throws(StoreError) { try connection?.ignoreForeignChanges() } catch { connection = nil }
  }

  func disconnect() {
    connection = nil
    bindings = EntityBindings()
  }

  private func run<Result>(
    _ kind: StoreTransaction.Kind, by plan: SchemaPlan, on store: Store,
    _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    // A transaction that could not be rolled back would stay open. It ends with its connection.
    defer { if connection?.isInTransaction == true { connection = nil } }
    do {
      let connection = try connect()
      // A task that was already cancelled runs nothing. Without a connection, the cancellation had nothing to interrupt.
      try Task.checkCancellation()
      let transaction = StoreTransaction(
        kind, on: connection, executor: executor, bindings: bindings, store: store, plan: plan)
      return try transaction.run(body)
    } catch let error as StoreError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  private func connect() throws(StoreError) -> any StoreConnection {
    if let connection { return connection }
    let connection = try openConnection()
    bindings = EntityBindings(datePrecision: connection.datePrecision)
    interruption.aim(at: connection.interrupt)
    self.connection = connection
    return connection
  }
}

/// Interrupts the statement that a session is running, from any thread.
private final class Interruption: Sendable {
  /// A struct that contains the closure. A mutex of the closure itself would wrap it in two more closures on each access.
  private struct Target {
    var interrupt: (@Sendable () -> Void)?
  }

  private let target = Mutex(Target())

  func aim(at interrupt: @escaping @Sendable () -> Void) {
    target.withLock { $0.interrupt = interrupt }
  }

  func interrupt() {
    target.withLock { $0.interrupt }?()
  }
}

/// The connection of a session, which outlives the session until the session's thread has released the connection.
///
/// `@unchecked Sendable`: the connection is accessed only on the session's executor. The session is isolated to it, and its `deinit`, after
/// which nothing else refers to this object, only passes it on to the executor.
private final class OpenedConnection: @unchecked Sendable {
  var connection: (any StoreConnection)?
}

/// The schema changes that a transaction makes at its beginning; see ``StoreConnection/changesSchemaFirst``.
///
/// The changes are found while the transaction runs. It is then rolled back and run again with a plan that contains them.
struct SchemaPlan: Sendable {
  struct Change: Sendable {
    let current: EntitySchema?
    let wanted: EntitySchema
    let indexedNames: Set<String>
    let defaults: [String: StoreValue]
    let isNested: Bool
  }

  enum Restart: Error {
    case needs(Change)
    /// Another transaction has changed a table, so the plan may be wrong. It is discarded, and the transaction finds the changes again.
    case stale
    /// A nested transaction was rolled back, but a change that it needed was made at the beginning of the outer transaction and was not
    /// undone with it.
    case undone
  }

  private(set) var changes: [Change] = []
  /// True if each nested transaction changes the schema itself, so that the change is rolled back with it. This may deadlock with other
  /// transactions, in which case one of them fails as a conflict.
  private(set) var changesWithinNested = false

  /// Updates the plan, and returns `true` if it contains a new change. The number of possible changes is limited, so that restarts end.
  mutating func revise(for restart: Restart) -> Bool {
    switch restart {
    case .needs(let change):
      let isNew = !changes.contains { $0.wanted == change.wanted }
      changes.append(change)
      return isNew
    case .stale: changes = []
    case .undone:
      changes.removeAll(where: \.isNested)
      changesWithinNested = true
    }
    return false
  }
}
