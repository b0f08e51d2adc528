internal import AnvilBase
internal import AnvilStore
internal import CSQLite

/// The current row of the statement.
///
/// Safety: the memory of a text or a blob is valid until the statement advances or the column is read as another type.
/// Each function reads a column as its own type. No other code runs in between.
/// The values of columns are unprotected objects. They can be read like protected ones, because only one thread at a time
/// uses the connection. Source: sqlite.org/c3ref/value.html.
extension SQLiteStatement: StoreRowColumns {
  var count: Int { unsafe Int(sqlite3_data_count(pointer)) }

  func name(at column: Int) throws(StoreError) -> String {
    try requireColumn(column)
    guard let name = unsafe sqlite3_column_name(pointer, Int32(clamping: column)) else {
      throw error(.outOfMemory, "while reading the name of a column")
    }
    return unsafe String(cString: name)
  }

  func kind(at column: Int) throws(StoreError) -> StoreValue.Kind {
    let cell = unsafe cell(column)
    let kind = unsafe kind(of: cell)
    if kind == .null { try requireColumn(column) }
    return kind
  }

  func value(at column: Int) throws(StoreError) -> StoreValue {
    let cell = unsafe cell(column)
    switch unsafe kind(of: cell) {
    case .null:
      try requireColumn(column)
      return .null
    case .integer: return unsafe .integer(sqlite3_value_int64(cell))
    case .real: return unsafe .real(sqlite3_value_double(cell))
    case .text: return .text(try unsafe text(of: cell, column))
    case .blob: return unsafe .blob(Data(try blobBytes(of: cell)))
    }
  }

  func integer(at column: Int) throws(StoreError) -> Int64? {
    let cell = unsafe cell(column)
    let kind = unsafe kind(of: cell)
    return kind == .integer ? unsafe sqlite3_value_int64(cell) : try requireNull(kind, .integer, column)
  }

  func real(at column: Int) throws(StoreError) -> Double? {
    let cell = unsafe cell(column)
    switch unsafe kind(of: cell) {
    case .real: return unsafe sqlite3_value_double(cell)
    case .integer:
      guard let real = unsafe Double(exactly: sqlite3_value_int64(cell)) else {
        throw mismatch(.integer, .real, column)
      }
      return real
    case let kind: return try requireNull(kind, .real, column)
    }
  }

  func text(at column: Int) throws(StoreError) -> String? {
    let cell = unsafe cell(column)
    let kind = unsafe kind(of: cell)
    return kind == .text ? try unsafe text(of: cell, column) : try requireNull(kind, .text, column)
  }

  func blob(at column: Int) throws(StoreError) -> Data? {
    let cell = unsafe cell(column)
    let kind = unsafe kind(of: cell)
    return kind == .blob ? unsafe Data(try blobBytes(of: cell)) : try requireNull(kind, .blob, column)
  }

  func integerOnly(at column: Int) -> Int64? {
    let cell = unsafe cell(column)
    return unsafe sqlite3_value_type(cell) == SQLITE_INTEGER ? unsafe sqlite3_value_int64(cell) : nil
  }

  func realOnly(at column: Int) -> Double? {
    let cell = unsafe cell(column)
    return unsafe sqlite3_value_type(cell) == SQLITE_FLOAT ? unsafe sqlite3_value_double(cell) : nil
  }

  func textOnly(at column: Int) throws(StoreError) -> String? {
    let cell = unsafe cell(column)
    return unsafe sqlite3_value_type(cell) == SQLITE_TEXT ? try unsafe text(of: cell, column) : nil
  }

  /// Returns the value of a column. The value is NULL if there is no current row, or if the row does not have the column.
  private func cell(_ column: Int) -> OpaquePointer? {
    unsafe sqlite3_column_value(pointer, Int32(clamping: column))
  }

  private func kind(of cell: OpaquePointer?) -> StoreValue.Kind {
    switch unsafe sqlite3_value_type(cell) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  private func text(of cell: OpaquePointer?, _ column: Int) throws(StoreError) -> String {
    // The text is read before its length, because it may have to be converted from UTF-16.
    guard let start = unsafe sqlite3_value_text(cell) else { throw error(.outOfMemory, "while reading text") }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
    // Decoding replaces invalid bytes, so that the result differs. String(validating:as:) is generic: reading took
    // twice as long.
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    guard unsafe text.hasBytes(bytes) else {
      throw error(.invalidValue, "the text in \(describe(column)) is not valid UTF-8")
    }
    return text
  }

  /// SQLite returns no address for an empty blob and when memory runs out; the count and the error code distinguish the two.
  private func blobBytes(of cell: OpaquePointer?) throws(StoreError) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_value_blob(cell)
    let count = unsafe Int(sqlite3_value_bytes(cell))
    guard let start = unsafe start else {
      guard count == 0, unsafe sqlite3_errcode(handle.pointer) != SQLITE_NOMEM else {
        throw error(.outOfMemory, "while reading a blob")
      }
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns `nil` if the column is NULL. Throws an error for other values, and for a column that the row does not have.
  private func requireNull<Value>(
    _ found: StoreValue.Kind, _ expected: StoreValue.Kind, _ column: Int
  ) throws(StoreError) -> Value? {
    guard found == .null else { throw mismatch(found, expected, column) }
    try requireColumn(column)
    return nil
  }

  private func requireColumn(_ column: Int) throws(StoreError) {
    guard column >= 0, column < count else { throw noColumn(column) }
  }
}
