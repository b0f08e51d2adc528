import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// `anvil pull` with tables that other programs have changed.
@Suite(.timeLimit(.minutes(5)))
struct PullRuleTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
  }

  private var database: String { folder.path("store.db") }

  /// Writes a configuration file with one listing, which has these members.
  private func file(_ members: String) throws -> String {
    let path = folder.path("pull.json")
    let text = """
      {"base_url": "\(server.url.absoluteString)", "into": "\(database)", "listings": [
        {"name": "m", "path": "members", "table": "M"\(members.isEmpty ? "" : ", ")\(members)}
      ]}
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func rows(_ sql: String) throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    try SQLiteConnection(.file(database)).query(sql, []) { row in
      rows.append(try row.values())
      return .goOn
    }
    return rows
  }

  private func serve(_ page: String) { server.on(.get, "/members") { _ in .json(page) } }

  @Test func aDroppedTableIsFilledFromTheBeginning() async throws {
    let path = try file(#""keys": ["id"], "cursor": {"field": "id", "parameter": "since"}"#)
    serve(#"[{"id": 1}, {"id": 2}]"#)
    #expect(await anvil("pull", path).status == 0)
    try SQLiteConnection(.file(database)).run("DROP TABLE M", [])
    #expect(
      await anvil("pull", path)
        == Outcome(
          status: 0,
          output: """
            m: 1 page, 2 inserted, 0 updated, 0 unchanged, 0 deleted, listed from the beginning: the table M no longer exists

            """, error: ""))
    try SQLiteConnection(.file(database)).run("DROP TABLE M", [])
    #expect(await anvil("pull", path, "--fresh").output == "m: 1 page, 2 inserted, 0 updated, 0 unchanged, 0 deleted\n")
  }

  @Test func freshRestoresALostColumn() async throws {
    let path = try file(#""keys": ["id"]"#)
    serve(#"[{"id": 1, "name": "a"}]"#)
    #expect(await anvil("pull", path).status == 0)
    try SQLiteConnection(.file(database)).run("ALTER TABLE M DROP COLUMN name", [])
    let failed = await anvil("pull", path)
    #expect(failed.status == 6)
    #expect(failed.error.contains("the table M has lost its column name"))
    #expect(failed.error.contains("--fresh"))
    #expect(await anvil("pull", path, "--fresh").output.hasPrefix("m: 1 page, 0 inserted, 1 updated"))
    #expect(try rows("SELECT name FROM M") == [[.text("a")]])
    #expect(await anvil("pull", path).output.hasPrefix("m: 1 page, 0 inserted, 0 updated, 1 unchanged"))
  }
}
