/// A transaction: what `perform` and `read` of a ``StoreContext`` pass to their body.
///
///     try await context.perform { transaction in
///       let user = try User.createOrUpdate(in: transaction, from: decoder)
///       try transaction.save(Visit(user: user.id))
///     }
///
/// It is used by the body alone, on the thread that runs it, and ends with it: it cannot be passed to a task. Where the compiler
/// does not see that, as in Swift 5 mode, its functions throw ``StoreError/Code/outsideTransaction``. Changes within a
/// transaction that only reads throw the same.
public final class StoreTransaction: ManagedContext {
  enum Kind: Sendable {
    /// All statements see the database as it was at one moment.
    case reading
    case writing
  }

  /// The connection was lost while it was told to commit: nobody knows whether it has.
  struct UncertainCommit: Error {
    let error: StoreError
  }

  let kind: Kind
  let connection: any StoreConnection
  let context: StoreContext
  let bindings: EntityBindings
  private let executor: StoreExecutor

  private(set) var isOpen = false
  /// The number of transactions within this one that the code is in.
  private(set) var depth = 0
  /// The failure of a statement, after which the transaction, or the one within it, cannot be committed.
  private var failure: (any Error)?

  /// The tables of entities that were asked for, those that are not there too.
  var schemas: [String: EntitySchema?] = [:] {
    didSet { bindings.schemaGeneration &+= 1 }
  }
  /// How the transaction changes the schema.
  let plan: SchemaPlan
  /// Why it has to be run again by another plan; it cannot be committed then.
  var restart: SchemaPlan.Restart?
  /// What happened to the rows of each entity.
  var changes: [String: StoreChanges.Counts] = [:]
  /// Keys that were looked for and not there: others may insert such rows meanwhile.
  var absentKeys: [String: Set<RowKey>] = [:]
  /// What a bulk knows of rows, and has not written yet.
  var bulk: BulkState?
  /// The key of the row that was created or updated last.
  var lastKey: RowKey?
  /// Rows without keys that were inserted during the bulk.
  var unkeyedInsertions = 0
  /// What became of rows that models stored themselves during the bulk.
  var savedCounts = StoreChanges.Counts()
  /// Rows that references lead to, while rows are decoded.
  var referencedRows: ReferencedRows?
  /// The attributes that a model reads, while that is asked.
  var readAttributes: Set<String>?
  var readsAll = false

  init(
    _ kind: Kind, on connection: any StoreConnection, executor: StoreExecutor, bindings: EntityBindings,
    context: StoreContext, plan: SchemaPlan
  ) {
    self.kind = kind
    self.connection = connection
    self.executor = executor
    self.bindings = bindings
    self.context = context
    self.plan = plan
    bindings.schemaGeneration &+= 1
  }

  /// - Throws: ``StoreError/Code/outsideTransaction`` after the transaction, and on other threads than its own.
  func requireUsable() throws(StoreError) {
    // The thread first: no other one may look at the rest.
    guard executor.isIsolatingCurrentContext() == true, isOpen else {
      throw StoreError(
        code: .outsideTransaction, reason: "a transaction is only for use by the code that perform or read runs")
    }
  }

  /// What `body` makes of the transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// - Throws: ``SchemaPlan/Restart`` when it has to be run again by another plan; what `body` throws; ``StoreError``.
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
      try Task.checkCancellation()
    } catch {
      rollBack()
      throw restart ?? error
    }
    try commit()
    context.publish(changes)
    return result
  }

  /// What `body` makes of a transaction within this one: what it did is undone when it throws.
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
      // What was changed for it at the beginning would stay.
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
      if error.code == .connectionLost { throw UncertainCommit(error: error) }
      throw error
    }
  }

  private func rollBack() {
    bindings.forget()
    // What cannot be rolled back was, or has no connection any more.
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
    // What `body` throws is no failure of the statement.
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
      throw StoreError(code: .outsideTransaction, reason: "changes need perform, and this transaction only reads")
    }
  }
}
