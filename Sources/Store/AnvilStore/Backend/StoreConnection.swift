internal import AnvilBase

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
  /// `body` may use the connection, even with the same statement. A row that another statement changes during the query may be returned
  /// with its old or its new values.
  func query(_ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next) throws

  /// Writes a copy of the database, as it is at this moment, to a new file, outside of transactions.
  func backUp(to path: String) throws(StoreError)

  /// A Boolean value that indicates whether a transaction is open. Check it before rolling back: a failed statement may
  /// have ended the transaction.
  var isInTransaction: Bool { get }

  /// Returns `true` if there is a table of this name. Views do not count.
  func tableExists(_ name: String) throws(StoreError) -> Bool

  func viewExists(_ name: String) throws(StoreError) -> Bool

  /// Returns a number that differs after each change of a table or of its columns, by any program; `nil` if the database has no such number.
  ///
  /// In a transaction, it is the version that the statements of the transaction see.
  func schemaVersion() throws(StoreError) -> Int64?

  /// Returns a text that is different after each change of the table's columns or of its rows in the catalog, which must exist. Returns `nil`
  /// if the table does not exist, or if the database has no such text.
  func tableVersion(of name: String) throws(StoreError) -> String?

  /// Changes the version of the schema, after a change that it does not cover: one of rows that describe tables.
  func advanceSchemaVersion() throws(StoreError)

  /// Returns the columns of a table in the order of its definition; empty if the table does not exist.
  func columns(ofTable name: String) throws(StoreError) -> [StoreColumn]

  /// Returns the identifier quoted for SQL, whatever characters and keywords it contains.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for an invalid identifier: empty, with a NUL, or too long.
  func quoted(_ identifier: String) throws(StoreError) -> String

  var maximumNameLength: Int { get }

  var reservedColumnNames: Set<String> { get }

  /// A Boolean value that indicates whether columns are the same if their names differ only in the case of ASCII letters.
  var ignoresCaseOfNames: Bool { get }

  /// The beginning of the names that tables cannot have; `nil` if the database reserves no names.
  var reservedTablePrefix: String? { get }

  /// Returns the placeholder for the value at this position, counted from 1.
  func placeholder(_ position: Int) -> String

  /// The maximum number of placeholders in a statement that the backend accepts and runs efficiently.
  var maximumPlaceholderCount: Int { get }

  /// The statement that begins a transaction that writes. Rows that the transaction reads and locks with ``rowLock`` do not
  /// change until it ends. In SQLite it has exclusive use of the database.
  var beginWriting: String { get }

  /// The statement that begins a read-only transaction. All its statements see the database as it was at one moment.
  var beginReading: String { get }

  /// The clause that ends a SELECT of whole rows and locks them, so that other transactions cannot change them until this one ends. It
  /// begins with a space, or is empty if a writing transaction has exclusive use of the database.
  var rowLock: String { get }

  /// The clause that ends a SELECT in a writing transaction. It locks the rows like ``rowLock``, but leaves out rows that other
  /// transactions have locked.
  var freeRowLock: String { get }

  /// An SQL expression for the current time in seconds since the beginning of 2001 in UTC, as a real. It is the time on the database's
  /// clock, which all clients share.
  var currentTime: String { get }

  /// Returns a description of the foreign key violation that prevents the commit of the open transaction. Needed for databases whose error
  /// message does not describe the violation.
  func foreignKeyViolation() throws(StoreError) -> String?

  /// A Boolean value that indicates whether a transaction changes the schema only at its beginning, before its rows. Backends with
  /// concurrent writers do this to avoid deadlocks: a transaction that has written rows and then waits for the lock of a table could block
  /// the transactions that use the table.
  var changesSchemaFirst: Bool { get }

  /// Waits until no other transaction creates or changes the table of this name, and locks it until this transaction ends. The table need
  /// not exist.
  func lockTable(_ name: String) throws(StoreError)

  /// Returns the SQL type of a column, with the collation that compares text by its bytes in UTF-8.
  func columnType(for type: StoredType) -> String

  /// Returns the type of the values that a column is for, according to its declaration by SQL.
  func storedType(ofDeclared declaration: String) -> StoredType

  /// Returns `true` if a column that SQL has declared so returns values of the type as they were written.
  func keeps(_ type: StoredType, inColumnDeclared declaration: String) -> Bool

  /// Returns `true` if a column that SQL has declared for values of the type `declared` contains values of another type in the same form.
  func stores(_ type: StoredType, inColumnFor declared: StoredType) -> Bool

  var datePrecision: StoredDate.Precision { get }

  /// Converts an SQL expression, which is a column or a placeholder, to one that `<` and ORDER BY compare by its value rather than by its
  /// text.
  func comparable(_ expression: String, as type: StoredType) -> String

  /// Returns the expression of a column in a row of values that is compared with a row of ``comparable(_:as:)`` values by an index.
  func comparableInRow(_ expression: String, as type: StoredType) -> String

  /// Converts a column to an expression that `=` compares by the bytes of its text, also if SQL has declared the column with another
  /// collation.
  func exact(_ expression: String, as type: StoredType) -> String

  /// Returns the definition of a primary key column that numbers rows in the order of insertion. `name` is already quoted.
  func rowNumberColumn(named name: String) -> String

  /// Returns the quoted name of an index on one column of an entity's table.
  func indexName(entity: String, column: String) throws(StoreError) -> String

  /// Drops the index on a column of an entity's table and returns `true`. Returns `false` if the index does not exist, or if ALTER TABLE
  /// drops it together with the column.
  func dropIndex(entity: String, column: String) throws(StoreError) -> Bool

  /// Drops all indices that contain a column of an entity's table, if ALTER TABLE does not drop them together with the column.
  func dropIndices(entity: String, column: String) throws(StoreError)

  /// Runs `body`, which replaces columns of the table or the whole table, and keeps the indices, triggers and views that depend on it.
  ///
  /// - Throws: The error that `body` throws; ``StoreError`` when an index, trigger or view cannot be restored. The transaction has to be
  ///   rolled back then.
  func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws

  /// Returns the tables with foreign keys to a table that would be dropped to change the type of its key, which would delete or change their
  /// rows. None if the database changes the type of the column instead.
  func tablesReferring(to table: String) throws(StoreError) -> [String]

  /// A Boolean value that indicates whether ALTER TABLE can change the type of a column and set its values from another column.
  var altersColumnTypes: Bool { get }

  /// The clause after a column in an index with which the index serves orders that begin with null; empty if it always does.
  var nullsFirstInIndex: String { get }

  /// Waits until no other transaction that has read the table is open, and blocks readers of the table until this transaction ends. Does
  /// nothing in databases whose readers see the schema as it was when they began.
  func lockReaders(ofTable name: String) throws(StoreError)

  /// The name of an SQL function that finds its second argument in the first. It returns the position, counted from 1, or 0 if the text
  /// does not occur. The comparison is exact.
  var textPositionFunction: String { get }

  /// Returns the SQL condition that a JSON column contains an array with the element, which is an integer or text. The condition is true or
  /// false, never unknown.
  func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String

  /// Returns the elements of the array in a JSON column, for a `FROM` clause, and an SQL expression for the value of an element.
  ///
  /// - Parameters:
  ///   - name: The name of the elements in the query.
  ///   - type: The type of the column that the expression is compared with.
  func elements(of column: String, named name: String, as type: StoredType) -> (list: String, value: String)

  /// Creates an index of the elements of the arrays in a JSON column, if it does not exist. Rows written by any program are in the index.
  ///
  /// - Parameter keys: The columns that identify a row.
  func createElementIndex(of column: String, in entity: String, keys: [RowWriting.Column]) throws(StoreError)

  /// Returns the index of the elements of the arrays in a JSON column; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - keys: The names of the columns that identify a row.
  ///   - name: The name of the index in the query.
  func elementIndex(
    of column: String, in entity: String, keys: [String], named name: String
  ) throws(StoreError) -> ElementIndex?

  /// Returns an expression for the value of a placeholder in places where the database cannot infer its type.
  func typed(_ placeholder: String, as type: StoredType) -> String

  /// Returns a value as a literal of SQL, for the default value of a column.
  func literal(_ value: StoreValue, as type: StoredType) -> String

  /// Writes rows.
  ///
  /// - Parameters:
  ///   - rows: The values of the rows, one row after the other. No two rows have the same key.
  ///   - writing: The columns of the values, and the treatment of existing rows.
  /// - Throws: The errors of statements; ``StoreError/Code/conflict`` as described by ``RowWriting/ExistingRow``. After an error, some of
  ///   the rows may have been written, so the transaction has to be rolled back.
  func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome

  /// Returns the recommended number of rows for one call of ``write(_:as:)`` if the rows have `count` columns. It is at least 1.
  func rowsPerWrite(ofColumns count: Int) -> Int

  /// A Boolean value that indicates whether the database itself refuses changes in a read-only transaction.
  var refusesChangesInReading: Bool { get }

  /// Returns `false` if the statement is a query that changes no rows. Functions with side effects may be overlooked.
  func mayChange(_ sql: String) throws(StoreError) -> Bool

  /// Checks that the effects of a caller's statement end with the transaction, if other programs use the same session of the database.
  ///
  /// - Parameter sql: The statement, without comments before its first word.
  /// - Throws: ``StoreError/Code/unsupported``.
  func requireEffectWithinTransaction(_ sql: Substring) throws(StoreError)

  /// Checks the constraints whose check is deferred until the commit. Some databases cannot alter a table before these checks.
  func checkDeferredConstraints() throws(StoreError)

  /// Checks that each reference of a row refers to an existing row, which is otherwise checked at the commit.
  ///
  /// - Throws: ``StoreError/Code/constraint(_:)``.
  func checkReferences() throws(StoreError)

  /// Returns the database's plan for a statement, as text of one or more lines. The statement is not run.
  func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String

  /// Arranges that other stores are notified of changed rows when the open transaction is committed. `nil` means that rows of any entity
  /// may have changed.
  ///
  /// - Parameter store: The identifier of this store.
  func announce(_ entities: [String]?, by store: String) throws(StoreError)

  /// Returns the entities whose rows have changed since the last call. Changes by `store` itself are left out. Returns `nil` if rows of any
  /// entity may have changed, as on the first call.
  func foreignChanges(to store: String) throws(StoreError) -> Set<String>?

  /// Stops the detection of changes that ``foreignChanges(to:)`` started. The next call of that function counts as its first one again.
  func ignoreForeignChanges() throws(StoreError)

  /// Returns the tables whose rows this connection has changed since the last call, also by triggers and foreign keys. It is empty if the
  /// database does not report them.
  func takeChangedTables() -> Set<String>

  /// Returns whether this transaction itself has inserted the row for which `condition` is true. The row did not exist when this transaction
  /// looked it up.
  func hasInserted(rowOf table: String, where condition: String, _ values: [StoreValue]) throws(StoreError) -> Bool

  var changeRecorder: any ChangeRecorder { get }

  /// Makes the running statement fail with ``StoreError/Code/interrupted``.
  ///
  /// It may be called on any thread. It has no effect between statements or after the connection has ended, so a caller that cancels a
  /// sequence of statements has to check for cancellation before each.
  var interrupt: @Sendable () -> Void { get }
}

/// An index of the elements of the arrays in a column, as a part of a query for the rows that have certain elements.
package struct ElementIndex {
  /// The table with the index, for a `FROM` clause.
  package var list: String
  /// The columns of ``list`` with the key of the row that has the element.
  package var keys: [String]
  /// Returns the condition that a row of ``list`` has an element. The element is an SQL expression for a value of the type.
  package var hasElement: (String, StoredType) -> String
  /// A Boolean value that indicates whether the elements are in a table. Otherwise, conditions on the column itself use the index.
  package var isTable: Bool

  package init(
    list: String, keys: [String], isTable: Bool, hasElement: @escaping (String, StoredType) -> String
  ) {
    (self.list, self.keys, self.isTable, self.hasElement) = (list, keys, isTable, hasElement)
  }
}

extension StoreConnection {
  package func announce(_ entities: [String]?, by store: String) {}

  /// Returns a text as a literal of SQL. Backslashes have no special meaning in such literals.
  package func quoted(text: String) -> String {
    "'\(text.replacingScalars { $0 == "'" ? "''" : nil })'"
  }

  /// Returns the reason of an error for a value that a column would change, because SQL has declared the column with another type.
  package func changeReason(_ column: RowWriting.Column, of table: String, declaredAs declaration: String) -> String {
    """
    \(table).\(column.name) is declared as \(declaration), which does not keep this value: declare it as \
    \(columnType(for: column.type))
    """
  }

  package func checkDeferredConstraints() {}
  package func checkReferences() throws(StoreError) { try checkDeferredConstraints() }
  package func schemaVersion() -> Int64? { nil }
  package func tableVersion(of name: String) -> String? { nil }

  package func stores(_ type: StoredType, inColumnFor declared: StoredType) -> Bool {
    columnType(for: type) == columnType(for: declared)
  }

  package func advanceSchemaVersion() {}
  package func requireEffectWithinTransaction(_ sql: Substring) {}
  package var datePrecision: StoredDate.Precision { .nanoseconds }
  package var maximumNameLength: Int { .max }
  package var reservedColumnNames: Set<String> { [] }
  package var ignoresCaseOfNames: Bool { false }
  package var reservedTablePrefix: String? { nil }
  package func dropIndex(entity: String, column: String) -> Bool { false }
  package func dropIndices(entity: String, column: String) {}
  package func ignoreForeignChanges() {}
  package func takeChangedTables() -> Set<String> { [] }
  package func hasInserted(rowOf table: String, where condition: String, _ values: [StoreValue]) -> Bool { false }
  package var changesSchemaFirst: Bool { false }
  package var refusesChangesInReading: Bool { false }
  package func foreignKeyViolation() -> String? { nil }
  package func tablesReferring(to table: String) -> [String] { [] }
  package var altersColumnTypes: Bool { false }
  package var nullsFirstInIndex: String { "" }
  package func comparableInRow(_ expression: String, as type: StoredType) -> String { comparable(expression, as: type) }
  package func lockReaders(ofTable name: String) {}
  package func quoted(_ identifier: String) throws(StoreError) -> String { try inQuotationMarks(identifier) }

  /// Returns the identifier in quotation marks. Quotation marks in the identifier are doubled, as in the SQL standard and in all backends.
  package func inQuotationMarks(_ identifier: String) throws(StoreError) -> String {
    guard !identifier.isEmpty, !identifier.utf8.contains(0) else {
      throw StoreError(
        code: .invalidStatement, reason: identifier.isEmpty ? "a name is empty" : "a name contains a NUL character")
    }
    return "\"\(identifier.replacingScalars { $0 == "\"" ? "\"\"" : nil })\""
  }

  @discardableResult
  package func run(_ sql: String) throws(StoreError) -> Int { try run(sql, []) }
}

/// Statements of the store itself.
extension StoreConnection {
  @discardableResult
  func execute(_ statement: StoreStatement) throws(StoreError) -> Int {
    let (sql, values) = try statement.written(for: self)
    return try run(sql, values)
  }

  func query(_ statement: StoreStatement, _ body: (borrowing StoreRow) throws -> StoreRow.Next) throws {
    let (sql, values) = try statement.written(for: self)
    try query(sql, values, body)
  }

  /// Returns the result of `read` for the first row; `nil` if there is no row.
  func first<Result>(
    _ sql: String, _ values: [StoreValue], _ read: (borrowing StoreRow) throws -> Result?
  ) throws -> Result? {
    var result: Result?
    try query(sql, values) { row in
      result = try read(row)
      return .stop
    }
    return result
  }

  func first<Result>(_ statement: StoreStatement, _ read: (borrowing StoreRow) throws -> Result?) throws -> Result? {
    let (sql, values) = try statement.written(for: self)
    return try first(sql, values, read)
  }

  func hasRow(_ statement: StoreStatement) throws -> Bool { try first(statement) { _ in true } ?? false }

  /// Returns the results of `read` for all rows, without `nil`.
  func all<Result>(_ statement: StoreStatement, _ read: (borrowing StoreRow) throws -> Result?) throws -> [Result] {
    var results: [Result] = []
    try query(statement) { row in
      if let result = try read(row) { results.append(result) }
      return .goOn
    }
    return results
  }
}

/// The table and the columns that rows are written to, and the treatment of existing rows with the same key.
///
/// One instance is used for many writes. A connection may cache data that it derives from the instance.
package final class RowWriting: Sendable {
  package enum ExistingRow: Sendable {
    /// The row is updated unless it already has all the values. Columns that are not written keep their values.
    case updated
    /// The write fails with ``StoreError/Code/conflict``. Used if the row did not exist when it was looked up.
    case isConflict
  }

  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: StoredType

    package init(_ name: String, _ type: StoredType) {
      self.name = name
      self.type = type
    }
  }

  package let table: String
  /// The columns in the order of the values.
  package let columns: [Column]
  /// The names of the columns that form the table's primary key. Empty if each row is inserted as a new one.
  package let keyNames: [String]
  package let existingRow: ExistingRow

  package init(table: String, columns: [Column], keyNames: [String], existingRow: ExistingRow) {
    self.table = table
    self.columns = columns
    self.keyNames = keyNames
    self.existingRow = existingRow
  }

  /// The numbers of inserted and updated rows. All other rows already had the written values.
  package struct Outcome: Hashable, Sendable {
    package var inserted: Int
    package var updated: Int

    package init(inserted: Int = 0, updated: Int = 0) {
      self.inserted = inserted
      self.updated = updated
    }
  }
}

package struct StoreColumn: Hashable, Sendable {
  package var name: String
  /// The type as it is written in the table's definition; empty if there is no type, which SQLite allows.
  package var declaredType: String
  package var isNotNull: Bool
  /// True if rows can be inserted without a value for the column, because it has a default or is generated.
  package var hasDefault: Bool
  /// The default value as an SQL expression; `nil` without a default value.
  package var defaultExpression: String?
  /// The position in the primary key, counted from 1; `nil` for other columns.
  package var primaryKeyPosition: Int?

  package init(
    name: String, declaredType: String, isNotNull: Bool, hasDefault: Bool = false, defaultExpression: String? = nil,
    primaryKeyPosition: Int? = nil
  ) {
    self.name = name
    self.declaredType = declaredType
    self.isNotNull = isNotNull
    self.hasDefault = hasDefault
    self.defaultExpression = defaultExpression
    self.primaryKeyPosition = primaryKeyPosition
  }

  /// Returns `true` for the expression of a default that is the same each time: a number, text or a Boolean value, with or without a type.
  static func isConstant(_ expression: String) -> Bool {
    let first = expression.utf8.first
    return first == UInt8(ascii: "'") || first == .minus || first?.isDigit == true
      || ["true", "false"].contains(expression.lowercased())
  }
}
