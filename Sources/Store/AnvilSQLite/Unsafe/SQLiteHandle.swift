internal import AnvilStore
internal import CSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Owns a `sqlite3 *`.
///
/// Safety: the pointer is valid from `init` to `deinit`, and statements retain the handle. SQLite's own lock is off
/// (`NOMUTEX`). The class is not Sendable, so that only one thread at a time uses it. ``interruption`` is used by other
/// threads and has a lock.
@safe
final class SQLiteHandle {
  let pointer: OpaquePointer
  let interruption: SQLiteInterruption
  private let waiting: SQLiteWaiting

  init(
    path: String, mayCreateFile: Bool, configuration: SQLiteConnection.Configuration
  ) throws(StoreError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READWRITE | (mayCreateFile ? SQLITE_OPEN_CREATE : 0)
    var name = path
    if unsafe anvil_is_on_read_only_medium(path), !FileManager.default.fileExists(atPath: path + "-wal") {
      // SQLite cannot create the files that it needs next to a database in WAL mode, and does not need them if nothing can change the
      // database. Transactions in an existing log would be ignored. Source: sqlite.org/uri.html.
      flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.percentEncoded(path))?immutable=1"
    }
    let result = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let pointer = unsafe opened else {
      // Safety: most failures also return a handle, which has the message and must be closed. Closing a null pointer
      // has no effect.
      let error =
        unsafe opened.map { unsafe StoreError(sqliteCode: sqlite3_extended_errcode($0), on: $0, sql: nil) }
        ?? StoreError(code: .outOfMemory)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.pointer = pointer
    interruption = unsafe SQLiteInterruption(pointer)
    waiting = SQLiteWaiting(timeout: configuration.busyTimeout, interruption: interruption)
    unsafe sqlite3_extended_result_codes(pointer, 1)
    // Safety: this class retains the handler's context and closes the connection.
    unsafe sqlite3_busy_handler(
      pointer, { context, attempt in unsafe SQLiteWaiting.wait(context, attempt) },
      Unmanaged.passUnretained(waiting).toOpaque())
    let maximumLength = Int32(clamping: max(configuration.maximumLength, 1))
    unsafe sqlite3_limit(pointer, SQLITE_LIMIT_LENGTH, maximumLength)
    unsafe sqlite3_limit(pointer, SQLITE_LIMIT_SQL_LENGTH, maximumLength)
  }

  deinit {
    interruption.end()
    // Safety: the last use of the pointer.
    unsafe sqlite3_close_v2(pointer)
  }

  /// Returns the path as the path of a URI. All bytes that could have a meaning in it are encoded.
  private static func percentEncoded(_ path: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return path.utf8.map { byte in
      if unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// True if the database cannot be written, because of the rights of the file or its medium.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(pointer, "main") == 1 }

  /// Turns on the enforcement of foreign keys. Turns off features that a store does not need and that an untrusted schema could abuse.
  func harden() throws(StoreError) {
    let options = [
      (SQLITE_DBCONFIG_ENABLE_FKEY, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false), (SQLITE_DBCONFIG_DEFENSIVE, true),
      (SQLITE_DBCONFIG_DQS_DML, false), (SQLITE_DBCONFIG_DQS_DDL, false),
    ]
    for (option, isOn) in options {
      let result = unsafe anvil_sqlite_set_option(pointer, option, isOn ? 1 : 0)
      guard result == SQLITE_OK else {
        throw StoreError(code: .unsupported, reason: "SQLite rejects the configuration option \(option)")
      }
    }
  }

  /// The name of the SQL function that returns the bytes of base64 text; NULL for other text. SQLite has no such function. Only statements of
  /// this connection can call it, not the schema.
  static let bytesFunction = "anvil_bytes"

  /// Adds the functions that statements of a store use.
  func addFunctions() throws(StoreError) {
    // Safety: the function refers to nothing but its arguments, which are valid during the call.
    let result = unsafe sqlite3_create_function_v2(
      pointer, Self.bytesFunction, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let argument = unsafe arguments?[0], let text = unsafe sqlite3_value_text(argument),
          let data = unsafe Data(base64Encoded: String(cString: text))
        else { return }
        unsafe data.withUnsafeBytes { bytes in
          unsafe anvil_sqlite_return_blob(context, bytes.baseAddress, UInt64(bytes.count))
        }
      }, nil, nil, nil)
    guard result == SQLITE_OK else { throw StoreError(code: .outOfMemory) }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed directly.
  var changeCount: Int { unsafe Int(sqlite3_changes(pointer)) }

  /// The number of rows changed so far, including changes by triggers and foreign keys. The number wraps around.
  var totalChangeCount: Int32 { unsafe sqlite3_total_changes(pointer) }

  /// The row ID of the row that this connection inserted last. Updates do not change it. A caller can set it to another value before a
  /// statement, to detect whether the statement inserts a row.
  var lastInsertedRowID: Int64 {
    get { unsafe sqlite3_last_insert_rowid(pointer) }
    set { unsafe sqlite3_set_last_insert_rowid(pointer, newValue) }
  }

  /// True if the open file is no longer at its path. The check takes one call of `stat`.
  ///
  /// Always false for databases in memory, which do not support the check. Source: sqlite.org/c3ref/c_fcntl_begin_atomic_write.html,
  /// SQLITE_FCNTL_HAS_MOVED.
  var hasFileMoved: Bool {
    var hasMoved: Int32 = 0
    // Safety: the call writes to an `int` that is valid during the call.
    let result = unsafe sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result == SQLITE_OK && hasMoved != 0
  }

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

  /// The maximum number of placeholders in a statement: 4,096, or the library's limit if that is less. The library usually allows 32,766,
  /// but the time to prepare a statement is quadratic in their number: 66 ms for 8,000 and 1 s for 32,000.
  var maximumPlaceholderCount: Int { unsafe min(Int(sqlite3_limit(pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1)), 4_096) }

  /// Returns the error of the last call of a SQLite function, which returned `code`.
  @inline(never)
  func failure(_ code: Int32, _ sql: String) -> StoreError {
    let error = unsafe StoreError(sqliteCode: code, on: pointer, sql: sql)
    guard error.code == .busy, waiting.isOver else { return error }
    return StoreError(code: .interrupted, sql: sql, reason: "while waiting for a lock of the database")
  }

  /// Blocks the thread for some time.
  func pause(milliseconds: Int32) {
    sqlite3_sleep(milliseconds)
  }
}

extension StoreError {
  /// Creates the error of the last call on `connection`, which returned `code`.
  ///
  /// Safety: the connection is open, and no other function was called on it since.
  @inline(never)
  @unsafe
  init(sqliteCode code: Int32, on connection: OpaquePointer, sql: String?) {
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    self.init(
      code: Code(sqliteCode: code, message: message), sql: sql, backendMessage: message, backendCode: String(code))
  }
}
