internal import AnvilSQLite
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Transactions and the size limit.
extension CacheWorker {
  /// Runs `body`. If the storage is damaged, or its file is no longer at its path, an empty storage is created and `body` runs with it. If
  /// the file of another cache is at the path, that file is used.
  @discardableResult
  func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let connection else { throw StoreError(code: .closed) }
    do {
      return try body(connection)
    } catch let error as StoreError where error.code == .corrupt || error.code == .notADatabase {
      self.connection = nil
      let renewed = try recreate()
      self.connection = renewed
      return try body(renewed)
    } catch let error as StoreError where error.code == .fileMoved {
      self.connection = nil
      uses = []
      let renewed = try connect()
      self.connection = renewed
      return try body(renewed)
    }
  }

  func write(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Void) throws {
    try connection.run(connection.beginWriting)
    do {
      try body(connection)
      try connection.run("COMMIT")
    } catch {
      if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
      throw error
    }
  }

  func recordUses(_ connection: SQLiteConnection) throws {
    for id in uses {
      try connection.run(
        "UPDATE anvil_cache SET used = (SELECT max(used) + 1 FROM anvil_cache) WHERE id = ?1", [.text(id)])
    }
    uses = []
  }

  /// Removes the least recently used entries until there is room for `size` bytes.
  func makeRoom(for size: Int, _ connection: SQLiteConnection) throws {
    var excess = Int64(size) - Int64(limit)
    try connection.query("SELECT ifnull(sum(size), 0) FROM anvil_cache", []) { row in
      excess += try row.integer(at: 0) ?? 0
      return .stop
    }
    guard excess > 0 else { return }
    var last: Int64 = 0
    try connection.query("SELECT used, size FROM anvil_cache ORDER BY used", []) { row in
      last = try row.integer(at: 0) ?? last
      excess -= try row.integer(at: 1) ?? 0
      return excess > 0 ? .goOn : .stop
    }
    try connection.run("DELETE FROM anvil_cache WHERE used <= ?1", [.integer(last)])
  }
}

/// The file.
extension CacheWorker {
  /// The number that identifies the file of a cache, in SQLite's header: the letters "ANVC".
  private static let applicationID: Int64 = 0x414E_5643
  /// The version of the tables. A file with another version is emptied.
  private static let version: Int64 = 1

  func connect() throws -> SQLiteConnection {
    PrivateDatabaseFile.create(at: path)
    let connection = try SQLiteConnection(
      .file(path), configuration: SQLiteConnection.Configuration(busyTimeout: busyTimeout))
    // Connections that open the file at the same time see it either empty or complete.
    try write(on: connection) { try prepare($0) }
    return connection
  }

  private func prepare(_ connection: SQLiteConnection) throws {
    let id = try connection.number("PRAGMA application_id")
    let tables = try connection.number("SELECT count(*) FROM sqlite_master")
    guard id == Self.applicationID || (id == 0 && tables == 0) else {
      throw StoreError(code: .schemaMismatch, reason: "the file is a database that is not a cache")
    }
    let version = try connection.number("PRAGMA user_version")
    guard id != Self.applicationID || version != Self.version else { return }
    try connection.run("DROP TABLE IF EXISTS anvil_cache")
    // The body is the last column, so that the others are read without it.
    try connection.run(
      """
      CREATE TABLE anvil_cache (
        key TEXT NOT NULL, variant TEXT NOT NULL, id TEXT NOT NULL, head BLOB NOT NULL,
        head_checksum INTEGER NOT NULL, body_checksum INTEGER NOT NULL, size INTEGER NOT NULL,
        used INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (key, variant))
      """)
    try connection.run("CREATE INDEX anvil_cache_id ON anvil_cache (id)")
    try connection.run("CREATE INDEX anvil_cache_used ON anvil_cache (used, size)")
    try connection.run("PRAGMA application_id = \(Self.applicationID)")
    try connection.run("PRAGMA user_version = \(Self.version)")
  }

  /// Replaces a damaged file with a new one. Caches that have opened the old file detect at their next use, or at the end of their
  /// transaction, that it was replaced, and continue with the new file.
  func recreate() throws -> SQLiteConnection {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    uses = []
    return try connect()
  }
}

extension SQLiteConnection {
  /// Runs a query and returns the number in its first row; 0 if there are no rows.
  fileprivate func number(_ sql: String) throws -> Int64 {
    var number: Int64?
    try query(sql, []) { row in
      number = try row.integer(at: 0)
      return .stop
    }
    return number ?? 0
  }
}
