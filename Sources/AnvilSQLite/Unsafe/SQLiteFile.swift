internal import AnvilStore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The database file that the connections of one store share.
///
/// The first connection creates the file where there is none. Later ones open the same file, and neither create one nor take
/// another that has come to its path meanwhile.
package final class SQLiteFile: Sendable {
  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// `nil` where there is no such file.
    init?(ofFileAt path: String) {
      var status = stat()
      // Safety: the path is a NUL-terminated copy, and `status` is written, for the length of the call.
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  private let identity = Mutex<Identity?>(nil)

  package init() {}

  /// Whether a connection to the file was opened before.
  var isKnown: Bool { identity.withLock { $0 != nil } }

  /// Whether the file at `path`, which a connection has just opened, is the one of the connections before.
  func isSame(asFileAt path: String) -> Bool {
    let opened = Identity(ofFileAt: path)
    return identity.withLock { known in
      known = known ?? opened
      return known == opened
    }
  }
}
