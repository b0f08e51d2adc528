import Anvil
import AnvilSQLite
import AnvilStore
import Foundation
import Rounds

/// Measures conditions on arrays of references in a file of SQLite: issues with five labels each, of which four have the name in question.
struct RelationRun {
  @StoredModel
  struct Label: Identifiable {
    @MatchKey var id: Int
    var name: String
  }

  @StoredModel
  struct Issue: Identifiable {
    @MatchKey var id: Int
    var title: String
    var labels: [Reference<Label>]
  }

  private static let labelCount = 2_000
  private static let labelsOfIssue = 5

  let count: Int
  let rounds: Int
  let folder: URL

  func run() async throws {
    let file = folder.appending(path: "anvil-store-bench-\(UUID().uuidString).db").path()
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    let store = try await Store(.sqlite(path: file))
    try await store.save((0..<Self.labelCount).map { Label(id: $0, name: $0 % 500 == 7 ? "bug" : "label \($0)") })
    let issues = (0..<count).map { number in
      let labels = (0..<Self.labelsOfIssue).map {
        Reference<Label>(id: (number * 7_919 + $0 * 104_729) % Self.labelCount)
      }
      return Issue(id: number, title: "Issue \(number)", labels: labels)
    }
    let start = Seconds.now()
    try await store.save(issues)
    print("\(count) issues with \(Self.labelsOfIssue) of \(Self.labelCount) labels each, medians of \(rounds) rounds")
    print(String(format: "  inserted in %.0f ms of processor time", (Seconds.now() - start).processor * 1e3))
    let conditions: [(name: String, condition: StoreCondition<Issue>)] = [
      ("title ==, without an index", \.title == "Issue 7"),
      ("contains", .contains(\.labels, 7)),
      ("any", .any(\.labels, where: \.name == "bug")),
      ("any && contains", .any(\.labels, where: \.name == "bug") && .contains(\.labels, 8)),
      ("any ||", .any(\.labels, where: \.name == "bug") || \.title == "Issue 7"),
      ("noneOf", .noneOf(\.labels, where: \.name == "bug")),
    ]
    for (name, condition) in conditions {
      let counted = try await median { try await store.count(Issue.self, where: condition) }
      let fetched = try await median { try await store.fetch(Issue.self, where: condition, limit: 100).count }
      print(
        "  " + name.padding(toLength: 28, withPad: " ", startingAt: 0)
          + String(format: "%8d rows %10.2f ms", counted.result, counted.seconds * 1e3)
          + String(format: ", the first %d of them %10.2f ms", fetched.result, fetched.seconds * 1e3))
    }
    await store.close()
  }

  /// Returns the median of the processor time, without that of the first round.
  private func median(_ body: () async throws -> Int) async throws -> (result: Int, seconds: Double) {
    var seconds: [Double] = []
    var result = try await body()
    for _ in 0..<rounds {
      let start = Seconds.now()
      result = try await body()
      seconds.append((Seconds.now() - start).processor)
    }
    return (result, seconds.sorted()[rounds / 2])
  }
}
