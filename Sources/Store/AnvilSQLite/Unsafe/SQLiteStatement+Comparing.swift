internal import AnvilStore
internal import CSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SQLiteStatement {
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
}
