internal import AnvilStore
internal import CSQLite

/// Owns a `sqlite3_stmt *`. To run it, call `start`, then `step` until there are no more rows, then `finish`.
/// Afterwards it can be started again.
///
/// Safety: the pointer is valid from `init` to `deinit`. The statement retains its handle, which is open for longer.
@safe
final class SQLiteStatement {
  let sql: String
  let handle: SQLiteHandle
  let pointer: OpaquePointer
  private let placeholderCount: Int
  let memory = SQLiteValueMemory()
  /// True from the time when the statement is taken from the cache until it is given back.
  var isInUse = false
  var lastUse: UInt64 = 0

  /// Prepares a statement. The text must contain exactly one statement, and may also contain comments and white space.
  init(_ sql: String, on handle: SQLiteHandle, isKept: Bool) throws(StoreError) {
    let prepared = try unsafe Self.prepare(sql, on: handle, isKept: isKept)
    self.sql = sql
    self.handle = handle
    unsafe pointer = prepared
    placeholderCount = unsafe Int(sqlite3_bind_parameter_count(prepared))
  }

  /// True if the statement does not change the database. Source: sqlite.org/c3ref/stmt_readonly.html.
  var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

  deinit {
    // Safety: the last use of the pointer.
    unsafe sqlite3_finalize(pointer)
  }

  /// Binds the values. Their number must be the number of placeholders.
  func start(with values: borrowing Span<StoreValue>) throws(StoreError) {
    guard values.count == placeholderCount else {
      throw error(.invalidStatement, "it has \(placeholderCount) placeholders, but \(values.count) values were passed")
    }
    for index in values.indices {
      // SQLite counts placeholders with an `Int32` as well.
      try bind(values[index], at: Int32(truncatingIfNeeded: index &+ 1))
    }
  }

  func start(with values: [StoreValue]) throws(StoreError) {
    try start(with: ContiguousArray(values).span)
  }

  /// Advances to the next row. Returns `false` at the end.
  func step() throws(StoreError) -> Bool {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Resets the statement at any point and clears the values.
  func finish() {
    // The call returns the result of the last step, which was already handled.
    unsafe sqlite3_reset(pointer)
    guard placeholderCount > 0 else { return }
    unsafe sqlite3_clear_bindings(pointer)
    memory.clear()
  }

  /// Resets the statement without clearing its values. The caller must start it with other values immediately.
  ///
  /// Safety: until the statement is started, its values point to memory that may change. SQLite does not read them.
  func rewind() {
    unsafe sqlite3_reset(pointer)
    memory.clear()
  }

  /// Returns the error of the last call of a SQLite function, which returned `code`.
  func failure(_ code: Int32) -> StoreError {
    handle.failure(code, sql)
  }

  @inline(never)
  func error(_ code: StoreError.Code, _ reason: String) -> StoreError {
    StoreError(code: code, sql: sql, reason: reason)
  }
}
