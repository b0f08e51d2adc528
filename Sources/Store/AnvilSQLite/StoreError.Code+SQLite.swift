internal import AnvilStore
internal import CSQLite

extension StoreError.Code {
  /// Creates the code for the extended result code and the message of a failure. Source: sqlite.org/rescode.html.
  init(sqliteCode code: Int32, message: String?) {
    self =
      switch code & 0xFF {
      // Only the message distinguishes a table that is too wide. Source: sqlite3AddColumn in SQLite's build.c.
      case SQLITE_ERROR where message?.hasPrefix("too many columns on ") == true: .tooLarge
      // The cause may be a bound value or a RAISE in a trigger, but in most cases it is the statement.
      case SQLITE_ERROR, SQLITE_RANGE: .invalidStatement
      // A reader cannot write after another connection has written. Its transaction must run again, because waiting
      // does not help.
      case SQLITE_BUSY: code == SQLITE_BUSY | (2 << 8) ? .conflict : .busy
      case SQLITE_SCHEMA: .conflict
      case SQLITE_PROTOCOL: .busy
      case SQLITE_CONSTRAINT: .constraint(StoreError.Constraint(sqliteCode: code))
      case SQLITE_MISMATCH: .invalidValue
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_NOTADB, SQLITE_FORMAT: .notADatabase
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_FULL: .full
      case SQLITE_IOERR: code == SQLITE_IOERR | (12 << 8) ? .outOfMemory : .inputOutput
      case SQLITE_READONLY: .readOnly
      case SQLITE_PERM, SQLITE_AUTH: .notPermitted
      case SQLITE_TOOBIG: .tooLarge
      case SQLITE_NOMEM: .outOfMemory
      case SQLITE_INTERRUPT: .interrupted
      default: .other
      }
  }
}

extension StoreError.Constraint {
  /// The extended result codes of SQLITE_CONSTRAINT are numbers here, because Swift does not import their macros.
  fileprivate init(sqliteCode code: Int32) {
    self =
      switch code >> 8 {
      case 1, 12: .check  // CHECK, DATATYPE
      case 3: .foreignKey
      case 5: .notNull
      case 6, 8, 10: .unique  // PRIMARYKEY, UNIQUE, ROWID
      default: .other
      }
  }
}
