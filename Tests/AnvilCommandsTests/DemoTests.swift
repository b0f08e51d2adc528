import AnvilCommands
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct DemoTests {
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

  @Test func summaryCountsWhatHappened() async throws {
    struct Summary: Decodable, Equatable {
      var requests, decoded, recovered, failedAsExpected, unexpected: Int
    }
    let (status, output, error) = await run("--json")
    let summary = try JSONDecoder().decode(Summary.self, from: Data(output.utf8))
    #expect(summary == Summary(requests: 13, decoded: 16, recovered: 1, failedAsExpected: 4, unexpected: 0))
    #expect(status == 0 && error.isEmpty)
  }

  @Test func storyShowsEverySceneAsExpected() async {
    let (status, output, error) = await run()
    #expect(status == 0 && error.isEmpty)
    for line in [
      "  → Ada Norling of Gothenburg, 1204 followers, here since 2011",
      "    ada/straße: Größen, “quotes” \"escaped\" and 🔨 · – · ★ 5 · other",
      "    mbeki-l merged pull request #45 (ada/tongs)",
      "  → 204, and no body, as it should be",
      "  → 503 Service Unavailable, a pause, then 2 repositories: 2 requests, one call",
      "  → APIError.notFound: no such user, see https://docs.example.org/rest/users",
      "  → APIError.refused: rate_limited, 60 requests an hour are enough for anyone",
      "13 requests, 16 models decoded, 1 recovered, 4 failed as expected",
    ] {
      #expect(output.contains(line + "\n"), "\(line)")
    }
    // At least the 0.2 s that the scene allows; more when the machine is busy.
    #expect(output.contains("timed out after "))
    #expect(output.contains("cannot decode Array<Repository>: expected Int at $[2].stargazersCount\n"))
    #expect(!output.contains("unexpected:"))
  }
}
