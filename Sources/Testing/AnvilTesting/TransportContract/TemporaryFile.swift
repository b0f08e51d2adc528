#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file that is deleted when its last reference is released.
final class TemporaryFile: Sendable {
  let url: URL
  let contents: Data

  init(_ contents: Data) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "anvil-contract-\(UUID().uuidString)")
    self.contents = contents
    try contents.write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
