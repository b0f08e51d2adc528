internal import AnvilStore

/// The rows of a query, which are read one after the other from the server, a cursor or a buffer.
final class PostgresRows {
  private enum Source {
    case server
    case cursor(PostgresCursor)
    /// The server has sent all rows; the unread ones are buffered.
    case buffer(PostgresRowBuffer)
    case ended
  }

  let row: PostgresRow
  private let statement: PostgresStatement
  private let handle: PostgresHandle
  private var source: Source
  private var sentCount = 0
  /// The cursor, if the query uses one. It is closed even after its last row, because an open cursor locks its tables.
  private let cursor: PostgresCursor?
  private var result: PostgresResult?
  private var position = 0
  /// The error that the server sent while rows were buffered. It is thrown after the last buffered row.
  private var failure: StoreError?

  /// - Parameter first: The first result of a query without a cursor.
  init(
    _ statement: PostgresStatement, first: PostgresResult? = nil, cursor: PostgresCursor? = nil,
    on handle: PostgresHandle
  ) {
    row = PostgresRow(statement)
    (self.statement, self.handle, self.cursor) = (statement, handle, cursor)
    source = cursor.map(Source.cursor) ?? .server
    result = first
    sentCount = first?.rowCount ?? 0
  }

  func next() throws(StoreError) -> Bool {
    guard !handle.interruption.isPending else { throw interrupted() }
    while true {
      if let result, position < result.rowCount {
        row.location = .result(result, row: position)
        position += 1
        return true
      }
      switch source {
      case .ended:
        row.location = .none
        return false
      case .buffer(let buffer):
        // The previous result has no more rows.
        result = nil
        if buffer.advance() {
          row.location = .buffer(buffer)
          return true
        }
        source = .ended
        if let failure { throw failure }
      case .server:
        position = 0
        result = nextResult()
        guard let result else {
          source = .ended
          continue
        }
        if let error = handle.error(of: result, row.sql) {
          source = .ended
          discard()
          throw error
        }
      case .cursor(let cursor):
        position = 0
        result = nil
        guard let rows = try cursor.fetch() else {
          source = .ended
          continue
        }
        result = rows
      }
    }
  }

  /// Buffers all rows that the server has not sent yet, so that the connection can run another statement.
  func bufferRemainingRows() {
    guard case .server = source else { return }
    let buffer = PostgresRowBuffer(columnCount: row.columns.count)
    while let result = nextResult() {
      if let error = handle.error(of: result, row.sql) { failure = failure ?? error } else { buffer.append(result) }
    }
    source = .buffer(buffer)
  }

  func end() {
    row.location = .none
    result = nil
    switch source {
    case .server:
      // First takes the results that have already arrived. In most cases they include the end.
      var count = 0
      while count < 100, handle.nextResultWithoutWaiting() != nil { count += 1 }
      // An interruption would also end other statements or a transaction. In these cases the rest is read and
      // discarded.
      if handle.isBusy, !handle.isInTransaction, statement.isCursorQuery { handle.interruption.sendRequest() }
      discard()
    case .cursor, .buffer, .ended: break
    }
    cursor?.close()
    source = .ended
  }

  private func discard() {
    while let result = nextResult() { _ = handle.error(of: result, row.sql) }
  }

  private func nextResult() -> PostgresResult? {
    guard let result = handle.nextResult() else {
      statement.noteRows(sentCount)
      return nil
    }
    sentCount += result.rowCount
    return result
  }

  private func interrupted() -> StoreError {
    // Messages about the query are read, or dropped together with its remaining rows.
    if case .server = source {
      discard()
      source = .ended
    }
    return StoreError(code: .interrupted, sql: row.sql, reason: "while its rows were being read")
  }
}

/// A cursor in the open transaction. Other statements may run between two fetches, and the cursor can be closed before all rows are fetched.
final class PostgresCursor {
  /// The first fetch is enough for most queries; the largest makes round trips insignificant.
  private static let rowCounts = (first: PostgresStatement.fewRows, last: 1_024)

  private let statement: PostgresStatement
  private let name: String
  private let connection: PostgresConnection
  private var rowCount = rowCounts.first
  private let transactionCount: UInt64
  private var rollbackCount: UInt64
  private var isAtEnd = false

  init(_ statement: PostgresStatement, name: String, on connection: PostgresConnection) {
    self.statement = statement
    self.name = name
    self.connection = connection
    transactionCount = connection.handle.transactionCount
    rollbackCount = connection.handle.rollbackCount
  }

  func fetch() throws(StoreError) -> PostgresResult? {
    guard !isAtEnd else { return nil }
    connection.settle()
    guard try stillExists() else {
      throw StoreError(
        code: .invalidStatement, sql: statement.sql, reason: "its transaction ended before all rows were read")
    }
    let handle = connection.handle
    try handle.send("FETCH \(rowCount) FROM \(name)", isBinary: statement.isBinary, for: statement)
    guard let result = try handle.finish(statement.sql) else { return nil }
    // Another connection may have changed the schema since the statement was prepared.
    guard result.columns == statement.columns else {
      connection.statements.drop(statement)
      throw StoreError(code: .conflict, sql: statement.sql, reason: "the schema was changed in the meantime")
    }
    isAtEnd = result.rowCount < rowCount
    if rowCount == Self.rowCounts.first { statement.noteRows(result.rowCount) }
    rowCount = min(rowCount * 4, Self.rowCounts.last)
    return result.rowCount > 0 ? result : nil
  }

  /// Closes the cursor if it still exists. Closing a cursor that does not exist would fail the whole transaction.
  func close() {
    connection.settle()
    let handle = connection.handle
    // In a failed transaction, the rollback closes the cursor.
    guard !handle.isInFailedTransaction, (try? stillExists()) == true else { return }
    _ = try? handle.runInternally("CLOSE \(name)")
    connection.cursorNames.remove(name)
  }

  /// Returns `true` if the cursor still exists. A rollback to an earlier savepoint closes it.
  private func stillExists() throws(StoreError) -> Bool {
    let handle = connection.handle
    guard handle.isInTransaction, handle.transactionCount == transactionCount else { return false }
    guard handle.rollbackCount != rollbackCount, !handle.isInFailedTransaction else { return true }
    // The name consists of letters and digits.
    let found = try handle.runInternally("SELECT 1 FROM pg_catalog.pg_cursors WHERE name = '\(name)'")
    guard found?.rowCount == 1 else { return false }
    rollbackCount = handle.rollbackCount
    return true
  }
}
