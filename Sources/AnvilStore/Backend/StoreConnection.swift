/// A connection to a database: runs statements, one at a time, on the thread of whoever calls.
///
/// Its calls block. It belongs to one executor, a ``StoreExecutor`` as a rule, and only ``interrupt`` may leave that.
///
/// A statement is one statement of SQL with as many values as it has placeholders; values never become SQL. BEGIN, COMMIT,
/// ROLLBACK, SAVEPOINT and RELEASE are statements like others. All functions throw a ``StoreError``, which holds the statement
/// and none of its values.
package protocol StoreConnection: AnyObject {
  /// Runs a statement to its end and drops the rows that it may give.
  ///
  /// - Returns: how many rows INSERT, UPDATE or DELETE changed themselves, without triggers and foreign keys; 0 for others.
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int

  /// Runs a statement and calls `body` for each row, in order, until it says stop or throws, which ends the statement.
  ///
  /// `body` may use the connection, with the same statement too. Rows that other statements change meanwhile may be seen
  /// changed or unchanged.
  func query(_ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next) throws

  /// Whether a transaction is open. A statement's failure may have ended it: ask before rolling back.
  var isInTransaction: Bool { get }

  /// Whether there is a table of this name; a view is none.
  func tableExists(_ name: String) throws(StoreError) -> Bool

  /// The columns of a table in the order of its definition; none where there is no such table.
  func columns(ofTable name: String) throws(StoreError) -> [StoreColumn]

  /// The identifier as SQL takes it, whatever characters and keywords are in it.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for what cannot be an identifier: empty, with a NUL, too long.
  func quoted(_ identifier: String) throws(StoreError) -> String

  /// What stands in a statement for the value at this position, counted from 1.
  func placeholder(_ position: Int) -> String

  /// How many placeholders a statement should have at most: the backend takes as many, and in good time.
  var maximumPlaceholderCount: Int { get }

  /// The statement that begins a transaction that writes. What it reads of a row and then locks with ``rowLock`` stays as it is
  /// until the transaction ends; SQLite's is alone with the database.
  var beginWriting: String { get }

  /// The statement that begins a transaction that reads: all its statements see the database as it was at one moment.
  var beginReading: String { get }

  /// What is put at the end of a SELECT of whole rows so that others cannot change them before the transaction ends; with a space
  /// in front, or empty where the transaction is alone with the database.
  var rowLock: String { get }

  /// What keeps the open transaction from committing after a foreign key's failure, where the failure itself does not say.
  func foreignKeyViolation() throws(StoreError) -> String?

  /// Whether the schema is changed at the beginning of a transaction only, before its rows: where others write at the same time,
  /// a transaction that has written rows and then waits for a table may be waited for by those that use it.
  var changesSchemaFirst: Bool { get }

  /// Waits until no other transaction makes or changes the table of this name, which need not be there, and keeps others from it
  /// until this one ends.
  func lockTable(_ name: String) throws(StoreError)

  /// The type of a column in SQL, with the collation that compares text by its bytes in UTF-8.
  func columnType(for type: StoredType) -> String

  /// The expression, of a column or a placeholder, so that `<` and ORDER BY compare what it means rather than its text.
  func comparable(_ expression: String, as type: StoredType) -> String

  /// The definition of a primary key of this quoted name that numbers the rows as they come.
  func rowNumberColumn(named name: String) -> String

  /// The name of an index on one column of an entity's table, quoted.
  func indexName(entity: String, column: String) throws(StoreError) -> String

  /// Runs `body`, which puts other columns or another table in the place of those of this table, and sees to it that indices,
  /// triggers and views that need them are there afterwards as before.
  ///
  /// - Throws: what `body` throws; ``StoreError`` when one of them cannot be as before. The transaction has to be rolled back then.
  func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws

  /// The name of the function that says where in its first argument the second one begins, from 1 on, and 0 where it is not
  /// in it; both are text, compared as it is.
  var textPositionFunction: String { get }

  /// Writes rows.
  ///
  /// - Parameters:
  ///   - rows: the values of the rows, one row after the other. No two rows have the same key.
  ///   - writing: which values those are, and what becomes of rows that are there.
  /// - Throws: what statements throw; ``StoreError/Code/conflict`` as ``RowWriting/ExistingRow`` says. Some of the rows may have
  ///   been written then: the transaction has to be rolled back.
  func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome

  /// How many rows with this many columns are best written by one call; at least one.
  func rowsPerWrite(ofColumns count: Int) -> Int

  /// Makes the statement that runs at this moment, on any thread, fail with ``StoreError/Code/interrupted``.
  ///
  /// It may be called on any thread, and when the connection has ended, where it does nothing. Between statements it does
  /// nothing either: who cancels a sequence of them has to look at the cancellation before each.
  var interrupt: @Sendable () -> Void { get }
}

extension StoreConnection {
  package var changesSchemaFirst: Bool { false }

  package func foreignKeyViolation() -> String? { nil }

  /// The identifier in quotation marks.
  package func quoted(_ identifier: String) throws(StoreError) -> String {
    try inQuotationMarks(identifier)
  }

  /// The identifier in quotation marks, those in it doubled, as the SQL standard and all backends have it.
  package func inQuotationMarks(_ identifier: String) throws(StoreError) -> String {
    guard !identifier.isEmpty, !identifier.utf8.contains(0) else {
      throw StoreError(
        code: .invalidStatement, reason: identifier.isEmpty ? "a name is empty" : "a name has a NUL character in it")
    }
    // By bytes: a combining mark after a quotation mark makes another character of both, but not for a database.
    var quoted = #"""#
    for scalar in identifier.unicodeScalars {
      if scalar == #"""# { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    quoted.unicodeScalars.append(#"""#)
    return quoted
  }

  /// Refuses: what depends on a table could be lost.
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    throw StoreError(code: .unsupported, reason: "columns of \(name) would need other types")
  }

  @discardableResult
  package func run(_ sql: String) throws(StoreError) -> Int {
    try run(sql, [])
  }
}
