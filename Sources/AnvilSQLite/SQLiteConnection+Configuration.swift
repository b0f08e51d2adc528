internal import AnvilStore

extension SQLiteConnection {
  /// Where a database is.
  package enum Location: Hashable, Sendable {
    /// A file, by its path: never a URI, whatever it looks like. Beside it are `-wal` and `-shm` while it is in use.
    case file(String)
    /// Memory that this connection has for itself, and that ends with it.
    case inMemory

    /// The error of a database whose file is not at its path any more.
    var fileMoved: StoreError {
      let place = if case .file(let path) = self { path } else { "the database" }
      return StoreError(
        code: .fileMoved,
        reason: "\(place) is not the file that was opened: put that back, or close the store and open it again")
    }

    /// The path so that SQLite takes it for that of a file: its library may be built to read URIs in all paths, and some that
    /// begin with a colon have a meaning.
    var sqlitePath: String {
      get throws(StoreError) {
        switch self {
        case .inMemory: return ":memory:"
        case .file(let path):
          guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(
              code: .cannotOpen, reason: path.isEmpty ? "the path is empty" : "the path has a NUL character in it")
          }
          return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        }
      }
    }
  }

  /// How a connection is set up.
  package struct Configuration: Hashable, Sendable {
    /// How long a statement waits for others that hold the database before it fails as busy.
    package var busyTimeout: Duration
    /// How many statements are kept prepared: those that were used last. A statement is known by its text.
    package var statementCacheCapacity: Int
    /// The most bytes that a value, a row or a statement may have. The library's own limit, 1,000,000,000 as a rule, holds too.
    package var maximumLength: Int

    package init(
      busyTimeout: Duration = .seconds(5), statementCacheCapacity: Int = 64, maximumLength: Int = 1_000_000_000
    ) {
      self.busyTimeout = busyTimeout
      self.statementCacheCapacity = statementCacheCapacity
      self.maximumLength = maximumLength
    }

    /// At most a year, which clocks can add to what they show.
    var boundedBusyTimeout: Duration { min(busyTimeout, .seconds(31_536_000)) }
  }
}
