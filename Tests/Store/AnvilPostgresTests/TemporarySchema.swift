import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Synchronization
import Testing

/// The server that tests run against. `scripts/with-postgres` starts one.
enum TestServer {
  static let url = variable("ANVIL_POSTGRES_URL")
  /// With a password, over loopback; without a sslmode.
  static let tlsURL = variable("ANVIL_POSTGRES_TLS_URL")
  static let authority = variable("ANVIL_POSTGRES_CA")
  static let otherAuthority = variable("ANVIL_POSTGRES_OTHER_CA")

  /// The server's URL with this option.
  static func url(with option: String) throws -> String {
    let url = try #require(url)
    return url + (url.contains("?") ? "&" : "?") + option
  }

  /// The server behind PgBouncer. A path other than `/postgres` names another database.
  static func poolerURL(_ mode: PoolMode) -> String? { variable("ANVIL_PGBOUNCER_\(mode.rawValue.uppercased())_URL") }

  /// The pool modes of PgBouncer.
  enum PoolMode: String, CaseIterable, Sendable {
    case session, transaction, statement
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Trait where Self == ConditionTrait {
  static var needsServer: Self {
    .enabled(if: TestServer.url != nil, "ANVIL_POSTGRES_URL is not set: run scripts/with-postgres swift test")
  }

  static var needsTLSServer: Self {
    .enabled(
      if: TestServer.tlsURL != nil && TestServer.authority != nil && TestServer.otherAuthority != nil,
      "ANVIL_POSTGRES_TLS_URL and the authorities are not set: run scripts/with-postgres swift test")
  }
}

extension Trait where Self == ConditionTrait {
  static var needsPooler: Self {
    .enabled(
      if: TestServer.url != nil && TestServer.PoolMode.allCases.allSatisfy { TestServer.poolerURL($0) != nil },
      "ANVIL_PGBOUNCER_SESSION_URL and the other URLs are not set: install PgBouncer and run scripts/with-postgres swift test"
    )
  }
}

/// A schema for one test, which is dropped with its contents when the last reference is released.
final class TemporarySchema: Sendable {
  let name = "anvil_test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
  private let serverURL: String

  init() throws {
    serverURL = try #require(TestServer.url)
    url = try TestServer.url(with: "options=-csearch_path%3D\(name)")
    try PostgresConnection(serverURL).run("CREATE SCHEMA \(name)")
  }

  deinit {
    _ = try? PostgresConnection(serverURL).run("DROP SCHEMA \(name) CASCADE")
  }

  /// The URL of the database, with the schema as the only one.
  let url: String

  /// A connection for which the schema is the only one.
  func open(_ configuration: PostgresConnection.Configuration = .init()) throws -> PostgresConnection {
    try PostgresConnection(url, configuration: configuration)
  }

  /// A connection after these statements.
  func open(after statements: String...) throws -> PostgresConnection {
    let connection = try open()
    for statement in statements { try connection.run(statement) }
    return connection
  }
}

/// A database for one test behind PgBouncer, which does not accept a search path from its clients. It is dropped when the last reference
/// is released.
final class TemporaryDatabase: Sendable {
  let name = "anvil_test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
  private let serverURL: String

  init() throws {
    serverURL = try #require(TestServer.url)
    try PostgresConnection(serverURL).run("CREATE DATABASE \(name)")
  }

  deinit {
    _ = try? PostgresConnection(serverURL).run("DROP DATABASE \(name) WITH (FORCE)")
  }

  /// The URL of the database, directly or through the pooler of this mode.
  func url(_ mode: TestServer.PoolMode? = nil, with option: String? = nil) throws -> String {
    let url = try #require(mode.map { TestServer.poolerURL($0) } ?? serverURL)
      .replacing("/postgres", with: "/\(name)", maxReplacements: 1)
    return url + (option.map { (url.contains("?") ? "&" : "?") + $0 } ?? "")
  }

  func open(
    _ mode: TestServer.PoolMode? = nil, _ configuration: PostgresConnection.Configuration = .init()
  ) throws -> PostgresConnection {
    try PostgresConnection(url(mode), configuration: configuration)
  }
}

/// Databases that the cases of a test use one after the other.
///
/// Creating and dropping a database takes longer than most cases, and PgBouncer opens new connections for each. The databases are dropped when
/// the test ends, and one whose case has failed is not used again.
final class RecycledDatabases: Sendable {
  @TaskLocal fileprivate static var current: RecycledDatabases?

  private let free = Mutex<[TemporaryDatabase]>([])

  /// Calls `body` with an empty database, and removes what it leaves there.
  static func withEmptyDatabase<Result>(_ body: (TemporaryDatabase) async throws -> Result) async throws -> Result {
    let databases = try #require(current, "the test does not have the trait recyclesDatabases")
    let database = try databases.free.withLock { $0.popLast() } ?? TemporaryDatabase()
    let result = try await body(database)
    let connection = try database.open()
    let schemas = try connection.rows("SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'")
    for case .text(let schema) in schemas.joined() { try connection.run("DROP SCHEMA \"\(schema)\" CASCADE") }
    try connection.run("CREATE SCHEMA public")
    databases.free.withLock { $0.append(database) }
    return result
  }
}

/// Lets the cases of a test share ``RecycledDatabases``.
struct RecyclingTrait: TestTrait, TestScoping {
  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? self : nil }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await RecycledDatabases.$current.withValue(RecycledDatabases(), operation: function)
  }
}

extension Trait where Self == RecyclingTrait {
  static var recyclesDatabases: Self { RecyclingTrait() }
}

extension PostgresConnection {
  /// The ID of the server's process for the connection.
  var processID: Int64 {
    get throws { try #require(try first("SELECT pg_backend_pid()") { try $0.integer(at: 0) } ?? nil) }
  }
}
