internal import AnvilStore

extension SQLiteConnection {
  /// The location of a database.
  package enum Location: Hashable, Sendable {
    /// A file at a path, which is never read as a URI. While the file is in use, files with the suffixes `-wal` and `-shm` are next to it.
    case file(String)
    /// A database in memory that only this connection can use, and that ends with it.
    case inMemory

    /// The error of a database whose file is no longer at its path.
    var fileMoved: StoreError {
      let place = if case .file(let path) = self { path } else { "the database" }
      return StoreError(
        code: .fileMoved,
        reason: "\(place) is not the file that was opened: restore that file, or close the store and open it again")
    }

    /// The path in a form that SQLite never interprets. SQLite may be built to read URIs in all paths, and some paths that begin with a
    /// colon have a special meaning.
    var sqlitePath: String {
      get throws(StoreError) {
        switch self {
        case .inMemory: return ":memory:"
        case .file(let path):
          guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(
              code: .cannotOpen, reason: path.isEmpty ? "the path is empty" : "the path contains a NUL character")
          }
          return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        }
      }
    }
  }

  /// The settings of a connection.
  package struct Configuration: Hashable, Sendable {
    /// The time that a statement waits for a locked database before it fails as busy.
    package var busyTimeout: Duration
    /// The maximum number of cached prepared statements. The least recently used statement is removed first.
    package var statementCacheCapacity: Int
    /// The maximum size of a value, a row or a statement in bytes. The limit of the SQLite library also applies; it is usually
    /// 1,000,000,000.
    package var maximumLength: Int

    package init(
      busyTimeout: Duration = .seconds(5), statementCacheCapacity: Int = 64, maximumLength: Int = 1_000_000_000
    ) {
      self.busyTimeout = busyTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
    }
  }
}
