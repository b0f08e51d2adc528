internal import AnvilStore
internal import CSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SQLiteStatement {
  /// Gives the placeholder at `position`, from 1 on, its value.
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
    // Safety: SQLite copies the bytes before the call returns, and checks their number against its limit before.
    let result = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bind(bytes, at: position)
    }
    if let result { return result }
    // Strings of Objective-C.
    var text = text
    return text.withUTF8 { bytes in unsafe bind(bytes, at: position) }
  }

  private func bind(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int32) -> Int32 {
    unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
      unsafe anvil_sqlite_bind_text(pointer, position, characters.baseAddress, UInt64(characters.count))
    }
  }

  private func bind(_ data: Data, at position: Int32) -> Int32 {
    // Safety: as for text.
    unsafe data.withUnsafeBytes { bytes in
      unsafe anvil_sqlite_bind_blob(pointer, position, bytes.baseAddress, UInt64(bytes.count))
    }
  }
}
