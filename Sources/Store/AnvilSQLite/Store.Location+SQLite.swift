internal import AnvilBase
@_exported import AnvilStore

extension Store.Location {
  /// Returns the location of a SQLite database in the file at `path`. The file is created if it does not exist; its folder has to exist.
  ///
  ///     let store = try await Store(.sqlite(path: "users.db"))
  ///
  /// While the database is in use, files with the suffixes `-wal` and `-shm` are next to it. One process writes at a time and others wait
  /// for it. Readers do not wait, unless the file system has no shared memory. A committed transaction survives the end of the process,
  /// even by a crash. When the machine stops, only the most recent transactions can be lost.
  ///
  /// When the file is moved, deleted or replaced while the store has it open, transactions fail with `StoreError.Code.fileMoved`, and no
  /// new file is created. To create one, close the store and open it again.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It is never read as a URI. A relative path is one in the current directory of this call.
  ///   - busyTimeout: The time that a transaction waits for other processes before it fails with `StoreError.Code.busy`.
  public static func sqlite(path: String, busyTimeout: Duration = .seconds(30)) -> Store.Location {
    Store.Location(SQLiteBackend(location: .file(absolute(path)), busyTimeout: busyTimeout))
  }

  /// The connections of a store are opened when they are needed, and the current directory may be another one then.
  private static func absolute(_ path: String) -> String {
    guard let first = path.utf8.first, first != .slash else { return path }
    let directory = FileManager.default.currentDirectoryPath
    return directory.isEmpty || directory.utf8.last == .slash ? directory + path : "\(directory)/\(path)"
  }

  /// The location of a SQLite database in memory. The database ends with the store.
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

  /// The number of connections for writing. SQLite allows only one writer at a time.
  var writerCount: Int { 1 }

  /// The number of additional connections for reading; 0 for a database in memory, which belongs to one connection.
  var readerCount: Int { location == .inMemory ? 0 : 4 }

  var isShared: Bool { location != .inMemory }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    let file = SQLiteFile()
    return { [location, busyTimeout] () throws(StoreError) in
      try SQLiteConnection(
        location, configuration: SQLiteConnection.Configuration(busyTimeout: busyTimeout), file: file)
    }
  }
}
