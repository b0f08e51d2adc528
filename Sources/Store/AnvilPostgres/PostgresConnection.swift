package import AnvilStore

/// A connection to a PostgreSQL database. It must be used from one thread at a time.
///
/// **Statements** are prepared by the server and cached; values are sent separately from their text. A schema change can make a prepared
/// statement stale. Outside a transaction the statement is then prepared again. Within a transaction it fails with
/// ``StoreError/Code/conflict``.
///
/// **Transactions.** If a statement in a transaction fails or is interrupted, the whole transaction fails: after that, only ROLLBACK, or
/// ROLLBACK TO a savepoint, is possible. COMMIT of a failed transaction throws, because its changes are lost.
///
/// **Rows.** Outside a transaction the server sends rows one by one as they are read. A query that stops early is cancelled. If another
/// statement is run before all rows are read, the remaining rows are buffered in memory first. In a transaction a query uses a cursor,
/// which fetches 64 to 1,024 rows at a time. It can stop at any time and needs no buffer. Statements that write or lock (any with INSERT,
/// UPDATE, DELETE, MERGE, SHARE or INTO as a word) have no cursor and are not cancelled, because cancelling would undo them or fail the
/// transaction. When they stop early, the remaining rows are read and discarded. A query that returned fewer than 64 rows in each of its
/// last three runs has no cursor either.
///
/// **Poolers.** With ``PostgresPoolMode/transaction``, and behind a pooler that was detected, nothing depends on the session of the server
/// between two transactions: statements have no names, and each transaction begins with its settings. `BEGIN` and the settings are one
/// message.
///
/// **Security.** Errors contain neither server messages that may include values nor the password of the connection string. Notices are
/// discarded.
package final class PostgresConnection: StoreConnection {
  let handle: PostgresHandle
  let statements: PostgresStatementCache
  /// The cached statements for writing rows, by the identity of their `RowWriting`. Each statement retains its `RowWriting`.
  var insertions: [ObjectIdentifier: PostgresInsertion] = [:]
  /// The maximum length of a name in bytes.
  package let maximumNameLength: Int
  /// The query whose rows the server is sending.
  var sending: PostgresRows?
  /// The names of cursors that may be open in this transaction.
  var cursorNames: Set<String> = []
  var cursorTransaction: UInt64 = 0
  /// True if the open transaction has changed the schema, which a rollback would undo.
  var isSchemaChanged = false

  /// True if a pooler is between the connection and the server.
  let isPooled: Bool
  /// True if each transaction may run in another session of the server, which other programs use too.
  var isSessionShared: Bool { sharesSession || sharing.isFound }
  /// True if the caller has declared that the session is shared, or a pooler was detected.
  let sharesSession: Bool
  private let sharing: PostgresSessionSharing
  /// The statements that set the settings of the connection for one transaction; empty if the session has them.
  var localSettings: String { isSessionShared ? settingsOfTransactions : "" }
  private let settingsOfTransactions: String
  /// True if the caller has declared that the connection keeps its session.
  let keepsSession: Bool
  let connectionString: String
  let configuration: Configuration

  /// True if the server notifies this connection of the changes of other stores.
  var isListening = false
  /// True if a notification has arrived while the connection was idle.
  var hasProvenNotifications = false
  /// The hash of the schema's name that notifications must contain.
  var listenedSchema = ""

  /// Opens a connection to the server.
  ///
  /// - Parameter connectionString: A URL, `postgres://user:password@host:5432/database?sslmode=verify-full`, or pairs, `host=… dbname=…`,
  ///   with all options of libpq. Missing options come from the environment and from the defaults of libpq. Source:
  ///   postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING.
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, or ``StoreError/Code/unsupported`` for a library older than
  ///   14 or a server older than 12.
  package convenience init(
    _ connectionString: String, configuration: Configuration = Configuration()
  ) throws(StoreError) {
    try self.init(connectionString, configuration: configuration, sharing: PostgresSessionSharing())
  }

  /// Opens a connection to the server.
  ///
  /// - Parameters:
  ///   - sharing: The finding of the store's connections about the sessions of the server.
  ///   - isPooled: Whether a pooler is between the connection and the server; `nil` to find out.
  init(
    _ connectionString: String, configuration: Configuration = Configuration(), sharing: PostgresSessionSharing,
    isPooled: Bool? = nil
  ) throws(StoreError) {
    let location = try PostgresConnectionString(connectionString)
    let poolMode = location.poolMode ?? configuration.poolMode
    self.connectionString = connectionString
    self.configuration = configuration
    let handle = try PostgresHandle(location.text, configuration)
    self.handle = handle
    let session = try handle.runInternally(
      "SELECT pg_catalog.pg_backend_pid(), pg_catalog.current_setting('max_identifier_length')")
    // A pooler sends the identifier of its client in place of the server's process.
    let isPooled = isPooled ?? (session?.text(row: 0, column: 0) != "\(handle.processID)")
    self.isPooled = isPooled
    maximumNameLength = session?.text(row: 0, column: 1).flatMap { Int($0) } ?? 63
    keepsSession = poolMode == .session
    self.sharing = sharing
    sharesSession = poolMode == .transaction || (poolMode == .automatic && isPooled)
    let isSessionShared = sharesSession || sharing.isFound
    statements = PostgresStatementCache(
      capacity: configuration.statementCacheCapacity, isNaming: !isSessionShared)
    // The values contain no quotation marks.
    let settings = configuration.settings.map { "\($0.name) = '\($0.value)'" }
    settingsOfTransactions = settings.map { "; SET LOCAL \($0)" }.joined()
    if !isSessionShared { try handle.runInternally(settings.map { "SET \($0)" }.joined(separator: "; ")) }
    if isPooled { try requireTransactions() }
  }

  /// Treats the sessions of the store as ones that other programs use too, because this one lacks the statements of the connection.
  func noteSharedSession() {
    sharing.note()
    statements.stopNaming()
  }

  /// Checks that the pooler allows transactions of several statements.
  ///
  /// - Throws: ``StoreError/Code/unsupported`` for a pooler in statement mode; the errors of the connection.
  private func requireTransactions() throws(StoreError) {
    do throws(StoreError) {
      try handle.runInternally("BEGIN")
      try handle.runInternally("COMMIT")
    } catch {
      throw Self.refusalOfTransactions(error)
    }
  }

  /// Returns the error of a transaction's first statement as that of a pooler in statement mode, if it is one. PgBouncer has the same SQLSTATE
  /// for other failures, which may pass, so its message decides.
  static func refusalOfTransactions(_ error: StoreError) -> StoreError {
    guard error.backendCode == "08P01", error.backendMessage?.contains("statement pooling") == true else {
      return error
    }
    return StoreError(
      code: .unsupported, backendMessage: error.backendMessage, backendCode: error.backendCode,
      reason: "the pooler does not allow transactions; a store needs a pooler in transaction or session mode")
  }

  /// A Boolean value that indicates whether the connection was open when it was last used. It does not contact the
  /// server, so a statement may still find the connection lost.
  package var isUsable: Bool { handle.isOpen }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    settle()
    let wasFailed = handle.isInFailedTransaction
    if values.isEmpty, sql.controlsTransaction { return try control(sql, wasFailed: wasFailed) }
    if sql == beginWriting || sql == beginReading {
      try begin(sql)
      return 0
    }
    let (statement, first) = try execute(sql, values)
    return try complete(sql, statement, first, wasFailed: wasFailed)
  }

  /// Runs a statement that begins or ends a transaction or a savepoint.
  private func control(_ sql: String, wasFailed: Bool) throws(StoreError) -> Int {
    try handle.send(sql)
    return try complete(sql, nil, nil, wasFailed: wasFailed)
  }

  /// Begins a transaction with the settings of the connection.
  private func begin(_ sql: String) throws(StoreError) {
    do throws(StoreError) {
      // Not `complete`: a SET in the caller's SQL empties the cache of statements, because it may change the search path.
      try handle.runInternally(sql)
    } catch {
      // The transaction may have begun.
      if handle.isInTransaction { _ = try? handle.runInternally("ROLLBACK") }
      throw error
    }
  }

  package func requireEffectWithinTransaction(_ sql: Substring) throws(StoreError) {
    guard isSessionShared, PostgresStatement.outlivesTransaction(sql) else { return }
    throw StoreError(
      code: .unsupported, sql: String(sql),
      reason: """
        the statement changes a session of the server that a pooler shares with other programs; the code of DO counts as such a \
        statement
        """)
  }

  package func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    let rows = try start(sql, values)
    defer {
      rows.end()
      if sending === rows { sending = nil }
    }
    let row = StoreRow(rows.row)
    while try rows.next() {
      guard case .goOn = try body(row) else { return }
    }
  }

  package func backUp(to path: String) throws(StoreError) {
    throw StoreError(
      code: .unsupported, reason: "PostgreSQL writes no copy of a database to a file of the client: use pg_dump")
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  package var interrupt: @Sendable () -> Void {
    let interruption = handle.interruption
    return { interruption.interrupt() }
  }
}
