internal import AnvilStore
internal import CSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The current row of the statement.
/// Safety: the memory of a text or a blob is valid until the statement advances or the column is read as another type.
/// Each function reads a column as its own type. No other code runs in between, except for the closure of `withBytes`.
extension SQLiteStatement: StoreRowColumns {
  var count: Int { unsafe Int(sqlite3_data_count(pointer)) }

  func name(at column: Int) throws(StoreError) -> String {
    let index = try index(column)
    guard let name = unsafe sqlite3_column_name(pointer, index) else {
      throw error(.outOfMemory, "for a column's name")
    }
    return unsafe String(cString: name)
  }

  func kind(at column: Int) throws(StoreError) -> StoreValue.Kind {
    kind(try index(column))
  }

  func value(at column: Int) throws(StoreError) -> StoreValue {
    let index = try index(column)
    switch kind(index) {
    case .null: return .null
    case .integer: return unsafe .integer(sqlite3_column_int64(pointer, index))
    case .real: return unsafe .real(sqlite3_column_double(pointer, index))
    case .text: return .text(try textOfColumn(index))
    case .blob: return unsafe .blob(Data(try blobBytes(index)))
    }
  }

  func integer(at column: Int) throws(StoreError) -> Int64? {
    let index = try index(column)
    switch kind(index) {
    case .integer: return unsafe sqlite3_column_int64(pointer, index)
    case .null: return nil
    case let kind: throw mismatch(kind, .integer, index)
    }
  }

  func real(at column: Int) throws(StoreError) -> Double? {
    let index = try index(column)
    switch kind(index) {
    case .real: return unsafe sqlite3_column_double(pointer, index)
    case .null: return nil
    case .integer:
      let integer = unsafe sqlite3_column_int64(pointer, index)
      guard let real = Double(exactly: integer) else { throw mismatch(.integer, .real, index) }
      return real
    case let kind: throw mismatch(kind, .real, index)
    }
  }

  func text(at column: Int) throws(StoreError) -> String? {
    let index = try index(column)
    switch kind(index) {
    case .text: return try textOfColumn(index)
    case .null: return nil
    case let kind: throw mismatch(kind, .text, index)
    }
  }

  func blob(at column: Int) throws(StoreError) -> Data? {
    let index = try index(column)
    switch kind(index) {
    case .blob: return unsafe Data(try blobBytes(index))
    case .null: return nil
    case let kind: throw mismatch(kind, .blob, index)
    }
  }

  func withBytes<Result>(at column: Int, _ body: (borrowing RawSpan) throws -> Result) throws -> Result? {
    let index = try index(column)
    let bytes: UnsafeRawBufferPointer
    switch kind(index) {
    case .blob: unsafe bytes = try blobBytes(index)
    case .text:
      guard let start = unsafe sqlite3_column_text(pointer, index) else { throw error(.outOfMemory, "for a text") }
      unsafe bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, index)))
    case .null: return nil
    case let kind: throw mismatch(kind, .blob, index)
    }
    // // Safety: the bytes are valid while `body` runs. The span cannot escape from it, and `body` has no access to
    // this statement.
    return try body(unsafe bytes.bytes)
  }

  /// Returns the text of a column that contains text.
  private func textOfColumn(_ index: Int32) throws(StoreError) -> String {
    // // The text is read before its length, because it may have to be converted from UTF-16.
    guard let start = unsafe sqlite3_column_text(pointer, index) else { throw error(.outOfMemory, "for a text") }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, index)))
    // // Decoding replaces invalid bytes, so that the result differs. String(validating:as:) is generic: reading took
    // twice as long.
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    guard unsafe text.hasBytes(bytes) else {
      throw error(.invalidValue, "the text in \(describe(index)) is not valid UTF-8")
    }
    return text
  }

  /// Returns a blob's bytes; an empty blob has no address.
  private func blobBytes(_ index: Int32) throws(StoreError) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(pointer, index)
    let count = unsafe Int(sqlite3_column_bytes(pointer, index))
    guard let start = unsafe start else {
      guard count == 0, unsafe sqlite3_errcode(handle.pointer) != SQLITE_NOMEM else {
        throw error(.outOfMemory, "for a blob")
      }
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  private func index(_ column: Int) throws(StoreError) -> Int32 {
    // Without a row there are no columns.
    guard let index = Int32(exactly: column), index >= 0, unsafe index < sqlite3_data_count(pointer) else {
      throw error(.invalidStatement, "a row of \(count) columns has no column \(column)")
    }
    return index
  }

  private func kind(_ index: Int32) -> StoreValue.Kind {
    switch unsafe sqlite3_column_type(pointer, index) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  @inline(never)
  private func mismatch(_ found: StoreValue.Kind, _ expected: StoreValue.Kind, _ index: Int32) -> StoreError {
    error(.invalidValue, "\(describe(index)) holds \(found.rawValue), not \(expected.rawValue)")
  }

  private func describe(_ index: Int32) -> String {
    let name = unsafe sqlite3_column_name(pointer, index).map { unsafe String(cString: $0) } ?? ""
    return "column \(name.isEmpty ? "\(index)" : name)"
  }
}
