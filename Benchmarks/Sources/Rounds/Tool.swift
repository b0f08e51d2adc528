import Foundation

/// Other programs, and this one once more.
package enum Tool {
  /// Where this program is.
  package static var ownPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// Where the program `name` is; `nil` when it is not installed.
  package static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What the program at `path` prints when it is called with `arguments`.
  ///
  /// - Throws: when it ends with another status than 0.
  package static func run(_ path: String, _ arguments: [String]) throws -> (output: String, error: String) {
    // To a file, not a second pipe: whichever of two pipes is read last could fill up and stop the program.
    let errors = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: errors.path(), contents: nil) else {
      throw BenchmarkError("cannot write to \(errors.path())")
    }
    defer { try? FileManager.default.removeItem(at: errors) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let error = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("\(path) ended with status \(process.terminationStatus):\n\(error)")
    }
    return (String(decoding: text, as: UTF8.self), error)
  }
}
