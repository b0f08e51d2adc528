import AnvilPostgres
import AnvilSQLite
import AnvilStore
import AnvilTestSupport
import Foundation
import Testing

/// The databases that the tests of pulls run against.
enum SyncBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite, postgres

  /// All databases that are available. `scripts/with-postgres` starts a PostgreSQL server.
  static var available: [SyncBackend] { serverURL == nil ? [.sqlite] : allCases }

  fileprivate static let serverURL = ProcessInfo.processInfo.environment["ANVIL_POSTGRES_URL"].flatMap {
    $0.isEmpty ? nil : $0
  }

  var testDescription: String { rawValue }
}

/// A database for one test, removed with everything in it when the last that holds it ends.
final class SyncDatabase: Sendable {
  private let file: TemporaryDatabase?
  private let schema: String?

  init(_ backend: SyncBackend) throws {
    switch backend {
    case .sqlite: (file, schema) = (try TemporaryDatabase(), nil)
    case .postgres:
      let name = "anvil_sync_" + UUID().uuidString.lowercased().filter { $0 != "-" }
      try PostgresConnection(try #require(SyncBackend.serverURL)).run("CREATE SCHEMA \(name)")
      (file, schema) = (nil, name)
    }
  }

  deinit {
    guard let schema, let url = SyncBackend.serverURL else { return }
    _ = try? PostgresConnection(url).run("DROP SCHEMA \(schema) CASCADE")
  }

  /// The file or the URL of the database.
  var location: String {
    if let file { return file.url.path() }
    let url = SyncBackend.serverURL ?? ""
    return url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(schema ?? "")"
  }

  /// Opens the database, as a new process would.
  func open() async throws -> Store {
    try await Store(file != nil ? .sqlite(path: location) : .postgres(location, connections: 2))
  }
}
