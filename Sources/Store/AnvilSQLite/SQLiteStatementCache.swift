internal import AnvilStore

/// A cache of a connection's most recently used prepared statements, by their text.
///
/// If a statement is in use, for example when a row's closure runs it again, `take` returns another one that is not cached.
final class SQLiteStatementCache {
  private let capacity: Int
  private var statements: [String: SQLiteStatement] = [:]
  /// The statement that was taken last. In a loop, the next text is the same string and is compared quickly, by its address.
  private var latest: SQLiteStatement?
  /// The number of statements taken so far. It orders statements by their last use.
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  var count: Int { statements.count }

  /// Returns a prepared statement for the text. The caller must give it back with ``giveBack(_:)``.
  ///
  /// - Complexity: O(1) for a cached text. For a new text, the time to prepare it and O(*n*), where *n* is the
  ///   capacity.
  func take(_ sql: String, on handle: SQLiteHandle) throws(StoreError) -> SQLiteStatement {
    clock &+= 1
    // Preparing a statement may also wait for other connections.
    handle.interruption.begin()
    // Compares bytes, because a database may distinguish strings that are canonically equivalent.
    if let latest, !latest.isInUse, latest.sql.hasSameBytes(as: sql) { return use(latest) }
    if let kept = statements[sql], kept.sql.hasSameBytes(as: sql) {
      if kept.isInUse { return use(try SQLiteStatement(sql, on: handle, isKept: false)) }
      latest = kept
      return use(kept)
    }
    let statement = try SQLiteStatement(sql, on: handle, isKept: capacity > 0)
    if capacity > 0 { keep(statement) }
    return use(statement)
  }

  /// Resets the statement, which releases its locks and its values, and makes it available for another use.
  func giveBack(_ statement: SQLiteStatement) {
    statement.finish()
    statement.isInUse = false
  }

  private func use(_ statement: SQLiteStatement) -> SQLiteStatement {
    statement.isInUse = true
    statement.lastUse = clock
    return statement
  }

  private func keep(_ statement: SQLiteStatement) {
    if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
      statements[oldest.sql] = nil
    }
    statements[statement.sql] = statement
    latest = statement
  }
}
