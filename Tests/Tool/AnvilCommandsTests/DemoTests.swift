import AnvilCommands
import AnvilTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct DemoTests {
  private func run(_ arguments: String...) async -> (status: Int32, output: String, error: String) {
    let output = Mutex(Data())
    let error = Mutex(Data())
    let console = Console(
      output: .pipe { data in output.withLock { $0 += data } }, error: .pipe { data in error.withLock { $0 += data } })
    let status = await AnvilCommand.run(arguments: ["demo"] + arguments, console: console)
    return (
      status, String(decoding: output.withLock { $0 }, as: UTF8.self),
      String(decoding: error.withLock { $0 }, as: UTF8.self)
    )
  }

  private struct Summary: Decodable, Equatable {
    var requests = 15, decoded = 21, recovered = 1, failedAsExpected = 4
    var kept = 0, inserted = 0, updated = 0, unchanged = 0, unexpected = 0
  }

  @Test func summaryContainsTheCounts() async throws {
    let folder = try TemporaryFolder()
    for expected in [Summary(inserted: 4), Summary(kept: 5, unchanged: 4)] {
      let (status, output, error) = await run("--json", "--store", folder.path("demo.db"))
      #expect(try JSONDecoder().decode(Summary.self, from: Data(output.utf8)) == expected)
      #expect(status == 0 && error.isEmpty)
    }
  }

  @Test func everySceneEndsAsExpected() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo.db")
    let (status, output, error) = await run("--store=\(path)")
    #expect(status == 0 && error.isEmpty)
    for line in [
      "  → Ada Norling of Gothenburg, 1204 followers, member since 2011",
      "    ada/straße: Größen, “quotes” \"escaped\" and 🔨 · – · ★ 5 · other",
      "    mbeki-l merged pull request #45 (ada/tongs)",
      "  → 204 without a body, as expected",
      "  → 503 Service Unavailable, a pause, then 2 repositories: 2 requests, one call",
      "  → APIError.notFound: no such user, see https://docs.example.org/rest/users",
      "  → APIError.refused: rate_limited, 60 requests an hour are enough for anyone",
      "  → ada and 4 repositories are stored in \(path)",
      "    ada/bellows, ada/clinker, ada/straße, ada/tongs: 4 inserted, 0 updated, 0 unchanged, 0 deleted",
      "15 requests, 21 models decoded, 1 recovered, 4 failed as expected, 0 stored by an earlier run",
    ] {
      #expect(output.contains(line + "\n"), "\(line)")
    }
    #expect(
      output.hasPrefix("\(path) contains no data yet: run the demo again to see the stored data.\n\nA GitHub-like API"))
    // At least the 0.2 s that the scene allows; more when the machine is busy.
    #expect(output.contains("timed out after "))
    #expect(
      output.contains(
        "cannot decode Array<Repository>: decode.type-mismatch $[2].stargazers_count expected Int found string @27:22\n"
      ))
    #expect(!output.contains("unexpected:"))
  }

  @Test func secondRunPrintsTheModelsOfTheFirst() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo.db")
    _ = await run("--store", path)
    let (status, output, error) = await run("--store", path)
    #expect(status == 0 && error.isEmpty)
    #expect(
      output.hasPrefix(
        """
        Stored in \(path) by an earlier run, and fetched before any request
          → Ada Norling of Gothenburg, 1204 followers
            ada/bellows: Keeps a fire going: a job queue over plain files · Swift · ★ 3120 · Apache-2.0
            ada/tongs: Takes hot JSON out of slow servers · Swift · ★ 871 · MIT
            ada/clinker (archived): (no description) · C · ★ 12 · no license
            ada/straße: Größen, “quotes” "escaped" and 🔨 · – · ★ 5 · other

        A GitHub-like API at http://127.0.0.1:
        """))
    #expect(output.contains("ada/tongs: 0 inserted, 0 updated, 4 unchanged, 0 deleted\n"))
    #expect(output.hasSuffix("4 failed as expected, 5 stored by an earlier run\n"))
  }

  @Test func concurrentRunsShareAStore() async throws {
    let folder = try TemporaryFolder()
    let outputs = await withTaskGroup(of: String.self) { group in
      for _ in 1...4 { group.addTask { await run("--json", "--store", folder.path("demo.db")).output } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let summaries = try outputs.map { try JSONDecoder().decode(Summary.self, from: Data($0.utf8)) }
    #expect(summaries.map(\.unexpected) == [0, 0, 0, 0])
    #expect(summaries.map(\.inserted).reduce(0, +) == 4)
  }

  @Test func fileThatIsNotADatabaseIsReported() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo.db")
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: URL(filePath: path))
    let (status, output, error) = await run("--store", path)
    #expect(status == 6 && output.isEmpty)
    #expect(
      error == """
        anvil: the demo cannot use its store \(path): the file is not a database: file is not a database (26) in: \
        PRAGMA journal_mode=WAL; name another file with --store

        """)
  }
}
