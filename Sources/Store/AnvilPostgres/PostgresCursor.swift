internal import AnvilStore

/// A cursor in the open transaction. It fetches several rows at a time. Other statements may run between two fetches, and the cursor can be
/// closed before all rows are fetched.
final class PostgresCursor {
  /// The number of rows of the first fetch, which is enough for most queries, and of the largest fetch, which makes round trips
  /// insignificant.
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

  /// Returns the next rows; `nil` at the end.
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
    connection.freeCursorName(name)
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
