import Anvil
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// Tables, and colours.
@Suite(.timeLimit(.minutes(15)))
struct TableTests {
  private static let users =
    #"{"users":[{"id":1,"name":"Ada Lovelace","on":true},{"id":22,"name":"é\n","tags":["a"]},{"id":null}]}"#

  @Test func objectsArePrintedAsRows() async throws {
    let server = try server(json: Self.users)
    let outcome = await anvil("get", server.argument(), "--path", "users", "--table")
    let table = """
        id  name          on    tags
      ----  ------------  ----  -----
         1  Ada Lovelace  true
        22  é\\u{a}              ["a"]
      null

      """
    #expect(outcome == Outcome(status: 0, output: table, error: ""))
  }

  @Test func longCellsAreShortenedOnATerminal() async throws {
    let server = try server(json: #"[{"a":"\#(String(repeating: "x", count: 200))","b":1}]"#)
    let outcome = await anvil(
      arguments: ["get", server.argument(), "--table"], reader: .person,
      environment: ["COLUMNS": "40", "NO_COLOR": "1"])
    let widest = outcome.output.split(separator: "\n").map(\.count).max()
    #expect(widest == 40 && outcome.output.contains("x…  "))
    let piped = await anvil("get", server.argument(), "--table")
    #expect(piped.output.contains(String(repeating: "x", count: 200)))
  }

  @Test(arguments: ["[1]", "3", "[{},[]]"])
  func otherValuesAreRejected(json: String) async throws {
    let server = try server(json: json)
    let outcome = await anvil("get", server.argument(), "--table")
    #expect(outcome.status == 5 && outcome.output.isEmpty)
    #expect(outcome.error == "anvil: the body is neither an object nor an array of objects, as --table requires\n")
  }

  @Test func firstOfRepeatedKeysIsShown() async throws {
    let server = try server(json: #"[{"a":"","a":"second","b":"x"}]"#)
    #expect(await anvil("get", server.argument(), "--table").output == "a  b\n-  -\n   x\n")
  }

  @Test(arguments: [(1_000, 0), (1_001, 5)]) func columnsHaveALimit(count: Int, status: Int32) async throws {
    let server = try server(json: "[" + (0..<count).map { "{\"k\($0)\":\"\($0)\"}" }.joined(separator: ",") + "]")
    let outcome = await anvil("get", server.argument(), "--table")
    #expect(outcome.status == status)
    if status == 0 {
      #expect(outcome.output.hasSuffix("  999\n") && outcome.output.split(separator: "\n").count == 1_002)
    } else {
      #expect(outcome.error.hasPrefix("anvil: the body has objects with more than 1000 different keys"))
    }
  }

  @Test func widestColumnsAreNarrowedToOneWidth() throws {
    let wide = String(repeating: "x", count: 5_000)
    let table = try JSONTable([JSON(parsing: #"{"a":"\#(wide)","b":"12345","c":"\#(wide)"}"#)])
    let lines = table.text(width: 30, hasColors: true).split(separator: "\n")
    #expect(lines.last == "xxxxxxxxx…  12345  xxxxxxxxxx…")
  }

  @Test func emptyArrayHasNoRows() async throws {
    let server = try server(json: "[]")
    #expect(await anvil("get", server.argument(), "--table").output == "no rows\n")
  }

  @Test func linesOfJSONAreRows() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked(
        [Data("{\"a\": 1}\n{\"a\"".utf8), Data(": 2, \"b\": 3}\n".utf8)],
        headers: ["Content-Type": "application/x-ndjson"])
    }
    #expect(await anvil("get", server.argument(), "--table").output == "a  b\n-  -\n1\n2  3\n")
  }

  @Test func outputIsColouredOnATerminal() async throws {
    let server = try server(json: #"{"a":[1,"x",true,null,{}]}"#)
    let colored = """
      {
        \u{1B}[34;1m"a"\u{1B}[0m: [
          \u{1B}[36m1\u{1B}[0m,
          \u{1B}[32m"x"\u{1B}[0m,
          \u{1B}[33mtrue\u{1B}[0m,
          \u{1B}[90mnull\u{1B}[0m,
          {}
        ]
      }

      """
    let target = server.argument()
    #expect(await anvil(arguments: ["get", target], reader: .person).output == colored)
    #expect(
      await anvil(arguments: ["get", target, "--color", "never"], reader: .person).output.contains("\u{1B}") == false)
    let unwanted = await anvil(arguments: ["get", target], reader: .person, environment: ["NO_COLOR": "1"])
    #expect(!unwanted.output.contains("\u{1B}"))
    #expect(await anvil(arguments: ["get", target]).output == #"{"a":[1,"x",true,null,{}]}"#)
    let always = await anvil(arguments: ["get", target, "--path", "a[0]", "--color", "always"])
    #expect(always.output == "\u{1B}[36m1\u{1B}[0m\n")
  }
}
