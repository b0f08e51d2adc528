@_exported import AnvilStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Store.Location {
  /// A PostgreSQL database, where many machines write at the same time.
  ///
  ///     let url = URL(string: "postgres://ada@db.example.com/users?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem")
  ///     let store = try await Store(.postgres(url))
  ///
  /// The URL takes what libpq's does, TLS among it: `sslmode` (`verify-full` is the one that proves who answers), `sslrootcert`,
  /// `sslcert`, `sslkey`, `connect_timeout`, `options`; what it does not say comes from the environment (`PGHOST`, …) and the
  /// files that libpq reads (`~/.pgpass`, …). Tables are made in the first schema of the search path.
  ///
  /// Connections are made when they are needed, kept, and made anew when they were lost. Transactions read what is committed and
  /// lock the rows that they may change; where two lock each other out one of them runs anew. Statements are prepared, and values
  /// always go beside them.
  ///
  /// Text that has a NUL character is refused: PostgreSQL has none.
  ///
  /// Source: postgresql.org/docs/current/libpq-connect.html.
  ///
  /// - Parameters:
  ///   - url: where the database is: `postgres://` or `postgresql://`.
  ///   - connections: how many there are at most.
  ///   - busyTimeout: how long a statement waits for rows that others have locked before it fails with `StoreError.Code.busy`.
  public static func postgres(
    _ url: URL, connections: Int = 8, busyTimeout: Duration = .seconds(30)
  ) -> Store.Location {
    postgres(url.absoluteString, connections: connections, busyTimeout: busyTimeout)
  }

  /// A PostgreSQL database by a connection string: a URL, or `host=… dbname=…` as libpq takes it.
  ///
  /// - Parameters:
  ///   - connectionString: where the database is.
  ///   - connections: how many there are at most.
  ///   - busyTimeout: how long a statement waits for rows that others have locked before it fails with `StoreError.Code.busy`.
  public static func postgres(
    _ connectionString: String, connections: Int = 8, busyTimeout: Duration = .seconds(30)
  ) -> Store.Location {
    Store.Location(
      PostgresBackend(connectionString: connectionString, writerCount: max(connections, 1), busyTimeout: busyTimeout))
  }
}

private struct PostgresBackend: StoreBackend {
  let connectionString: String
  let writerCount: Int
  let busyTimeout: Duration

  /// The place may have a password in it: it is not shown.
  var description: String { "PostgreSQL" }

  /// The same connections read and write.
  var readerCount: Int { 0 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    { [connectionString, busyTimeout] () throws(StoreError) in
      try PostgresConnection(
        connectionString, configuration: PostgresConnection.Configuration(busyTimeout: busyTimeout))
    }
  }
}
