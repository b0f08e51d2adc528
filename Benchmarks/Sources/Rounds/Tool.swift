import Foundation

/// Runs other programs, and other processes of this program.
package enum Tool {
  /// The path of this program.
  package static var ownPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// The path of the program `name`; `nil` if it is not installed.
  package static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns the output of the program at `path` when it is called with `arguments`.
  ///
  /// - Throws: ``BenchmarkError`` if the program exits with a status other than 0.
  package static func run(_ path: String, _ arguments: [String]) throws -> (output: String, error: String) {
    // To a file, not to a second pipe: of two pipes, the one that is read last could fill up and block the program.
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
