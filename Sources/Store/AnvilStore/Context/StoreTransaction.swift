/// A transaction, passed by `perform` and `read` of a ``Store`` to their body.
///
///     try await store.perform { transaction in
///       let user = try User.createOrUpdate(in: transaction, from: decoder)
///       try transaction.save(Visit(user: user.id))
///     }
///
/// Only the body may use it, on the thread that runs the body and until the body returns; it cannot be passed to a task. Where the compiler
/// cannot enforce this, as in Swift 5 mode, its functions throw ``StoreError/Code/outsideTransaction``. Changes within a read-only
/// transaction throw the same error.
public final class StoreTransaction: ManagedContext {
  enum Kind: Sendable {
    /// A read-only transaction. All statements see the database as it was at one moment.
    case reading
    case writing
  }

  /// The connection was lost during the commit, so that it is unknown whether the transaction was committed.
  struct UncertainCommit: Error {
    let error: StoreError
  }

  let kind: Kind
  let connection: any StoreConnection
  let store: Store
  let bindings: EntityBindings
  private let executor: StoreExecutor

  private(set) var isOpen = false
  /// The number of nested transactions that are open.
  private(set) var depth = 0
  /// The failure of a statement. After it, the transaction or the nested transaction cannot be committed.
  private var failure: (any Error)?

  /// The tables of the entities that were looked up; `nil` for tables that do not exist.
  var schemas: [String: EntitySchema?] = [:] {
    didSet { bindings.schemaGeneration &+= 1 }
  }
  /// The schema changes that the transaction makes at its beginning.
  let plan: SchemaPlan
  /// The reason to run the transaction again with another plan. When set, the transaction cannot be committed.
  var restart: SchemaPlan.Restart?
  /// The changes to rows, by entity.
  var changes: [String: StoreChanges.Counts] = [:]
  /// True if a statement of the caller may have changed rows of any entity.
  var hasExecutedSQL = false
  /// Keys that were looked up and not found. Other transactions may insert such rows meanwhile.
  var absentKeys: [String: Set<RowKey>] = [:]
  /// The known rows and the pending writes of a bulk operation.
  var bulk: BulkState?
  /// The rules of the running call for existing rows, by entity.
  var callRules: [String: ConflictRules] = [:]
  /// The key of the row that was created or updated last.
  var lastKey: RowKey?
  /// The number of rows without keys that were inserted during the bulk operation.
  var unkeyedInsertions = 0
  /// The changes that custom code of models made to rows during the bulk operation.
  var savedCounts = StoreChanges.Counts()
  /// The referenced rows, while rows are decoded.
  var referencedRows: ReferencedRows?
  /// The attributes that a model reads, while they are recorded.
  var readAttributes: Set<String>?
  var readsAll = false

  init(
    _ kind: Kind, on connection: any StoreConnection, executor: StoreExecutor, bindings: EntityBindings,
    store: Store, plan: SchemaPlan
  ) {
    self.kind = kind
    self.connection = connection
    self.executor = executor
    self.bindings = bindings
    self.store = store
    self.plan = plan
    bindings.schemaGeneration &+= 1
  }

  /// Checks that the transaction is still running and is used on its thread.
  ///
  /// - Throws: ``StoreError/Code/outsideTransaction``.
  func requireUsable() throws(StoreError) {
    // The thread is checked first: other threads may not read the other properties.
    guard executor.isIsolatingCurrentContext() == true, isOpen else {
      throw StoreError(
        code: .outsideTransaction, reason: "a transaction can only be used within the body of perform or read")
    }
  }

  /// Runs `body` in the transaction and returns its result. The transaction is committed when `body` returns and rolled back when it
  /// throws.
  ///
  /// - Throws: ``SchemaPlan/Restart`` when it has to be run again with another plan; the error that `body` throws; ``StoreError``.
  func run<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try connection.run(kind == .writing ? connection.beginWriting : connection.beginReading)
    isOpen = true
    bindings.transaction = self
    defer {
      isOpen = false
      bindings.transaction = nil
    }
    let result: Result
    do {
      try beginSchema()
      result = try body(self)
      try flush()
      if let failure { throw failure }
      if let restart { throw restart }
      try announceChanges()
      try Task.checkCancellation()
    } catch {
      rollBack()
      throw restart ?? error
    }
    try commit()
    store.observers.notify(changes, isAny: hasExecutedSQL)
    return result
  }

  /// Runs `body` in a nested transaction and returns its result. Its changes are undone when it throws.
  func nest<Result>(_ body: () throws -> Result) throws -> Result {
    try flush()
    depth += 1
    defer { depth -= 1 }
    let name = "anvil_\(depth)"
    let before = (schemas, changes, failure, bulk, absentKeys, unkeyedInsertions, lastKey)
    try run("SAVEPOINT \(name)")
    do {
      let result = try body()
      try flush()
      if let failure { throw failure }
      try run("RELEASE \(name)")
      return result
    } catch {
      bindings.forget()
      // Some failures end the whole transaction.
      guard connection.isInTransaction else { throw error }
      try connection.run("ROLLBACK TO \(name)")
      try connection.run("RELEASE \(name)")
      (schemas, changes, failure, bulk, absentKeys, unkeyedInsertions, lastKey) = before
      // Changes made for it at the beginning of the transaction would remain.
      if plan.changes.contains(where: \.isNested) { restart = restart ?? .undone }
      throw error
    }
  }

  private func commit() throws {
    do throws(StoreError) {
      try connection.run("COMMIT")
    } catch {
      let violation =
        error.code == .constraint(.foreignKey) && connection.isInTransaction
        ? try? connection.foreignKeyViolation() : nil
      rollBack()
      if let violation {
        throw StoreError(
          code: error.code, sql: error.sql, backendMessage: error.backendMessage, backendCode: error.backendCode,
          reason: violation)
      }
      if error.code == .connectionLost {
        store.observers.signal(nil)
        throw UncertainCommit(error: error)
      }
      throw error
    }
  }

  private func announceChanges() throws(StoreError) {
    // No other store observes the library's own rows, and each announcement costs the server a lock at the commit.
    let changed = changes.filter { !$0.value.isEmpty && !SchemaCatalog.ownEntities.contains($0.key) }.keys.sorted()
    if hasExecutedSQL {
      try connection.announce(nil, by: store.identifier)
    } else if !changed.isEmpty {
      try connection.announce(changed, by: store.identifier)
    }
  }

  private func rollBack() {
    bindings.forget()
    // If there is no open transaction, it was already rolled back or the connection was lost.
    if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
  }
}

/// Statements.
extension StoreTransaction {
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue] = []) throws -> Int {
    try attempt { try connection.run(sql, values) }
  }

  func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    // An error that `body` throws is not a failure of the statement.
    var thrown: (any Error)?
    try attempt {
      try connection.query(sql, values) { row in
        do {
          return try body(row)
        } catch {
          thrown = error
          return .stop
        }
      }
    }
    if let thrown { throw thrown }
  }

  func write(_ rows: [StoreValue], as writing: RowWriting) throws -> RowWriting.Outcome {
    try attempt { try connection.write(rows, as: writing) }
  }

  func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    // Interrupting does nothing between statements.
    try Task.checkCancellation()
    do {
      return try body()
    } catch {
      failure = error
      throw error
    }
  }

  func requireWriting() throws(StoreError) {
    guard kind == .writing else {
      throw StoreError(code: .outsideTransaction, reason: "this transaction is read-only; use perform to make changes")
    }
  }
}
