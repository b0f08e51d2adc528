#if os(Linux) || os(macOS)
import AnvilTestSupport
import Foundation
import Testing

/// The programs in `Examples`.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
  @Test(arguments: ["quickstart", "github", "chat"]) func examplePrintsItsExpectedOutput(name: String) throws {
    let run = try ExampleRun(name)
    #expect(try run.end() == .init(status: 0, output: try Self.expectedOutput(name), error: ""))
  }

  /// The program with which the README begins is the example, but for the server.
  @Test func theReadmeShowsTheQuickstart() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let source = try Self.source("quickstart/main.swift")
    let lines = source.split(separator: "\n").filter { !$0.contains("server") }
    for line in lines { #expect(readme.contains("\n\(line)\n"), "README.md does not contain: \(line)") }
    #expect(readme.contains("\n\(try Self.expectedOutput("quickstart"))```\n"))
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The text of a file in `Examples/Sources`.
  static func source(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: "Examples/Sources/\(path)"), encoding: .utf8)
  }

  /// The text of `Examples/NAME.output`, where each port is 54321.
  static func expectedOutput(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: "Examples/\(name).output"), encoding: .utf8)
  }
}

/// A run of a program in `Examples`, which the build puts beside the tests.
struct ExampleRun {
  struct Outcome: Equatable {
    var status: Int32
    /// The text with 54321 in place of the server's port.
    var output: String
    var error: String
  }

  private let process = Process()
  private let output = Pipe(), error = Pipe()

  init(_ name: String, _ arguments: String..., environment: [String: String] = [:]) throws {
    process.executableURL = try #require(BuiltPrograms.folder).appending(path: name)
    process.arguments = arguments
    // The server is on loopback: a proxy in the environment must not be asked for it.
    process.environment = ProcessInfo.processInfo.environment.merging(["no_proxy": "127.0.0.1"]) { $1 }
      .merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = error
    try process.run()
  }

  /// Waits for the end of the program. The texts must be shorter than the buffer of a pipe.
  func end() throws -> Outcome {
    let output = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let error = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: output.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:54321"),
      error: error)
  }
}
#endif
