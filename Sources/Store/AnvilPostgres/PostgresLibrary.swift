internal import AnvilStore
internal import CPostgres

/// The libpq library that the process has loaded. Its version may differ from the version of the header.
enum PostgresLibrary {
  private static let version = PQlibVersion()

  static func requireSupport() throws(StoreError) {
    guard version >= ANVIL_POSTGRES_MINIMUM_LIBRARY_VERSION else {
      throw StoreError(code: .unsupported, reason: "libpq 14 or newer is required, but the version is \(version)")
    }
  }
}
