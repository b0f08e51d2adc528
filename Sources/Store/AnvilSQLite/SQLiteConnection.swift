internal import AnvilBase
@_exported public import AnvilStore
internal import CSQLite

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
/// transaction, and each statement outside of one, checks at its beginning that the file is still at its path, and throws
/// ``StoreError/Code/fileMoved`` if it is not. What has written checks it again at its end. Source: sqlite.org/howtocorrupt.html, §1.4.
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
    // The version of the loaded library may differ from that of the header.
    let version = sqlite3_libversion_number()
    guard version >= ANVIL_SQLITE_MINIMUM_VERSION else {
      throw StoreError(
        code: .unsupported, reason: "SQLite 3.35 or newer is required, but the version is \(version)")
    }
    guard sqlite3_threadsafe() != 0 else {
      throw StoreError(code: .unsupported, reason: "this SQLite library does not support threads")
    }
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
    let mayWrite = handle.isInWritingTransaction || !(handle.isInTransaction || statement.isReadOnly)
    while try statement.step() {}
    if mayWrite { try requireFile() }
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
    let version = try firstInteger(of: "PRAGMA data_version")
    defer { lastDataVersion = version }
    return version == lastDataVersion ? [] : nil
  }

  package func takeChangedTables() -> Set<String> { handle.takeChangedTables() }

  /// Source: sqlite.org/lang_vacuum.html, VACUUM with an INTO clause.
  package func backUp(to path: String) throws(StoreError) {
    let path = try Location.file(path).sqlitePath
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    guard size ?? 0 == 0 else { throw StoreError(code: .cannotOpen, reason: "the file of the backup exists") }
    try run("VACUUM INTO ?1", [.text(path)])
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  /// The time that a statement waits for a locked database before it fails with `busy`.
  package var busyTimeout: Duration {
    get { handle.waiting.timeout }
    set { handle.waiting.timeout = newValue }
  }

  /// Checks outside of transactions that the file is still at its path. A transaction checks this at its beginning and at its end.
  private func requireFile() throws(StoreError) {
    if !handle.isInTransaction, handle.hasFileMoved { throw location.fileMoved }
  }

  package func placeholder(_ position: Int) -> String { "?\(position)" }

  package var maximumPlaceholderCount: Int { handle.maximumPlaceholderCount }

  package var interrupt: @Sendable () -> Void {
    { [interruption = handle.interruption] in interruption.interrupt() }
  }

  package enum Location: Hashable, Sendable {
    /// A file at a path, which is never read as a URI. While the file is in use, files with the suffixes `-wal` and `-shm` are next to it.
    case file(String)
    /// A database in memory that only this connection can use, and that ends with it.
    case inMemory

    var fileMoved: StoreError {
      let place = if case .file(let path) = self { path } else { "the database" }
      return StoreError(
        code: .fileMoved,
        reason: "\(place) is not the file that was opened: restore that file, or close the store and open it again")
    }

    /// SQLite may be built to read URIs in all paths, and some paths that begin with a colon have a special meaning.
    var sqlitePath: String {
      get throws(StoreError) {
        switch self {
        case .inMemory: return ":memory:"
        case .file(let path):
          guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(
              code: .cannotOpen, reason: path.isEmpty ? "the path is empty" : "the path contains a NUL character")
          }
          return path.utf8.first == .slash ? path : "./" + path
        }
      }
    }
  }

  package struct Configuration: Hashable, Sendable {
    /// The time that a statement waits for a locked database before it fails as busy.
    package var busyTimeout: Duration
    /// The maximum number of cached prepared statements. The least recently used statement is removed first.
    package var statementCacheCapacity: Int
    /// The maximum bytes of a value, a row or a statement. The limit of the SQLite library, usually 1,000,000,000, also applies.
    package var maximumLength: Int

    package init(
      busyTimeout: Duration = .seconds(5), statementCacheCapacity: Int = 64, maximumLength: Int = 1_000_000_000
    ) {
      self.busyTimeout = busyTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
    }
  }

  /// Returns whether it existed. SQLite cannot drop a column that has an index, and does not rename the index with the column.
  package func dropIndex(entity: String, column: String) throws(StoreError) -> Bool {
    if try dropElementIndex(of: column, in: entity) { return true }
    guard try exists("index", "\(entity).\(column)") else { return false }
    try run("DROP INDEX main.\(try indexName(entity: entity, column: column))")
    return true
  }

  package func dropIndices(entity: String, column: String) throws(StoreError) {
    _ = try dropElementIndex(of: column, in: entity)
    let sql = """
      SELECT l.name FROM pragma_index_list(?1) AS l \
      WHERE l.origin = 'c' AND EXISTS (SELECT 1 FROM pragma_index_info(l.name) AS i WHERE i.name = ?2)
      """
    for name in try texts(of: sql, [.text(entity), .text(column)]) { try run("DROP INDEX main.\(try quoted(name))") }
  }

  /// Drops the table's indices and all views and triggers, which may refer to its columns, and creates them again after `body`.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    var dependents: [Dependent] = []
    // Indices that are part of a table's definition have no statement. They are dropped and created together with the table.
    let sql = """
      SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL \
      AND (type IN ('view', 'trigger') OR type = 'index' AND tbl_name = ?1 COLLATE NOCASE) ORDER BY rowid
      """
    try query(sql, [.text(name)]) { row in
      guard let kind = Dependent.Kind(rawValue: try row.text(at: 0) ?? ""), let name = try row.text(at: 1),
        let sql = try row.text(at: 2)
      else { return .goOn }
      dependents.append(Dependent(kind: kind, name: name, sql: sql))
      return .goOn
    }
    // Triggers are dropped before views, because a trigger may belong to a view.
    for kind in [Dependent.Kind.trigger, .view, .index] {
      for dependent in dependents where dependent.kind == kind {
        try run("DROP \(kind.keyword) main.\(try quoted(dependent.name))")
      }
    }
    try body()
    for kind in [Dependent.Kind.index, .view, .trigger] {
      for dependent in dependents where dependent.kind == kind { try run(dependent.sql) }
    }
  }
}

private struct Dependent {
  enum Kind: String {
    case index, view, trigger

    var keyword: String { rawValue.uppercased() }
  }

  let kind: Kind
  let name: String
  let sql: String
}

extension SQLiteConnection {
  package func mayChange(_ sql: String) throws(StoreError) -> Bool {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    return !statement.isReadOnly
  }

  /// Returns one line for each step of the plan, indented below the step that contains it. Source: sqlite.org/eqp.html.
  package func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String {
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    try forEachRow(of: "EXPLAIN QUERY PLAN " + sql, values) { row throws(StoreError) in
      guard let id = try row.integer(at: 0), let parent = try row.integer(at: 1), let detail = try row.text(at: 3)
      else { return }
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[id] = depth
      lines.append(String(repeating: "  ", count: depth) + detail)
    }
    return lines.joined(separator: "\n")
  }

  // Table names are compared without regard to the case of ASCII letters, as in SQLite itself. The schema "main" is the file, so temporary
  // tables are ignored.

  package func tableExists(_ name: String) throws(StoreError) -> Bool { try exists("table", name) }

  package func viewExists(_ name: String) throws(StoreError) -> Bool { try exists("view", name) }

  /// Source: sqlite.org/pragma.html#pragma_schema_version.
  package func schemaVersion() throws(StoreError) -> Int64? { try firstInteger(of: "PRAGMA main.schema_version") }

  /// Creates and drops a view. Each change of the schema advances its version; the version itself cannot be set on a connection that protects
  /// the schema (``SQLiteHandle/harden()``).
  package func advanceSchemaVersion() throws(StoreError) {
    try run("CREATE VIEW main.anvil_version AS SELECT 1")
    try run("DROP VIEW main.anvil_version")
  }

  /// Checks all tables that have foreign keys, and describes the first violation. Returns `nil` if all foreign keys are valid.
  package func checkReferences() throws(StoreError) {
    guard handle.hasDanglingReferences else { return }
    throw StoreError(
      code: .constraint(.foreignKey), reason: "another row refers to a row that does not exist")
  }

  package func tablesReferring(to table: String) throws(StoreError) -> [String] {
    let sql = """
      SELECT DISTINCT m.name FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f \
      WHERE m.type = 'table' AND f."table" = ?1 COLLATE NOCASE ORDER BY m.name
      """
    return try texts(of: sql, [.text(table)])
  }

  package func foreignKeyViolation() throws(StoreError) -> String? {
    try first("PRAGMA foreign_key_check") { row throws(StoreError) -> String? in
      guard let table = try row.text(at: 0), let parent = try row.text(at: 2) else { return nil }
      return "a row of \(table) refers to a row of \(parent) that does not exist"
    }
  }

  /// Returns the columns of the table. Generated columns are included; hidden columns of virtual tables are not.
  package func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] {
    // The function would read only up to the first NUL.
    guard !name.utf8.contains(0) else { return [] }
    let sql = #"""
      SELECT name, type, "notnull", pk, dflt_value IS NOT NULL OR hidden > 1, dflt_value FROM pragma_table_xinfo(?1, 'main') \#
      WHERE hidden <> 1 ORDER BY cid
      """#
    var columns: [StoreColumn] = []
    try forEachRow(of: sql, [.text(name)]) { row throws(StoreError) in
      let position = try row.integer(at: 3).flatMap { Int(exactly: $0) } ?? 0
      columns.append(
        StoreColumn(
          name: try row.text(at: 0) ?? "", declaredType: try row.text(at: 1) ?? "",
          isNotNull: try row.integer(at: 2) != 0, hasDefault: try row.integer(at: 4) != 0,
          defaultExpression: try row.text(at: 5), primaryKeyPosition: position > 0 ? position : nil))
    }
    return columns
  }

  /// The size in bytes to which the log is truncated after a checkpoint. Until then, a large transaction can make the log larger.
  private static let retainedLogSize = 64 << 20

  /// The size of the page cache in KiB. With SQLite's default of 2 MB, index pages are evicted and reloaded when rows are not stored in the
  /// order of their keys: 100,000 rows with text keys took 523 ms of processor time, and take 314 ms with this size.
  private static let cacheSize = 16_000

  /// Applies the settings of a connection. Those that protect it from a damaged file come before the first statement that reads the file.
  func prepareDatabase(_ location: Location, _ configuration: Configuration) throws(StoreError) {
    try handle.harden()
    try handle.addFunctions()
    try run("PRAGMA cell_size_check=ON")
    guard case .file = location else { return }
    // The mode of a database that cannot be written stays as it is.
    if !handle.isReadOnly {
      let isLogged = try enterWALMode(waiting: configuration.busyTimeout)
      try run("PRAGMA synchronous=\(isLogged ? "NORMAL" : "FULL")")
      try run("PRAGMA journal_size_limit=\(Self.retainedLogSize)")
    }
    try run("PRAGMA cache_size=-\(Self.cacheSize)")
  }

  /// Switches the database to WAL mode. Returns `true` if it is in WAL mode afterwards.
  ///
  /// The switch needs exclusive use of the database for a moment. SQLite does not call the busy handler for it, because two connections
  /// that wait for each other would both time out. When several connections open a new file at once, all but one may fail. They succeed
  /// when they try again.
  private func enterWALMode(waiting timeout: Duration) throws(StoreError) -> Bool {
    let deadline = Deadline(after: timeout)
    while true {
      do throws(StoreError) {
        return try first("PRAGMA journal_mode=WAL") { row throws(StoreError) in try row.text(at: 0) } == "wal"
      } catch {
        guard error.code == .busy, !deadline.hasPassed else { throw error }
        sqlite3_sleep(.random(in: 1...10))
      }
    }
  }

  package func firstInteger(of sql: String, _ values: [StoreValue] = []) throws(StoreError) -> Int64? {
    try first(sql, values) { row throws(StoreError) in try row.integer(at: 0) }
  }

  /// Returns the result of `read` for the first row of a statement; `nil` if it has no rows.
  func first<Result>(
    _ sql: String, _ values: [StoreValue] = [], _ read: (SQLiteStatement) throws(StoreError) -> Result?
  ) throws(StoreError) -> Result? {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    return try statement.step() ? try read(statement) : nil
  }

  private func forEachRow(
    of sql: String, _ values: [StoreValue], _ body: (SQLiteStatement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: values)
    while try statement.step() { try body(statement) }
  }

  /// Returns the texts in the first column of all rows.
  private func texts(of sql: String, _ values: [StoreValue]) throws(StoreError) -> [String] {
    var texts: [String] = []
    try forEachRow(of: sql, values) { row throws(StoreError) in
      if let text = try row.text(at: 0) { texts.append(text) }
    }
    return texts
  }

  /// Returns `true` if the database has an object of this kind with this name.
  func exists(_ kind: String, _ name: String) throws(StoreError) -> Bool {
    let sql = "SELECT 1 FROM main.sqlite_master WHERE type = ?1 AND name = ?2 COLLATE NOCASE"
    return try first(sql, [.text(kind), .text(name)]) { _ in true } ?? false
  }
}
