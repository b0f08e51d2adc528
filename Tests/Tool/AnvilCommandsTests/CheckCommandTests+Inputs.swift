import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The inputs of `anvil check`: invalid texts, texts with several documents, responses.
extension CheckCommandTests {
  // MARK: - Invalid texts

  @Test func invalidJSONIsReportedWithItsLocation() async throws {
    let text = """
      error[decode.syntax] users.json (13 B)
        not JSON, and therefore not checked
      1) $                     expected a key in quotation marks, found '}'
               ┌─ users.json:3:1 (byte 12)
             2 │   "a": 1,
             3 │ }
               │ ^
               = hint: there is a trailing comma; JSON5 allows it: allowsJSON5

      """
    #expect(
      try await check(("users.json", "{\n  \"a\": 1,\n}"), against: ("sample.json", "{}"))
        == Outcome(status: 5, output: text, error: ""))
  }

  @Test func invalidJSONIsReportedInTheLineAndJSONFormats() async throws {
    let document = ("users.json", "[1,")
    #expect(
      try await check(document, against: ("sample.json", "[]"), options: ["--format=line"])
        == Outcome(status: 5, output: "users.json:1:4: error: decode.syntax $[1] unexpected end\n", error: ""))
    let object = #"""
      {"document":"users.json","against":["sample.json"],"kind":"sample","matches":false,"complete":false,\#
      "problems":[{"code":"decode.syntax","path":"$[1]","pointer":"/1","line":1,"column":4,"bytes":[3,3],\#
      "detail":"unexpected end",\#
      "hints":["the text ends within the array that begins at 1:1: it may have been cut off"]}],\#
      "notes":[],"unchecked":[]}

      """#
    #expect(
      try await check(document, against: ("sample.json", "[]"), options: ["--format=json"])
        == Outcome(status: 5, output: object, error: ""))
  }

  @Test func invalidSampleIsReportedOnStandardError() async throws {
    let text = """
      error[decode.syntax] sample.json (8 B)
        not JSON, and therefore not a sample or schema
      1) $                     expected a key in quotation marks, found '''
               ┌─ sample.json:1:2 (byte 1)
             1 │ {'a': 1}
               │  ^
               = hint: JSON requires double quotation marks; JSON5 also allows single ones: allowsJSON5

      """
    #expect(
      try await check(("users.json", "{}"), against: ("sample.json", "{'a': 1}"))
        == Outcome(status: 5, output: "", error: text))
  }

  @Test func invalidSchemaIsReportedWithItsLocation() async throws {
    let text = """
      error[schema.malformed] schema.json (63 B)
        the schema is invalid
      1) $.properties.id.type  not a valid type name
               ┌─ schema.json:3:33 (byte 54)
             2 │   "type": "object",
             3 │   "properties": {"id": {"type": "int"}}
               │                                 ^^^^^ string

      """
    #expect(
      try await check(
        ("users.json", "{}"),
        against: ("schema.json", "{\n  \"type\": \"object\",\n  \"properties\": {\"id\": {\"type\": \"int\"}}\n}"))
        == Outcome(status: 5, output: "", error: text))
  }

  @Test func missingFileIsReported() async throws {
    let folder = try #require(folder)
    let outcome = await anvil("check", folder.path("no.json"), "--against", folder.path("none.json"))
    #expect(
      withoutFolder(outcome) == Outcome(status: 74, output: "", error: "anvil: cannot read none.json: no such file\n"))
    let second = await anvil("check", folder.path("no.json"), "--against", folder.path(""))
    #expect(second.status == 74)
    #expect(second.error.hasSuffix(": it is a folder\n"))
  }

  // MARK: - Lines

  @Test func eachLineOfAnNDJSONFileIsChecked() async throws {
    let text = """
      error[sample.type] log.ndjson (36 B)
        2 departures from the sample sample.json, all alike
      1) $.id                  expected a number, found string "2"
               ┌─ log.ndjson:3:8 (byte 18)
             2 │
             3 │ {"id": "2"}
               │        ^^^ string
               = also at: line 4
               = hint: the number is in a string

      """
    #expect(
      try await check(
        ("log.ndjson", "{\"id\": 1}\n\n{\"id\": \"2\"}\r\n{\"id\": \"3\"}\n"), against: ("sample.json", #"{"id": 9}"#))
        == Outcome(status: 1, output: text, error: ""))
  }

  @Test func matchOfLinesReportsTheNumberOfDocuments() async throws {
    #expect(
      try await check(
        ("log.txt", "\u{FEFF}{\"id\": 1}\n{\"id\": 2}"), against: ("samples.jsonl", "{\"id\": 9}\n{\"id\": 10}\n"),
        options: ["--lines"], reader: .person)
        == Outcome(
          status: 0, output: "log.txt matches the sample samples.jsonl (2 documents, 4 values)\n", error: ""))
  }

  @Test func invalidLineIsReportedWithItsLocationInTheFile() async throws {
    #expect(
      try await check(
        ("log.ndjson", "{\"id\": 1}\n{\"id\": 01}\n"), against: ("sample.json", "{}"), options: ["--format=line"])
        == Outcome(
          status: 5, output: "log.ndjson:2:9: error: decode.syntax $.id invalid number\n", error: ""))
  }

  @Test func incompleteLineHasTheHintOfAnIncompleteDocument() async throws {
    let outcome = try await check(("log.ndjson", "{\"id\": 1}\n{\"id\":\n"), against: ("sample.json", "{}"))
    #expect(
      outcome.output.contains("= hint: the text ends within the object that begins at 2:1: it may have been cut off\n"))
  }

  @Test func linesOptionIsSuggestedIfTheFirstLineIsADocument() async throws {
    #expect(
      try await check(("log.txt", "1\n2\n"), against: ("sample.json", "1"), options: ["--format=line"])
        == Outcome(
          status: 5, output: "log.txt:2:1: error: decode.syntax $ content after the value\n",
          error: "anvil: the first line is a complete document: use --lines to check each line\n"))
  }

  @Test func fileWithoutDocumentsIsAnError() async throws {
    #expect(
      try await check(("log.ndjson", "\n \n"), against: ("sample.json", "1"))
        == Outcome(status: 5, output: "", error: "anvil: log.ndjson has no documents\n"))
  }

  @Test func sampleWithoutDocumentsIsAnError() async throws {
    #expect(
      try await check(("log.ndjson", "1\n"), against: ("samples.ndjson", "\n \n"))
        == Outcome(status: 5, output: "", error: "anvil: samples.ndjson has no documents\n"))
  }

  // MARK: - URLs

  /// Returns the outcome with `SERVER` for the server's address and `TIME` for the duration of the exchange.
  private func check(
    _ target: String, on server: LoopbackServer, against sample: String = #"{"id": 1}"#, options: [String] = []
  ) async throws -> Outcome {
    let folder = try #require(folder)
    try Data(sample.utf8).write(to: URL(filePath: folder.path("sample.json")))
    let outcome = await anvil(
      arguments: ["check", server.argument(target), "--against", folder.path("sample.json")] + options)
    func shortened(_ text: String) -> String {
      text.replacing(server.argument("/"), with: "SERVER/").replacing(/[0-9.]+ m?s\)/, with: "TIME)")
    }
    let short = withoutFolder(outcome)
    return Outcome(status: short.status, output: shortened(short.output), error: shortened(short.error))
  }

  @Test func departuresOfAResponseAreShownWithItsRequest() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users") { _ in .json(#"{"id": "7"}"#) }
    let text = """
      error[sample.type] GET SERVER/users?token=<redacted> → 200 application/json (11 B, attempt 1, TIME)
        1 departure from the sample sample.json
      1) $.id                  expected a number, found string "7"
               ┌─ body:1:8 (byte 7)
             1 │ {"id": "7"}
               │        ^^^ string
               = hint: the number is in a string

      """
    #expect(
      try await check("/users?token=abc", on: server) == Outcome(status: 1, output: text, error: ""))
    #expect(
      try await check("/users?token=abc", on: server, options: ["--format=line"]).output
        == "SERVER/users?token=<redacted>:1:8: error: sample.type $.id expected a number found string \"7\"\n")
  }

  @Test func redirectsAreFollowedOnlyWithTheOption() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(301, headers: ["Location": "/new"]) }
    server.on(.get, "/new") { _ in .json(#"{"id": null}"#) }
    #expect(
      try await check("/old", on: server)
        == Outcome(
          status: 4, output: "",
          error: "anvil: GET SERVER/old → 301 Moved Permanently, not followed; Location: /new\n"))
    #expect(
      try await check("/old", on: server, options: ["-L"]).output.hasPrefix(
        "error[sample.null] GET SERVER/old → 200 application/json (12 B, redirected to SERVER/new, attempt 1, TIME)\n"))
  }

  @Test func htmlResponseIsRecognized() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, headers: ["Content-Type": "text/html"], body: Data("<html>".utf8)) }
    let text = """
      error[decode.syntax] GET SERVER/ → 200 text/html (6 B, attempt 1, TIME)
        not JSON, and therefore not checked
      1) $                     expected a value, found '<'
               ┌─ body:1:1 (byte 0)
             1 │ <html>
               │ ^
               = hint: this is HTML: a page instead of data

      """
    #expect(try await check("/", on: server) == Outcome(status: 5, output: text, error: ""))
  }

  @Test func responseWithAnErrorStatusIsNotChecked() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(404, body: Data(#"{"id": 1}"#.utf8)) }
    #expect(
      try await check("/", on: server)
        == Outcome(status: 4, output: "", error: "anvil: GET SERVER/ → 404 Not Found\n"))
  }

  @Test func tokenIsSentOnlyToTheServerOfTheDocument() async throws {
    let server = try LoopbackServer()
    let other = try LoopbackServer()
    for server in [server, other] {
      server.on(.get, "/") { request in
        let given = request.headers[.authorization]?.rawValue ?? "none"
        let field = request.headers["X-Key"]?.rawValue ?? "none"
        return .json(#"{"type": "object", "properties": {"a": {"const": "\#(given) \#(field)"}}}"#)
      }
    }
    let outcome = await anvil(
      "check", server.argument(), "--against", other.argument(), "--bearer", "abc", "-H", "X-Key: 1", "--sample",
      "--format=json")
    #expect(outcome.status == 0)
    #expect(server.requests.map { $0.headers["X-Key"]?.rawValue } == ["1"])
    #expect(other.requests.map { $0.headers["X-Key"]?.rawValue } == [nil])
    #expect(other.requests.map { $0.headers[.authorization]?.rawValue } == [nil])
  }
}
