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
/// **Security.** Errors contain neither server messages that may include values nor the password of the connection string. Notices are
/// discarded.
package final class PostgresConnection: StoreConnection {
  let handle: PostgresHandle
  let statements: PostgresStatementCache
  /// The cached statements for writing rows, by the identity of their `RowWriting`. Each statement retains its `RowWriting`.
  var insertions: [ObjectIdentifier: PostgresInsertion] = [:]
  /// The maximum length of a name in bytes.
  package private(set) var maximumNameLength = 63
  /// The query whose rows the server is sending.
  var sending: PostgresRows?
  /// The names of cursors that may be open in this transaction.
  var cursorNames: Set<String> = []
  var cursorTransaction: UInt64 = 0
  /// True if the open transaction has changed the schema, which a rollback would undo.
  var isSchemaChanged = false

  /// True if the server notifies this connection of the changes of other stores.
  var isListening = false
  /// The hash of the schema's name that notifications must contain.
  var listenedSchema = ""

  /// Opens a connection to the server.
  ///
  /// - Parameter connectionString: A URL, `postgres://user:password@host:5432/database?sslmode=verify-full`, or pairs, `host=… dbname=…`,
  ///   with all options of libpq. Missing options come from the environment and from the defaults of libpq. Source:
  ///   postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING.
  /// - Throws: ``StoreError`` with ``StoreError/Code/cannotOpen``, or ``StoreError/Code/unsupported`` for a library older than
  ///   14 or a server older than 12.
  package init(_ connectionString: String, configuration: Configuration = Configuration()) throws(StoreError) {
    handle = try PostgresHandle(connectionString, configuration)
    statements = PostgresStatementCache(capacity: configuration.statementCacheCapacity)
    let settings = configuration.settings
    let calls = settings.indices.map { "pg_catalog.set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)" }
    let sql = "SELECT pg_catalog.current_setting('max_identifier_length'), \(calls.joined(separator: ", "))"
    if case .text(let length)? = try rows(of: sql, settings.flatMap { [.text($0.name), .text($0.value)] }).first?.first
    {
      maximumNameLength = Int(length) ?? maximumNameLength
    }
    statements.dropAll()
  }

  /// A Boolean value that indicates whether the connection was open when it was last used. It does not contact the
  /// server, so a statement may still find the connection lost.
  package var isUsable: Bool { handle.isOpen }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    settle()
    let wasFailed = handle.isInFailedTransaction
    let (statement, first) = try execute(sql, values)
    return try complete(statement, first, wasFailed: wasFailed)
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

  package var isInTransaction: Bool { handle.isInTransaction }

  package var interrupt: @Sendable () -> Void {
    let interruption = handle.interruption
    return { interruption.interrupt() }
  }
}
