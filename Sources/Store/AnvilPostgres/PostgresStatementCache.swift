internal import AnvilBase
internal import AnvilStore

/// A cache of a connection's most recently used prepared statements, by their text.
final class PostgresStatementCache {
  private let capacity: Int
  private var statements: [String: PostgresStatement] = [:]
  /// The statement that was taken last. In a loop, the next text is the same string and is compared quickly, by its address.
  private var latest: PostgresStatement?
  /// The number of statements taken so far. It orders statements by their last use.
  private var clock: UInt64 = 0
  /// The beginning of the names of this connection's statements, which no other connection has.
  ///
  /// A pooler may run statements of several programs in one session of the server, also after a program has ended. A name must not refer
  /// to another statement there. A name that depended only on the text could: what a text means depends on the search path and the user.
  private let namePrefix = "anvil_" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  private var nameCount: UInt64 = 0
  /// Whether the server keeps the prepared statements. Otherwise each statement is sent with its text, and the cache contains only the
  /// types of its placeholders and columns.
  private(set) var isNaming: Bool
  /// The names of dropped statements that still exist on the server.
  ///
  /// They are deallocated together with the next request. In a failed transaction they are kept, because the server
  /// would reject the request.
  private var droppedNames: [String] = []

  init(capacity: Int, isNaming: Bool) {
    self.capacity = max(capacity, 0)
    self.isNaming = isNaming
  }

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
    let statement = try isNaming ? handle.prepare(sql, as: nextName()) : describe(sql, on: handle)
    keep(statement)
    return use(statement)
  }

  /// Called when a pooler has assigned another session, or SQL has deallocated the statements. Texts are sent from now on.
  func stopNaming() {
    forgetAll()
    isNaming = false
  }

  private func nextName() -> String {
    nameCount &+= 1
    return "\(namePrefix)_\(nameCount)"
  }

  private func describe(_ sql: String, on handle: PostgresHandle) throws(StoreError) -> PostgresStatement {
    guard !handle.isInTransaction else { return try handle.prepare(sql, as: "") }
    // Outside of a transaction, a pooler may pass the two requests to different sessions.
    try handle.runInternally("BEGIN READ ONLY")
    defer { _ = try? handle.runInternally("ROLLBACK") }
    return try handle.prepare(sql, as: "")
  }

  /// Removes a statement from the cache. Called when the server no longer accepts its plan.
  func drop(_ statement: PostgresStatement) {
    if latest === statement { latest = nil }
    guard let kept = statements[statement.sql], kept === statement else { return }
    statements[statement.sql] = nil
    if statement.isNamed { droppedNames.append(statement.name) }
  }

  func dropAll() {
    droppedNames += statements.values.lazy.filter(\.isNamed).map(\.name)
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
      if statement.isNamed { droppedNames.append(statement.name) }
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
    let names = droppedNames
    // Removed first, so that a failure is not repeated.
    droppedNames.removeAll(keepingCapacity: true)
    // The names consist of letters and digits and need no quotation marks.
    try handle.runInternally(names.map { "DEALLOCATE \($0)" }.joined(separator: ";"))
  }
}

final class PostgresStatement {
  let sql: String
  /// The statement's name on the server. It is empty for a statement that is sent with its text each time.
  let name: String
  let parameterTypes: [PostgresType]
  let columns: [PostgresColumn]
  /// True if the statement's rows are requested in the binary format. The format applies to all columns.
  let isBinary: Bool
  let isCursorQuery: Bool
  private var shortRunCount = 0
  /// The number of the last use. The cache drops the statement with the smallest number.
  var lastUse: UInt64 = 0

  var isNamed: Bool { !name.isEmpty }

  init(sql: String, name: String, parameterTypes: [PostgresType], columns: [PostgresColumn]) {
    self.sql = sql
    self.name = name
    self.parameterTypes = parameterTypes
    self.columns = columns
    isBinary = columns.allSatisfy(\.type.isReadInBinary)
    isCursorQuery = !columns.isEmpty && Self.isCursorQuery(sql)
  }

  /// Not after three consecutive runs with few rows, because a cursor costs two more round trips. A query for one row takes 43 µs
  /// with a cursor and 15 µs without.
  var isForCursor: Bool { isCursorQuery && shortRunCount < 3 }

  /// The number of rows below which a run counts as one with few rows.
  static let fewRows = 64

  /// Records the number of rows of a run. If not all rows were read, `count` is a lower bound.
  func noteRows(_ count: Int) {
    shortRunCount = count < Self.fewRows ? min(shortRunCount + 1, 3) : 0
  }

  /// A query with one of them may write or lock rows, and a cursor would skip rows to be locked that change before it reaches them.
  private static let otherWords: Set<String> = ["INTO", "INSERT", "UPDATE", "DELETE", "MERGE", "SHARE"]

  /// Returns `true` if the text begins with SELECT, VALUES or WITH and contains none of the words in `otherWords`.
  ///
  /// Names without quotation marks also count as words. This is safe, because the result without a cursor is the same; only an interruption
  /// takes longer.
  static func isCursorQuery(_ sql: String) -> Bool {
    let tokens = PostgresTokens(sql)
    guard let first = tokens.first(where: { $0 != .symbol(UInt8.openParenthesis) }),
      [.word("SELECT"), .word("VALUES"), .word("WITH")].contains(first)
    else { return false }
    return !tokens.contains { if case .word(let word) = $0 { otherWords.contains(word) } else { false } }
  }
}
