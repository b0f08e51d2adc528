extension StoreError {
  /// The kinds of failure.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The database or a row stayed locked for longer than the store waits.
    case busy
    /// Another transaction changed data that this transaction had read. This transaction may succeed if it is rolled back and run again.
    case conflict
    /// The statement would have violated a constraint of the schema.
    case constraint(Constraint)
    /// The database does not exist, or cannot be opened or accessed.
    case cannotOpen
    /// The database's file was moved, deleted or replaced while it was open. Changes of this transaction are not in the file at its path.
    case fileMoved
    /// The file exists but is not a database, or is encrypted.
    case notADatabase
    /// The database is damaged.
    case corrupt
    /// The disk is full.
    case full
    /// Reading or writing the file failed.
    case inputOutput
    /// The database or the connection is read-only.
    case readOnly
    /// The database user lacks the permission.
    case notPermitted
    /// A value, a row or a statement exceeds the limits of the database.
    case tooLarge
    /// Not enough memory is available.
    case outOfMemory
    /// The statement was interrupted, for example by the cancellation of its task.
    case interrupted
    /// The statement is invalid in this database: its syntax, a table, a column, or the number of values.
    case invalidStatement
    /// A value cannot be stored, or cannot be read as the requested type: NaN, invalid UTF-8, text in a column of integers.
    case invalidValue
    /// The model does not match the existing table, and adding columns would not change that.
    case schemaMismatch
    /// The changes after the given position are no longer kept.
    case changesExpired
    /// A transaction was used outside of the body of `perform` or `read`.
    case outsideTransaction
    /// The store was closed.
    case closed
    /// The connection to the database ended.
    case connectionLost
    /// The database is too old, or lacks a feature that a store needs.
    case unsupported
    /// Any other failure; see ``StoreError/backendMessage`` and ``StoreError/reason``.
    case other
  }

  /// The kinds of constraints in a schema.
  @nonexhaustive
  public enum Constraint: String, Hashable, Sendable {
    /// Two rows would have the same key.
    case unique
    /// A row would refer to a row that does not exist.
    case foreignKey
    /// A column that must not be null would be null.
    case notNull
    /// A check of a table, a column or its type would fail.
    case check
    /// Any other constraint, such as one enforced by a trigger.
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
