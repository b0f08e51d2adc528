internal import AnvilBase
internal import AnvilStore

extension SQLiteConnection {
  /// The size in bytes to which the log is truncated after a checkpoint. Until then, a large transaction can make the log larger.
  private static let retainedLogSize = 64 << 20

  /// The size of the page cache in KiB. With SQLite's default of 2 MB, index pages are evicted and reloaded when rows are not stored in the
  /// order of their keys: 100,000 rows with text keys took 523 ms of processor time, and take 314 ms with this size.
  private static let cacheSize = 16_000

  /// Applies the settings of a connection. Those that protect it from a damaged file come before the first statement that reads the file.
  func prepareDatabase(_ location: Location, _ configuration: Configuration) throws(StoreError) {
    try handle.harden()
    try handle.addFunctions()
    try run("PRAGMA cell_size_check=ON")
    guard case .file = location else { return }
    try run("PRAGMA cache_size=-\(Self.cacheSize)")
    // The mode of a database that cannot be written stays as it is.
    guard !handle.isReadOnly else { return }
    let isLogged = try enterWALMode(waiting: configuration.busyTimeout)
    try run("PRAGMA synchronous=\(isLogged ? "NORMAL" : "FULL")")
    try run("PRAGMA journal_size_limit=\(Self.retainedLogSize)")
  }

  /// Switches the database to WAL mode. Returns `true` if it is in WAL mode afterwards.
  ///
  /// The switch needs exclusive use of the database for a moment. SQLite does not call the busy handler for it, because two connections
  /// that wait for each other would both time out. When several connections open a new file at once, all but one may fail. They succeed
  /// when they try again.
  private func enterWALMode(waiting timeout: Duration) throws(StoreError) -> Bool {
    let deadline = Deadline(after: timeout)
    while true {
      do throws(StoreError) {
        return try firstText(of: "PRAGMA journal_mode=WAL") == "wal"
      } catch {
        guard error.code == .busy, !deadline.hasPassed else { throw error }
        handle.pause(milliseconds: .random(in: 1...10))
      }
    }
  }

  private func firstText(of sql: String) throws(StoreError) -> String? {
    let statement = try statements.take(sql, on: handle)
    defer { statements.giveBack(statement) }
    try statement.start(with: [])
    return try statement.step() ? statement.text(at: 0) : nil
  }
}
