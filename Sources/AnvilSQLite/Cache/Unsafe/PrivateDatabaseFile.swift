internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A database's file that only its owner can read.
enum PrivateDatabaseFile {
  /// Held while a file is open that SQLite knows nothing of.
  private static let creation = Mutex(())

  /// Makes an empty file at `path`, which SQLite takes for an empty database and gives `-wal` and `-shm` the mode of. One
  /// that is there stays as it is; what else goes wrong, opening the database tells.
  ///
  /// Closing a file gives up the process's locks on it. No connection has any yet: all come here before they open the file.
  /// Source: fcntl(2); sqlite.org/howtocorrupt.html, §2.2.
  static func create(at path: String) {
    guard !path.utf8.contains(0) else { return }
    creation.withLock { _ in
      // Safety: the path is a NUL-terminated copy for the length of the call.
      let descriptor = unsafe openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }
  }
}
