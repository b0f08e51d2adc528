import AnvilTestSupport
import Foundation

/// The toolchain's compiler, which checks that models are valid Swift, with this build of AnvilCodable, which they
/// import.
struct SwiftCompiler {
  /// The reason why no compiler is available; `nil` if one is available.
  static let absence: String? = {
    if executable == nil { return "swiftc is not on the PATH" }
    if !FileManager.default.isExecutableFile(atPath: macros) { return "the macros are not beside the tests: \(macros)" }
    if objects.isEmpty { return "AnvilCodable's objects are not beside the tests: \(products.path)" }
    return nil
  }()

  private static let executable: URL? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(filePath: "\($0)/swiftc") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// The folder of the test bundle, which contains all build products.
  private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  /// The program that expands macros.
  private static let macros = products.appending(path: "AnvilMacros-tool").path

  /// The objects from which the tests are linked. Their folders may also contain objects of deleted files.
  private static let objects: [String] = {
    let list = products.appending(path: "AnvilPackageTests.product/Objects.LinkFileList")
    let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: ["'", "\""]) }
    return lines.filter { line in
      ["AnvilCodable", "AnvilDiagnosis", "AnvilJSON", "AnvilBase", "CAnvilVectors"].contains {
        line.contains("/\($0).build/")
      }
    }
  }()

  private let temporaryFolder: TemporaryFolder
  /// The folder of the program. It is removed with the last copy of the compiler.
  var folder: URL { temporaryFolder.url }

  init() throws {
    temporaryFolder = try TemporaryFolder()
  }

  /// Writes a file of the program.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// Compiles the files, with warnings as errors, and runs the program.
  ///
  /// - Returns: what the compiler says, and what the program prints where it says nothing.
  func run(_ files: [String]) async throws -> (diagnosis: String, output: String) {
    let program = folder.appending(path: "program").path
    let vectors = Checkout.root.appending(path: "Sources/CAnvilVectors/include/module.modulemap").path
    var arguments = ["-swift-version", "6", "-warnings-as-errors", "-Onone", "-wmo", "-o", program]
    arguments += ["-I", Self.products.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(vectors)"]
    arguments += ["-load-plugin-executable", "\(Self.macros)#AnvilMacros"]
    arguments += Self.sanitizers + Self.objects + files.map { folder.appending(path: $0).path }
    let diagnosis = try await Self.output(of: Self.executable?.path ?? "", arguments)
    return (diagnosis, diagnosis.isEmpty ? try await Self.output(of: program, []) : "")
  }

  /// The objects need the sanitizer with which they were built.
  private static var sanitizers: [String] {
    let all = unsafe dlopen(nil, RTLD_NOW)
    // Safety: the names are literals; the addresses are only compared.
    let isThread = unsafe dlsym(all, "__tsan_init") != nil
    let isAddress = unsafe dlsym(all, "__asan_init") != nil
    return (isThread ? ["-sanitize=thread"] : []) + (isAddress ? ["-sanitize=address"] : [])
  }

  /// Both outputs are written to a file, because a pipe would fill up.
  private static func output(of program: String, _ arguments: [String]) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-output-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = handle
    process.standardError = handle
    // A waiting thread would not be available to the other tests.
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do {
        try process.run()
      } catch {
        ended.resume(throwing: error)
      }
    }
    try handle.close()
    var output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    if process.terminationStatus != 0 { output += "\n\(program) ended with \(process.terminationStatus)\n" }
    return output
  }
}
