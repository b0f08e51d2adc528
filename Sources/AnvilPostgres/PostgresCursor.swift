internal import AnvilStore

/// A cursor of the transaction that is open: its rows come some at a time, other statements may run in between, and it can be
/// closed before its end.
final class PostgresCursor {
  /// How many rows come at a time: at first those of most queries, and in the end enough to make the way to the server and
  /// back count for little.
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

  /// The next rows; `nil` when there are none.
  func fetch() throws(StoreError) -> PostgresResult? {
    guard !isAtEnd else { return nil }
    connection.settle()
    guard try isThere() else {
      throw StoreError(code: .invalidStatement, sql: statement.sql, reason: "its transaction ended before its rows")
    }
    let handle = connection.handle
    try handle.send("FETCH \(rowCount) FROM \(name)", isBinary: statement.isBinary, for: statement)
    guard let result = try handle.finish(statement.sql) else { return nil }
    // Another connection may have changed the schema since the statement was prepared.
    guard result.columns == statement.columns else {
      connection.statements.drop(statement)
      throw StoreError(code: .conflict, sql: statement.sql, reason: "the schema was changed meanwhile")
    }
    isAtEnd = result.rowCount < rowCount
    if rowCount == Self.rowCounts.first { statement.noteRows(result.rowCount) }
    rowCount = min(rowCount * 4, Self.rowCounts.last)
    return result.rowCount > 0 ? result : nil
  }

  /// Closes it, unless it is gone: a failure here would be one of the whole transaction.
  func close() {
    connection.settle()
    let handle = connection.handle
    // In a transaction that failed it goes with that, or with what is rolled back of it.
    guard !handle.isInFailedTransaction, (try? isThere()) == true else { return }
    _ = try? handle.runInternally("CLOSE \(name)")
    connection.freeCursorName(name)
  }

  /// Whether the transaction has it still. It may have gone back to a savepoint before it.
  private func isThere() throws(StoreError) -> Bool {
    let handle = connection.handle
    guard handle.isInTransaction, handle.transactionCount == transactionCount else { return false }
    guard handle.rollbackCount != rollbackCount, !handle.isInFailedTransaction else { return true }
    // The name is of letters and digits.
    let found = try handle.runInternally("SELECT 1 FROM pg_catalog.pg_cursors WHERE name = '\(name)'")
    guard found?.rowCount == 1 else { return false }
    rollbackCount = handle.rollbackCount
    return true
  }
}
