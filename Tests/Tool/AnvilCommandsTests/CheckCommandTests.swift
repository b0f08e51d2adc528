import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The output and the exit status of `anvil check`.
@Suite(.timeLimit(.minutes(15)))
struct CheckCommandTests {
  let folder = try? TemporaryFolder()

  static let schema = #"""
    {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["id", "name"],
        "properties": {"id": {"type": "integer", "minimum": 1}, "name": {"type": "string"}},
        "additionalProperties": false
      }
    }
    """#
  static let sample = #"[{"id": 1, "name": "Ada", "born": "1815-12-10"}]"#
  static let good = #"[{"id": 2, "name": "Bob", "born": "1900-01-01"}]"#
  static let bad = #"""
    [
      {"id": 1, "name": "Ada"},
      {"id": "2", "name": "Bob"},
      {"id": "3", "name": "Cid"},
      {"id": 0, "Name": "Dee"}
    ]
    """#

  /// Checks the file `document` against the files `against`, which have these contents; names are without the folder.
  func check(
    _ document: (name: String, text: String), against: (name: String, text: String)..., options: [String] = [],
    reader: Reader = .program, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let folder = try #require(folder)
    var arguments = ["check", folder.path(document.name)]
    for file in [document] + against {
      try Data(file.text.utf8).write(to: URL(filePath: folder.path(file.name)))
    }
    for file in against { arguments += ["--against", folder.path(file.name)] }
    return withoutFolder(
      await anvil(arguments: arguments + options, reader: reader, environment: environment))
  }

  func withoutFolder(_ outcome: Outcome) -> Outcome {
    let prefix = folder?.path("") ?? ""
    func shortened(_ text: String) -> String {
      text.replacing(prefix.hasSuffix("/") ? prefix : prefix + "/", with: "")
    }
    return Outcome(
      status: outcome.status, output: shortened(outcome.output), error: shortened(outcome.error))
  }

  // MARK: - Matches

  @Test func matchPrintsNothingToAPipe() async throws {
    #expect(
      try await check(("users.json", Self.good), against: ("sample.json", Self.sample))
        == Outcome(status: 0, output: "", error: ""))
  }

  @Test func matchPrintsOneLineOnATerminal() async throws {
    #expect(
      try await check(("users.json", Self.good), against: ("sample.json", Self.sample), reader: .person)
        == Outcome(
          status: 0, output: "users.json matches the sample sample.json (5 values)\n", error: ""))
  }

  @Test func severalSamplesAreCombined() async throws {
    #expect(
      try await check(
        ("users.json", #"[{"id": 1}]"#), against: ("a.json", Self.sample), ("b.json", #"[{"id": 7}]"#),
        reader: .person)
        == Outcome(status: 0, output: "users.json matches 2 samples (3 values)\n", error: ""))
  }

  @Test func matchIsReportedInJSON() async throws {
    let object = #"""
      {"document":"users.json","against":["sample.json"],"kind":"sample","matches":true,"complete":true,\#
      "documents":1,"values":5,"departures":0,"problems":[],"notes":[],"unchecked":[]}

      """#
    #expect(
      try await check(
        ("users.json", Self.good), against: ("sample.json", Self.sample), options: ["--format", "json"])
        == Outcome(status: 0, output: object, error: ""))
  }

  // MARK: - Departures

  @Test func textShowsSimilarDeparturesOnce() async throws {
    let text = """
      error[schema.type] users.json (118 B)
        5 departures from the schema schema.json, 4 of them distinct
      1) $[1].id               expected an integer, found string "2"
               ┌─ users.json:3:10 (byte 39)
             2 │   {"id": 1, "name": "Ada"},
             3 │   {"id": "2", "name": "Bob"},
               │          ^^^ string
               = also at: $[2].id
               = hint: the number is in a string
      2) $[3]                  missing key "name" (a string)
               ┌─ users.json:5:3 (byte 92)
               = keys here: id, Name
               = hint: "Name" is similar
      3) $[3].id               expected a number of at least 1, found number 0
               ┌─ users.json:5:10 (byte 99)
             4 │   {"id": "3", "name": "Cid"},
             5 │   {"id": 0, "Name": "Dee"}
               │          ^ number
      4) $[3].Name             the schema has no such key
               ┌─ users.json:5:21 (byte 110)
             4 │   {"id": "3", "name": "Cid"},
             5 │   {"id": 0, "Name": "Dee"}
               │                     ^^^^^ string

      """
    #expect(
      try await check(("users.json", Self.bad), against: ("schema.json", Self.schema))
        == Outcome(status: 1, output: text, error: ""))
  }

  @Test func redactedTextShowsNoValues() async throws {
    let text = """
      error[schema.type] users.json (25 B)
        1 departure from the schema schema.json
      1) $[0].name             expected a string, found number
               ┌─ users.json:1:20 (byte 19)
             1 │ [{"id": …, "name": …}]
               │                    ^ number
               = hint: the number is not in a string

      """
    #expect(
      try await check(
        ("users.json", #"[{"id": 5, "name": 4711}]"#), against: ("schema.json", Self.schema), options: ["--redact"])
        == Outcome(status: 1, output: text, error: ""))
  }

  @Test func lineFormatIsThatOfCompilers() async throws {
    let text = """
      users.json:3:10: error: schema.type $[1].id expected an integer found string "2"
      users.json:4:10: error: schema.type $[2].id expected an integer found string "3"
      users.json:5:3: error: schema.required $[3] missing "name"
      users.json:5:10: error: schema.minimum $[3].id expected a number of at least 1 found number 0
      users.json:5:21: error: schema.additional-property $[3].Name the schema has no such key

      """
    #expect(
      try await check(
        ("users.json", Self.bad), against: ("schema.json", Self.schema), options: ["--format=line"])
        == Outcome(status: 1, output: text, error: ""))
  }

  @Test func jsonContainsEachDeparture() async throws {
    let text = #"""
      {"document":"users.json","against":["schema.json"],"kind":"schema","matches":false,"complete":true,\#
      "documents":1,"values":5,"departures":2,"problems":[\#
      {"code":"schema.type","path":"$[0].id","pointer":"/0/id","line":1,"column":9,"bytes":[8,12],\#
      "expected":{"type":"an integer","kinds":["number"]},"found":{"kind":"bool","text":"true"},"hints":["true and false are not numbers in JSON"]},\#
      {"code":"schema.additional-property","path":"$[0].x","pointer":"/0/x","line":1,"column":35,"bytes":[34,35],"found":{"kind":"number","text":"1"},\#
      "detail":"the schema has no such key"}],\#
      "notes":[],"unchecked":[]}

      """#
    #expect(
      try await check(
        ("users.json", #"[{"id": true, "name": "Ada", "x": 1}]"#), against: ("schema.json", Self.schema),
        options: ["--format=json"])
        == Outcome(status: 1, output: text, error: ""))
  }

  @Test func limitReportsTheNumberOfFurtherDepartures() async throws {
    let text = """
      error[schema.type] users.json (118 B)
        5 departures from the schema schema.json, 4 of them distinct
      1) $[1].id               expected an integer, found string "2"
               ┌─ users.json:3:10 (byte 39)
             2 │   {"id": 1, "name": "Ada"},
             3 │   {"id": "2", "name": "Bob"},
               │          ^^^ string
               = also at: $[2].id
               = hint: the number is in a string
      … and 3 more: a higher --limit shows them

      """
    #expect(
      try await check(("users.json", Self.bad), against: ("schema.json", Self.schema), options: ["--limit=1"])
        == Outcome(status: 1, output: text, error: ""))
    #expect(
      try await check(
        ("users.json", Self.bad), against: ("schema.json", Self.schema), options: ["--limit=1", "--format=line"]
      ).error == "anvil: 4 more departures are not shown: a higher --limit shows them\n")
  }

  @Test func countsOfContainersAreReported() async throws {
    let schema = #"{"type": "array", "minItems": 3, "contains": {"const": 7}, "uniqueItems": true}"#
    let lines = """
      a.json:1:1: error: schema.min-items $ expected an array of at least 3 elements found 2
      a.json:1:1: error: schema.contains $ expected an array of at least 1 element that is 7 found 0
      a.json:1:1: error: schema.unique-items $ elements 0 and 1 are the same

      """
    #expect(
      try await check(("a.json", "[1, 1]"), against: ("schema.json", schema), options: ["--format=line"])
        == Outcome(status: 1, output: lines, error: ""))
  }

  // MARK: - Notes

  @Test func keysThatAreInNoSampleAreNotes() async throws {
    let document =
      #"[{"id": 1, "name": "Ada", "born": "1815-12-10", "x": 1}, "#
      + #"{"id": 2, "name": "B", "born": "1900-01-01", "x": 2}]"#
    let text = """
      note[sample.unknown-key] a key that no sample has
         $[0].x  users.json:1:54 and 1 more like it

      """
    #expect(
      try await check(("users.json", document), against: ("sample.json", Self.sample))
        == Outcome(status: 0, output: text, error: ""))
    #expect(
      try await check(("users.json", document), against: ("sample.json", Self.sample), options: ["--format=line"])
        == Outcome(
          status: 0,
          output: """
            users.json:1:54: note: sample.unknown-key $[0].x no sample has this key
            users.json:1:108: note: sample.unknown-key $[1].x no sample has this key

            """, error: ""))
  }

  @Test func strictReportsUnknownKeysAsDepartures() async throws {
    #expect(
      try await check(
        ("user.json", #"{"a": 1, "b": 2}"#), against: ("sample.json", #"{"a": 0}"#),
        options: ["--strict", "--format=line"])
        == Outcome(
          status: 1,
          output: """
            user.json:1:15: error: sample.unknown-key $.b no sample has this key

            """, error: ""))
  }

  @Test func keywordsThatAreNotCheckedAreReportedOnStandardError() async throws {
    #expect(
      try await check(
        ("a.json", "\"P1D\""), against: ("schema.json", #"{"type": "string", "minLength": 1, "contentSchema": {}}"#))
        == Outcome(status: 0, output: "", error: "anvil: schema.json: not checked: contentSchema at \"\"\n"))
  }

  // MARK: - Kind of the reference

  @Test func optionsSelectTheKindOfTheReference() async throws {
    let schema = ("against.json", #"{"type": "object", "required": ["id"]}"#)
    #expect(
      try await check(("a.json", "{}"), against: schema, options: ["--format=line"]).output
        == "a.json:1:1: error: schema.required $ missing \"id\"\n")
    #expect(
      try await check(("a.json", "{}"), against: schema, options: ["--sample", "--format=line"]).output == """
        a.json:1:1: error: sample.missing-key $ missing "type"
        a.json:1:1: error: sample.missing-key $ missing "required"

        """)
    #expect(
      try await check(("a.json", "1"), against: ("false.json", "false"), options: ["--schema", "--format=line"])
        .output == "a.json:1:1: error: schema.false $ expected no value\n")
  }

  @Test func schemaCannotBeCombinedWithOtherReferences() async throws {
    #expect(
      try await check(("a.json", "[]"), against: ("a.json", "[]"), ("schema.json", Self.schema))
        == Outcome(
          status: 64, output: "",
          error: "anvil: schema.json is a schema and must be the only --against; --sample treats it as a sample\n"))
  }

  // MARK: - Colours

  @Test(
    arguments: [
      (["--color=always"], Reader.program, [:], true),
      (["--color=never"], .person, [:], false),
      ([], .person, [:], true),
      ([], .program, [:], false),
      ([], .person, ["NO_COLOR": "1"], false),
      ([], .person, ["NO_COLOR": ""], true),
      ([], .person, ["TERM": "dumb"], false),
      (["--color=always"], .person, ["NO_COLOR": "1"], true),
    ] as [([String], Reader, [String: String], Bool)])
  func coloursDependOnTheTerminalAndTheOptions(
    options: [String], reader: Reader, environment: [String: String], isColored: Bool
  ) async throws {
    let outcome = try await check(
      ("a.json", "1"), against: ("sample.json", "\"a\""), options: options, reader: reader, environment: environment)
    let plain = """
      error[sample.type] a.json (1 B)
        1 departure from the sample sample.json
      1) $                     expected a string, found number 1
               ┌─ a.json:1:1 (byte 0)
             1 │ 1
               │ ^ number
               = hint: the number is not in a string

      """
    let colored = """
      \u{1B}[1;31merror[sample.type]\u{1B}[0m\u{1B}[1m a.json (1 B)\u{1B}[0m
        1 departure from the sample sample.json
      1) \u{1B}[1;36m$\u{1B}[0m                     expected a string, found number 1
               \u{1B}[34m┌─ \u{1B}[0m\u{1B}[2ma.json:1:1 (byte 0)\u{1B}[0m
             \u{1B}[34m1 │ \u{1B}[0m1
               \u{1B}[34m│ \u{1B}[0m\u{1B}[1;31m^ number\u{1B}[0m
               \u{1B}[34m= \u{1B}[0m\u{1B}[1mhint: \u{1B}[0m\u{1B}[33mthe number is not in a string\u{1B}[0m

      """
    #expect(outcome == Outcome(status: 1, output: isColored ? colored : plain, error: ""))
  }

  @Test func textIsWrappedToTheOutputWidth() async throws {
    let outcome = try await check(
      ("a.json", "{\"a\": \"\(String(repeating: "x", count: 100))\"}"), against: ("sample.json", #"{"a": 1}"#),
      environment: ["COLUMNS": "60"])
    let text = """
      error[sample.type] a.json (109 B)
        1 departure from the sample sample.json
      1) $.a                   expected a number, found string
                               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                               xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                               xxxxxxxxx…
               ┌─ a.json:1:7 (byte 6)
             1 │ {"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
               │       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ string

      """
    #expect(outcome.output == text)
  }

  // MARK: - Usage

  @Test(
    arguments: [
      ([], "a file or URL is missing"),
      (["a"], "--against is missing: it names a sample or a schema"),
      (["a", "b", "--against", "c"], "unexpected argument \"b\" after \"a\""),
      (["-", "--against", "-"], "standard input can be read only once"),
      (["a", "--against", "b", "--schema", "--sample"], "--schema and --sample cannot be used together"),
      (["a", "--against", "b", "--against", "c", "--schema"], "--schema allows only one --against"),
      (["a", "--against", "b", "--format", "xml"], "--format \"xml\" is not text, line or json"),
      (["a", "--against", "b", "--color", "red"], "--color \"red\" is not auto, always or never"),
      (["a", "--against", "b", "--limit", "0"], "--limit \"0\" is not a number from 1 to 1000"),
      (["a", "--against", "b", "--bearer", "c"], "--bearer needs a URL"),
      (["http://[", "--against", "b"], "\"http://[\" is not a URL"),
    ] as [([String], String)])
  func invalidCommandLineIsReported(arguments: [String], message: String) async {
    #expect(
      await anvil(arguments: ["check"] + arguments)
        == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil check --help'.\n"))
  }

  private static let draft = "https://json-schema.org/draft/2020-12/schema"

  /// Each schema applies the next one twice.
  private static let slowSchema: String = {
    let schemas = (0..<40).map { index in
      let next = ##"{"$ref": "#/$defs/s\##(index + 1)"}"##
      return #""s\#(index)": {"allOf": [\#(next), \#(next)]}"#
    }
    let all = schemas.joined(separator: ",")
    return ##"{"$schema": "\##(draft)", "$ref": "#/$defs/s0", "$defs": {\##(all), "s40": true}}"##
  }()
  /// Each character of the text takes 160,000 instructions.
  private static let slowPattern = #"{"$schema": "\#(draft)", "pattern": "^(?:a?){80000}$"}"#

  @Test(arguments: [slowSchema, slowPattern])
  func checkEndsAfterItsTimeout(schema: String) async throws {
    let folder = try TemporaryFolder()
    try Data(schema.utf8).write(to: folder.url.appending(path: "schema.json"))
    let text = "\"\(String(repeating: "a", count: 200))c\"\n"
    try Data(String(repeating: text, count: 3).utf8).write(to: folder.url.appending(path: "documents.ndjson"))
    let outcome = await anvil(
      "check", folder.path("documents.ndjson"), "--against", folder.path("schema.json"), "--check-timeout", "0.2")
    #expect(outcome.status == 5 && outcome.output == "")
    #expect(
      outcome.error
        == "anvil: \(folder.path("documents.ndjson")): the check was stopped after 0.2 s; --check-timeout allows more\n"
    )
  }

  @Test func checkWithoutATimeoutEndsAtTheLimitOfSteps() async throws {
    let folder = try TemporaryFolder()
    try Data(#"{"a": 1}"#.utf8).write(to: folder.url.appending(path: "sample.json"))
    for seconds in ["0", "1e9", "60"] {
      let outcome = await anvil(
        "check", folder.path("sample.json"), "--against", folder.path("sample.json"), "--check-timeout", seconds)
      #expect(outcome.status == 0)
    }
    for seconds in ["-1", "x", "nan", "inf"] {
      let outcome = await anvil("check", "a", "--against", "b", "--check-timeout", seconds)
      #expect(outcome.status == 64 && outcome.error.contains("is not a number of seconds"))
    }
  }
}
