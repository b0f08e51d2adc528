package import AnvilStore

/// A connection to a PostgreSQL database, to be used from one thread at a time.
///
/// **Statements** are prepared by the server, once for as long as they are kept; values go beside them and never into their
/// text. A statement whose rows would be others since somebody changed the schema is prepared anew outside a transaction;
/// within one, which has failed then, it is a ``StoreError/Code/conflict``.
///
/// **Transactions.** In a transaction a failure of a statement, also an interruption, fails the whole: nothing but ROLLBACK, or
/// ROLLBACK TO a savepoint, works from then on. COMMIT of such a transaction throws, as what it was to commit is lost.
///
/// **Rows.** Outside a transaction the server sends them one by one as they are read; a query that stops early is cancelled,
/// and one whose reader uses the connection has the rest of its rows put by in memory first. In a transaction a query is run
/// by a cursor, 64 to 1,024 rows at a time, which stops at once and takes no memory, whatever the reader does; queries that
/// write or lock (any with INSERT, UPDATE, DELETE, MERGE, SHARE or INTO as a word) cannot be, and work as outside, but that
/// stopping early reads the rest and drops it, since cancelling would fail the transaction. So does a statement that had fewer
/// than 64 rows three times before.
///
/// **Security.** What may hold values in the server's messages is not in errors, nor is the password of the connection string.
/// Notices are dropped.
package final class PostgresConnection: StoreConnection {
  let handle: PostgresHandle
  let statements: PostgresStatementCache
  /// What rows are written with, by the identity of their writing, which is held with it.
  var insertions: [ObjectIdentifier: PostgresInsertion] = [:]
  /// The most bytes that a name may have.
  private(set) var maximumNameLength = 63
  /// The query whose rows the server is sending.
  private var sending: PostgresRows?
  /// Names of cursors that this transaction may have.
  private var cursorNames: Set<String> = []
  private var cursorTransaction: UInt64 = 0
  /// Whether the open transaction has changed the schema, which would be undone with it.
  private var isSchemaChanged = false

  /// Connects.
  ///
  /// - Parameter connectionString: a URL, `postgres://user:password@host:5432/database?sslmode=verify-full`, or pairs,
  ///   `host=… dbname=…`, with all options of libpq; what it does not have comes from the environment and libpq's defaults.
  ///   Source: postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING.
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, or ``StoreError/Code/unsupported`` for a library older than
  ///   14 or a server older than 12.
  package init(_ connectionString: String, configuration: Configuration = Configuration()) throws(StoreError) {
    handle = try PostgresHandle(connectionString, configuration)
    statements = PostgresStatementCache(capacity: configuration.statementCacheCapacity)
    let settings = configuration.settings
    let calls = settings.indices.map { "pg_catalog.set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)" }
    let sql = "SELECT pg_catalog.current_setting('max_identifier_length'), \(calls.joined(separator: ", "))"
    if case .text(let length)? = try rows(of: sql, settings.flatMap { [.text($0.name), .text($0.value)] }).first?.first
    {
      maximumNameLength = Int(length) ?? maximumNameLength
    }
    statements.dropAll()
  }

  /// Whether the connection was there when it was last used. It asks nobody; a statement may still find it lost.
  package var isUsable: Bool { handle.isOpen }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    let wasFailed = handle.isInFailedTransaction
    let (statement, first) = try execute(sql, values)
    var last = first
    var failure: StoreError?
    while let result = handle.nextResult() {
      if let error = handle.error(of: result, sql) { failure = failure ?? error }
      last = result
    }
    if let failure { throw failed(failure, statement) }
    let tag = last?.tag ?? ""
    note(tag)
    if wasFailed, tag == "ROLLBACK", !sql.isRollback {
      throw StoreError(
        code: .other, sql: sql, reason: "a statement of the transaction had failed: it was rolled back, not committed")
    }
    let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { tag.hasPrefix($0) }
    return isChange ? last?.affectedRowCount ?? 0 : 0
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

  package var isInTransaction: Bool { handle.isInTransaction }

  package var interrupt: @Sendable () -> Void {
    let interruption = handle.interruption
    return { interruption.interrupt() }
  }

  // MARK: Parts of that

  /// Frees the connection for another statement.
  func settle() {
    sending?.putBy()
    sending = nil
  }

  /// All rows of a query of our own.
  func rows(of sql: String, _ values: [StoreValue]) throws(StoreError) -> [[StoreValue]] {
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    defer { rows.end() }
    let row = StoreRow(rows.row)
    var all: [[StoreValue]] = []
    while try rows.next() { all.append(try row.values()) }
    return all
  }

  private func start(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> PostgresRows {
    if handle.isInTransaction, values.count <= maximumPlaceholderCount {
      settle()
      let statement = try statements.take(sql, on: handle)
      if statement.isForCursor, !handle.isInFailedTransaction {
        return PostgresRows(statement, try open(statement, values), on: handle)
      }
    }
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    // Statements without rows have ended with their first result.
    if statement.columns.isEmpty {
      while handle.nextResult() != nil {}
      note(first?.tag ?? "")
    } else {
      sending = rows
    }
    return rows
  }

  /// Sends the statement and gives its first result.
  ///
  /// - Throws: the failure that it is; the statement has ended then.
  func execute(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> (PostgresStatement, PostgresResult?) {
    settle()
    guard values.count <= maximumPlaceholderCount else {
      throw StoreError(code: .tooLarge, sql: sql, reason: "a statement with \(values.count) values")
    }
    let statement = try statements.take(sql, on: handle)
    let parameters = try encode(values, for: statement)
    let isInTransaction = handle.isInTransaction
    do throws(StoreError) {
      return (statement, try execute(statement, parameters))
    } catch {
      // The plan was stale: outside a transaction nothing was done, and all can be done again.
      let error = failed(error, statement)
      guard error.isStalePlan, !isInTransaction else { throw error }
      let statement = try statements.take(sql, on: handle)
      return (statement, try execute(statement, try encode(values, for: statement)))
    }
  }

  /// Sends a statement that is prepared and gives its first result.
  func execute(
    _ statement: PostgresStatement, _ parameters: PostgresParameters
  ) throws(StoreError) -> PostgresResult? {
    try handle.send(statement, parameters, isStreamed: !statement.columns.isEmpty)
    let first = handle.nextResult()
    if let first, let error = handle.error(of: first, statement.sql) {
      while handle.nextResult() != nil {}
      throw error
    }
    return first
  }

  /// Forgets the statement when it may be why: prepared before another connection changed the schema, say.
  func failed(_ error: StoreError, _ statement: PostgresStatement) -> StoreError {
    if error.code == .invalidStatement || error.isStalePlan { statements.drop(statement) }
    return error
  }

  private func encode(
    _ values: [StoreValue], for statement: PostgresStatement
  ) throws(StoreError) -> PostgresParameters {
    let types = statement.parameterTypes
    guard values.count == types.count else {
      throw StoreError(
        code: .invalidStatement, sql: statement.sql,
        reason: "it has \(types.count) placeholders and was given \(values.count) values")
    }
    var parameters = PostgresParameters()
    do throws(StoreError) {
      for (index, value) in values.enumerated() {
        if case .null = value {
          parameters.appendNull()
          continue
        }
        let type = types[index]
        try parameters.append(isBinary: PostgresEncoding.isBinary(type), limit: handle.maximumLength) {
          bytes throws(StoreError) in
          try PostgresEncoding.append(value, as: type, to: &bytes) { "value \(index + 1)" }
        }
      }
    } catch {
      throw error.inStatement(statement.sql)
    }
    return parameters
  }

  private func open(_ statement: PostgresStatement, _ values: [StoreValue]) throws(StoreError) -> PostgresCursor {
    if cursorTransaction != handle.transactionCount {
      cursorNames.removeAll()
      cursorTransaction = handle.transactionCount
    }
    var number = 0
    while cursorNames.contains("anvil_cursor_\(number)") { number += 1 }
    let name = "anvil_cursor_\(number)"
    let declaration = try statements.take(
      "DECLARE \(name) NO SCROLL CURSOR WITHOUT HOLD FOR \(statement.sql)", on: handle)
    do throws(StoreError) {
      _ = try execute(declaration, try encode(values, for: declaration))
      while handle.nextResult() != nil {}
    } catch {
      let error = failed(error, declaration)
      throw StoreError(
        code: error.code, sql: statement.sql, backendMessage: error.backendMessage, backendCode: error.backendCode,
        reason: error.reason)
    }
    cursorNames.insert(name)
    return PostgresCursor(statement, name: name, on: self)
  }

  func freeCursorName(_ name: String) {
    cursorNames.remove(name)
  }

  /// Sees to what follows from a statement that has ended, by what the server says that it was.
  private func note(_ tag: String) {
    switch tag.prefix(while: { $0 != " " }) {
    case "INSERT", "UPDATE", "DELETE", "MERGE", "SELECT", "BEGIN", "SAVEPOINT", "RELEASE": break
    case "CREATE", "ALTER", "DROP", "SET", "RESET", "DO", "CALL":
      isSchemaChanged = isSchemaChanged || handle.isInTransaction
      forgetSchema()
    case "ROLLBACK":
      handle.noteRollback()
      if isSchemaChanged { forgetSchema() }
      isSchemaChanged = isSchemaChanged && handle.isInTransaction
    case "COMMIT": isSchemaChanged = false
    case "DISCARD", "DEALLOCATE": statements.forgetAll()
    default: break
    }
  }

  private func forgetSchema() {
    statements.dropAll()
    insertions.removeAll()
  }
}

extension StoreError {
  /// Whether it is what ``PostgresResult/isStalePlan`` says.
  var isStalePlan: Bool { code == .conflict && backendCode == "0A000" }
}

extension String {
  /// Whether it is a statement that rolls back, and may be told so.
  fileprivate var isRollback: Bool {
    ["ROLLBACK", "ABORT"].contains { word in
      utf8.lazy.filter { $0 > 0x20 }.prefix(word.utf8.count).map { $0 & 0xDF }.elementsEqual(word.utf8)
    }
  }
}
