internal import AnvilStore

/// The statements of a connection that were used last, prepared, by their text.
///
/// A statement that is in use cannot be had a second time: who asks for it, from within a query's row, gets another one that is
/// not kept.
final class SQLiteStatementCache {
  private let capacity: Int
  private var statements: [String: SQLiteStatement] = [:]
  /// The one that was taken last: in a loop over one statement its text, being the same string, is compared by address.
  private var latest: SQLiteStatement?
  /// Counts what was taken.
  private var clock: UInt64 = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  /// How many statements are kept.
  var count: Int { statements.count }

  /// The statement, which has to be given back.
  ///
  /// - Complexity: O(*n*) for a text that is new, *n* the capacity, beside preparing it; O(1) otherwise.
  func take(_ sql: String, on handle: SQLiteHandle) throws(StoreError) -> SQLiteStatement {
    clock &+= 1
    // Preparing may wait for others, too.
    handle.interruption.begin()
    // By bytes: texts that are equal to people may be different ones to a database.
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

  /// Makes the statement ready for its next use: what it reads is given free, and its values are forgotten.
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
