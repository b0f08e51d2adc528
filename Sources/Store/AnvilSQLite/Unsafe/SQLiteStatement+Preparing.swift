internal import AnvilStore
internal import CSQLite

extension SQLiteStatement {
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
