package import AnvilStore

/// A connection to a PostgreSQL database. It must be used from one thread at a time.
///
/// **Statements** are prepared by the server and cached; values are sent separately from their text. A schema change can make a prepared
/// statement stale. Outside a transaction the statement is then prepared again. Within a transaction it fails with
/// ``StoreError/Code/conflict``.
///
/// **Transactions.** If a statement in a transaction fails or is interrupted, the whole transaction fails: after that, only ROLLBACK, or
/// ROLLBACK TO a savepoint, is possible. COMMIT of a failed transaction throws, because its changes are lost.
///
/// **Rows.** Outside a transaction the server sends rows one by one as they are read. A query that stops early is cancelled. If another
/// statement is run before all rows are read, the remaining rows are buffered in memory first. In a transaction a query uses a cursor,
/// which fetches 64 to 1,024 rows at a time. It can stop at any time and needs no buffer. Statements that write or lock (any with INSERT,
/// UPDATE, DELETE, MERGE, SHARE or INTO as a word) have no cursor and are not cancelled, because cancelling would undo them or fail the
/// transaction. When they stop early, the remaining rows are read and discarded. A query that returned fewer than 64 rows in each of its
/// last three runs has no cursor either.
///
/// **Poolers.** With ``PostgresPoolMode/transaction``, and behind a pooler that was detected, nothing depends on the session of the server
/// between two transactions: statements have no names, and each transaction begins with its settings. `BEGIN` and the settings are one
/// message.
///
/// **Security.** Errors contain neither server messages that may include values nor the password of the connection string. Notices are
/// discarded.
package final class PostgresConnection: StoreConnection {
  let handle: PostgresHandle
  let statements: PostgresStatementCache
  /// The cached statements for writing rows, by the identity of their `RowWriting`. Each statement retains its `RowWriting`.
  var insertions: [ObjectIdentifier: PostgresInsertion] = [:]
  package let maximumNameLength: Int
  var sending: PostgresRows?
  /// The names of cursors that may be open in this transaction.
  var cursorNames: Set<String> = []
  var cursorTransaction: UInt64 = 0
  /// True if the open transaction has changed the schema, which a rollback would undo.
  var isSchemaChanged = false

  let isPooled: Bool
  /// True if each transaction may run in another session of the server, which other programs use too.
  var isSessionShared: Bool { sharesSession || sharing.isFound }
  /// True if the caller has declared that the session is shared, or a pooler was detected.
  let sharesSession: Bool
  private let sharing: PostgresSessionSharing
  /// The statements that set the settings of the connection for one transaction; empty if the session has them.
  var localSettings: String { isSessionShared ? settingsOfTransactions : "" }
  private let settingsOfTransactions: String
  /// True if the caller has declared that the connection keeps its session.
  let keepsSession: Bool
  let connectionString: String
  let configuration: Configuration

  enum ForeignChangeDetection {
    case none
    /// By the notifications that contain the hash of the schema's name.
    case notifications(schema: String)
    /// By the position up to which a replica has replayed the changes of its server. Replicas refuse LISTEN.
    case replay(position: String)
  }

  var detection = ForeignChangeDetection.none
  /// True if a notification has arrived while the connection was idle.
  var hasProvenNotifications = false

  /// Opens a connection to the server.
  ///
  /// - Parameter connectionString: A URL, `postgres://user:password@host:5432/database?sslmode=verify-full`, or pairs, `host=… dbname=…`,
  ///   with all options of libpq. Missing options come from the environment and from the defaults of libpq. Source:
  ///   postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING.
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, or ``StoreError/Code/unsupported`` for a library older than
  ///   14 or a server older than 12.
  package convenience init(
    _ connectionString: String, configuration: Configuration = Configuration()
  ) throws(StoreError) {
    try self.init(connectionString, configuration: configuration, sharing: PostgresSessionSharing())
  }

  /// - Parameters:
  ///   - sharing: The finding of the store's connections about the sessions of the server.
  ///   - isPooled: Whether a pooler is between the connection and the server; `nil` to find out.
  init(
    _ connectionString: String, configuration: Configuration = Configuration(), sharing: PostgresSessionSharing,
    isPooled: Bool? = nil
  ) throws(StoreError) {
    let location = try PostgresConnectionString(connectionString)
    let poolMode = location.poolMode ?? configuration.poolMode
    self.connectionString = connectionString
    self.configuration = configuration
    let handle = try PostgresHandle(location.text, configuration)
    self.handle = handle
    let session = try handle.runInternally(
      "SELECT pg_catalog.pg_backend_pid(), pg_catalog.current_setting('max_identifier_length')")
    // A pooler sends the identifier of its client in place of the server's process.
    let isPooled = isPooled ?? (session?.text(row: 0, column: 0) != "\(handle.processID)")
    self.isPooled = isPooled
    maximumNameLength = session?.text(row: 0, column: 1).flatMap { Int($0) } ?? 63
    keepsSession = poolMode == .session
    self.sharing = sharing
    sharesSession = poolMode == .transaction || (poolMode == .automatic && isPooled)
    let isSessionShared = sharesSession || sharing.isFound
    statements = PostgresStatementCache(
      capacity: configuration.statementCacheCapacity, isNaming: !isSessionShared)
    // The values contain no quotation marks.
    let settings = configuration.settings.map { "\($0.name) = '\($0.value)'" }
    settingsOfTransactions = settings.map { "; SET LOCAL \($0)" }.joined()
    if !isSessionShared { try handle.runInternally(settings.map { "SET \($0)" }.joined(separator: "; ")) }
    if isPooled { try requireTransactions() }
  }

  /// Treats the sessions of the store as ones that other programs use too, because this one lacks the statements of the connection.
  func noteSharedSession() {
    sharing.note()
    statements.stopNaming()
  }

  /// - Throws: ``StoreError/Code/unsupported`` for a pooler in statement mode; the errors of the connection.
  private func requireTransactions() throws(StoreError) {
    do throws(StoreError) {
      try handle.runInternally("BEGIN")
      try handle.runInternally("COMMIT")
    } catch {
      throw Self.refusalOfTransactions(error)
    }
  }

  /// PgBouncer in statement mode has the same SQLSTATE for other failures, which may pass, so its message decides.
  static func refusalOfTransactions(_ error: StoreError) -> StoreError {
    guard error.backendCode == "08P01", error.backendMessage?.contains("statement pooling") == true else {
      return error
    }
    return StoreError(
      code: .unsupported, backendMessage: error.backendMessage, backendCode: error.backendCode,
      reason: "the pooler does not allow transactions; a store needs a pooler in transaction or session mode")
  }

  /// Does not contact the server, so a statement may still find the connection lost.
  package var isUsable: Bool { handle.isOpen }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    settle()
    let wasFailed = handle.isInFailedTransaction
    if values.isEmpty, sql.controlsTransaction {
      try handle.send(sql)
      return try complete(sql, nil, nil, wasFailed: wasFailed)
    }
    if sql == beginWriting || sql == beginReading {
      try begin(sql)
      return 0
    }
    let (statement, first) = try execute(sql, values)
    return try complete(sql, statement, first, wasFailed: wasFailed)
  }

  private func begin(_ sql: String) throws(StoreError) {
    do throws(StoreError) {
      // Not `complete`: a SET in the caller's SQL empties the cache of statements, because it may change the search path.
      try handle.runInternally(sql)
    } catch {
      // The transaction may have begun.
      if handle.isInTransaction { _ = try? handle.runInternally("ROLLBACK") }
      throw error
    }
  }

  package func requireEffectWithinTransaction(_ sql: Substring) throws(StoreError) {
    guard isSessionShared, PostgresStatement.outlivesTransaction(sql) else { return }
    throw StoreError(
      code: .unsupported, sql: String(sql),
      reason: """
        the statement changes a session of the server that a pooler shares with other programs; the code of DO counts as such a \
        statement
        """)
  }

  package func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    let rows = try start(sql, values)
    defer {
      rows.end()
      if sending === rows { sending = nil }
    }
    let row = StoreRow(rows.row)
    while try rows.next() {
      guard case .goOn = try body(row) else { return }
    }
  }

  package func backUp(to path: String) throws(StoreError) {
    throw StoreError(
      code: .unsupported, reason: "PostgreSQL writes no copy of a database to a file of the client: use pg_dump")
  }

  package var isInTransaction: Bool { handle.isInTransaction }

  package var interrupt: @Sendable () -> Void {
    { [interruption = handle.interruption] in interruption.interrupt() }
  }

  package struct Configuration: Hashable, Sendable {
    /// The time that a statement waits for a locked row or table before it fails as busy.
    package var busyTimeout: Duration
    /// The option `connect_timeout` of the connection string takes precedence.
    package var connectTimeout: Duration
    /// The maximum number of cached prepared statements. The least recently used statement is removed first.
    package var statementCacheCapacity: Int
    /// The maximum size of a value, and of all values of one statement together, in bytes. The server's limit is 1 GB.
    package var maximumLength: Int
    /// The mode of a pooler before the server. The option `pool_mode` of the connection string takes precedence.
    package var poolMode: PostgresPoolMode

    package init(
      busyTimeout: Duration = .seconds(5), connectTimeout: Duration = .seconds(10), statementCacheCapacity: Int = 64,
      maximumLength: Int = 1_000_000_000, poolMode: PostgresPoolMode = .automatic
    ) {
      self.busyTimeout = busyTimeout
      self.connectTimeout = connectTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
      self.poolMode = poolMode
    }

    /// The settings of the session, which override those of the server and the user.
    var settings: [(name: String, value: String)] {
      [
        ("TimeZone", "UTC"), ("DateStyle", "ISO"), ("IntervalStyle", "postgres"), ("bytea_output", "hex"),
        // The shortest text that gives the same real when read.
        ("extra_float_digits", "1"), ("standard_conforming_strings", "on"),
        // All rows of a cursor are usually read, so its plan should be the fastest for that.
        ("cursor_tuple_fraction", "1"),
        ("lock_timeout", "\(busyTimeout.settingMilliseconds)ms"),
      ]
    }
  }
}

extension Duration {
  /// At least 1, because 0 would mean no limit, and at most the greatest `Int32`, which is the server's type.
  fileprivate var settingMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max / 1_000) else { return Int64(Int32.max) }
    guard seconds >= 0 else { return 1 }
    return max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
  }
}

extension PostgresConnection {
  package func mayChange(_ sql: String) throws(StoreError) -> Bool { !PostgresStatement.isCursorQuery(sql) }

  package func checkDeferredConstraints() throws(StoreError) {
    try run("SET CONSTRAINTS ALL IMMEDIATE", [])
    try run("SET CONSTRAINTS ALL DEFERRED", [])
  }

  package func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String {
    try rows(of: "EXPLAIN (ANALYZE FALSE) " + sql, values).map { $0.first?.text ?? "" }.joined(separator: "\n")
  }

  // Tables are looked up in the current schema, the first of the search path that exists, by the index of their names. `to_regclass` would
  // not find a table that another transaction has created while this one waited for a lock: the server keeps what it has looked up.

  private static let table = """
    pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE n.nspname = pg_catalog.current_schema() AND c.relkind IN ('r', 'p') AND c.relname = $1::text::name
    """

  /// Returns the name for a query with ``table``; `nil` if no table can have it. The type `name` would cut off a long one.
  private func lookedUp(_ name: String) -> StoreValue? { (try? quoted(name)).map { _ in .text(name) } }

  package func tableExists(_ name: String) throws(StoreError) -> Bool {
    guard let name = lookedUp(name) else { return false }
    return try value(of: "SELECT c.oid FROM \(Self.table)", [name]) != nil
  }

  /// Materialised views and foreign tables are views, too.
  package func viewExists(_ name: String) throws(StoreError) -> Bool {
    guard let name = lookedUp(name) else { return false }
    let views = Self.table.replacing("'r', 'p'", with: "'v', 'm', 'f'")
    return try value(of: "SELECT c.oid FROM \(views)", [name]) != nil
  }

  /// Returns the numbers of the table and of the transactions that have written its columns and its rows in the catalog. Returns `nil` for
  /// a table that another transaction has rewritten.
  ///
  /// One statement takes 0.03 ms of the server. Reading the catalog and the columns takes three, and 0.17 ms.
  package func tableVersion(of name: String) throws(StoreError) -> String? {
    guard !name.utf8.contains(0) else { return nil }
    let sql = """
      SELECT pg_catalog.concat_ws(' ', c.oid, c.relfilenode, (\
      SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(a.xmin::text::bigint)) \
      FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = c.oid), (\
      SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), pg_catalog.sum(t.xmin::text::bigint)) \
      FROM \(try quoted(SchemaCatalog.table)) AS t WHERE t.entity = $2)) \
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE c.oid = pg_catalog.to_regclass($1) AND n.nspname = pg_catalog.current_schema() \
      AND c.relkind IN ('r', 'p') AND pg_catalog.pg_relation_filenode(c.oid) IS NOT DISTINCT FROM nullif(c.relfilenode, 0)
      """
    return try value(of: sql, [.text(try quoted(name)), .text(name)])?.text
  }

  /// Compares the number of the transaction that has inserted the row. That of a nested transaction, which is a later number than the
  /// transaction's own, is in progress although the row is visible.
  ///
  /// The row is new, so the numbers differ by less than 2³¹. Only numbers below the end of the snapshot have a status.
  package func hasInserted(
    rowOf table: String, where condition: String, _ values: [StoreValue]
  ) throws(StoreError) -> Bool {
    let sql = """
      SELECT CASE WHEN d.later >= 2147483648 THEN FALSE \
      WHEN d.own + d.later >= pg_catalog.txid_snapshot_xmax(pg_catalog.txid_current_snapshot()) THEN TRUE \
      ELSE pg_catalog.txid_status(d.own + d.later) = 'in progress' END FROM (\
      SELECT anvil_own AS own, (xmin::text::bigint - anvil_own) & 4294967295 AS later \
      FROM \(try quoted(table)), pg_catalog.txid_current_if_assigned() AS anvil_own WHERE \(condition)) AS d
      """
    return try value(of: sql, values) == .integer(1)
  }

  /// Returns the columns of a table. Types are spelled as the server spells them, such as `bigint` for BIGINT, and without the collation. That
  /// of a domain is its base type.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if another transaction rewrote the table, for example to change the type of a column, after
  ///   this transaction began to read. This transaction would see an empty table. Source: postgresql.org/docs/current/mvcc-caveats.html.
  package func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] {
    guard let table = lookedUp(name) else { return [] }
    let sql = """
      SELECT a.attname::text, (SELECT CASE WHEN y.typtype = 'd' THEN pg_catalog.format_type(y.typbasetype, y.typtypmod) \
      ELSE pg_catalog.format_type(y.oid, a.atttypmod) END FROM pg_catalog.pg_type AS y WHERE y.oid = a.atttypid), \
      a.attnotnull, (\
      SELECT k.position FROM pg_catalog.pg_index AS i, \
      pg_catalog.unnest(i.indkey) WITH ORDINALITY AS k (number, position) \
      WHERE i.indrelid = t.oid AND i.indisprimary AND k.number = a.attnum AND k.position <= i.indnkeyatts), \
      a.atthasdef OR a.attidentity <> '', coalesce(pg_catalog.pg_relation_filenode(t.oid) <> t.relfilenode, FALSE), (\
      SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef AS d \
      WHERE d.adrelid = t.oid AND d.adnum = a.attnum AND a.attgenerated = '') \
      FROM pg_catalog.pg_attribute AS a JOIN (SELECT c.oid, c.relfilenode FROM \(Self.table)) AS t ON a.attrelid = t.oid \
      WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """
    let rows = try rows(of: sql, [table])
    // The function uses the current table, while the query uses the table as it was when the transaction began to read.
    guard rows.first?[5] != .integer(1) else {
      throw StoreError(code: .conflict, reason: "the table \(name) was rewritten by another transaction")
    }
    return rows.compactMap { row in
      guard let name = row[0].text, let type = row[1].text else { return nil }
      return StoreColumn(
        name: name, declaredType: type, isNotNull: row[2] == .integer(1), hasDefault: row[4] == .integer(1),
        defaultExpression: row[6].text, primaryKeyPosition: row[3].integer.map { Int($0) })
    }
  }

  package var altersColumnTypes: Bool { true }

  package var nullsFirstInIndex: String { " NULLS FIRST" }

  /// Disables the table's triggers, which would see each value that is converted. ALTER TABLE keeps the indices of a column, and fails when a
  /// view or a trigger depends on the column.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    let table = try quoted(name)
    let sql = """
      SELECT tgname::text FROM pg_catalog.pg_trigger \
      WHERE tgrelid = pg_catalog.to_regclass($1) AND NOT tgisinternal AND tgenabled = 'O' ORDER BY tgname
      """
    let triggers = try rows(of: sql, [.text(table)]).compactMap { try $0.first?.text.map(quoted) }
    for trigger in triggers { try run("ALTER TABLE \(table) DISABLE TRIGGER \(trigger)") }
    try body()
    for trigger in triggers { try run("ALTER TABLE \(table) ENABLE TRIGGER \(trigger)") }
  }

  package func lockReaders(ofTable name: String) throws(StoreError) {
    guard try tableExists(name) else { return }
    try run("LOCK TABLE \(try quoted(name)) IN ACCESS EXCLUSIVE MODE")
  }

  /// An advisory lock until the end of the transaction. Its number is a hash of the names of the schema and the table.
  package func lockTable(_ name: String) throws(StoreError) {
    _ = try quoted(name)
    try run(
      """
      SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.concat('x', pg_catalog.substr(pg_catalog.md5(\
      pg_catalog.concat('anvil ', pg_catalog.current_schema(), '.', $1::text)), 1, 16))::bit(64)::bigint)
      """, [.text(name)])
  }
}
