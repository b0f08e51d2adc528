package import AnvilStore

/// A connection to a PostgreSQL database, to be used from one thread at a time.
///
/// **Statements** are prepared by the server, once for as long as they are kept; values go beside them and never into their
/// text. A statement whose rows would be others since somebody changed the schema is prepared anew outside a transaction;
/// within one, which has failed then, it is a ``StoreError/Code/conflict``.
///
/// **Transactions.** In a transaction a failure of a statement, also an interruption, fails the whole: nothing but ROLLBACK, or
/// ROLLBACK TO a savepoint, works from then on. COMMIT of such a transaction throws, as what it was to commit is lost.
///
/// **Rows.** Outside a transaction the server sends them one by one as they are read; a query that stops early is cancelled,
/// and one whose reader uses the connection has the rest of its rows put by in memory first. In a transaction a query is run
/// by a cursor, 64 to 1,024 rows at a time, which stops at once and takes no memory, whatever the reader does. Statements that
/// write or lock (any with INSERT, UPDATE, DELETE, MERGE, SHARE or INTO as a word) have no cursor and are not cancelled, which
/// would undo them or fail the transaction: when they stop early, the rest is read and dropped. Nor has one that had fewer
/// than 64 rows three times before, as long as it has.
///
/// **Security.** What may hold values in the server's messages is not in errors, nor is the password of the connection string.
/// Notices are dropped.
package final class PostgresConnection: StoreConnection {
  let handle: PostgresHandle
  let statements: PostgresStatementCache
  /// What rows are written with, by the identity of their writing, which is held with it.
  var insertions: [ObjectIdentifier: PostgresInsertion] = [:]
  /// The most bytes that a name may have.
  private(set) var maximumNameLength = 63
  /// The query whose rows the server is sending.
  var sending: PostgresRows?
  /// Names of cursors that this transaction may have.
  var cursorNames: Set<String> = []
  var cursorTransaction: UInt64 = 0
  /// Whether the open transaction has changed the schema, which would be undone with it.
  var isSchemaChanged = false

  /// Connects.
  ///
  /// - Parameter connectionString: a URL, `postgres://user:password@host:5432/database?sslmode=verify-full`, or pairs,
  ///   `host=… dbname=…`, with all options of libpq; what it does not have comes from the environment and libpq's defaults.
  ///   Source: postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING.
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

  /// Whether the connection was there when it was last used. It asks nobody; a statement may still find it lost.
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
