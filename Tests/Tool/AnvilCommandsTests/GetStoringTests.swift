import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The stored rows and the reports of `anvil get --into`.
@Suite(.timeLimit(.minutes(15)))
struct GetStoringTests {
  private let folder = try? TemporaryFolder()

  private func path(_ name: String = "store.db") throws -> String { try #require(folder).path(name) }

  /// Serves `json` and stores it in the file.
  private func get(_ json: String, into path: String, _ arguments: String...) async throws -> Outcome {
    let server = try server(json: json)
    return await anvil(arguments: ["get", server.argument(), "--into", path] + arguments)
  }

  private func rows(_ sql: String, in path: String) throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    try SQLiteConnection(.file(path)).query(sql, []) { row in
      rows.append(try row.values())
      return .goOn
    }
    return rows
  }

  @Test func reportCountsRowsAndNamesColumns() async throws {
    let path = try path()
    let options = ["--entity=User", "--key=id"]
    func get(_ json: String) async throws -> Outcome { try await self.get(json, into: path, options[0], options[1]) }
    #expect(
      try await get(#"[{"id": 1, "score": 1}, {"id": 2, "score": 2}]"#)
        == Outcome(
          status: 0, output: "",
          error:
            "stored 2 rows of User in \(path): 2 inserted, 0 updated, 0 unchanged; new columns: id, score\n"))
    #expect(
      try await get(#"[{"id": 1, "score": 1.5, "name": null}, {"id": 2}, {"id": 3, "age": 7, "score": null}]"#)
        == Outcome(
          status: 0, output: "",
          error: """
            stored 3 rows of User in \(path): 1 inserted, 1 updated, 1 unchanged; new column: age; \
            widened: score (integer to real)

            """))
    #expect(
      try await get(#"{"id": 1, "score": true, "age": []}"#).error == """
        stored 1 row of User in \(path): 0 inserted, 1 updated, 0 unchanged; \
        widened: score (real to text), age (integer to json)

        """)
    #expect(
      try rows(#"SELECT id, score, age FROM "User" ORDER BY id"#, in: path) == [
        [.integer(1), .text("true"), .text("[]")], [.integer(2), .text("2"), .null], [.integer(3), .null, .text("7")],
      ])
    #expect(try await get("[]").error == "stored 0 rows of User in \(path): 0 inserted, 0 updated, 0 unchanged\n")
  }

  @Test func pathSelectsTheStoredObjects() async throws {
    let path = try path()
    let outcome = try await get(
      #"{"data": {"items": [{"a": "x", "b": 1}, {"a": "x", "b": 2}, {"a": "x", "b": 1}]}}"#, into: path,
      "--path=data.items", "--entity=order", "--key=a", "--key=b")
    #expect(
      outcome
        == Outcome(
          status: 0, output: "",
          error: "stored 2 rows of order in \(path): 2 inserted, 0 updated, 0 unchanged; new columns: a, b\n"))
  }

  @Test func includeStillPrintsTheHead() async throws {
    let outcome = try await get(#"{"a": 1}"#, into: path(), "--entity=T", "--include")
    #expect(
      outcome.output == "HTTP 200 OK\nContent-Length: 8\nContent-Type: application/json\n\n" && outcome.status == 0)
  }

  @Test func reportNamesAtMostTwentyColumns() async throws {
    let path = try path()
    let members = (1...25).map { #""c\#($0)": 1"# }.joined(separator: ", ")
    let names = (1...20).map { "c\($0)" }.joined(separator: ", ")
    #expect(
      try await get("{\(members)}", into: path, "--entity=T").error
        == "stored 1 row of T in \(path): 1 inserted, 0 updated, 0 unchanged; new columns: \(names) and 5 more\n")
  }

  @Test(arguments: [
    (#"{"id": 1}"#, ".", "the top level: no key key; keys here: id"),
    (#"{"items": [{"key": 1}, {"id": 2}]}"#, "items", "items[1]: no key key; keys here: id"),
    (#"[{"key": 1}, 2]"#, ".", "[1]: expected an object, found number"),
    (#"[{"key": 1, "A": 1, "a": 2}]"#, ".", "[0]: a database does not distinguish the names A and a"),
    (#""text""#, ".", "the top level is neither an object nor an array of objects: string"),
    (#"{"a": 1}"#, "a", "a is neither an object nor an array of objects: number"),
  ])
  func valuesThatCannotBeRowsAreADecodingFailure(json: String, place: String, message: String) async throws {
    let path = try path()
    let outcome = try await get(json, into: path, "--path", place, "--entity=T", "--key=key")
    #expect(outcome == Outcome(status: 5, output: "", error: "anvil: \(message)\n"))
  }

  @Test func invalidJSONIsADecodingFailureAndCreatesNoDatabase() async throws {
    let path = try path()
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, body: Data("<html>".utf8)) }
    let outcome = await anvil("get", server.argument(), "--into", path, "--entity", "T")
    #expect(outcome.status == 5 && outcome.error.contains("the body is not JSON"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func fileThatIsNotADatabaseIsReportedBeforeTheRequest() async throws {
    let path = try path()
    try Data("no database, and longer than its header would be: \(String(repeating: "x", count: 100))".utf8).write(
      to: URL(filePath: path))
    let server = try server(json: #"{"a": 1}"#)
    let outcome = await anvil("get", server.argument(), "--into", path, "--entity", "T")
    #expect(
      outcome
        == Outcome(
          status: 6, output: "",
          error: """
            anvil: cannot store in \(path): the file is not a database: file is not a database (26) in: \
            PRAGMA journal_mode=WAL

            """))
    #expect(server.requests.isEmpty)
  }

  @Test func tableWithOtherKeysIsNotChanged() async throws {
    let path = try path()
    _ = try await get(#"{"id": 1}"#, into: path, "--entity=T", "--key=id")
    #expect(
      try await get(#"{"id": 2}"#, into: path, "--entity=T")
        == Outcome(
          status: 6, output: "",
          error: "anvil: cannot store in \(path): the table T has the key id, but no key was requested\n"))
    #expect(try rows("SELECT id FROM T", in: path) == [[.integer(1)]])
  }

  @Test func folderOfTheDatabaseMustExist() async throws {
    let path = try path("nowhere/store.db")
    let outcome = try await get(#"{"id": 1}"#, into: path, "--entity=T")
    #expect(
      outcome
        == Outcome(
          status: 6, output: "",
          error:
            "anvil: cannot store in \(path): the database cannot be opened: unable to open database file (14)\n"))
  }

  @Test(arguments: [
    ("postgres://smith:S3CRET@localhost/db", "has the scheme postgres"),
    ("postgresql://smith:S3CR/ET@localhost/db", "has the scheme postgresql"),
    ("Postgres:smith:S3CRET@localhost/db", "has the scheme Postgres"),
    ("mysql://smith:S3CRET@127.0.0.1/x", "has the scheme mysql"), ("file:///tmp/x.db", "has the scheme file"),
    ("jdbc:postgresql://smith:S3CRET@h/x", "has the scheme jdbc:postgresql"),
    (" postgres://smith:S3CRET@h/x", "is a URL, but does not begin with a scheme"),
    ("smith:S3CRET@postgres://h/x", "is a URL, but does not begin with a scheme"),
  ])
  func databasesThatAreURLsAreRefusedBeforeTheRequest(location: String, words: String) async throws {
    let server = try server(json: #"{"id": 1}"#)
    let outcome = await anvil("get", server.argument(), "--into", location, "--entity=T")
    #expect(
      outcome
        == Outcome(
          status: 64, output: "",
          error: "anvil: the database \(words): only files are supported\nTry 'anvil get --help'.\n"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("./postgres://smith:S3CRET@localhost/db", "<redacted>@localhost/db"),
    ("smith:S3CRET@localhost/db", "<redacted>@localhost/db"), ("//smith:S3CR@ET@h/x", "<redacted>@h/x"),
  ])
  func passwordInTheNameOfAFileIsNotPrinted(name: String, shown: String) async throws {
    let outcome = try await get(#"{"id": 1}"#, into: name, "--entity=T")
    #expect(outcome.status == 6)
    #expect(outcome.error.hasPrefix("anvil: cannot store in \(shown): the database cannot be opened"))
    #expect(!outcome.error.contains("S3CR"))
  }

  @Test func concurrentCommandsLoseNoRows() async throws {
    let path = try path()
    let server = try LoopbackServer()
    server.on(.get, "/:n") { request in
      let number = request.parameters["n"] ?? ""
      return .json(#"[{"id": \#(number), "c\#(number)": 1}, {"id": 100, "n": \#(number)}]"#)
    }
    await withTaskGroup(of: Int32.self) { group in
      for number in 1...8 {
        group.addTask {
          await anvil("get", server.argument("/\(number)"), "--into", path, "--entity=T", "--key=id").status
        }
      }
      for await status in group { #expect(status == 0) }
    }
    #expect(try rows("SELECT count(*) FROM T", in: path) == [[.integer(9)]])
    #expect(try rows("SELECT count(*) FROM anvil_attributes", in: path) == [[.integer(10)]])
  }
}
