import AnvilJSON
import AnvilServer
import AnvilTestSupport
import Foundation
import Testing

/// `anvil shape`.
@Suite(.timeLimit(.minutes(15)))
struct ShapeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    return folder.path(name)
  }

  private func diff(_ old: String, _ new: String, _ arguments: String...) async throws -> Outcome {
    let shape = folder.path("shape.json")
    let saved = await anvil("shape", "save", try file(old, "old.json"), "--to", shape)
    #expect(saved == Outcome(status: 0, output: "", error: ""))
    return await anvil(arguments: ["shape", "diff", shape, try file(new, "new.json")] + arguments)
  }

  @Test func savedShapeIsASchemaWithoutValues() async throws {
    let path = try file(
      #"""
      [{"id": 1, "name": "secret", "seen": "2026-01-02T03:04:05Z", "tags": ["a"], "score": 1.5, "none": null},
       {"id": 2, "name": null, "seen": "2026-01-02T03:04:05Z", "tags": [], "score": 2, "by": {"17": true, "18": false}}]
      """#, "a.json")
    let outcome = await anvil("shape", "save", path)
    #expect(
      try JSON(parsing: outcome.output)
        == JSON(
          parsing: #"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$comment": "The shape of 1 document, written by anvil shape save.",
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {"type": "integer"},
                  "name": {"type": ["string", "null"]},
                  "seen": {"type": "string", "format": "date-time"},
                  "tags": {"type": "array", "items": {"type": "string"}},
                  "score": {"type": "number"},
                  "none": {"type": "null"},
                  "by": {"type": "object", "additionalProperties": {"type": "boolean"}}
                },
                "required": ["id", "name", "seen", "tags", "score"]
              }
            }
            """#))
    let shape = try file(outcome.output, "shape.json")
    #expect(await anvil("check", path, "--against", shape).status == 0)
    #expect(await anvil("shape", "diff", shape, path) == Outcome(status: 0, output: "", error: ""))
    #expect(await anvil("shape", "diff", shape, shape) == Outcome(status: 0, output: "", error: ""))
  }

  @Test func changesArePrintedAsLines() async throws {
    let outcome = try await diff(
      #"{"users": [{"id": 1, "zip": "1", "old": true, "at": "2026-01-02T03:04:05Z", "n": 1.5, "maybe": 1}, {"id": 2, "zip": "2", "old": true, "at": "2026-01-02T03:04:05Z", "n": 2}]}"#,
      #"{"users": [{"id": "1", "zip": null, "at": "today", "n": 1, "maybe": 1, "new key": [1]}, {"id": "2", "zip": "2", "at": "today", "maybe": 2}]}"#
    )
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        ! type      $.users[].id          was integer, is string
        ! type      $.users[].zip         was string, is string or null
        ! removed   $.users[].old         was boolean
        ! format    $.users[].at          was date-time, is any text
        ! optional  $.users[].n           was in every object, is now missing in some
          type      $.users[].n           was number, is integer
          required  $.users[].maybe       was missing in some objects, is now in every one
          added     $.users[]["new key"]  array, missing in some objects

        """)
  }

  @Test func breakingIgnoresCompatibleChanges() async throws {
    let outcome = try await diff(#"{"a": 1, "b": null}"#, #"{"a": 1, "b": "x", "c": 1}"#, "--breaking")
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    let all = try await diff(#"{"a": 1, "b": null}"#, #"{"a": 1, "b": "x", "c": 1}"#)
    #expect(all.status == 1 && !all.output.contains("!"))
    let breaking = try await diff(#"{"a": 1}"#, #"{"a": 1.5, "c": 1}"#, "--breaking", "--format", "json")
    #expect(breaking.status == 1)
    #expect(
      breaking.output == #"[{"kind":"type","path":"$.a","text":"was integer, is number","breaking":true}]"# + "\n")
  }

  /// An empty array has no information about its elements.
  @Test(arguments: [
    (#"{"a": [{"b": 1}]}"#, #"{"a": []}"#), (#"{"a": []}"#, #"{"a": [1]}"#), (#"{"1": 2, "2": 3}"#, #"{"7": 1}"#),
  ])
  func missingDataIsNotAChange(old: String, new: String) async throws {
    #expect(try await diff(old, new) == Outcome(status: 0, output: "", error: ""))
  }

  @Test func summaryIsPrintedOnATerminal() async throws {
    let shape = folder.path("shape.json")
    let server = try server(json: #"{"data": {"a": 1}}"#)
    let options = ["--path", "data"]
    #expect(await anvil(arguments: ["shape", "save", server.argument(), "--to", shape] + options).status == 0)
    let same = await anvil(arguments: ["shape", "diff", shape, server.argument()] + options, reader: .person)
    #expect(same == Outcome(status: 0, output: "no changes\n", error: ""))
    let path = try file(#"{"data": {"b": 1}}"#, "new.json")
    let changed = await anvil(arguments: ["shape", "diff", shape, path] + options, reader: .person)
    #expect(changed.output.hasSuffix("\n2 changes, 1 of which can break existing programs (!)\n"))
  }

  @Test func otherSchemasAreRejected() async throws {
    let schema = try file(##"{"type": "object", "properties": {"a": {"$ref": "#/b"}}}"##, "schema.json")
    let path = try file("{}", "a.json")
    #expect(
      await anvil("shape", "diff", schema, path)
        == Outcome(
          status: 5, output: "",
          error: "anvil: \(schema) is a JSON Schema but not a saved shape: $ref is not supported at /properties/a\n"))
    #expect(
      await anvil("shape", "diff", path, path)
        == Outcome(
          status: 5, output: "",
          error: "anvil: \(path) is not a saved shape: 'anvil shape save' creates one from it\n"))
  }

  @Test(arguments: [
    ([], "save or diff is missing"), (["dif"], #""dif" is neither save nor diff; did you mean "diff"?"#),
    (["save"], "a file or URL is missing"), (["diff"], "the saved shape is missing"),
    (["diff", "a"], "a file or URL to compare with is missing"),
    (["save", "a", "--breaking"], "--breaking needs diff"),
    (["diff", "a", "b", "--to", "c"], "--to needs save"), (["diff", "-", "-"], "standard input can be read only once"),
    (["save", "-", "--user-file", "-"], "standard input can be read only once"),
    (["diff", "a", "b", "--format", "xml"], #"--format "xml" is neither text nor json"#),
    (["save", "a", "--timeout", "1"], "--timeout needs a URL"),
  ])
  func optionsAreChecked(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: ["shape"] + arguments)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil shape --help'.\n"))
  }
}
