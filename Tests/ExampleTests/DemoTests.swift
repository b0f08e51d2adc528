#if os(Linux) || os(macOS)
import AnvilTestSupport
import Foundation
import Testing

/// `scripts/demo`.
@Suite(.timeLimit(.minutes(5))) struct DemoTests {
  @Test func theSecondRunBeginsWithTheModelsOfTheFirst() throws {
    let folder = try TemporaryFolder()
    for name in ["demo", "demo.second"] {
      var outcome = try ExampleRun("demo", "--store", folder.path("demo.db")).end()
      outcome.output = outcome.output.replacing(folder.path("demo.db"), with: "demo.db")
      #expect(outcome == .init(status: 0, output: try ExampleTests.expectedOutput(name), error: ""))
    }
  }

  /// Each printed line of code is in the program twice: as the text that is printed, and as the code that runs.
  @Test func thePrintedCodeIsThatOfTheProgram() throws {
    let source = try ExampleTests.source("demo/main.swift")
    let lines = try ExampleTests.expectedOutput("demo.second").split(separator: "\n")
    let code = lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    #expect(code.count == 11)
    let program = source.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in code { #expect(program.contains(line), "the program does not contain: \(line)") }
  }

  @Test func concurrentRunsShareADatabase() throws {
    let folder = try TemporaryFolder()
    let runs = try (1...4).map { _ in try ExampleRun("demo", "--store", folder.path("demo.db")) }
    let outcomes = try runs.map { try $0.end() }
    #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes.map(\.error))")
    let inserted = outcomes.flatMap { $0.output.matches(of: /(\d+) inserted/) }.compactMap { Int($0.1) }
    #expect(inserted.count == 8)
    #expect(inserted.reduce(0, +) == 6)
  }

  @Test func aFileThatIsNotADatabaseIsReported() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo.db")
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: URL(filePath: path))
    let error = """
      demo: the database \(path) cannot be used: the file is not a database: file is not a database (26) in: \
      PRAGMA journal_mode=WAL; name another file with --store

      """
    #expect(try ExampleRun("demo", "--store", path).end() == .init(status: 1, output: "", error: error))
  }

  @Test func otherArgumentsAreAnError() throws {
    let usage = "usage: demo [--store FILE]\n"
    #expect(try ExampleRun("demo", "--json").end() == .init(status: 64, output: "", error: usage))
    #expect(try ExampleRun("demo", "--store").end() == .init(status: 64, output: "", error: usage))
    #expect(try ExampleRun("demo", "--store", "").end() == .init(status: 64, output: "", error: usage))
  }

  @Test func theDatabaseIsInTheCachesByDefault() throws {
    let folder = try TemporaryFolder()
    let outcome = try ExampleRun("demo", environment: ["XDG_CACHE_HOME": folder.url.path()]).end()
    #expect(outcome.status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.path("anvil/demo.db")))
  }
}
#endif
