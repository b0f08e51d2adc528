internal import AnvilBase
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

  func bind(_ value: StoreValue, at position: Int32) throws(StoreError) {
    let result =
      switch value {
      case .null: unsafe sqlite3_bind_null(pointer, position)
      case .integer(let integer): unsafe sqlite3_bind_int64(pointer, position, integer)
      case .real(let real): try bind(real, at: position)
      case .text(let text): bind(text, at: position)
      case .blob(let data): bind(data, at: position)
      }
    guard result == SQLITE_OK else { throw failure(result) }
  }

  private func bind(_ real: Double, at position: Int32) throws(StoreError) -> Int32 {
    guard !real.isNaN else {
      throw error(.invalidValue, "value \(position) is NaN, which SQLite cannot store: it would become NULL")
    }
    return unsafe sqlite3_bind_double(pointer, position, real)
  }

  private func bind(_ text: String, at position: Int32) -> Int32 {
    // Safety: the bytes are valid while the closure runs.
    let result = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bindText(UnsafeRawBufferPointer(bytes), at: position)
    }
    if let result { return result }
    // A bridged string of Objective-C has no contiguous UTF-8.
    var text = text
    return text.withUTF8 { bytes in unsafe bindText(UnsafeRawBufferPointer(bytes), at: position) }
  }

  // Safety of both functions: SQLite compares the length with its limit and copies the bytes before the call
  // returns, or the bytes are in the statement's memory, which keeps them until `finish` has cleared the values.

  private func bindText(_ bytes: UnsafeRawBufferPointer, at position: Int32) -> Int32 {
    let kept = unsafe memory.keep(bytes)
    return unsafe anvil_sqlite_bind_text(
      pointer, position, kept ?? bytes.baseAddress, UInt64(bytes.count), kept != nil)
  }

  private func bind(_ data: Data, at position: Int32) -> Int32 {
    unsafe data.withUnsafeBytes { bytes in
      let kept = unsafe memory.keep(bytes)
      return unsafe anvil_sqlite_bind_blob(
        pointer, position, kept ?? bytes.baseAddress, UInt64(bytes.count), kept != nil)
    }
  }

  /// Returns `true` if both the column and `value` contain integers and the integer in the column is greater.
  func isGreater(at column: Int32, than value: StoreValue) -> Bool {
    guard case .integer(let integer) = value, unsafe sqlite3_column_type(pointer, column) == SQLITE_INTEGER else {
      return false
    }
    return unsafe sqlite3_column_int64(pointer, column) > integer
  }

  /// Returns `true` if the column has this value and kind. Texts and blobs are compared by their bytes.
  ///
  /// Safety: the memory of a text or a blob is valid until the statement advances, and it is read immediately. SQLite
  /// returns NULL for columns outside of the row.
  func holds(_ value: StoreValue, at column: Int32) -> Bool {
    let type = unsafe sqlite3_column_type(pointer, column)
    switch value {
    case .null: return type == SQLITE_NULL
    case .integer(let integer): return unsafe type == SQLITE_INTEGER && sqlite3_column_int64(pointer, column) == integer
    case .real(let real): return unsafe type == SQLITE_FLOAT && sqlite3_column_double(pointer, column) == real
    case .text(let text):
      // The text is read before its length, because it may have to be converted from UTF-16.
      guard type == SQLITE_TEXT, let start = unsafe sqlite3_column_text(pointer, column) else { return false }
      return unsafe text.hasBytes(
        UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    case .blob(let data):
      guard type == SQLITE_BLOB else { return false }
      let start = unsafe sqlite3_column_blob(pointer, column)
      let count = unsafe Int(sqlite3_column_bytes(pointer, column))
      guard let start = unsafe start else { return data.isEmpty && count == 0 }
      return unsafe data.elementsEqual(UnsafeRawBufferPointer(start: start, count: count))
    }
  }

  /// Returns the compiled statement. The caller must finalise it.
  @unsafe
  static func prepare(_ sql: String, on handle: SQLiteHandle, isKept: Bool) throws(StoreError) -> OpaquePointer {
    var sql = sql
    // Safety: the bytes are valid while the closure runs, and SQLite copies what it needs.
    let outcome = sql.withUTF8 { bytes in unsafe Outcome(compiling: bytes, on: handle, isKept: isKept) }
    switch unsafe outcome {
    case .statement(let pointer): return unsafe pointer
    case .failure(let code): throw handle.failure(code, sql)
    case .tooLarge: throw StoreError(code: .tooLarge, reason: "the statement has \(sql.utf8.count) bytes")
    case .invalid(let reason): throw StoreError(code: .invalidStatement, sql: sql, reason: reason)
    }
  }
}

/// The result of compiling a statement. It is returned instead of thrown, because closures do not infer typed errors.
@unsafe
private enum Outcome {
  case statement(OpaquePointer)
  case failure(Int32)
  case tooLarge
  case invalid(String)

  init(compiling bytes: UnsafeBufferPointer<UInt8>, on handle: SQLiteHandle, isKept: Bool) {
    // SQLite would stop at the first NUL and ignore the rest.
    guard unsafe !bytes.contains(0) else {
      unsafe self = .invalid("it contains a NUL character")
      return
    }
    guard let count = Int32(exactly: bytes.count),
      unsafe count < sqlite3_limit(handle.pointer, SQLITE_LIMIT_SQL_LENGTH, -1)
    else {
      unsafe self = .tooLarge
      return
    }
    guard let start = bytes.baseAddress else {
      unsafe self = .invalid("it is empty")
      return
    }
    unsafe self = Self.compile(start, count, on: handle, isKept: isKept)
  }

  private static func compile(
    _ bytes: UnsafePointer<UInt8>, _ count: Int32, on handle: SQLiteHandle, isKept: Bool
  ) -> Outcome {
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var statement: OpaquePointer?
    var rest: UnsafePointer<CChar>?
    // Safety: SQLite reads at most `count` bytes, and `rest` points to one of them or to their end.
    let result = unsafe bytes.withMemoryRebound(to: CChar.self, capacity: Int(count)) { text in
      unsafe sqlite3_prepare_v3(handle.pointer, text, count, flags, &statement, &rest)
    }
    guard result == SQLITE_OK else { return unsafe .failure(result) }
    guard let compiled = unsafe statement else { return unsafe .invalid("it is empty") }

    // Only space and comments may follow the statement.
    let restCount = unsafe rest.map { unsafe count - Int32(UnsafeRawPointer($0) - UnsafeRawPointer(bytes)) } ?? 0
    var second: OpaquePointer?
    if restCount > 0 {
      let result = unsafe sqlite3_prepare_v3(handle.pointer, rest, restCount, 0, &second, nil)
      if unsafe result != SQLITE_OK || second != nil {
        unsafe sqlite3_finalize(second)
        unsafe sqlite3_finalize(compiled)
        return unsafe .invalid("it contains more than one statement")
      }
    }
    return unsafe .statement(compiled)
  }
}

/// A buffer for the bytes of a statement's short texts and blobs while they are bound.
///
/// Without the buffer, SQLite would allocate and free memory for each value. The time for 100,000 rows of three texts was compared with a
/// loop in the style of C in which SQLite copies the texts: it was 1.15 times as long without the buffer, and is 1.04 times as long with
/// it. The buffer is a class because an `inout` argument would check exclusive access, which takes 450 instructions for a row.
///
/// Safety: the memory that `keep` returns is valid and unchanged until `clear` or `deinit`.
@safe
final class SQLiteValueMemory {
  /// The capacity, which is enough for most rows. SQLite copies values that do not fit.
  private static let capacity = 4096

  private let start: UnsafeMutableRawPointer
  private var used = 0

  init() {
    unsafe start = .allocate(byteCount: Self.capacity, alignment: 1)
  }

  deinit {
    unsafe start.deallocate()
  }

  /// Copies the bytes and returns their address; `nil` if there is no room.
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= Self.capacity - used else { return nil }
    let copy = unsafe start + used
    // Safety: the buffer has room for the bytes at this position, which is not in use.
    if let source = bytes.baseAddress { unsafe copy.copyMemory(from: source, byteCount: bytes.count) }
    used += bytes.count
    return UnsafeRawPointer(copy)
  }

  func clear() {
    used = 0
  }
}
