internal import AnvilStore
internal import CSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SQLiteStatement {
  /// Binds a value to the placeholder at `position`, counted from 1.
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
    if let kept = unsafe memory.keep(bytes) {
      return unsafe anvil_sqlite_bind_text(pointer, position, kept, UInt64(bytes.count), true)
    }
    return unsafe anvil_sqlite_bind_text(pointer, position, bytes.baseAddress, UInt64(bytes.count), false)
  }

  private func bind(_ data: Data, at position: Int32) -> Int32 {
    unsafe data.withUnsafeBytes { bytes in
      if let kept = unsafe memory.keep(bytes) {
        return unsafe anvil_sqlite_bind_blob(pointer, position, kept, UInt64(bytes.count), true)
      }
      return unsafe anvil_sqlite_bind_blob(pointer, position, bytes.baseAddress, UInt64(bytes.count), false)
    }
  }
}
