internal import AnvilStore
internal import CSQLite

/// The SQLite library that the process has loaded. Its version may differ from the version of the header.
enum SQLiteLibrary {
  private static let version = sqlite3_libversion_number()
  private static let isThreadSafe = sqlite3_threadsafe() != 0

  static func requireSupport() throws(StoreError) {
    guard version >= ANVIL_SQLITE_MINIMUM_VERSION else {
      throw StoreError(
        code: .unsupported, reason: "SQLite 3.35 or newer is required, but the version is \(version)")
    }
    guard isThreadSafe else {
      throw StoreError(code: .unsupported, reason: "this SQLite library does not support threads")
    }
  }
}
