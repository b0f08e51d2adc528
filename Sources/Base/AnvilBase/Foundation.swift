// Dates, data and URLs, and the system's C library for every module, by one import. On Linux, Foundation's types come without the rest of
// Foundation, and without ICU.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif

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
