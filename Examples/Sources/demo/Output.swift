import AnvilSQLite
import Foundation

/// Prints the title of a step, and the code that it runs.
func step(_ title: String, _ code: String...) {
  print("\n\(title)")
  for line in code { print("    \(line)") }
}

/// Prints the result of a step.
func show(_ lines: String...) {
  for line in lines { print("  → \(line)") }
}

/// Opens the database that the arguments name. If that fails, prints the reason and ends the program.
func openStore() async -> (store: Store, path: String) {
  let arguments = CommandLine.arguments.dropFirst()
  let isValid = arguments.isEmpty || arguments.count == 2 && arguments.first == "--store"
  guard isValid, let path = arguments.isEmpty ? defaultPath : arguments.last, !path.isEmpty else {
    end("usage: demo [--store FILE]", status: 64)
  }
  do {
    return (try await Store(.sqlite(path: path, busyTimeout: .seconds(30))), path)
  } catch {
    end("demo: the database \(path) cannot be used: \(error); name another file with --store", status: 1)
  }
}

private func end(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(status)
}

/// The path of `demo.db` in the folder `anvil` of the user's caches.
///
/// The caches are those of the XDG Base Directory Specification, which ignores relative paths, or `~/Library/Caches` on Apple's systems. If
/// they cannot be written, the folder is in the system's temporary files.
private var defaultPath: String? {
  var caches = URL.homeDirectory.appending(path: ".cache")
  #if canImport(Darwin)
  caches = .cachesDirectory
  #endif
  if let path = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
    caches = URL(filePath: path)
  }
  let folders = [caches, FileManager.default.temporaryDirectory].map { $0.appending(path: "anvil") }
  let folder = folders.first { folder in
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return FileManager.default.isWritableFile(atPath: folder.path())
  }
  return folder?.appending(path: "demo.db").path(percentEncoded: false)
}
