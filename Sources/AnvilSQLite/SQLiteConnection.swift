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
/// **When the file goes away.** SQLite would go on with a file that was deleted, or that another one has replaced, and what it
/// commits would be lost. So each transaction, and each statement outside of one, begins and ends by asking whether the file is
/// still at its path, and throws ``StoreError/Code/fileMoved`` where it is not.
/// Source: sqlite.org/howtocorrupt.html, §1.4.
///
/// **What a foreign file can do.** Its schema may not call functions or virtual tables with side effects (`trusted_schema`), SQL
/// cannot write to the schema as to a table (`SQLITE_DBCONFIG_DEFENSIVE`), cell sizes are checked as pages are read, and a
/// value, a row or a statement is at most ``Configuration/maximumLength`` bytes. Source: sqlite.org/security.html.
///
/// Text in double quotation marks is always an identifier, and foreign keys are enforced. When the connection ends, so do its
/// statements and, without a commit, its transaction; that may wait for the disk.
package final class SQLiteConnection: StoreConnection {
  let handle: SQLiteHandle
  private let location: Location
  let statements: SQLiteStatementCache
  /// What rows are written with, by the identity of their writing, which is held with it.
  var writingStatements: [ObjectIdentifier: (writing: RowWriting, sql: String, unchanged: SQLiteUnchangedRows?)] = [:]
  static let mostWritings = 64

  /// Opens the database, and creates the file when there is none.
  ///
  /// - Parameter file: the file that connections before this one have opened; none is created then.
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, ``StoreError/Code/notADatabase``,
  ///   ``StoreError/Code/unsupported`` for a library older than 3.35, ``StoreError/Code/fileMoved``, or
  ///   ``StoreError/Code/busy``.
  package init(
    _ location: Location, configuration: Configuration = Configuration(), file: SQLiteFile = SQLiteFile()
  ) throws(StoreError) {
    try SQLiteLibrary.requireSupport()
    let path = try location.sqlitePath
    self.location = location
    statements = SQLiteStatementCache(capacity: configuration.statementCacheCapacity)
    do throws(StoreError) {
      handle = try SQLiteHandle(path: path, mayCreateFile: !file.isKnown, configuration: configuration)
    } catch {
      throw error.code == .cannotOpen && file.isKnown ? location.fileMoved : error
    }
    // Nothing was read yet: what is beside the path may belong to another file.
    if case .file = location, !file.isSame(asFileAt: path) { throw location.fileMoved }
    try prepareDatabase(location, configuration)
  }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    try requireFile()
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    let total = handle.totalChangeCount
    while try statement.step() {}
    try requireFile()
    // What statements that change no rows leave alone is the count of the last that did.
    return handle.totalChangeCount == total ? 0 : handle.changeCount
  }

  package func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    try requireFile()
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    let row = StoreRow(statement)
    while try statement.step() {
      guard case .goOn = try body(row) else { return }
    }
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  /// Within a transaction its beginning has asked, and its end is going to.
  private func requireFile() throws(StoreError) {
    if !handle.isInTransaction, handle.hasFileMoved { throw location.fileMoved }
  }

  package func placeholder(_ position: Int) -> String { "?\(position)" }

  package var maximumPlaceholderCount: Int { handle.maximumPlaceholderCount }

  package var interrupt: @Sendable () -> Void {
    let interruption = handle.interruption
    return { interruption.interrupt() }
  }
}
