package import AnvilStore

/// A connection to a SQLite database. It must be used from one thread at a time.
///
/// **Durability.** Files are in WAL mode with `synchronous=NORMAL`: COMMIT passes all pages of the transaction to the operating system. If
/// the process is killed at any moment, even by `kill -9`, no transaction whose COMMIT returned is lost, and incomplete transactions are
/// ignored: log entries without a commit mark are skipped. If the machine stops, the most recent transactions may be lost as a whole. The
/// database is not damaged, because the log is synced before its pages are written back. On file systems without shared memory, SQLite does
/// not support WAL mode; there the connection uses `synchronous=FULL` with a rollback journal, and readers and the writer wait for each
/// other. Sources: sqlite.org/wal.html, sqlite.org/pragma.html#pragma_synchronous.
///
/// **Moved files.** SQLite would continue to use a file that was deleted or replaced, and its commits would be lost. Therefore each
/// transaction, and each statement outside of one, checks at its beginning and end that the file is still at its path, and throws
/// ``StoreError/Code/fileMoved`` if it is not. A query outside of a transaction checks it only at its beginning. Source:
/// sqlite.org/howtocorrupt.html, §1.4.
///
/// **Untrusted files.** The schema cannot call functions or virtual tables with side effects (`trusted_schema`), SQL cannot write to the
/// schema table (`SQLITE_DBCONFIG_DEFENSIVE`), cell sizes are checked as pages are read, and a value, a row or a statement is at most
/// ``Configuration/maximumLength`` bytes. Source: sqlite.org/security.html.
///
/// Text in double quotation marks is always an identifier, and foreign keys are enforced. When the connection ends, its statements end and
/// an open transaction is rolled back; that may wait for the disk.
package final class SQLiteConnection: StoreConnection {
  let handle: SQLiteHandle
  private let location: Location
  let statements: SQLiteStatementCache
  /// The cached statements for writing rows, by the identity of their `RowWriting`.
  var writings: [ObjectIdentifier: PreparedWriting] = [:]
  static let mostWritings = 64
  /// The version of the database, from `PRAGMA data_version`, at the last call of ``foreignChanges(to:)``.
  private var lastDataVersion: Int64?

  /// Opens the database, and creates the file if it does not exist.
  ///
  /// - Parameter file: The identity of the file that earlier connections have opened. If it is known, no file is created.
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
    // Nothing was read so far: a log at this path may belong to another file.
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
    // `changeCount` keeps its value after statements that change no rows.
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

  /// Returns an empty set if no other connection has changed the database since the last call. Otherwise returns `nil`, because SQLite does
  /// not report the changed tables. Other connections of the same store count as well. Source: sqlite.org/pragma.html#pragma_data_version.
  package func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    let statement = try statements.take("PRAGMA data_version", on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [])
    let version = try statement.step() ? statement.integer(at: 0) : nil
    defer { lastDataVersion = version }
    return version == lastDataVersion ? [] : nil
  }

  /// Source: sqlite.org/lang_vacuum.html, VACUUM with an INTO clause.
  package func backUp(to path: String) throws(StoreError) {
    try run("VACUUM INTO ?1", [.text(Location.file(path).sqlitePath)])
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  /// Checks outside of transactions that the file is still at its path. A transaction checks this at its beginning and at its end.
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
