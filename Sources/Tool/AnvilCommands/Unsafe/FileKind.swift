internal import Foundation

/// The kind of a file, which decides how it is read and written.
enum FileKind {
  /// Returns `true` if `path` leads to a pipe, a device or a socket. Symbolic links are followed.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    // Safety: the path is a NUL-terminated copy for the length of the call; `status` is a local variable and is fully
    // written on success.
    guard unsafe stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
