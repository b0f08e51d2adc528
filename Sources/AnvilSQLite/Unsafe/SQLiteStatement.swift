internal import AnvilStore
internal import CSQLite

/// Owns a `sqlite3_stmt *`: start, step until there is no row, finish; then again.
///
/// Safety: the pointer is valid from `init` to `deinit`, and the handle, which is held, is open for longer.
@safe
final class SQLiteStatement {
  let sql: String
  let handle: SQLiteHandle
  let pointer: OpaquePointer
  private let placeholderCount: Int
  let memory = SQLiteValueMemory()
  /// The cache's notes.
  var isInUse = false
  var lastUse: UInt64 = 0

  /// Prepares the one statement that `sql` has to be; comments and space may be around it.
  init(_ sql: String, on handle: SQLiteHandle, isKept: Bool) throws(StoreError) {
    let prepared = try unsafe Self.prepare(sql, on: handle, isKept: isKept)
    self.sql = sql
    self.handle = handle
    unsafe pointer = prepared
    placeholderCount = unsafe Int(sqlite3_bind_parameter_count(prepared))
  }

  /// True if it does not change the database. Source: sqlite.org/c3ref/stmt_readonly.html.
  var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

  deinit {
    // Safety: the last use of the pointer.
    unsafe sqlite3_finalize(pointer)
  }

  /// Binds the values, of which there must be as many as placeholders.
  func start(with values: borrowing Span<StoreValue>) throws(StoreError) {
    guard values.count == placeholderCount else {
      throw error(.invalidStatement, "it has \(placeholderCount) placeholders and was given \(values.count) values")
    }
    for index in values.indices {
      // SQLite counts them by an `Int32`, too.
      try bind(values[index], at: Int32(truncatingIfNeeded: index &+ 1))
    }
  }

  func start(with values: [StoreValue]) throws(StoreError) {
    try start(with: values.span)
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
    // The result is that of the last step, which was seen.
    unsafe sqlite3_reset(pointer)
    guard placeholderCount > 0 else { return }
    unsafe sqlite3_clear_bindings(pointer)
    memory.clear()
  }

  /// Resets the statement at any point, to be started with other values immediately.
  ///
  /// Safety: until then the values of before point to memory that may change, and nothing reads them.
  func rewind() {
    unsafe sqlite3_reset(pointer)
    memory.clear()
  }

  /// The error of the call that just returned `code`.
  func failure(_ code: Int32) -> StoreError {
    handle.failure(code, sql)
  }

  @inline(never)
  func error(_ code: StoreError.Code, _ reason: String) -> StoreError {
    StoreError(code: code, sql: sql, reason: reason)
  }
}
