internal import AnvilStore

extension SQLiteConnection {
  /// How large the log may stay once it was written back to the database; a large transaction makes it larger meanwhile.
  private static let retainedLogSize = 64 << 20

  /// How many KiB of pages stay in memory. With SQLite's own 2 MB, pages of an index come and go while rows are stored in
  /// another order than that of their keys: 100,000 rows by text keys took 523 ms of processor time, with this 314.
  private static let cacheSize = 16_000

  /// What has to be set on each connection, in this order. The first that reads the file finds out whether it is a database.
  func prepareDatabase(_ location: Location, _ configuration: Configuration) throws(StoreError) {
    try handle.harden()
    try run("PRAGMA cell_size_check=ON")
    guard case .file = location else { return }
    let isLogged = try enterWALMode(waiting: configuration.boundedBusyTimeout)
    try run("PRAGMA synchronous=\(isLogged ? "NORMAL" : "FULL")")
    try run("PRAGMA cache_size=-\(Self.cacheSize)")
    try run("PRAGMA journal_size_limit=\(Self.retainedLogSize)")
  }

  /// Whether the database is in WAL mode then.
  ///
  /// Who goes there has to be alone with the database for a moment, and SQLite does not call the busy handler for that, since
  /// two that wait for each other would both time out. When several open a new file at once all but one may be refused, and
  /// find the mode set when they ask again.
  private func enterWALMode(waiting timeout: Duration) throws(StoreError) -> Bool {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      do throws(StoreError) {
        return try firstText(of: "PRAGMA journal_mode=WAL") == "wal"
      } catch {
        guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
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
