internal import AnvilBase
internal import Synchronization

enum PrivateDatabaseFile {
  /// A lock that is held while this code has a file open outside of SQLite.
  private static let creation = Mutex(())

  /// Creates an empty file at `path`. SQLite treats it as an empty database, and gives its mode to the files `-wal` and `-shm`. An existing
  /// file is not changed. Failures are ignored here, because opening the database reports them.
  ///
  /// Closing a file releases all locks that the process has on it. This is safe, because no connection has opened the file yet. Source:
  /// fcntl(2); sqlite.org/howtocorrupt.html, §2.2.
  static func create(at path: String) {
    guard !path.utf8.contains(0) else { return }
    creation.withLock { _ in
      // Safety: the path is a NUL-terminated copy for the length of the call.
      let descriptor = unsafe openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }
  }
}
