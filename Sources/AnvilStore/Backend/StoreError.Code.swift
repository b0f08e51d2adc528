extension StoreError {
  /// The kinds of failure.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// Others held the database or a row for as long as the store waits.
    case busy
    /// Another transaction changed what this one had read: rolled back and run anew, it may succeed.
    case conflict
    /// The statement would have broken a rule of the schema.
    case constraint(Constraint)
    /// There is no such database, or no right or means to open it.
    case cannotOpen
    /// The database's file was moved, deleted or replaced while it was open: what was to be committed is not in the file at its
    /// path.
    case fileMoved
    /// The file is there and is no database, or an encrypted one.
    case notADatabase
    /// The database contradicts itself: it was damaged.
    case corrupt
    /// There is no room left on the disk.
    case full
    /// Reading or writing the file failed.
    case inputOutput
    /// The database, or the connection, is for reading only.
    case readOnly
    /// The database's user may not do this.
    case notPermitted
    /// A value, a row or a statement is longer than the database takes.
    case tooLarge
    /// There is not enough memory.
    case outOfMemory
    /// The statement was interrupted, as by the cancellation of its task.
    case interrupted
    /// The statement is not one that this database can run: its syntax, or a table, a column, the number of values.
    case invalidStatement
    /// A value cannot be stored or be read as what was asked for: NaN, invalid UTF-8, text in a column of integers.
    case invalidValue
    /// The model has other attributes than the rows that are there, and adding columns does not help.
    case schemaMismatch
    /// A context was used outside of `perform`, or after it.
    case outsideTransaction
    /// The store was closed.
    case closed
    /// The connection to the database ended.
    case connectionLost
    /// The database is too old, or lacks what a store needs.
    case unsupported
    /// None of the above; see ``StoreError/backendMessage`` and ``StoreError/reason``.
    case other
  }

  /// The rules that a schema can have.
  @nonexhaustive
  public enum Constraint: String, Hashable, Sendable {
    /// Two rows would have the same key.
    case unique
    /// A row would refer to one that is not there.
    case foreignKey
    /// A column that needs a value would have none.
    case notNull
    /// The check of a table, a column or its type would fail.
    case check
    /// Another rule, such as a trigger's.
    case other
  }
}

extension StoreError.Code: CustomStringConvertible {
  /// The kind in words.
  public var description: String {
    switch self {
    case .busy: "the database is busy"
    case .conflict: "another transaction was first"
    case .constraint(let constraint): "\(constraint)"
    case .cannotOpen: "the database cannot be opened"
    case .fileMoved: "the database's file was moved, deleted or replaced"
    case .notADatabase: "the file is not a database"
    case .corrupt: "the database is damaged"
    case .full: "the disk is full"
    case .inputOutput: "the database cannot be read or written"
    case .readOnly: "the database is read-only"
    case .notPermitted: "the database does not permit it"
    case .tooLarge: "too large for the database"
    case .outOfMemory: "out of memory"
    case .interrupted: "interrupted"
    case .invalidStatement: "invalid statement"
    case .invalidValue: "invalid value"
    case .schemaMismatch: "the model does not fit the rows that are there"
    case .outsideTransaction: "outside of a transaction"
    case .closed: "the store was closed"
    case .connectionLost: "the connection to the database was lost"
    case .unsupported: "the database is not supported"
    case .other: "the database failed"
    }
  }
}

extension StoreError.Constraint: CustomStringConvertible {
  /// The rule in words.
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
