internal import AnvilClient
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Owns the connection of a ``SQLiteCacheStorage``, on a thread of its own.
actor CacheWorker {
  private let executor: StoreExecutor
  private let path: String
  private let limit: Int
  private let busyTimeout: Duration
  private var connection: SQLiteConnection?
  /// What was used since the last write, in order: reading waits for no disk.
  private var uses: [String] = []
  private static let mostUses = 64

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(path: String, limit: Int, busyTimeout: Duration) throws(StoreError) {
    executor = try StoreExecutor()
    self.path = path
    self.limit = limit
    self.busyTimeout = busyTimeout
  }

  func open() throws {
    do {
      connection = try connect()
    } catch let error as StoreError where error.code == .corrupt {
      connection = try recreate()
    }
  }

  func close() {
    if let connection { try? write(on: connection) { try recordUses($0) } }
    connection = nil
  }

  func entries(for key: String) throws -> [CacheEntry] {
    try use { connection in
      var entries: [CacheEntry] = []
      var damaged: [StoreValue] = []
      try connection.query("SELECT id, head, head_checksum FROM anvil_cache WHERE key = ?1", [.text(key)]) { row in
        if let head = try row.blob(at: 1), try row.integer(at: 2) == Self.checksum(head),
          let entry = try? CacheEntry(encoded: head)
        {
          entries.append(entry)
        } else {
          damaged.append(try row.value(at: 0))
        }
        return .goOn
      }
      for id in damaged { try connection.run("DELETE FROM anvil_cache WHERE key = ?1 AND id IS ?2", [.text(key), id]) }
      return entries
    }
  }

  func body(of entry: CacheEntry, _ key: String) throws -> Data? {
    try use { connection in
      let id = entry.id.uuidString
      var body: Data?
      var isDamaged = false
      try connection.query(
        "SELECT body, body_checksum FROM anvil_cache WHERE key = ?1 AND id = ?2", [.text(key), .text(id)]
      ) { row in
        body = (try? row.blob(at: 0)) ?? nil
        isDamaged = try body.map { try Self.checksum($0) != row.integer(at: 1) } ?? true
        return .stop
      }
      guard !isDamaged, body?.count == entry.bodyLength else {
        if body != nil || isDamaged { try remove(entry, key, on: connection) }
        return nil
      }
      uses.append(id)
      if uses.count >= Self.mostUses { try write(on: connection) { try recordUses($0) } }
      return body
    }
  }

  func store(_ entry: CacheEntry, _ body: Data, _ key: String) throws {
    let head = try entry.encoded()
    try use { connection in
      try write(on: connection) { connection in
        try recordUses(connection)
        try connection.run(
          "DELETE FROM anvil_cache WHERE key = ?1 AND variant = ?2", [.text(key), .text(entry.variant)])
        guard entry.size <= limit else { return }
        try makeRoom(for: entry.size, connection)
        try connection.run(
          """
          INSERT INTO anvil_cache (key, variant, id, head, head_checksum, body_checksum, size, used, body) \
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT ifnull(max(used), 0) + 1 FROM anvil_cache), ?8)
          """,
          [
            .text(key), .text(entry.variant), .text(entry.id.uuidString), .blob(head), .integer(Self.checksum(head)),
            .integer(Self.checksum(body)), .integer(Int64(entry.size)), .blob(body),
          ])
      }
    }
  }

  func update(_ entry: CacheEntry, _ key: String) throws {
    let head = try entry.encoded()
    try use { connection in
      try connection.run(
        "UPDATE anvil_cache SET head = ?1, head_checksum = ?2, size = ?3 WHERE key = ?4 AND id = ?5",
        [
          .blob(head), .integer(Self.checksum(head)), .integer(Int64(entry.size)), .text(key),
          .text(entry.id.uuidString),
        ])
    }
  }

  func remove(_ entry: CacheEntry, _ key: String) throws {
    try use { try remove(entry, key, on: $0) }
  }

  func removeAll(for key: String) throws {
    try use { try $0.run("DELETE FROM anvil_cache WHERE key = ?1", [.text(key)]) }
  }

  func removeAll() throws {
    try use { try $0.run("DELETE FROM anvil_cache") }
  }

  private func remove(_ entry: CacheEntry, _ key: String, on connection: SQLiteConnection) throws {
    try connection.run(
      "DELETE FROM anvil_cache WHERE key = ?1 AND id = ?2", [.text(key), .text(entry.id.uuidString)])
  }

  private static func checksum(_ data: Data) -> Int64 {
    var checksum = CacheChecksum()
    checksum.add(data)
    return checksum.stored
  }
}

/// Transactions, and how much there may be.
extension CacheWorker {
  /// Runs `body`; what the database says to be damaged is made anew, empty, and `body` runs on that.
  @discardableResult
  private func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let connection else { throw StoreError(code: .closed) }
    do {
      return try body(connection)
    } catch let error as StoreError where error.code == .corrupt || error.code == .notADatabase {
      self.connection = nil
      let renewed = try recreate()
      self.connection = renewed
      return try body(renewed)
    }
  }

  private func write(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Void) throws {
    try connection.run(connection.beginWriting)
    do {
      try body(connection)
      try connection.run("COMMIT")
    } catch {
      if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
      throw error
    }
  }

  private func recordUses(_ connection: SQLiteConnection) throws {
    for id in uses {
      try connection.run(
        "UPDATE anvil_cache SET used = (SELECT max(used) + 1 FROM anvil_cache) WHERE id = ?1", [.text(id)])
    }
    uses = []
  }

  /// Lets go of what was not used for longest until `size` bytes are free.
  private func makeRoom(for size: Int, _ connection: SQLiteConnection) throws {
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

  private func connect() throws -> SQLiteConnection {
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
  private func recreate() throws -> SQLiteConnection {
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
