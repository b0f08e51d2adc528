internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Transactions, and how much there may be.
extension CacheWorker {
  /// Runs `body`. A storage that is damaged, or whose file is not at its path any more, is created again, empty, and `body` runs
  /// on that; another cache's file at the path is taken as it is.
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

  /// Lets go of what was not used for longest until `size` bytes are free.
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
  /// What tells a cache's file from others: "ANVC".
  private static let applicationID: Int64 = 0x414E_5643
  /// What the tables look like. A file of another version is emptied.
  private static let version: Int64 = 1

  func connect() throws -> SQLiteConnection {
    PrivateDatabaseFile.create(at: path)
    let connection = try SQLiteConnection(
      .file(path), configuration: SQLiteConnection.Configuration(busyTimeout: busyTimeout))
    // Who opens the file at the same time finds it either empty or made.
    try write(on: connection) { try prepare($0) }
    return connection
  }

  private func prepare(_ connection: SQLiteConnection) throws {
    let id = try connection.number("PRAGMA application_id")
    let tables = try connection.number("SELECT count(*) FROM sqlite_master")
    guard id == Self.applicationID || (id == 0 && tables == 0) else {
      throw StoreError(code: .schemaMismatch, reason: "the file is a database of something else than a cache")
    }
    let version = try connection.number("PRAGMA user_version")
    guard id != Self.applicationID || version != Self.version else { return }
    try connection.run("DROP TABLE IF EXISTS anvil_cache")
    // The body comes last: what stands before it is read without it.
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

  /// A new file in the place of the damaged one. Who has that open still goes on with it, and loses what is in it.
  func recreate() throws -> SQLiteConnection {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    uses = []
    return try connect()
  }
}

extension SQLiteConnection {
  /// The number in the first row of a query; 0 where there is none.
  fileprivate func number(_ sql: String) throws -> Int64 {
    var number: Int64?
    try query(sql, []) { row in
      number = try row.integer(at: 0)
      return .stop
    }
    return number ?? 0
  }
}
