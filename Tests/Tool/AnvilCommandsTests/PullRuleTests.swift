import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The rules and scopes in the configuration file of `anvil pull`, and tables that other programs have changed.
@Suite(.timeLimit(.minutes(15)))
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

  @Test func rulesDecideWhatIncomingRowsChange() async throws {
    let path = try file(
      """
      "keys": ["id"], "newest_by": "updated",
      "rules": {"seen": "keep", "labels": "merge", "score": {"newest_by": "scored"}, "title": "replace"}
      """)
    serve(
      """
      [{"id": 1, "updated": 5, "seen": "a", "labels": ["x"], "score": 1, "scored": 7, "title": "t", "text": "old"},
       {"id": 2, "updated": 5, "seen": null, "labels": {"a": 1}, "score": 2, "scored": 3, "title": "u", "text": "old"}]
      """)
    #expect(await anvil("pull", path).output == "m: 1 page, 2 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    serve(
      """
      [{"id": 1, "updated": 4, "seen": "b", "labels": ["y", "x"], "score": 9, "scored": 8, "title": "T", "text": "new"},
       {"id": 2, "updated": 6, "seen": "c", "labels": {"b": 2}, "score": 9, "scored": 2, "text": "new"},
       {"id": 2, "seen": "d"}]
      """)
    #expect(await anvil("pull", path).output.hasPrefix("m: 1 page, 0 inserted, 2 updated, 0 unchanged"))
    #expect(
      try rows("SELECT updated, seen, labels, score, scored, title, text FROM M ORDER BY id") == [
        [.integer(5), .text("a"), .text(#"["x","y"]"#), .integer(9), .integer(8), .text("T"), .text("old")],
        [.integer(6), .text("c"), .text(#"{"a":1,"b":2}"#), .integer(2), .integer(3), .text("u"), .text("new")],
      ])
    #expect(await anvil("pull", path).output.hasPrefix("m: 1 page, 0 inserted, 0 updated, 2 unchanged"))
  }

  @Test func rowsOutsideTheScopeAreKept() async throws {
    let path = try file(
      #""keys": ["id"], "missing": {"deleted_where": {"team": ["red", null], "open": true, "size": 2}}"#)
    serve(
      """
      [{"id": 1, "team": "red", "open": true, "size": 2}, {"id": 2, "team": "blue", "open": true, "size": 2},
       {"id": 3, "team": null, "open": true, "size": 2}, {"id": 4, "team": "red", "open": false, "size": 2},
       {"id": 5, "team": "red", "open": true, "size": 3}, {"id": 6, "team": "red", "open": true, "size": 2}]
      """)
    #expect(await anvil("pull", path).output.contains("6 inserted"))
    serve(#"[{"id": 6, "team": "red", "open": true, "size": 2}]"#)
    #expect(await anvil("pull", path).output == "m: 1 page, 0 inserted, 0 updated, 1 unchanged, 2 deleted\n")
    #expect(try rows("SELECT id FROM M ORDER BY id") == [2, 4, 5, 6].map { [.integer($0)] })
  }

  @Test(arguments: [
    #""keys": ["id"], "rules": {"a": "max"}"#, #""keys": ["id"], "rules": {"a": {"newest_by": 1}}"#,
    #""keys": ["id"], "rules": {}"#, #""keys": ["id"], "rules": {"id": "keep"}"#,
    #""keys": ["id"], "rules": {"ID": "keep"}"#, #""rules": {"a": "keep"}"#,
    #""newest_by": "a""#, #""keys": ["id"], "newest_by": """#, #""keys": ["id"], "missing": {"deleted_where": {}}"#,
    #""keys": ["id"], "missing": {"deleted_where": {"a": {"b": 1}}}"#, #""missing": {"deleted_where": {"a": 1}}"#,
    #""keys": ["id"], "missing": {"deleted_where": {"a": []}}"#, #""keys": ["id"], "missing": "gone""#,
  ]) func nonsenseIsRejected(members: String) async throws {
    let outcome = await anvil("pull", try file(members))
    #expect(outcome.status == 64)
    #expect(!outcome.error.isEmpty)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    (#""rules": {"nope": "keep"}"#, "M has no column nope"),
    (#""rules": {"name": {"newest_by": "nope"}}"#, "M has no column nope"),
    (#""newest_by": "nope""#, "M has no column nope"),
    (#""rules": {"name": "merge"}"#, "M.name is text"), (#""newest_by": "tags""#, "M.tags is"),
    (#""missing": {"deleted_where": {"nope": 1}}"#, "M has no column nope"),
    (#""missing": {"deleted_where": {"name": 1}}"#, "name"),
  ]) func rulesHaveToFitTheTable(members: String, message: String) async throws {
    serve(#"[{"id": 1, "name": "a", "tags": ["x"]}]"#)
    #expect(await anvil("pull", try file(#""keys": ["id"]"#)).status == 0)
    let count = server.requests.count
    let outcome = await anvil("pull", try file(#""keys": ["id"], "# + members))
    #expect(outcome.status == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(server.requests.count == count)
  }

  /// A database distinguishes names by the case of letters that are not in ASCII.
  @Test func namesThatAStoreDistinguishesAreDistinct() async throws {
    serve(#"[{"É": 1, "é": "a"}]"#)
    let path = try file(#""keys": ["É"], "rules": {"é": "keep"}"#)
    #expect(await anvil("pull", path).output.contains("1 inserted"))
    serve(#"[{"É": 1, "é": "b"}]"#)
    #expect(await anvil("pull", path).output.contains("1 unchanged"))
  }

  /// The columns of a new table are known after the last page.
  @Test func theScopeHasToFitANewTable() async throws {
    serve(#"[{"id": 1, "name": "a"}]"#)
    let outcome = await anvil("pull", try file(#""keys": ["id"], "missing": {"deleted_where": {"nope": 1}}"#))
    #expect(outcome.status == 64)
    #expect(outcome.error == "anvil: m: pull m: M has no column nope; it has id, name\n")
  }

  // MARK: Tables that other programs have changed

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

  @Test(arguments: [
    "", #", "rules": {"name": "replace"}"#, #", "newest_by": "name""#,
    #", "missing": {"deleted_where": {"name": "a"}}"#,
  ]) func freshRestoresALostColumn(members: String) async throws {
    let path = try file(#""keys": ["id"]"# + members)
    serve(#"[{"id": 1, "name": "a"}]"#)
    #expect(await anvil("pull", path).status == 0)
    try SQLiteConnection(.file(database)).run("ALTER TABLE M DROP COLUMN name", [])
    let failed = await anvil("pull", path)
    #expect(failed.status == 6)
    #expect(failed.error.contains("the table M no longer has the column name"))
    #expect(failed.error.contains("--fresh"))
    #expect(await anvil("pull", path, "--fresh").output.hasPrefix("m: 1 page, 0 inserted, 1 updated"))
    #expect(try rows("SELECT name FROM M") == [[.text("a")]])
    #expect(await anvil("pull", path).output.hasPrefix("m: 1 page, 0 inserted, 0 updated, 1 unchanged"))
  }
}
