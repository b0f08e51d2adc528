internal import AnvilStore

extension PostgresConnection {
  /// Makes the connection available for another statement by buffering the unread rows of the current query.
  func settle() {
    sending?.bufferRemainingRows()
    sending = nil
  }

  /// Returns all rows of an internal query.
  func rows(of sql: String, _ values: [StoreValue]) throws(StoreError) -> [[StoreValue]] {
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    defer { rows.end() }
    let row = StoreRow(rows.row)
    var all: [[StoreValue]] = []
    while try rows.next() { all.append(try row.values()) }
    return all
  }

  /// Starts a query, with a cursor if possible.
  func start(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> PostgresRows {
    settle()
    let wasFailed = handle.isInFailedTransaction
    if handle.isInTransaction, values.count <= maximumPlaceholderCount {
      let statement = try prepared(sql)
      if statement.isForCursor, !wasFailed {
        return PostgresRows(statement, try open(statement, values), on: handle)
      }
    }
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    if statement.columns.isEmpty {
      try complete(sql, statement, first, wasFailed: wasFailed)
    } else {
      sending = rows
    }
    return rows
  }

  /// Receives the remaining results of a statement, discards its rows, and updates the state of the connection.
  ///
  /// - Parameter statement: The prepared statement; `nil` for statements that were sent as text.
  /// - Returns: The number of changed rows.
  @discardableResult
  func complete(
    _ sql: String, _ statement: PostgresStatement?, _ first: PostgresResult?, wasFailed: Bool
  ) throws(StoreError) -> Int {
    var last = first
    var failure: StoreError?
    while let result = handle.nextResult() {
      if let error = handle.error(of: result, sql) { failure = failure ?? error }
      last = result
    }
    if let failure { throw statement.map { failed(failure, $0) } ?? failure }
    let tag = last?.tag ?? ""
    note(tag)
    if wasFailed, tag == "ROLLBACK", !sql.isRollback {
      throw StoreError(
        code: .other, sql: sql,
        reason: "the transaction was rolled back instead of committed, because one of its statements failed")
    }
    let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { tag.hasPrefix($0) }
    return isChange ? last?.affectedRowCount ?? 0 : 0
  }

  /// Sends the statement and returns its first result.
  ///
  /// - Throws: The error of the statement, after all of its results were received.
  func execute(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> (PostgresStatement, PostgresResult?) {
    settle()
    guard values.count <= maximumPlaceholderCount else {
      throw StoreError(code: .tooLarge, sql: sql, reason: "the statement has \(values.count) values")
    }
    let statement = try prepared(sql)
    let parameters = try encode(values, for: statement)
    let isInTransaction = handle.isInTransaction
    do throws(StoreError) {
      return (statement, try execute(statement, parameters))
    } catch {
      // Outside a transaction nothing was done, so the statement can be prepared and run again.
      let error = failed(error, statement)
      guard error.isStalePlan || error.isLostStatement, error.code == .conflict, !isInTransaction else { throw error }
      let statement = try prepared(sql)
      return (statement, try execute(statement, try encode(values, for: statement)))
    }
  }

  /// Returns a prepared statement for the text.
  ///
  /// - Throws: ``StoreError/Code/conflict`` in a transaction whose session does not have the prepared statements of the connection. The
  ///   transaction has failed then, and succeeds when it is run again.
  func prepared(_ sql: String) throws(StoreError) -> PostgresStatement {
    let isInTransaction = handle.isInTransaction
    do throws(StoreError) {
      return try statements.take(sql, on: handle)
    } catch {
      guard statements.isNaming, error.isLostStatement else { throw error }
      let error = lostStatements(error.inStatement(sql))
      guard error.code == .conflict, !isInTransaction else { throw error }
      return try statements.take(sql, on: handle)
    }
  }

  /// Returns the error for a session without the prepared statements of the connection. Unless the caller has declared that the connection
  /// keeps its session, the connection uses no named statements from now on.
  private func lostStatements(_ error: StoreError) -> StoreError {
    if keepsSession { statements.forgetAll() } else { noteSharedSession() }
    insertions.removeAll()
    return StoreError(
      code: keepsSession ? .unsupported : .conflict, sql: error.sql, backendMessage: error.backendMessage,
      backendCode: error.backendCode,
      reason: keepsSession
        ? "the pooler has assigned another session of the server, so the pool mode is not session: use pool_mode=transaction"
        : "the session of the server does not have the statements that were prepared")
  }

  /// Sends a prepared statement and returns its first result.
  func execute(
    _ statement: PostgresStatement, _ parameters: PostgresParameters
  ) throws(StoreError) -> PostgresResult? {
    try handle.send(statement, parameters, isStreamed: !statement.columns.isEmpty)
    let first = handle.nextResult()
    if let first, let error = handle.error(of: first, statement.sql) {
      while handle.nextResult() != nil {}
      throw error
    }
    // The types in the cache may be older than the schema.
    if let first, !statement.isNamed, !statement.columns.isEmpty, first.columns != statement.columns {
      while handle.nextResult() != nil {}
      statements.drop(statement)
      throw StoreError(code: .conflict, sql: statement.sql, reason: "the schema was changed in the meantime")
    }
    return first
  }

  /// Returns the error of a statement. Removes the statement from the cache if the error may be caused by a change of the schema after the
  /// statement was prepared.
  func failed(_ error: StoreError, _ statement: PostgresStatement) -> StoreError {
    if statement.isNamed, error.isLostStatement { return lostStatements(error) }
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
        reason: "it has \(types.count) placeholders, but \(values.count) values were passed")
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
          try PostgresEncoding.append(value.withEra(in: type), as: type, to: &bytes) { "value \(index + 1)" }
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
    let declaration = try prepared("DECLARE \(name) NO SCROLL CURSOR WITHOUT HOLD FOR \(statement.sql)")
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

  /// Updates the connection's state after a statement, according to the server's command tag.
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
  /// True for the error of a statement whose plan is stale; see ``PostgresResult/isStalePlan``.
  var isStalePlan: Bool { code == .conflict && backendCode == "0A000" }

  /// True for the error of a session that does not have a prepared statement, or has another one of its name.
  var isLostStatement: Bool { backendCode == "26000" || backendCode == "42P05" }
}

extension String {
  /// True if the statement begins or ends a transaction or a savepoint and contains nothing else. It needs no preparation, so that it
  /// never fails because of a lost prepared statement.
  var controlsTransaction: Bool {
    guard ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(firstWord) else { return false }
    return !utf8.contains(0) && !utf8.contains(UInt8(ascii: ";"))
  }

  /// True if the statement begins with ROLLBACK or ABORT.
  fileprivate var isRollback: Bool { ["ROLLBACK", "ABORT"].contains(firstWord) }

  /// The word with which the statement begins, in upper case; `nil` if it begins with something else.
  private var firstWord: String? {
    var tokens = PostgresTokens(self)
    return if case .word(let word) = tokens.next() { word } else { nil }
  }
}
