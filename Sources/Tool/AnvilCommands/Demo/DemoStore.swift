internal import AnvilBase
internal import AnvilJSON
internal import AnvilSQLite
internal import Foundation

/// The store that keeps the demo's models from one run to the next.
///
/// Several demos may share it at the same time. Each uses separate transactions, and finds the rows of the others
/// unchanged.
struct DemoStore {
  let path: String
  private let store: Store

  /// Opens the database. A missing file is created, and so is the folder of the default one.
  ///
  /// - Throws: `StoreError`.
  init(path: String) async throws {
    self.path = path
    store = try await Store(.sqlite(path: path, busyTimeout: .seconds(30)))
  }

  var context: Store { store.context }

  func close() async { await store.close() }

  /// Returns the models of earlier runs.
  func kept() async throws -> Kept {
    try await context.read { context in
      Kept(users: try context.fetch(User.self), repositories: try context.fetch(Repository.self))
    }
  }

  struct Kept: Sendable {
    let users: [User]
    let repositories: [Repository]

    var count: Int { users.count + repositories.count }

    func text(path: String) -> String {
      guard count > 0 else { return "\(path) contains no data yet: run the demo again to see the stored data.\n" }
      let lines =
        users.map { "\($0.name ?? $0.login) of \($0.location ?? "nowhere"), \($0.followers) followers" }
        + repositories.map(DemoScene.line)
      let result = lines.enumerated().map { "  \($0 == 0 ? "→" : " ") \($1.printable)\n" }
      return "Stored in \(path) by an earlier run, and fetched before any request\n" + result.joined()
    }
  }
}

extension DemoStore {
  /// The path of `demo.db` in the folder `anvil` of the user's caches. If the caches cannot be written, the folder is
  /// in the system's temporary files.
  static var defaultPath: String {
    let folders = [caches, FileManager.default.temporaryDirectory].map { $0.appending(path: "anvil") }
    let folder = folders.first { folder in
      let created: Void? = try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return created != nil && FileManager.default.isWritableFile(atPath: folder.path(percentEncoded: false))
    }
    return (folder ?? folders[0]).appending(path: "demo.db").path(percentEncoded: false)
  }

  /// The folder of the user's caches: `~/Library/Caches` on Apple's systems, and elsewhere as in the XDG Base Directory
  /// Specification, which ignores relative paths.
  private static var caches: URL {
    if let path = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    #if canImport(Darwin)
    return .cachesDirectory
    #else
    return .homeDirectory.appending(path: ".cache")
    #endif
  }
}
