import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The stored rows, the output and the exit status of `anvil pull`.
@Suite(.timeLimit(.minutes(15)))
struct PullCommandTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
  }

  private var database: String { folder.path("store.db") }

  /// Writes a configuration file with these members, beside the URL and the database.
  private func file(_ listings: String, interval: String = "") throws -> String {
    let path = folder.path("pull.json")
    let text =
      #"{"base_url": "\#(server.url.absoluteString)", "into": "\#(database)"\#(interval), "listings": [\#(listings)]}"#
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

  private func serve(_ pages: [String], at path: String = "/members") {
    server.on(.get, path) { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      guard pages.indices.contains(number - 1) else { return .json("[]") }
      guard pages[number - 1] != "fail" else { return .status(403) }
      let headers: HTTP.Headers =
        number < pages.count ? [.link: HTTP.HeaderValue(rawValue: "<\(path)?page=\(number + 1)>; rel=next")] : [:]
      return .status(200, headers: headers, body: Data(pages[number - 1].utf8))
    }
  }

  private static let members = #"{"name": "members", "path": "members", "table": "Member", "keys": ["id"]}"#

  @Test func listingsAreStored() async throws {
    serve([#"[{"id": 1, "name": "ada"}, {"id": 2, "name": "bo"}]"#, #"[{"id": 3, "name": "cy", "age": 3.5}]"#])
    serve([#"{"data": {"list": [{"key": "x"}]}}"#], at: "/tags")
    let path = try file(
      Self.members + #", {"name": "tags", "path": "/tags", "table": "Tag", "keys": ["key"], "items": "data.list"}"#)
    let outcome = await anvil("pull", path, "--workers=1")
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: """
            members: 2 pages, 3 inserted, 0 updated, 0 unchanged, 0 deleted, 1 new or changed column
            tags: 1 page, 1 inserted, 0 updated, 0 unchanged, 0 deleted

            """, error: "  age: new or changed column (1 row)\n"))
    #expect(
      try rows(#"SELECT id, name, age FROM "Member" ORDER BY id"#).last == [.integer(3), .text("cy"), .real(3.5)])
    let again = await anvil("pull", path)
    #expect(again.output.contains("members: 2 pages, 0 inserted, 0 updated, 3 unchanged, 0 deleted\n"))
  }

  @Test func failedListingContinuesWhereItStopped() async throws {
    serve([#"[{"id": 1}]"#, "fail", #"[{"id": 3}]"#])
    serve(["[]"], at: "/other")
    let path = try file(Self.members + #", {"name": "other", "path": "other", "table": "Other", "keys": ["id"]}"#)
    let failed = await anvil("pull", path)
    #expect(failed.status == 4)
    #expect(failed.output == "other: 1 page, 0 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    #expect(failed.error.hasPrefix("anvil: members: GET http://127.0.0.1:\(server.port)/members?page="))
    let status = await anvil("pull", "status", path)
    #expect(status.status == 0)
    let lines = status.output.split(separator: "\n")
    #expect(lines[0] == "PULL     LISTING      PAGES  CURSOR  CHANGED")
    #expect(lines[1].hasPrefix("members  interrupted  1      -       20"))
    #expect(lines[2].hasPrefix("other    complete     1      -       20"))
    serve([#"[{"id": 1}]"#, #"[{"id": 2}]"#, #"[{"id": 3}]"#])
    let resumed = await anvil("pull", path)
    #expect(resumed.output.contains("members: 2 pages, 2 inserted"))
    #expect(try rows(#"SELECT count(*) FROM "Member""#) == [[.integer(3)]])
    let fresh = await anvil("pull", path, "--fresh")
    #expect(fresh.output.contains("members: 3 pages, 0 inserted, 0 updated, 3 unchanged"))
  }

  @Test func statusCreatesNoDatabase() async throws {
    let path = try file(#"{"name": "a\nb", "path": "members", "table": "Member"}"#)
    let table = "PULL     LISTING    PAGES  CURSOR  CHANGED\na\\u{a}b  never run  0      -       -\n"
    #expect(await anvil("pull", "status", path) == Outcome(status: 0, output: table, error: ""))
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test func missingDeletedAndInvalidRowsAreHandled() async throws {
    let listing = """
      {"name": "members", "path": "members", "table": "Member", "keys": ["id"], "missing": "deleted",
       "tombstone": {"field": "gone"}, "pages": {"by": "page", "parameter": "page"}}
      """
    let path = try file(listing)
    serve([#"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]"#, #"[{"id": 3, "n": "c"}, {"id": 4, "n": "d"}]"#])
    #expect(
      await anvil("pull", path).output
        == "members: 3 pages, 4 inserted, 0 updated, 0 unchanged, 0 deleted, no row has a value at gone\n")
    serve([#"[{"id": 1, "n": "a"}, {"n": "?"}, {"id": 2, "gone": true}]"#, #"[{"id": 4, "n": "D"}]"#])
    let outcome = await anvil("pull", path)
    #expect(
      outcome.output == """
        members: 3 pages, 0 inserted, 1 updated, 1 unchanged, 1 deleted, 1 skipped, \
        missing rows kept: a skipped row has no readable key\n
        """)
    #expect(outcome.error == "  page 1, [1]: no key id; keys here: n\n")
    serve([#"[{"id": 1, "n": "a"}, {"id": 4, "n": "D"}]"#])
    #expect(await anvil("pull", path).output == "members: 2 pages, 0 inserted, 0 updated, 2 unchanged, 1 deleted\n")
    #expect(try rows(#"SELECT id FROM "Member" ORDER BY id"#) == [[.integer(1)], [.integer(4)]])
  }

  @Test func listingWhoseRowsWereAllSkippedIsNotASuccess() async throws {
    serve([#"[{"n": "a"}, 3]"#])
    let path = try file(Self.members)
    let outcome = await anvil("pull", path)
    #expect(outcome.status == 5)
    #expect(outcome.output == "members: 1 page, 0 inserted, 0 updated, 0 unchanged, 0 deleted, 2 skipped\n")
    #expect(outcome.error.hasSuffix("anvil: members: no row could be stored\n"))
    serve([#"[{"n": "a"}, {"id": 1}]"#])
    #expect(await anvil("pull", path).status == 0)
    serve(["[]"])
    #expect(await anvil("pull", path).status == 0)
  }

  @Test func listingsOfOneTableDoNotDeleteEachOthersRows() async throws {
    let path = try file(
      """
      {"name": "open", "path": "members", "table": "M", "keys": ["id"], "missing": "deleted"},
      {"name": "closed", "path": "members", "table": "m", "keys": ["id"]}
      """)
    let outcome = await anvil("pull", path)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("make them partitions of one listing"))
  }

  /// Rows keep their identity when the column of their keys becomes text.
  @Test func typeOfAKeyColumnCanChange() async throws {
    let path = try file(#"{"name": "m", "path": "members", "table": "M", "keys": ["id"], "missing": "deleted"}"#)
    serve([#"[{"id": 1}, {"id": 2}]"#, #"[{"id": "x"}]"#])
    #expect(await anvil("pull", path).output.hasPrefix("m: 2 pages, 3 inserted, 0 updated, 0 unchanged, 0 deleted"))
    #expect(try rows(#"SELECT id FROM "M" ORDER BY id"#) == [[.text("1")], [.text("2")], [.text("x")]])
  }

  @Test func cursorsAndQueriesAreSent() async throws {
    let listing = """
      {"name": "m", "path": "members", "table": "M", "keys": ["id"], "query": {"per_page": 2, "state": "all"},
       "cursor": {"field": "at", "parameter": "since"}}
      """
    let path = try file(listing)
    serve([#"[{"id": 1, "at": "2026-01-02T03:04:05Z"}]"#])
    for _ in 0..<2 { #expect(await anvil("pull", path).status == 0) }
    #expect(Set(server.requests[0].query.map(\.name)) == ["per_page", "state"])
    #expect(server.requests[1].query["since"] == "2026-01-02T03:04:05Z")
    #expect(server.requests[1].query["per_page"] == "2")
  }

  @Test func credentialsAndHeadersAreSent() async throws {
    server.on(.get, "/members") { request in
      request.headers[.authorization] == "Bearer t0p" && request.headers["X-Team"] == "red" ? .json("[]") : .status(401)
    }
    let path = folder.path("pull.json")
    let text = """
      {"base_url": "\(server.url.absoluteString)", "headers": {"X-Team": "red"}, "listings": [\(Self.members)]}
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    let arguments = ["pull", path, "--into", database]
    #expect(await anvil(arguments: arguments, environment: ["ANVIL_BEARER": "t0p"]).status == 0)
    #expect(await anvil(arguments: arguments).status == 4)
    let missing = await anvil("pull", path)
    #expect(missing.status == 64)
    #expect(missing.error.hasPrefix("anvil: there is no database"))
  }

  @Test func watchRepeatsUntilTheTaskIsCancelled() async throws {
    let (sent, continuation) = AsyncStream<Void>.makeStream()
    server.on(.get, "/members") { _ in
      continuation.yield()
      return .json(#"[{"id": 1}]"#)
    }
    let path = try file(Self.members, interval: #", "interval": 0.01"#)
    let task = Task { await anvil("pull", path, "--watch") }
    var count = 0
    for await _ in sent {
      count += 1
      if count == 3 { break }
    }
    task.cancel()
    let outcome = await task.value
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix("members: 1 page, 1 inserted, 0 updated, 0 unchanged, 0 deleted\nmembers: 1 page, 0 "))
  }

  @Test func watchEndsWithTheStatusOfTheLastCompleteRun() async throws {
    let (sent, continuation) = AsyncStream<Void>.makeStream()
    server.on(.get, "/members") { _ in
      continuation.yield()
      return .status(403)
    }
    let path = try file(Self.members, interval: #", "interval": 0.01"#)
    let task = Task { await anvil("pull", path, "--watch") }
    var count = 0
    for await _ in sent {
      count += 1
      if count == 3 { break }
    }
    task.cancel()
    #expect(await task.value.status == 4)
  }

  @Test func watchEndsIfAPullCannotRun() async throws {
    let path = try file(
      """
      {"name": "open", "path": "members", "table": "M", "keys": ["id"], "missing": "deleted"},
      {"name": "closed", "path": "members", "table": "m", "keys": ["id"]}
      """, interval: #", "interval": 3600"#)
    #expect(await anvil("pull", path, "--watch").status == 64)
  }

  @Test func terminalHasAProgressLineForEachListing() async throws {
    let pages = [#"[{"id": 1}]"#, #"[{"id": 2}]"#]
    serve(pages)
    serve(pages, at: "/tags")
    let path = try file(Self.members + #", {"name": "tags", "path": "/tags", "table": "Tag", "keys": ["id"]}"#)
    let outcome = await anvil("pull", path, reader: .person)
    #expect(outcome.status == 0)
    let drawings = outcome.error.components(separatedBy: "\u{1B}[J").map { text in
      text.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    }
    #expect(drawings.contains { $0.starts(with: ["members", "tags"]) })
    #expect(outcome.error.hasSuffix("\u{1B}[J"))
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test func invalidFileIsReportedWithItsLocation() async throws {
    let unknown = try file(#"{"name": "m", "path": "x", "table": "M", "key": ["id"]}"#)
    let outcome = await anvil("pull", unknown)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("key"))
    #expect(server.requests.isEmpty)
    for listing in [
      #"{"name": "m", "table": "M"}"#, #"{"name": "m", "path": "x", "partitions": {"a": "b"}, "table": "M"}"#,
      #"{"name": "m", "path": "x", "table": "M", "pages": {"by": "cursor"}}"#,
      #"{"name": "m", "path": "x", "table": "M", "cursor": {"field": "a"}}"#,
      #"{"name": "m", "path": "x", "table": "anvil_pulls"}"#, "\(Self.members), \(Self.members)",
      #"{"name": "m", "path": "x", "table": "M", "missing": "deleted"}"#,
      #"{"name": "m", "path": "x", "table": "M", "keys": ["id", "ID"]}"#,
      #"{"name": "m", "path": "x", "table": "M", "pages": {"by": "page", "parameter": "p", "first": 1e30}}"#,
    ] {
      #expect(await anvil("pull", try file(listing)).status == 64, "\(listing)")
    }
    let url = #"{"base_url": "http://[::1", "listings": [{"name": "m", "path": "x", "table": "M"}]}"#
    let invalid = await anvil(arguments: ["pull", "-"], input: url)
    #expect(invalid.status == 64)
    #expect(invalid.error.contains("$.base_url            expected URL, found string in another format\n"))
    #expect(await anvil("pull", folder.path("none.json")).status == 74)
    #expect(await anvil("pull").status == 64)
    #expect(await anvil("pull", unknown, "--workers=0").status == 64)
  }

  @Test func diagnosisOfAnInvalidFileHasSeveralLines() async throws {
    let outcome = await anvil("pull", try file(#"{"name": "m", "table": "M"}"#))
    #expect(outcome.status == 64)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.count > 2)
    #expect(lines.first?.hasPrefix("anvil: error[") == true)
    #expect(lines.contains { $0.contains("pull.json:1:") })
    #expect(!outcome.error.contains(#"\u{"#))
  }

  @Test func databaseThatCannotBeOpenedIsNamed() async throws {
    let path = folder.path("none/store.db")
    let outcome = await anvil("pull", try file(Self.members), "--into", path)
    #expect(
      outcome
        == Outcome(
          status: 6, output: "",
          error: "anvil: cannot store in \(path): the database cannot be opened: unable to open database file (14)\n"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ["mysql://127.0.0.1/x", "file:///tmp/x.db"]) func otherDatabasesAreRejected(
    location: String
  ) async throws {
    for arguments in [["pull"], ["pull", "status"]] {
      let outcome = await anvil(arguments: arguments + [try file(Self.members), "--into", location])
      let scheme = location.prefix { $0 != ":" }
      #expect(
        outcome
          == Outcome(
            status: 64, output: "",
            error: "anvil: the database has the scheme \(scheme): only postgres:// URLs and files are supported\n"))
    }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("jdbc:postgresql://smith:S3CRET@h/x", "has the scheme jdbc:postgresql"),
    (" postgres://smith:S3CRET@h/x", "is a URL, but does not begin with a scheme"),
  ])
  func urlsThatAreNoNamesOfFilesAreRejected(location: String, words: String) async throws {
    #expect(
      await anvil("pull", try file(Self.members), "--into", location)
        == Outcome(
          status: 64, output: "",
          error: "anvil: the database \(words): only postgres:// URLs and files are supported\n"))
  }

  @Test(arguments: ["postgres://smith:S3CR/ET@127.0.0.1:1/db", "postgres://smith:S3CR@ET@127.0.0.1:1/db"])
  func passwordThatIsNotPercentEncodedIsNotPrinted(location: String) async throws {
    let outcome = await anvil("pull", try file(Self.members), "--into", location)
    #expect(outcome.status == 6)
    #expect(outcome.error.contains("the user and password of the URL must be percent-encoded"))
    #expect(!outcome.error.contains("S3CR") && !outcome.error.contains("ET@"))
  }

  @Test(arguments: [
    "postgres:users", "postgresql:users", "postgres:/users", "postgres:", "Postgres:user:secret@host/users",
  ])
  func databasesOfPostgresNeedTwoSlashes(location: String) async throws {
    for arguments in [["pull"], ["pull", "status"]] {
      let outcome = await anvil(arguments: arguments + [try file(Self.members), "--into", location])
      #expect(
        outcome
          == Outcome(
            status: 64, output: "",
            error: "anvil: the database has no “//” after its scheme: write postgres://USER@HOST/DATABASE\n"))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func anotherTableIsFilledFromTheBeginning() async throws {
    func listing(_ table: String) -> String {
      """
      {"name": "m", "path": "members", "table": "\(table)", "keys": ["id"],
       "query": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, "cursor": {"field": "id", "parameter": "since"}}
      """
    }
    serve([#"[{"id": 1}, {"id": 2}]"#])
    #expect(await anvil("pull", try file(listing("M"))).output.contains("2 inserted"))
    #expect(await anvil("pull", try file(listing("M"))).output.hasSuffix("2 unchanged, 0 deleted\n"))
    #expect(server.requests.last?.query["since"] == "2")
    #expect(
      await anvil("pull", try file(listing("N"))).output
        == """
        m: 1 page, 2 inserted, 0 updated, 0 unchanged, 0 deleted, listed from the beginning: the table was M before\n
        """)
    #expect(server.requests.last?.query["since"] == nil)
  }

  @Test func schemaEqualsTheDocumentedOne() async throws {
    let text = try Checkout.text("Documentation/pull.schema.json")
    #expect(await anvil("pull", "--schema") == Outcome(status: 0, output: text, error: ""))
  }
}
