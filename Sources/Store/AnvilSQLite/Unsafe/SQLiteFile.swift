internal import AnvilStore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The identity of the database file that the connections of a store share.
///
/// The first connection creates the file if it does not exist. Later connections open the same file. They do not create a file, and reject
/// a different file at its path.
package final class SQLiteFile: Sendable {
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// Reads the identity of the file at `path`. Returns `nil` if the file does not exist.
    init?(ofFileAt path: String) {
      var status = stat()
      // Safety: the path is a NUL-terminated copy. The path and `status` are valid during the call.
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  private let identity = Mutex<Identity?>(nil)

  package init() {}

  /// True if a connection has already opened the file.
  var isKnown: Bool { identity.withLock { $0 != nil } }

  /// Returns `true` if the file at `path` is the file of the earlier connections. The first call records the file.
  func isSame(asFileAt path: String) -> Bool {
    let opened = Identity(ofFileAt: path)
    return identity.withLock { known in
      known = known ?? opened
      return known == opened
    }
  }
}
