/// A connection to a database. It runs one statement at a time, on the calling thread.
///
/// Calls block. A connection belongs to one executor, usually a ``StoreExecutor``; only ``interrupt`` may be used elsewhere.
///
/// Each call takes one SQL statement with as many values as it has placeholders; values never become part of the SQL. BEGIN, COMMIT,
/// ROLLBACK, SAVEPOINT and RELEASE are ordinary statements. All functions throw a ``StoreError``, which contains the statement and none of
/// its values.
package protocol StoreConnection: AnyObject {
  /// Runs a statement to its end and discards any rows that it returns.
  ///
  /// - Returns: The number of rows that INSERT, UPDATE or DELETE changed, without the effects of triggers and foreign keys; 0 for other
  ///   statements.
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int

  /// Runs a statement and calls `body` for each row, in order. The statement ends early when `body` returns `stop` or throws.
  ///
  /// `body` may use the connection, even with the same statement. Rows that other statements change meanwhile may be seen changed or
  /// unchanged.
  func query(_ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next) throws

  /// A Boolean value that indicates whether a transaction is open. Check it before rolling back: a failed statement may
  /// have ended the transaction.
  var isInTransaction: Bool { get }

  /// Returns `true` if there is a table of this name. Views do not count.
  func tableExists(_ name: String) throws(StoreError) -> Bool

  /// Returns the columns of a table in the order of its definition; empty if the table does not exist.
  func columns(ofTable name: String) throws(StoreError) -> [StoreColumn]

  /// Returns the identifier quoted for SQL, whatever characters and keywords it contains.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for an invalid identifier: empty, with a NUL, or too long.
  func quoted(_ identifier: String) throws(StoreError) -> String

  /// The maximum length of a name in bytes of UTF-8.
  var maximumNameLength: Int { get }

  /// The names that a column cannot have.
  var reservedColumnNames: Set<String> { get }

  /// Returns the placeholder for the value at this position, counted from 1.
  func placeholder(_ position: Int) -> String

  /// The maximum number of placeholders in a statement that the backend accepts and runs efficiently.
  var maximumPlaceholderCount: Int { get }

  /// The statement that begins a transaction that writes. Rows that the transaction reads and locks with ``rowLock`` do not
  /// change until it ends. In SQLite it has exclusive use of the database.
  var beginWriting: String { get }

  /// The statement that begins a read-only transaction. All its statements see the database as it was at one moment.
  var beginReading: String { get }

  /// The clause at the end of a SELECT of whole rows that keeps other transactions from changing them until this one ends. It begins with a
  /// space, or is empty if a writing transaction has exclusive use of the database.
  var rowLock: String { get }

  /// The clause at the end of a SELECT in a writing transaction that locks its rows as ``rowLock`` does and leaves out rows that others have
  /// locked.
  var freeRowLock: String { get }

  /// An SQL expression for the time on the database's clock, which all its clients share: seconds since the beginning of 2001 in UTC, as a
  /// real.
  var currentTime: String { get }

  /// Returns a description of the foreign key violation that keeps the open transaction from committing, for databases whose error does not
  /// contain it.
  func foreignKeyViolation() throws(StoreError) -> String?

  /// A Boolean value that indicates whether a transaction changes the schema only at its beginning, before its rows.
  /// Backends with concurrent writers do this to avoid deadlocks: a transaction that has written rows and then waits
  /// for a table could block the transactions that use the table.
  var changesSchemaFirst: Bool { get }

  /// Waits until no other transaction creates or changes the table of this name, and locks it until this transaction ends. The table need
  /// not exist.
  func lockTable(_ name: String) throws(StoreError)

  /// Returns the SQL type of a column, with the collation that compares text by its bytes in UTF-8.
  func columnType(for type: StoredType) -> String

  /// Returns an SQL expression for a column or a placeholder, so that `<` and ORDER BY compare the value rather than its text.
  func comparable(_ expression: String, as type: StoredType) -> String

  /// Returns the definition of a primary key column with this quoted name that numbers rows in the order of insertion.
  func rowNumberColumn(named name: String) -> String

  /// Returns the quoted name of an index on one column of an entity's table.
  func indexName(entity: String, column: String) throws(StoreError) -> String

  /// Drops the index of that name if there is one, unless ALTER TABLE does so with the column. Returns `true` if it was dropped.
  func dropIndex(entity: String, column: String) throws(StoreError) -> Bool

  /// Runs `body`, which replaces columns of the table or the whole table, and keeps the indices, triggers and views that depend on it.
  ///
  /// - Throws: The error that `body` throws; ``StoreError`` when one of them cannot be restored. The transaction has to be rolled back
  ///   then.
  func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws

  /// A Boolean value that indicates whether ALTER TABLE changes the type of a column to that of another one, and takes
  /// its values.
  var altersColumnTypes: Bool { get }

  /// Waits until no other transaction that has read the table is open, and blocks readers of the table until this transaction ends. Does
  /// nothing in databases whose readers see the schema as it was when they began.
  func lockReaders(ofTable name: String) throws(StoreError)

  /// The name of an SQL function that returns the position of its second argument in the first, counted from 1, or 0 if it does not occur.
  /// Both are text and are compared exactly.
  var textPositionFunction: String { get }

  /// Returns the condition that a column of JSON contains an array with the element, which is an integer or text. It is true or false,
  /// never unknown.
  func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String

  /// Writes rows.
  ///
  /// - Parameters:
  ///   - rows: The values of the rows, one row after the other. No two rows have the same key.
  ///   - writing: The columns of the values, and the treatment of existing rows.
  /// - Throws: The errors of statements; ``StoreError/Code/conflict`` as described by ``RowWriting/ExistingRow``. Some of the rows may have
  ///   been written then, so the transaction has to be rolled back.
  func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome

  /// Returns the recommended number of rows with this many columns to write with one call; at least 1.
  func rowsPerWrite(ofColumns count: Int) -> Int

  /// Returns `false` if the statement is a query that changes no rows. Functions with side effects may be overlooked.
  func mayChange(_ sql: String) throws(StoreError) -> Bool

  /// Checks the constraints whose check is deferred to the commit. Some databases cannot alter tables before this.
  func checkDeferredConstraints() throws(StoreError)

  /// Returns the plan for a statement, which is not run, as text of one or more lines.
  func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String

  /// Returns the statements that create all tables, indices, views and triggers, each ended by a semicolon.
  func schemaDump() throws(StoreError) -> String

  /// Notifies other stores, when the open transaction is committed, that rows of these entities have changed; of any entity if `entities`
  /// is `nil`.
  ///
  /// - Parameter store: The identifier of this store.
  func announce(_ entities: [String]?, by store: String) throws(StoreError)

  /// Returns the entities whose rows were changed by other stores than `store` since the last call. Returns `nil` if any entity may have
  /// changed, as on the first call.
  func foreignChanges(to store: String) throws(StoreError) -> Set<String>?

  /// Stops the detection that ``foreignChanges(to:)`` started. Its next call counts as a first call again.
  func ignoreForeignChanges() throws(StoreError)

  /// Records changes to rows; `nil` if the backend cannot.
  var changeRecorder: (any ChangeRecorder)? { get }

  /// Makes the running statement fail with ``StoreError/Code/interrupted``.
  ///
  /// It may be called on any thread. It has no effect between statements or after the connection has ended, so a caller that cancels a
  /// sequence of statements has to check for cancellation before each.
  var interrupt: @Sendable () -> Void { get }
}

extension StoreConnection {
  package func announce(_ entities: [String]?, by store: String) {}

  package func checkDeferredConstraints() {}

  package var maximumNameLength: Int { .max }

  package var reservedColumnNames: Set<String> { [] }

  package func dropIndex(entity: String, column: String) -> Bool { false }

  package var changeRecorder: (any ChangeRecorder)? { nil }

  package func ignoreForeignChanges() {}

  package var changesSchemaFirst: Bool { false }

  package func foreignKeyViolation() -> String? { nil }

  package var altersColumnTypes: Bool { false }

  package func lockReaders(ofTable name: String) {}

  /// Returns the identifier in quotation marks.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    try inQuotationMarks(identifier)
  }

  /// Returns the identifier in quotation marks, with quotation marks inside doubled, as in the SQL standard and all backends.
  package func inQuotationMarks(_ identifier: String) throws(StoreError) -> String {
    guard !identifier.isEmpty, !identifier.utf8.contains(0) else {
      throw StoreError(
        code: .invalidStatement, reason: identifier.isEmpty ? "a name is empty" : "a name contains a NUL character")
    }
    // Compared by scalars: with a combining mark, a quotation mark is another `Character` in Swift, but not in a database.
    var quoted = #"""#
    for scalar in identifier.unicodeScalars {
      if scalar == #"""# { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    quoted.unicodeScalars.append(#"""#)
    return quoted
  }

  /// Throws an error, because objects that depend on the table could be lost.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    throw StoreError(code: .unsupported, reason: "the database cannot change the types of the columns of \(name)")
  }

  @discardableResult
  package func run(_ sql: String) throws(StoreError) -> Int {
    try run(sql, [])
  }
}
