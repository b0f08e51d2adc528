#if os(Linux) || os(macOS)
internal import Foundation

/// The compiler, with the modules that the tests were built with.
package enum Compiler {
  /// The error for a compiler run whose exit status contradicts its messages.
  package struct UnexpectedEnd: Error {
    /// The compiler's complete output.
    package let output: String
  }

  /// `true` if there is a compiler in the search path.
  package static var isAvailable: Bool { url != nil }

  private static let url: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy.map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
  }()

  /// Returns the lines with the errors that the compiler reports in `program`, or those with its warnings.
  ///
  /// - Parameter macros: The targets whose macros the program uses.
  /// - Throws: ``UnexpectedEnd`` for a failure without an error or an error without a failure.
  package static func diagnostics(
    _ kind: String = "error", in program: String, phase: String, macros: [String] = []
  ) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-misuse-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, output) = (folder.appending(path: "main.swift"), folder.appending(path: "output"))
    try Data(program.utf8).write(to: source)
    try Data().write(to: output)
    guard let products = Bundle.main.executableURL?.deletingLastPathComponent() else {
      throw UnexpectedEnd(output: "the executable of the tests was not found")
    }
    let vectors = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CAnvilVectors/include").standardized
    let process = Process()
    process.executableURL = url
    process.arguments = [
      phase, "-swift-version", "6", "-I", products.appending(path: "Modules").path(), "-I", vectors.path(), "-o",
      folder.appending(path: "result").path(), source.path(),
    ]
    for macro in macros {
      process.arguments? += ["-load-plugin-executable", products.appending(path: "\(macro)-tool").path() + "#\(macro)"]
    }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    let (endings, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in endings {}
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let hasErrors = lines.contains { $0.contains("error:") }
    guard hasErrors != (process.terminationStatus == 0) else { throw UnexpectedEnd(output: text) }
    // The compiler repeats its messages in the excerpts of the source, which are indented.
    return lines.filter { $0.contains("\(kind):") && $0.first?.isWhitespace == false }
  }

  /// Returns the number of the line that a diagnostic is about.
  package static func line(of diagnostic: String) -> Int? {
    diagnostic.split(separator: ":").dropFirst().first.flatMap { Int($0) }
  }
}
#endif
