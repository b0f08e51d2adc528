internal import AnvilBase
internal import AnvilClient
internal import AnvilSQLite
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An actor that owns the connection of a ``SQLiteCacheStorage`` and runs on a dedicated thread.
actor CacheWorker {
  private let executor: StoreExecutor
  let path: String
  let limit: Int
  let busyTimeout: Duration
  var connection: SQLiteConnection?
  /// The entries that were used since the last write, in order. The uses are stored with the next write, or when there are 64 of them, so
  /// that most reads do not wait for the disk.
  var uses: [String] = []
  private static let mostUses = 64

  // Safety: the actor retains its executor.
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
    var hash = FNV1a(data)
    hash.add(data.count)
    return Int64(bitPattern: hash.value)
  }
}
