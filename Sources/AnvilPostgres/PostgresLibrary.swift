internal import AnvilStore
internal import CPostgres

/// The loaded library, whose version may differ from the header that this was compiled with.
enum PostgresLibrary {
  private static let version = PQlibVersion()

  static func requireSupport() throws(StoreError) {
    guard version >= ANVIL_POSTGRES_MINIMUM_LIBRARY_VERSION else {
      throw StoreError(code: .unsupported, reason: "libpq 14 or newer is required, but the version is \(version)")
    }
  }
}
