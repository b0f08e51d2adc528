public import AnvilBase
internal import AnvilJSON

/// A failure of a store or its database, with a code for programmatic handling.
///
///     switch error.code {
///     case .constraint(.unique): …
///     case .busy, .conflict: …                 // run the transaction again
///     default: print(error)
///     }
///
/// It contains no values that were bound to a statement, unless the database's message quotes them, as SQLite's does for the words of a
/// full-text search.
public struct StoreError: Error {
  private let details: Details

  /// The kind of failure.
  public var code: Code { details.code }
  /// The statement with its placeholders; `nil` if no statement was run.
  public var sql: String? { details.sql }
  /// The database's message.
  public var backendMessage: String? { details.backendMessage }
  /// The database's own code: SQLite's extended result code, such as `2067`, or PostgreSQL's `SQLSTATE`, such as
  /// `23505`.
  public var backendCode: String? { details.backendCode }
  /// An additional explanation. It contains no values of rows, except for the key of a row that a migration cannot
  /// convert.
  public var reason: String? { details.reason }

  package init(
    code: Code, sql: String? = nil, backendMessage: String? = nil, backendCode: String? = nil, reason: String? = nil
  ) {
    details = Details(code, sql, backendMessage, backendCode, reason)
  }

  /// Returns the error with the statement in which it happened. An error that already has a statement is returned unchanged.
  package func inStatement(_ sql: String) -> StoreError {
    details.sql == nil
      ? StoreError(code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
      : self
  }

  package func with(_ code: Code, reason: String?) -> StoreError {
    StoreError(code: code, sql: sql, backendMessage: backendMessage, backendCode: backendCode, reason: reason)
  }

  /// The contents of an error. They are stored in a class to keep the error one word in size, because every call that may throw it reserves
  /// space for it.
  private final class Details: Sendable {
    let code: Code
    let sql, backendMessage, backendCode, reason: String?

    init(_ code: Code, _ sql: String?, _ backendMessage: String?, _ backendCode: String?, _ reason: String?) {
      (self.code, self.sql, self.reason) = (code, sql, reason)
      (self.backendMessage, self.backendCode) = (backendMessage, backendCode)
    }
  }
}

extension StoreError: Equatable {
  /// Returns `true` if both errors have the same code and the same statement. The messages are not compared.
  public static func == (lhs: StoreError, rhs: StoreError) -> Bool {
    lhs.code == rhs.code && lhs.sql == rhs.sql
  }
}

extension StoreError: CustomStringConvertible {
  /// The error in one line, such as `unique constraint failed: UNIQUE constraint failed: users.id (2067) in: INSERT …`. It contains values
  /// of rows only if ``reason`` does.
  ///
  /// Long statements are cut off after 500 characters.
  public var description: String {
    var text = "\(code)"
    // Names in a schema are untrusted input, like the database itself.
    if let reason { text += ": \(reason.singleLine(limit: 1000))" }
    if let backendMessage { text += ": \(backendMessage.singleLine(limit: 200))" }
    if let backendCode { text += " (\(backendCode))" }
    if let sql { text += " in: \(sql.singleLine(limit: 500))" }
    return text
  }
}

extension StoreError: LocalizedError {
  /// The same text as `description`.
  public var errorDescription: String? { description }
}

extension StoreError {
  /// The kinds of failure.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The database or a row stayed locked for longer than the store waits.
    ///
    /// What to do: run the transaction again; keep transactions short.
    case busy
    /// Another transaction changed data that this transaction had read. This transaction may succeed if it is rolled back and run again.
    ///
    /// What to do: run the transaction again.
    case conflict
    /// The statement would have violated a constraint of the schema.
    ///
    /// What to do: follow the advice of the ``StoreError/Constraint`` that this code contains.
    case constraint(Constraint)
    /// The database does not exist, or cannot be opened or accessed.
    ///
    /// What to do: check the path or address, and the permissions.
    case cannotOpen
    /// The database's file was moved, deleted or replaced while it was open. Changes of this transaction are not in the file at its path.
    ///
    /// What to do: open the store again.
    case fileMoved
    /// The file exists but is not a database, or is encrypted.
    ///
    /// What to do: check the path.
    case notADatabase
    /// The database is damaged.
    ///
    /// What to do: restore a backup; a cache can be deleted.
    case corrupt
    /// The disk is full.
    ///
    /// What to do: free space; the transaction was rolled back.
    case full
    /// Reading or writing the file failed.
    ///
    /// What to do: check the disk and the network file system.
    case inputOutput
    /// The database or the connection is read-only.
    ///
    /// What to do: open it for writing, or check the permissions.
    case readOnly
    /// The database user lacks the permission.
    ///
    /// What to do: grant the permission, or connect as another user.
    case notPermitted
    /// A value, a row or a statement exceeds the limits of the database.
    ///
    /// What to do: keep large data in files; split the statement.
    case tooLarge
    /// Not enough memory is available.
    ///
    /// What to do: save and fetch in smaller batches.
    case outOfMemory
    /// The statement was interrupted, for example by the cancellation of its task.
    ///
    /// What to do: nothing; do not show it to the user as a failure.
    case interrupted
    /// The statement is invalid in this database: its syntax, a table, a column, or the number of values.
    ///
    /// What to do: correct your own SQL; `sql` has the statement.
    case invalidStatement
    /// A value cannot be stored, or cannot be read as the requested type: NaN, invalid UTF-8, text in a column of integers.
    ///
    /// What to do: correct the value, such as NaN, or add a migration that changes the column.
    case invalidValue
    /// The model does not match the existing table, and adding columns would not change that.
    ///
    /// What to do: add a migration that changes the table.
    case schemaMismatch
    /// The changes after the given position are no longer kept.
    ///
    /// What to do: read everything once, and continue from the new position.
    case changesExpired
    /// A transaction was used outside of the body of `perform` or `read`.
    ///
    /// What to do: await nothing outside of `perform` and `read`, and do not keep the transaction.
    case outsideTransaction
    /// The store was closed.
    ///
    /// What to do: close the store after the last use.
    case closed
    /// The connection to the database ended.
    ///
    /// What to do: run the transaction again; check whether it was committed.
    case connectionLost
    /// The database is too old, or lacks a feature that a store needs.
    ///
    /// What to do: update it: SQLite 3.35, PostgreSQL 12 and libpq 14 are the oldest supported versions.
    case unsupported
    /// Any other failure; see ``StoreError/backendMessage`` and ``StoreError/reason``.
    ///
    /// What to do: read `reason` and `backendMessage`.
    case other
  }

  /// The kinds of constraints in a schema.
  @nonexhaustive
  public enum Constraint: String, Hashable, Sendable {
    /// Two rows would have the same key.
    ///
    /// What to do: save models by their match keys, which updates the row.
    case unique
    /// A row would refer to a row that does not exist.
    ///
    /// What to do: save the other row first, in the same transaction.
    case foreignKey
    /// A column that must not be null would be null.
    ///
    /// What to do: set the attribute.
    case notNull
    /// A check of a table, a column or its type would fail.
    ///
    /// What to do: correct the value.
    case check
    /// Any other constraint, such as one enforced by a trigger.
    ///
    /// What to do: read `backendMessage`.
    case other
  }
}

extension StoreError.Code: CustomStringConvertible {
  /// The kind of failure in words.
  public var description: String {
    switch self {
    case .busy: "the database is busy"
    case .conflict: "conflict with another transaction"
    case .constraint(let constraint): "\(constraint)"
    case .cannotOpen: "the database cannot be opened"
    case .fileMoved: "the database file was moved, deleted or replaced"
    case .notADatabase: "the file is not a database"
    case .corrupt: "the database is damaged"
    case .full: "the disk is full"
    case .inputOutput: "the database cannot be read or written"
    case .readOnly: "the database is read-only"
    case .notPermitted: "permission denied by the database"
    case .tooLarge: "too large for the database"
    case .outOfMemory: "out of memory"
    case .interrupted: "interrupted"
    case .invalidStatement: "invalid statement"
    case .invalidValue: "invalid value"
    case .schemaMismatch: "the model does not match the existing table"
    case .changesExpired: "the changes after the position are no longer kept"
    case .outsideTransaction: "outside of a transaction"
    case .closed: "the store was closed"
    case .connectionLost: "the connection to the database was lost"
    case .unsupported: "the database is not supported"
    case .other: "the database failed"
    }
  }
}

extension StoreError.Constraint: CustomStringConvertible {
  /// The kind of constraint in words.
  public var description: String {
    switch self {
    case .unique: "unique constraint failed"
    case .foreignKey: "foreign key constraint failed"
    case .notNull: "not-null constraint failed"
    case .check: "check constraint failed"
    case .other: "constraint failed"
    }
  }
}
