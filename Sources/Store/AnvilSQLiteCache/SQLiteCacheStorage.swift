public import AnvilBase
public import AnvilClient
internal import AnvilSQLite
internal import AnvilStore

/// A cache storage that keeps responses in a SQLite database, up to a size limit.
///
///     let storage = try await SQLiteCacheStorage(path: "cache.db")
///     configuration.cache = storage
///
/// Stored responses outlive the process. Several storages, also in different processes, may share one file. An entry and its body are one
/// row, so that a process that ends during a write leaves no incomplete entry. Each body has a checksum: a response that was damaged is
/// removed and treated as not stored.
///
/// URLs, credentials and the request fields that select a variant are stored as digests. Response bodies and response fields are stored
/// unchanged. The field `Set-Cookie` is not stored. A new file is readable only by its owner; the mode of an existing file is not changed.
///
/// When the limit is reached, the least recently used responses are removed.
public actor SQLiteCacheStorage: CacheStorage {
  private let executor: StoreExecutor
  private let path: String
  private let limit: Int
  private let busyTimeout: Duration
  /// `nil` after the file could not be opened again.
  private var connection: SQLiteConnection?
  private var isClosed = false
  /// In order. Stored with the next write, or when there are 64, so that most reads do not wait for the disk.
  private var uses: [String] = []
  /// The bytes that could be stored after the sizes of all entries were last added up, less those stored since, and these.
  private var room: Int64 = 0
  private var unsummed: Int64 = 0
  private static let mostUses = 64

  // Safety: the actor retains its executor.
  /// The executor with the storage's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Opens the storage in the file at `path`, and creates the file if it does not exist. Its folder has to exist. While the storage is in
  /// use, files with the suffixes `-wal` and `-shm` are next to it.
  ///
  /// A damaged storage is replaced with an empty one. A file that is not a cache is not changed.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It is never read as a URI.
  ///   - limit: The approximate maximum size of all responses together, in bytes.
  ///   - busyTimeout: The time that a write waits for other processes before it fails. Writes after it fail at once, until one succeeds.
  /// - Throws: `StoreError`: `notADatabase` for a file that is not a database, `schemaMismatch` for a database that is not a cache,
  ///   `cannotOpen`, and other errors of opening a database.
  public init(path: String, sizeLimit limit: Int = 256 << 20, busyTimeout: Duration = .seconds(1)) async throws {
    executor = try StoreExecutor()
    self.path = path
    self.limit = limit
    self.busyTimeout = busyTimeout
    _ = try open()
  }

  private func open() throws -> SQLiteConnection {
    let opened: SQLiteConnection
    do {
      opened = try connect()
    } catch let error as StoreError where error.code == .corrupt {
      opened = try recreate()
    }
    connection = opened
    return opened
  }

  /// Returns the entries for a URL, in no particular order. Damaged entries are removed.
  ///
  /// - Throws: `StoreError`.
  public func entries(for key: CacheKey) throws -> [CacheEntry] {
    try use { connection in
      var entries: [CacheEntry] = []
      var damaged: [StoreValue] = []
      let key = StoreValue.text(key.rawValue)
      try connection.query("SELECT id, head, head_checksum FROM anvil_cache WHERE key = ?1", [key]) { row in
        if let head = try row.blob(at: 1), try row.integer(at: 2) == Self.checksum(head),
          let entry = try? CacheEntry(encoded: head)
        {
          entries.append(entry)
        } else {
          damaged.append(try row.value(at: 0))
        }
        return .goOn
      }
      // Reading does not fail because another process writes or the disk is full.
      for id in damaged { _ = try? connection.run("DELETE FROM anvil_cache WHERE key = ?1 AND id IS ?2", [key, id]) }
      return entries
    }
  }

  /// Returns the body of the entry, and marks the entry as used. Returns `nil` if the entry was removed or is damaged.
  ///
  /// - Throws: `StoreError`.
  public func body(of entry: CacheEntry, for key: CacheKey) throws -> Data? {
    try use { connection in
      let id = entry.id.uuidString
      var body: Data?
      var isDamaged = false
      try connection.query(
        "SELECT body, body_checksum FROM anvil_cache WHERE key = ?1 AND id = ?2", [.text(key.rawValue), .text(id)]
      ) { row in
        body = (try? row.blob(at: 0)) ?? nil
        isDamaged = try body.map { try Self.checksum($0) != row.integer(at: 1) } ?? true
        return .stop
      }
      guard !isDamaged, body?.count == entry.bodyLength else {
        if body != nil || isDamaged { try? remove(entry, key, on: connection) }
        return nil
      }
      uses.append(id)
      if uses.count >= Self.mostUses {
        // They only determine which entries are removed first.
        try? write(on: connection) { try recordUses($0) }
        uses = []
      }
      return body
    }
  }

  /// Stores an entry with its body in one transaction. It replaces the entry for the same URL and variant. An entry that is larger than the
  /// storage's limit is not stored, but the earlier entry is removed.
  ///
  /// - Throws: `StoreError`.
  public func store(_ entry: CacheEntry, body: Data, for key: CacheKey) throws {
    let head = try entry.encoded()
    let (key, variant) = (StoreValue.text(key.rawValue), StoreValue.text(entry.variant))
    try use { connection in
      try write(on: connection) { connection in
        try recordUses(connection)
        try connection.run("DELETE FROM anvil_cache WHERE key = ?1 AND variant = ?2", [key, variant])
        guard entry.size <= limit else { return }
        try makeRoom(for: entry.size, connection)
        try connection.run(
          """
          INSERT INTO anvil_cache (key, variant, id, head, head_checksum, body_checksum, size, used, body) \
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT ifnull(max(used), 0) + 1 FROM anvil_cache), ?8)
          """,
          [
            key, variant, .text(entry.id.uuidString), .blob(head), .integer(Self.checksum(head)),
            .integer(Self.checksum(body)), .integer(Int64(entry.size)), .blob(body),
          ])
      }
    }
  }

  /// Updates the stored entry with the same ID, without its body. It does nothing if the entry was removed.
  ///
  /// - Throws: `StoreError`.
  public func update(_ entry: CacheEntry, for key: CacheKey) throws {
    let head = try entry.encoded()
    try use { connection in
      try connection.run(
        "UPDATE anvil_cache SET head = ?1, head_checksum = ?2, size = ?3 WHERE key = ?4 AND id = ?5",
        [
          .blob(head), .integer(Self.checksum(head)), .integer(Int64(entry.size)), .text(key.rawValue),
          .text(entry.id.uuidString),
        ])
    }
  }

  /// Removes the entry with the same ID, if it exists.
  ///
  /// - Throws: `StoreError`.
  public func remove(_ entry: CacheEntry, for key: CacheKey) throws { try use { try remove(entry, key, on: $0) } }

  private func remove(_ entry: CacheEntry, _ key: CacheKey, on connection: SQLiteConnection) throws {
    try connection.run(
      "DELETE FROM anvil_cache WHERE key = ?1 AND id = ?2", [.text(key.rawValue), .text(entry.id.uuidString)])
  }

  /// Removes all entries for a URL.
  ///
  /// - Throws: `StoreError`.
  public func removeAll(for key: CacheKey) throws {
    try use { try $0.run("DELETE FROM anvil_cache WHERE key = ?1", [.text(key.rawValue)]) }
  }

  /// Removes all entries.
  ///
  /// - Throws: `StoreError`.
  public func removeAll() throws { try use { try $0.run("DELETE FROM anvil_cache") } }

  /// Closes the file. Later calls throw `StoreError.Code.closed`.
  public func close() {
    if let connection { try? write(on: connection) { try recordUses($0) } }
    (connection, isClosed) = (nil, true)
  }

  private static func checksum(_ data: Data) -> Int64 {
    var hash = FNV1a(data)
    hash.add(data.count)
    return Int64(bitPattern: hash.value)
  }
}

/// Transactions and the size limit.
extension SQLiteCacheStorage {
  /// Runs `body`. If the storage is damaged, or its file is no longer at its path, an empty storage is created and `body` runs with it. If
  /// the file of another cache is at the path, that file is used. Any other file there is not changed.
  @discardableResult
  private func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard !isClosed else { throw StoreError(code: .closed) }
    let connection = try connection ?? open()
    do {
      return try body(connection)
    } catch let error as StoreError {
      switch error.code {
      case .corrupt, .notADatabase:
        self.connection = nil
        self.connection = try recreate()
      case .fileMoved:
        self.connection = nil
        uses = []
      case .busy:
        // Responses wait for the storage. While another process holds the lock, one wait is enough.
        connection.busyTimeout = .zero
        throw error
      default: throw error
      }
      return try body(self.connection ?? open())
    }
  }

  private func write(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Void) throws {
    try connection.run(connection.beginWriting)
    do {
      try body(connection)
      try connection.run("COMMIT")
      connection.busyTimeout = busyTimeout
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

  /// Removes the least recently used entries until there is room for `size` bytes.
  private func makeRoom(for size: Int, _ connection: SQLiteConnection) throws {
    // Adding up all sizes takes time. Other processes may have stored as much as this one since then.
    room -= Int64(size)
    unsummed += Int64(size)
    guard room < 0 || unsummed > Int64(limit) / 64 else { return }
    let sum = try connection.firstInteger(of: "SELECT sum(size) FROM anvil_cache") ?? 0
    var excess = Int64(size) - Int64(limit) + sum
    (room, unsummed) = (-excess, 0)
    guard excess > 0 else { return }
    // A full cache gets some room at once.
    excess += Int64(limit) / 256
    var last: Int64 = 0
    try connection.query("SELECT used, size FROM anvil_cache ORDER BY used", []) { row in
      last = try row.integer(at: 0) ?? last
      excess -= try row.integer(at: 1) ?? 0
      return excess > 0 ? .goOn : .stop
    }
    try connection.run("DELETE FROM anvil_cache WHERE used <= ?1", [.integer(last)])
    room = Int64(limit) / 256 - excess
  }
}

/// The file.
extension SQLiteCacheStorage {
  /// The number that identifies the file of a cache, in SQLite's header: the letters "ANVC".
  private static let applicationID: Int64 = 0x414E_5643
  /// The version of the tables. A file with another version is emptied.
  private static let version: Int64 = 1

  private func connect() throws -> SQLiteConnection {
    PrivateDatabaseFile.create(at: path)
    let connection = try SQLiteConnection(
      .file(path), configuration: SQLiteConnection.Configuration(busyTimeout: busyTimeout))
    // Connections that open the file at the same time see it either empty or complete.
    try write(on: connection) { try prepare($0) }
    return connection
  }

  private func prepare(_ connection: SQLiteConnection) throws {
    let id = try connection.firstInteger(of: "PRAGMA application_id")
    let tables = try connection.firstInteger(of: "SELECT count(*) FROM sqlite_master")
    guard id == Self.applicationID || (id == 0 && tables == 0) else {
      throw StoreError(code: .schemaMismatch, reason: "the file is a database that is not a cache")
    }
    let version = try connection.firstInteger(of: "PRAGMA user_version")
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
  private func recreate() throws -> SQLiteConnection {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    uses = []
    return try connect()
  }
}
