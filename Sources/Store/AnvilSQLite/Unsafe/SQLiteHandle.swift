internal import AnvilBase
internal import AnvilStore
internal import CSQLite
internal import Synchronization

/// Owns a `sqlite3 *`.
///
/// Safety: the pointer is valid from `init` to `deinit`, and statements retain the handle. SQLite's own lock is off
/// (`NOMUTEX`). The class is not Sendable, so that only one thread at a time uses it. ``interruption`` is used by other
/// threads and has a lock.
@safe
final class SQLiteHandle {
  let pointer: OpaquePointer
  let interruption: SQLiteInterruption
  let waiting: SQLiteWaiting
  private let changedTables = SQLiteChangedTables()

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
      name = "file:\(PercentEncoding.encode(path, keeping: .path))?immutable=1"
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
    // Safety: as above. The name is a NUL-terminated string that is valid during the call.
    unsafe sqlite3_update_hook(
      pointer, { context, _, _, table, _ in unsafe SQLiteChangedTables.note(context, table) },
      Unmanaged.passUnretained(changedTables).toOpaque())
    // Triggers delete all rows of a table one by one: SQLite would not report a table that it empties at once. The functions of the store
    // report their tables themselves, and SQL counts as a change of all. Source: sqlite.org/c3ref/c_deny.html.
    unsafe sqlite3_set_authorizer(
      pointer,
      { _, action, _, _, _, trigger in
        unsafe action == SQLITE_DELETE && trigger != nil ? SQLITE_IGNORE : SQLITE_OK
      }, nil)
    let maximumLength = Int32(clamping: max(configuration.maximumLength, 1))
    unsafe sqlite3_limit(pointer, SQLITE_LIMIT_LENGTH, maximumLength)
    unsafe sqlite3_limit(pointer, SQLITE_LIMIT_SQL_LENGTH, maximumLength)
  }

  deinit {
    interruption.end()
    // Safety: the last use of the pointer.
    unsafe sqlite3_close_v2(pointer)
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

  /// Returns the bytes of base64 text; NULL for other text. Only statements of this connection can call it, not the schema.
  static let bytesFunction = "anvil_bytes"

  /// Returns a date in RFC 3339 text in the form of a column; NULL for other text. Only statements of this connection can call it.
  static let dateFunction = "anvil_date"

  /// Returns a JSON array of decimals as one of their texts in columns; NULL for other JSON. Only statements of this connection can call it.
  static let decimalsFunction = "anvil_decimals"

  /// Returns the nearest real to a text, and other values as they are: SQLite itself is exact for at most 15 digits.
  static let realFunction = "anvil_real"

  func addFunctions() throws(StoreError) {
    // Safety: the functions refer to nothing but their arguments, which are valid during the call.
    try unsafe addFunction(Self.bytesFunction) { context, _, arguments in
      guard let argument = unsafe arguments?[0], let text = unsafe sqlite3_value_text(argument),
        let data = unsafe Data(base64Encoded: String(cString: text))
      else { return }
      unsafe data.withUnsafeBytes { bytes in
        unsafe anvil_sqlite_return_blob(context, bytes.baseAddress, UInt64(bytes.count))
      }
    }
    try unsafe addFunction(Self.dateFunction) { context, _, arguments in
      guard let argument = unsafe arguments?[0], let text = unsafe sqlite3_value_text(argument),
        let date = unsafe StoredDate.columnText(String(cString: text))
      else { return }
      unsafe anvil_sqlite_return_text(context, date)
    }
    try unsafe addFunction(Self.decimalsFunction) { context, _, arguments in
      guard let argument = unsafe arguments?[0], let text = unsafe sqlite3_value_text(argument),
        let texts = unsafe StoredType.decimalTexts(inArray: String(cString: text))
      else { return }
      unsafe anvil_sqlite_return_text(context, texts)
    }
    try unsafe addFunction(Self.realFunction) { context, _, arguments in
      guard let argument = unsafe arguments?[0] else { return }
      if unsafe sqlite3_value_type(argument) == SQLITE_TEXT, let text = unsafe sqlite3_value_text(argument),
        let real = unsafe Double(String(cString: text))
      {
        unsafe sqlite3_result_double(context, real)
      } else {
        unsafe sqlite3_result_value(context, argument)
      }
    }
  }

  private func addFunction(
    _ name: String,
    _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let result = unsafe sqlite3_create_function_v2(pointer, name, 1, flags, nil, function, nil, nil, nil)
    guard result == SQLITE_OK else { throw StoreError(code: .outOfMemory) }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed directly.
  var changeCount: Int { unsafe Int(sqlite3_changes(pointer)) }

  /// The number of rows changed so far, including changes by triggers and foreign keys. The number wraps around.
  var totalChangeCount: Int32 { unsafe sqlite3_total_changes(pointer) }

  /// Returns the tables whose rows were changed since the last call, also by triggers and foreign keys, and by statements that were undone.
  /// Tables without row IDs are not among them. Source: sqlite.org/c3ref/update_hook.html.
  func takeChangedTables() -> Set<String> { changedTables.take() }

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

  /// True if a transaction is open that has begun to write. Source: sqlite.org/c3ref/txn_state.html.
  var isInWritingTransaction: Bool { unsafe sqlite3_txn_state(pointer, "main") == SQLITE_TXN_WRITE }

  /// True if the commit would fail because of a foreign key. Source: sqlite.org/c3ref/c_dbstatus_options.html, SQLITE_DBSTATUS_DEFERRED_FKS.
  var hasDanglingReferences: Bool {
    var (count, unused): (Int32, Int32) = (0, 0)
    // Safety: the call writes to two `int`s that are valid during the call.
    let result = unsafe sqlite3_db_status(pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &unused, 0)
    return result == SQLITE_OK && count != 0
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
}

extension StoreError {
  /// Safety: the connection is open, and no other function was called on it since.
  @inline(never)
  @unsafe
  init(sqliteCode code: Int32, on connection: OpaquePointer, sql: String?) {
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    self.init(
      code: Code(sqliteCode: code, message: message), sql: sql, backendMessage: message, backendCode: String(code),
      reason: code == Self.readOnlyFolder ? Self.folderAdvice : nil)
  }

  /// The extended result code SQLITE_READONLY_DIRECTORY, whose macro Swift does not import.
  private static let readOnlyFolder = SQLITE_READONLY | (6 << 8)
  private static let folderAdvice = """
    the files with -wal and -shm in their names, which reading needs too, cannot be created in the folder of the database: open it with the \
    right to write to the folder, or while another program has it open
    """
}

/// Interrupts a connection from any thread. It has no effect after the connection was closed.
///
/// Safety: `sqlite3_interrupt` may be called on any thread while the connection is open. The connection is closed only
/// after `end` has returned and the pointer was removed.
final class SQLiteInterruption: Sendable {
  /// A pointer that is protected by the lock. `@unchecked Sendable`: only one thread at a time uses it.
  @safe
  private struct Connection: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  private let connection: Mutex<Connection>
  private let wasInterrupted = Atomic(false)

  init(_ pointer: OpaquePointer) {
    connection = unsafe Mutex(Connection(pointer: pointer))
  }

  func interrupt() {
    wasInterrupted.store(true, ordering: .relaxed)
    connection.withLock { connection in
      if let pointer = unsafe connection.pointer { unsafe sqlite3_interrupt(pointer) }
    }
  }

  /// Removes the connection. Call this before it is closed.
  func end() {
    connection.withLock { unsafe $0.pointer = nil }
  }

  /// Marks the start of a statement. Earlier interruptions do not affect the statement.
  func begin() {
    if wasInterrupted.load(ordering: .relaxed) { wasInterrupted.store(false, ordering: .relaxed) }
  }

  /// True if this statement was interrupted. SQLite itself does not check this while it waits for a lock.
  var isPending: Bool { wasInterrupted.load(ordering: .relaxed) }
}

/// Waits for a locked database until the connection's timeout has passed or the statement is interrupted.
final class SQLiteWaiting {
  var timeout: Duration
  private let interruption: SQLiteInterruption
  private var deadline = Deadline(after: .zero)

  init(timeout: Duration, interruption: SQLiteInterruption) {
    self.timeout = timeout
    self.interruption = interruption
  }

  /// Pauses when the database is locked. This is SQLite's busy handler: a result other than 0 makes SQLite try again.
  static func wait(_ context: UnsafeMutableRawPointer?, _ attempt: Int32) -> Int32 {
    guard let context = unsafe context else { return 0 }
    // Safety: the context is an object of this class. The handle whose connection makes this call retains it.
    return unsafe Unmanaged<SQLiteWaiting>.fromOpaque(context).takeUnretainedValue().wait(attempt) ? 1 : 0
  }

  private func wait(_ attempt: Int32) -> Bool {
    if attempt == 0 { deadline = Deadline(after: timeout) }
    guard !isOver, !deadline.hasPassed else { return false }
    // The first pauses are short, because most transactions are. Later pauses let the lock's holder finish.
    sqlite3_sleep(min(1 << min(max(attempt, 0), 5), 25))
    return !isOver
  }

  /// The task is checked as well, because a cancellation just before the statement begins interrupts nothing.
  var isOver: Bool { interruption.isPending || Task.isCancelled }
}

/// The names of the tables whose rows a connection has changed.
///
/// SQLite reports each row, mostly many of one table after the other. A row takes about 100 instructions, 2 % of those that SQLite itself
/// takes to insert it.
@safe
private final class SQLiteChangedTables {
  private var names: Set<String> = []
  /// A copy of the name that was reported last, or `nil`. It belongs to this object.
  private var last: UnsafeMutablePointer<CChar>?

  deinit {
    unsafe free(last)
  }

  func take() -> Set<String> {
    guard !names.isEmpty else { return [] }
    unsafe free(last)
    unsafe last = nil
    defer { names.removeAll(keepingCapacity: true) }
    return names
  }

  /// Safety: the context is an object of this class, which the handle of the connection retains. The name is NUL-terminated.
  static func note(_ context: UnsafeMutableRawPointer?, _ table: UnsafePointer<CChar>?) {
    guard let context = unsafe context, let table = unsafe table else { return }
    unsafe Unmanaged<SQLiteChangedTables>.fromOpaque(context).takeUnretainedValue().note(table)
  }

  /// Safety: `table` and ``last`` are NUL-terminated.
  private func note(_ table: UnsafePointer<CChar>) {
    if let last = unsafe last, unsafe strcmp(last, table) == 0 { return }
    unsafe free(last)
    unsafe last = strdup(table)
    unsafe names.insert(String(cString: table))
  }
}

/// The identity of the database file that the connections of a store share.
///
/// The first connection creates the file if it does not exist. Later connections open the same file. They do not create a file, and reject
/// a different file at its path.
package final class SQLiteFile: Sendable {
  private let identity = Mutex<FileIdentity?>(nil)

  package init() {}

  var isKnown: Bool { identity.withLock { $0 != nil } }

  /// Returns `true` if the file at `path` is the file of the earlier connections. The first call records the file.
  func isSame(asFileAt path: String) -> Bool {
    var status = stat()
    // Safety: the path is a NUL-terminated copy. The path and `status` are valid during the call.
    let opened = unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    return identity.withLock { known in
      known = known ?? opened
      return known == opened
    }
  }
}
