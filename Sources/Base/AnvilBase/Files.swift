extension URL {
  /// The path of a file, for functions of the system.
  ///
  /// - Throws: ``UnusablePath`` if this is not a file URL: the path of another URL, which may come from a server, may name a file of this
  ///   machine, too. Also for a path with a NUL, where these functions would cut it off.
  package var filePath: String {
    get throws(UnusablePath) {
      guard isFileURL else { throw UnusablePath(reason: "its URL is not a file URL") }
      let path = path(percentEncoded: false)
      guard !path.utf8.contains(0) else { throw UnusablePath(reason: "its path contains a NUL") }
      return path
    }
  }
}

/// The reason why a URL has no path for functions of the system.
package struct UnusablePath: Error {
  package let reason: String
}

/// The identity of a file, which it keeps when it is renamed.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
