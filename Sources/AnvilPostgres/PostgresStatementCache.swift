internal import AnvilStore

/// A cache of a connection's most recently used prepared statements, by their text.
final class PostgresStatementCache {
  private let capacity: Int
  private var statements: [String: PostgresStatement] = [:]
  /// The statement that was taken last. In a loop, the next text is the same string and is compared quickly, by its address.
  private var latest: PostgresStatement?
  /// The number of statements taken so far. It orders statements by their last use.
  private var clock: UInt64 = 0
  private var nameCount: UInt64 = 0
  /// The names of dropped statements that still exist on the server.
  ///
  /// They are deallocated together with the next request. In a failed transaction they are kept, because the server
  /// would reject the request.
  private var droppedNames: [String] = []

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  /// The number of cached statements.
  var count: Int { statements.count }

  /// Returns a prepared statement for the text. The next call of this function may drop the statement.
  ///
  /// - Complexity: O(1) for a cached text. For a new text, the time to prepare it and O(*n*), where *n* is the
  ///   capacity.
  func take(_ sql: String, on handle: PostgresHandle) throws(StoreError) -> PostgresStatement {
    clock &+= 1
    // Compares bytes, because a database may distinguish strings that are canonically equivalent.
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

  /// Removes a statement from the cache. Called when the server no longer accepts its plan.
  func drop(_ statement: PostgresStatement) {
    if latest === statement { latest = nil }
    guard let kept = statements[statement.sql], kept === statement else { return }
    statements[statement.sql] = nil
    droppedNames.append(statement.name)
  }

  /// Removes all statements after a change of the schema.
  func dropAll() {
    droppedNames += statements.values.map(\.name)
    statements.removeAll()
    latest = nil
  }

  /// Removes all statements. Called when they no longer exist on the server.
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
    // The names consist of letters and digits and need no quotation marks.
    try handle.runInternally(droppedNames.map { "DEALLOCATE \($0)" }.joined(separator: ";"))
    droppedNames.removeAll(keepingCapacity: true)
  }
}
