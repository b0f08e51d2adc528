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

  /// `true` if programs can be linked with the objects of the tests: not if these call functions of a sanitizer.
  package static let canLink =
    isAvailable && !(["__asan_init", "__tsan_init"] as [String]).contains { unsafe dlsym(nil, $0) != nil }

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
    guard let products = BuiltPrograms.folder else {
      throw UnexpectedEnd(output: "the executable of the tests was not found")
    }
    let process = Process()
    process.executableURL = url
    process.arguments = [
      phase, "-swift-version", "6", "-I", products.appending(path: "Modules").path(), "-o",
      folder.appending(path: "result").path(), source.path(),
    ]
    process.arguments? += cModules
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

  /// Links `program` with static libraries of the objects of modules, runs it, and returns what it writes.
  ///
  /// A linker takes from a static library only the objects that others refer to. SwiftPM passes all objects of a module instead.
  ///
  /// - Parameters:
  ///   - modules: The modules of this package that the program imports, and those that these import.
  ///   - libraries: The dynamic libraries of the toolchain that the modules need.
  package static func output(
    of program: String, linkedStaticallyWith modules: [String], libraries: [String]
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let products = Bundle.main.executableURL?.deletingLastPathComponent(), let url else {
      throw UnexpectedEnd(output: "the executable of the tests, or the compiler, was not found")
    }
    let source = folder.appending(path: "main.swift")
    try Data(program.utf8).write(to: source)
    var arguments = [
      "-swift-version", "6", "-I", products.appending(path: "Modules").path(), "-L", folder.path(), "-o",
      folder.appending(path: "program").path(), source.path(),
    ]
    arguments += cModules
    for module in modules {
      let objects = products.appending(path: "\(module).build")
      let names = try FileManager.default.contentsOfDirectory(atPath: objects.path()).filter { $0.hasSuffix(".o") }
      // A debug build has an object that only holds the serialised module, for debuggers.
      let paths = names.filter { !$0.hasSuffix(".swiftmodule.o") }.sorted().map { objects.appending(path: $0).path() }
      _ = try Probe.output(of: "/usr/bin/ar", ["crs", folder.appending(path: "lib\(module).a").path()] + paths)
      arguments.append("-l\(module)")
    }
    _ = try Probe.output(of: url.path(), arguments + libraries.map { "-l\($0)" })
    return try Probe.output(of: folder.appending(path: "program").path(), [])
  }

  /// The options that name the folders of the C modules with which the package's modules were built.
  private static let cModules = ["CAnvilVectors/include", "CCurl", "COpenSSL", "CPostgres", "CSQLite", "CZlib"].flatMap
  {
    ["-I", Checkout.root.appending(path: "Sources/\($0)").path()]
  }

  /// Returns the number of the line that a diagnostic is about.
  package static func line(of diagnostic: String) -> Int? {
    diagnostic.split(separator: ":").dropFirst().first.flatMap { Int($0) }
  }
}
#endif
