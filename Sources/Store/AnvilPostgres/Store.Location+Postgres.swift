@_exported import AnvilStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Store.Location {
  /// Returns the location of a PostgreSQL database. Many machines can write to the database at the same time.
  ///
  ///     let url = URL(string: "postgres://ada@db.example.com/users?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem")
  ///     let store = try await Store(.postgres(url))
  ///
  /// The user and password in the URL must be percent-encoded: a `/` is `%2F`, an `@` is `%40`. Other URLs are refused.
  ///
  /// The URL takes the options of libpq, including those for TLS: `sslmode` (only `verify-full` verifies the server's identity),
  /// `sslrootcert`, `sslcert`, `sslkey`, `connect_timeout`, `options`. Missing options come from the environment (`PGHOST`, …) and the
  /// files that libpq reads (`~/.pgpass`, …). Tables are created in the first schema of the search path.
  ///
  /// Connections are opened when they are needed, and reused. A lost connection is replaced. Transactions read committed data and lock the
  /// rows that they may change. When two transactions deadlock, one of them is run again. Statements are prepared, and values are always
  /// sent separately from the SQL.
  ///
  /// Behind a pooler such as PgBouncer, a store works in session and transaction mode; see ``PostgresPoolMode``. In addition to the options
  /// of libpq, a connection string takes the option `pool_mode`, which overrides the parameter.
  ///
  /// Text with a NUL character is rejected, because PostgreSQL cannot store it.
  ///
  /// Each commit that changes rows sends a notification on the channel `anvil_changes`, which informs the observers of
  /// other stores. While values are observed, one more connection listens.
  ///
  /// Source: postgresql.org/docs/current/libpq-connect.html.
  ///
  /// - Parameters:
  ///   - url: The URL of the database: `postgres://` or `postgresql://`.
  ///   - connections: The maximum number of connections.
  ///   - busyTimeout: The time that a statement waits for locked rows before it fails with `StoreError.Code.busy`.
  ///   - poolMode: The mode of a pooler between the store and the server.
  public static func postgres(
    _ url: URL, connections: Int = 8, busyTimeout: Duration = .seconds(30),
    poolMode: PostgresPoolMode = .automatic
  ) -> Store.Location {
    postgres(url.absoluteString, connections: connections, busyTimeout: busyTimeout, poolMode: poolMode)
  }

  /// Returns the location of a PostgreSQL database for a connection string: a URL, or `host=… dbname=…` in the format of libpq.
  ///
  /// - Parameters:
  ///   - connectionString: The location of the database.
  ///   - connections: The maximum number of connections.
  ///   - busyTimeout: The time that a statement waits for locked rows before it fails with `StoreError.Code.busy`.
  ///   - poolMode: The mode of a pooler between the store and the server.
  public static func postgres(
    _ connectionString: String, connections: Int = 8, busyTimeout: Duration = .seconds(30),
    poolMode: PostgresPoolMode = .automatic
  ) -> Store.Location {
    Store.Location(
      PostgresBackend(
        connectionString: connectionString, writerCount: connections,
        configuration: PostgresConnection.Configuration(busyTimeout: busyTimeout, poolMode: poolMode)))
  }
}

struct PostgresBackend: StoreBackend, CustomReflectable {
  let connectionString: String
  let writerCount: Int
  var configuration = PostgresConnection.Configuration()
  /// Whether a pooler is between the store and the server; `nil` if each connection finds out.
  var isPooled: Bool?

  /// The kind of the database. The connection string is left out because it may contain a password.
  var description: String { "PostgreSQL" }
  var customMirror: Mirror { Mirror(self, children: []) }

  /// The number of additional connections for reading: 0, because readers use the same connections as writers.
  var readerCount: Int { 0 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    { [connectionString, configuration, isPooled, sharing = PostgresSessionSharing()] () throws(StoreError) in
      try PostgresConnection(connectionString, configuration: configuration, sharing: sharing, isPooled: isPooled)
    }
  }
}
