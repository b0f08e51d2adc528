@_exported import AnvilStore

extension Store.Location {
  /// A SQLite database in the file at this path, made when there is none; its folder has to be there.
  ///
  ///     let store = try await Store(.sqlite(path: "users.db"))
  ///
  /// Beside the file are `-wal` and `-shm` while it is in use. One process writes at a time, others wait for it; readers wait for
  /// nobody. A transaction whose commit returned survives the end of the process by whatever means, and all but the last ones
  /// survive the machine's.
  ///
  /// When the file is moved, deleted or replaced while the store has it open, transactions fail with
  /// `StoreError.Code.fileMoved`, and none makes a new file: close the store and open it again for that.
  ///
  /// - Parameters:
  ///   - path: the path, never a URI.
  ///   - busyTimeout: how long a transaction waits for those of other processes before it fails with `StoreError.Code.busy`.
  public static func sqlite(path: String, busyTimeout: Duration = .seconds(30)) -> Store.Location {
    Store.Location(SQLiteBackend(location: .file(path), busyTimeout: busyTimeout))
  }

  /// A SQLite database in memory, gone with the store.
  public static var inMemory: Store.Location {
    Store.Location(SQLiteBackend(location: .inMemory, busyTimeout: .seconds(30)))
  }
}

private struct SQLiteBackend: StoreBackend {
  let location: SQLiteConnection.Location
  let busyTimeout: Duration

  var description: String {
    switch location {
    case .file(let path): "SQLite at \(path)"
    case .inMemory: "SQLite in memory"
    }
  }

  /// One at a time, as the database has it.
  var writerCount: Int { 1 }

  /// Memory belongs to one connection.
  var readerCount: Int { location == .inMemory ? 0 : 4 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    let file = SQLiteFile()
    return { [location, busyTimeout] () throws(StoreError) in
      try SQLiteConnection(
        location, configuration: SQLiteConnection.Configuration(busyTimeout: busyTimeout), file: file)
    }
  }
}
