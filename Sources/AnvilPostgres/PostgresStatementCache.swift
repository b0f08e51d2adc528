internal import AnvilStore

/// A cache of a connection's most recently used prepared statements, by their text.
final class PostgresStatementCache {
  private let capacity: Int
  private var statements: [String: PostgresStatement] = [:]
  /// The one that was taken last: in a loop over one statement its text, being the same string, is compared by address.
  private var latest: PostgresStatement?
  /// Counts what was taken.
  private var clock: UInt64 = 0
  private var nameCount: UInt64 = 0
  /// The names of dropped statements that the server still has. They are deallocated together with the next request, unless the transaction
  /// has failed, in which case the server would refuse.
  private var droppedNames: [String] = []

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  /// The number of cached statements.
  var count: Int { statements.count }

  /// The statement, which may be dropped when the next one is taken.
  ///
  /// - Complexity: O(*n*) for a text that is new, *n* the capacity, beside preparing it; O(1) otherwise.
  func take(_ sql: String, on handle: PostgresHandle) throws(StoreError) -> PostgresStatement {
    clock &+= 1
    // By bytes: texts that are equal to people may be different ones to a database.
    if let latest, latest.sql.hasSameBytes(as: sql) { return use(latest) }
    if let kept = statements[sql], kept.sql.hasSameBytes(as: sql) {
      latest = kept
      return use(kept)
    }
    try deallocate(on: handle)
    nameCount &+= 1
    let statement = try handle.prepare(sql, as: "anvil_\(nameCount)")
    keep(statement)
    return use(statement)
  }

  /// Forgets the statement, whose plan the server does not like any more.
  func drop(_ statement: PostgresStatement) {
    if latest === statement { latest = nil }
    guard let kept = statements[statement.sql], kept === statement else { return }
    statements[statement.sql] = nil
    droppedNames.append(statement.name)
  }

  /// Forgets all statements, since the schema that they were prepared for has changed.
  func dropAll() {
    droppedNames += statements.values.map(\.name)
    statements.removeAll()
    latest = nil
  }

  /// Forgets all statements, which the server has forgotten.
  func forgetAll() {
    dropAll()
    droppedNames.removeAll()
  }

  private func use(_ statement: PostgresStatement) -> PostgresStatement {
    statement.lastUse = clock
    return statement
  }

  private func keep(_ statement: PostgresStatement) {
    guard capacity > 0 else {
      droppedNames.append(statement.name)
      return
    }
    if let other = statements[statement.sql] { drop(other) }
    if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
      drop(oldest)
    }
    statements[statement.sql] = statement
    latest = statement
  }

  private func deallocate(on handle: PostgresHandle) throws(StoreError) {
    guard !droppedNames.isEmpty, !handle.isInFailedTransaction else { return }
    // The names are of letters and digits.
    try handle.runInternally(droppedNames.map { "DEALLOCATE \($0)" }.joined(separator: ";"))
    droppedNames.removeAll(keepingCapacity: true)
  }
}
