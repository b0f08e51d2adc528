package import AnvilStore

/// A connection to a SQLite database, to be used from one thread at a time.
///
/// **What a commit is worth.** Files are kept in WAL mode with `synchronous=NORMAL`: COMMIT hands all pages of the transaction to
/// the operating system, whose they are from then on. A process that is killed at any moment, by `kill -9` too, loses no
/// transaction whose COMMIT returned, and nothing of others is seen: what is in the log without its commit mark is skipped.
/// When the machine itself stops, the last transactions before may be lost, whole and from the newest on; the database is not
/// damaged, since the log is synced before its pages are written back. Where a file system has no shared memory SQLite does
/// not go to WAL mode; then it is `synchronous=FULL` with a rollback journal, and readers and the writer wait for each other.
/// Sources: sqlite.org/wal.html, sqlite.org/pragma.html#pragma_synchronous.
///
/// **What a foreign file can do.** Its schema may not call functions or virtual tables with side effects (`trusted_schema`), SQL
/// cannot write to the schema as to a table (`SQLITE_DBCONFIG_DEFENSIVE`), cell sizes are checked as pages are read, and a
/// value, a row or a statement is at most ``Configuration/maximumLength`` bytes. Source: sqlite.org/security.html.
///
/// Text in double quotation marks is always an identifier, and foreign keys are enforced. When the connection ends, so do its
/// statements and, without a commit, its transaction; that may wait for the disk.
package final class SQLiteConnection: StoreConnection {
  let handle: SQLiteHandle
  let statements: SQLiteStatementCache
  /// What rows are written with, by the identity of their writing, which is held with it.
  var writingStatements: [ObjectIdentifier: (writing: RowWriting, sql: String, unchanged: SQLiteUnchangedRows?)] = [:]
  static let mostWritings = 64

  /// Opens the database, and creates the file when there is none.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, ``StoreError/Code/notADatabase``,
  ///   ``StoreError/Code/unsupported`` for a library older than 3.35, or ``StoreError/Code/busy``.
  package init(_ location: Location, configuration: Configuration = Configuration()) throws(StoreError) {
    try SQLiteLibrary.requireSupport()
    handle = try SQLiteHandle(path: try location.sqlitePath, configuration: configuration)
    statements = SQLiteStatementCache(capacity: configuration.statementCacheCapacity)
    try prepareDatabase(location, configuration)
  }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    let total = handle.totalChangeCount
    while try statement.step() {}
    // What statements that change no rows leave alone is the count of the last that did.
    return handle.totalChangeCount == total ? 0 : handle.changeCount
  }

  package func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    let row = StoreRow(statement)
    while try statement.step() {
      guard case .goOn = try body(row) else { return }
    }
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  package func placeholder(_ position: Int) -> String { "?\(position)" }

  package var maximumPlaceholderCount: Int { handle.maximumPlaceholderCount }

  package var interrupt: @Sendable () -> Void {
    let interruption = handle.interruption
    return { interruption.interrupt() }
  }
}
