import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// Paths that select several values, and queries of RFC 9535.
@Suite(.timeLimit(.minutes(15)))
struct JSONPathTests {
  /// `JSONPath/queries.json`: queries written for these tests, with the results or rejections of the Python package
  /// jsonpath-rfc9535 1.0.1.
  /// Left out are three queries in which that package departs from the grammar or the semantics of the RFC: `$[?!!@.a]`, `$[?!@.a==1]`
  /// (§2.3.5.1: `!` stands before a query, a function or parentheses, once) and `$[?@]` (§2.3.5.2.1: a node with a falsy value exists).
  @Test func queriesAgreeWithAnotherImplementation() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "JSONPath/queries.json")
    let file = try JSON(parsing: Data(contentsOf: url))
    let cases = try #require(file["cases"]).elements
    #expect(cases.count > 900)
    for test in cases {
      let query = try #require(test["query"]?.string)
      let document = try #require(test["document"]?.string.flatMap { file["documents"]?[$0] })
      let isInvalid = test["invalid"]?.bool ?? false
      do throws(JSONQueryParser.Malformed) {
        let parsed = try JSONQueryParser.parse(query)
        let values = try? parsed.values(in: document)
        #expect(!isInvalid, "\(query) is invalid")
        #expect(values.map { JSON($0) } == test["values"], "\(query)")
      } catch {
        #expect(isInvalid, "\(query): expected \(error.expected) at \(error.position)")
      }
    }
  }

  /// The file `cts.json` of github.com/jsonpath-standard/jsonpath-compliance-test-suite, which is not part of this repository.
  private static let suite = ProcessInfo.processInfo.environment["ANVIL_JSONPATH_SUITE"]

  @Test(
    .enabled(if: suite != nil, "set ANVIL_JSONPATH_SUITE to the file cts.json of the JSONPath compliance test suite"))
  func publicSuitePasses() throws {
    let file = try JSON(parsing: Data(contentsOf: URL(filePath: #require(Self.suite))))
    let tests = try #require(file["tests"]).elements
    var failures: [String] = []
    for test in tests {
      let query = try #require(test["selector"]?.string)
      let values = try? JSONQueryParser.parse(query).values(in: test["document"] ?? JSON([JSON]()))
      // Several results are correct if the order of an object's members matters.
      let expected = (test["results"]?.elements.map(\.self) ?? []) + (test["result"].map { [$0] } ?? [])
      let isRight =
        test["invalid_selector"]?.bool == true ? values == nil : values.map { expected.contains(JSON($0)) } == true
      if !isRight {
        failures.append("\(test["name"]?.string ?? ""): \(query) selected \(values.map { JSON($0) } as Any)")
      }
    }
    #expect(failures.isEmpty, "\(failures.count) of \(tests.count):\n\(failures.joined(separator: "\n"))")
  }

  @Test(arguments: ["$[?!!@.a]", "$[?!@.a==1]"]) func invalidNegationIsRejected(query: String) {
    #expect(throws: JSONQueryParser.Malformed.self) { try JSONQueryParser.parse(query) }
  }

  /// Source: RFC 9485 §5.3, for the dot; `[` and `\` before it are escaped characters.
  @Test(arguments: [
    ("$[?match(@, 'a.c')]", ["a\u{2028}c", "a\u{1F600}c"], ["a\nc", "a\rc", "abcd"]),
    (#"$[?match(@, 'a\\\\.c')]"#, ["a\\\u{2028}c"], ["a.c"]),
    ("$[?search(@, '[b-d]{2}')]", ["abcx"], ["abx"]),
    (#"$[?match(@, 'x\\-y|\\p{Lu}+')]"#, ["x-y", "ÄB"], ["x", "äb"]),
    ("$[?match(@, '(a*)*b')]", ["aab"], [String(repeating: "a", count: 5_000)]),
    ("$[?match(@, '(a')]", [], ["(a", "a"]),
    (#"$[?match(@, '(a)\\1')]"#, [], ["aa"]),
  ])
  func patternsAreThoseOfIRegexp(query: String, selected: [String], others: [String]) throws {
    let values = try JSONQueryParser.parse(query).values(in: JSON((selected + others).map { JSON($0) }))
    #expect(values.map(\.string) == selected)
  }

  @Test func existenceTestAcceptsFalsyValues() async throws {
    let server = try server(json: "[0,false,null,\"\"]")
    #expect(await anvil("get", server.argument(), "--path", "$[?@]").output == "0\nfalse\nnull\n\n")
  }

  private static let document = #"{"items":[{"name":"a","n":1},{"n":2},{"name":"c","n":3}],"o":{"x":1,"y":"z"}}"#

  @Test(arguments: [
    ("items[].name", "a\nc\n"), ("items[*].n", "1\n2\n3\n"), ("o[]", "1\nz\n"), ("items[].missing", ""),
    ("$.items[?@.n > 1].n", "2\n3\n"), ("$..n", "1\n2\n3\n"), ("$.o.y", "z\n"), ("$.items[-1].name", "c\n"),
    ("$.nothing.*", ""), ("$.items[?length(@.name) == value($..n)].n", "2\n"), ("$.items[?value(@.name) == null]", ""),
    ("$", #"{"items":[{"name":"a","n":1},{"n":2},{"name":"c","n":3}],"o":{"x":1,"y":"z"}}"# + "\n"),
  ])
  func valuesArePrintedOnePerLine(path: String, printed: String) async throws {
    let server = try server(json: Self.document)
    #expect(
      await anvil("get", server.argument(), "--path", path) == Outcome(status: 0, output: printed, error: ""))
  }

  @Test func pathOfATopLevelArrayNeedsNoKey() async throws {
    let server = try server(json: #"[{"name":"a"},{"name":"b"}]"#)
    #expect(await anvil("get", server.argument(), "--path", "[].name").output == "a\nb\n")
  }

  @Test(arguments: [
    ("$.o.missing", #"no key "missing" at o; keys here: x, y"#),
    ("items.n[]", #"no key "n" at items, which is an array"#),
    ("o.x[]", "no elements at o.x, which is a number"),
  ])
  func pathWithoutAValueIsExplained(path: String, message: String) async throws {
    let server = try server(json: Self.document)
    let outcome = await anvil("get", server.argument(), "--path", path)
    #expect(outcome.status == 5)
    #expect(outcome.error.hasPrefix("anvil: \(message)"))
  }

  @Test(arguments: [
    ("$[01]", "an integer without leading zeros up to 2^53 - 1", 3),
    ("$.", #"a name or "*""#, 3), ("$['a", "the end of the string", 5),
    (#"$['a\q']"#, "a JSON escape", 6),
  ])
  func invalidQueryIsExplained(path: String, expected: String, column: Int) async {
    let outcome = await anvil("get", "localhost", "--path", path)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("at character "))
    #expect(outcome.error.contains("expected \(expected) at character \(column)\n"))
  }

  @Test func queryResultsArePrintedAsATable() async throws {
    let server = try server(json: Self.document)
    let outcome = await anvil("get", server.argument(), "--path", "$.items[?@.name]", "--table")
    #expect(outcome.output == "name  n\n----  -\na     1\nc     3\n")
  }

  @Test func queryResultsAreStored() async throws {
    let server = try server(json: Self.document)
    let folder = try TemporaryFolder()
    let outcome = await anvil(
      "get", server.argument(), "--path", "$.items[?@.name]", "--into", folder.path("a.db"), "--entity", "Item")
    #expect(outcome.status == 0 && outcome.error.hasPrefix("stored 2 rows of Item"))
  }

  @Test(arguments: [
    ("9223372036854775808 == @", "9223372036854775808\n9223372036854775808.0\n"),
    ("@ > 9223372036854775808", "9223372036854775809\n"), ("@ == 0.1", "1e-1\n"),
    ("@ >= 9223372036854775809", "9223372036854775809\n"),
  ])
  func numbersAreComparedExactly(condition: String, printed: String) async throws {
    let server = try server(json: "[9223372036854775808,9223372036854775809,9223372036854775808.0,1e-1]")
    #expect(await anvil("get", server.argument(), "--path", "$[?\(condition)]").output == printed)
  }

  @Test(arguments: [
    (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#, true), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
    (#"{"a":1,"b":2}"#, #"{"a":1,"c":2}"#, false), (#"{"a":1,"a":2}"#, #"{"a":1,"b":2}"#, false),
    (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#, false), ("{}", "{}", true),
  ])
  func objectsAreComparedByTheirMembers(left: String, right: String, isEqual: Bool) throws {
    let document = try JSON(parsing: "[{\"l\":\(left),\"r\":\(right)}]")
    #expect(try JSONQueryParser.parse("$[?@.l == @.r]").values(in: document).isEmpty != isEqual)
    #expect(try JSONQueryParser.parse("$[?@.r == @.l]").values(in: document).isEmpty != isEqual)
  }

  @Test func deeplyNestedQueryIsRejected() {
    let text = "$[?" + String(repeating: "(", count: 5_000) + "@" + String(repeating: ")", count: 5_000) + "]"
    #expect(throws: JSONQueryParser.Malformed.self) { try JSONQueryParser.parse(text) }
  }

  /// The number of values in the document times their number is far beyond the limit of steps.
  @Test(arguments: [
    ("$.items[?@.id == $.best]", 1), ("$.items[?count($..id) > 5]", 40_000), ("$.items[?@.id < value($..best)]", 7),
    ("$.items[?$.items[?@.id == 5]]", 40_000), ("$.items[?$.items == $.items]", nil),
    ("$.items[?length($.text) == 3]", 40_000),
  ])
  func absoluteQueriesInFiltersAreEvaluatedOnce(query: String, count: Int?) throws {
    let items = (0..<40_000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let document = try JSON(parsing: #"{"best": 7, "text": "abc", "items": [\#(items)]}"#)
    let path = try JSONPath(query)
    #expect((try? path.values(in: document))?.count == count)
  }

  @Test(arguments: [
    "$..*..*..*..*", "$..[?@..[?@..[?@..*]]]", "$[?@..* && @..*]..*..*..*..*", "$[?search(@, $[0])]",
  ])
  func queryEndsAtItsLimit(query: String) throws {
    let deep = String(repeating: "[1,", count: 100) + "1" + String(repeating: "]", count: 100)
    let long = (0..<500).map { _ in "\"(a|b)*\(String(repeating: "a", count: 800))\"" }.joined(separator: ",")
    let text = query.contains("search") ? "[\(long)]" : "[\(Array(repeating: deep, count: 10).joined(separator: ","))]"
    let error = #expect(throws: JSONQuery.Exceeded.self) {
      try JSONQueryParser.parse(query).values(in: JSON(parsing: text), limit: 100_000)
    }
    #expect(error.map { JSONPath.Failure.exceeded($0).description } == "the query was stopped after 100000 steps")
  }

  @Test func limitGrowsWithTheDocument() throws {
    let document = JSON((0..<20_000).map { JSON($0) })
    let values = try JSONQueryParser.parse("$[?@ < 1 || @ < 2 || @ < 3]").values(in: document, limit: 1_000)
    #expect(values.count == 3)
  }
}
