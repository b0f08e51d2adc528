internal import AnvilJSON
internal import AnvilSQLite
internal import AnvilText
internal import Foundation

/// Where the demo keeps what it decodes, from one run to the next.
///
/// Demos that run at the same time may share it: each stores in transactions of its own, and finds what others stored unchanged.
struct DemoStore {
  let path: String
  private let store: Store

  /// Opens the database, and makes it, and the default one's folder, where there is none.
  ///
  /// - Throws: `StoreError`.
  init(path: String) async throws {
    self.path = path
    store = try await Store(.sqlite(path: path, busyTimeout: .seconds(30)))
  }

  var context: StoreContext { store.context }

  func close() async { await store.close() }

  /// What earlier runs have left.
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
      guard count > 0 else { return "Nothing is kept in \(path) yet: run the demo again to see it there.\n" }
      let lines =
        users.map { "\($0.name ?? $0.login) of \($0.location ?? "nowhere"), \($0.followers) followers" }
        + repositories.map(DemoScene.line)
      let result = lines.enumerated().map { "  \($0 == 0 ? "→" : " ") \($1.printable)\n" }
      return "Kept in \(path) since an earlier run, and fetched before any request\n" + result.joined()
    }
  }
}

extension DemoStore {
  /// `demo.db` in the folder `anvil` of the user's caches, or of the system's temporary files where those cannot be written.
  static var defaultPath: String {
    let folders = [caches, FileManager.default.temporaryDirectory].map { $0.appending(path: "anvil") }
    let folder = folders.first { folder in
      let created: Void? = try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return created != nil && FileManager.default.isWritableFile(atPath: folder.path(percentEncoded: false))
    }
    return (folder ?? folders[0]).appending(path: "demo.db").path(percentEncoded: false)
  }

  /// Source: XDG Base Directory Specification, where relative paths do not count; `~/Library/Caches` on Apple's systems.
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
