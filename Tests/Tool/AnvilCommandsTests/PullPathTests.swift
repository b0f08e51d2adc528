import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The paths in the configuration file of `anvil pull`: to the rows, to the next page, and to fields of a row.
@Suite(.timeLimit(.minutes(15)))
struct PullPathTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
  }

  private var database: String { folder.path("store.db") }

  /// Writes a configuration file with one listing of `/rows`.
  private func file(
    items: String? = "value", pages: String? = nil, missing: String = "deleted", more: String = ""
  ) throws -> String {
    var listing = #""name": "m", "path": "rows", "table": "M", "keys": ["id"], "missing": "\#(missing)"\#(more)"#
    if let items { listing += #", "items": \#(Self.quoted(items))"# }
    if let pages { listing += #", "pages": \#(pages)"# }
    let path = folder.path("pull.json")
    let text = #"{"base_url": "\#(server.url.absoluteString)", "into": "\#(database)", "listings": [{\#(listing)}]}"#
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#) + "\""
  }

  private func ids() throws -> [Int64] {
    var ids: [Int64] = []
    try SQLiteConnection(.file(database)).query(#"SELECT id FROM "M" ORDER BY id"#, []) { row in
      if case .integer(let id)? = try row.values().first { ids.append(id) }
      return .goOn
    }
    return ids
  }

  /// Serves pages by their numbers, from 1; the first is also at the path without a query.
  private func serve(_ pages: String...) {
    server.on(.get, "/rows") { request in
      let number = (request.query["page"] ?? request.query["after"]).flatMap { Int($0) } ?? 1
      return pages.indices.contains(number - 1) ? .json(pages[number - 1]) : .status(500)
    }
  }

  // MARK: One syntax

  @Test(arguments: [
    (#"["@odata.nextLink"]"#, #""@odata.nextLink": "/rows?page=2""#),
    (#"$["@odata.nextLink"]"#, #""@odata.nextLink": "/rows?page=2""#),
    (#"$['@odata.nextLink']"#, #""@odata.nextLink": "/rows?page=2""#),
    ("@odata.nextLink", #""@odata": {"nextLink": "/rows?page=2"}"#),
    ("_links.next.href", #""_links": {"next": {"href": "/rows?page=2"}}"#),
    (#"_links["next"].href"#, #""_links": {"next": {"href": "/rows?page=2"}}"#),
    ("links[1]", #""links": ["/rows", "/rows?page=2"]"#), ("links.1", #""links": ["/rows", "/rows?page=2"]"#),
    ("links.1", #""links": {"1": "/rows?page=2"}"#),
    ("$.link[?@.relation == 'next'].url", #""link": [{"relation": "next", "url": "/rows?page=2"}]"#),
    (#"[""]"#, #""": "/rows?page=2""#), (#"["a\"b\\]"]"#, #""a\"b\\]": "/rows?page=2""#),
    (#"["\u006eext"]"#, #""next": "/rows?page=2""#), ("a/b", #""a/b": "/rows?page=2""#),
    ("next page", #""next page": "/rows?page=2""#), ("nächste.Seite", #""nächste": {"Seite": "/rows?page=2"}"#),
    ("$next", #""$next": "/rows?page=2""#), (#"["[x]"]"#, #""[x]": "/rows?page=2""#),
    (".next", #""next": "/rows?page=2""#),
  ])
  func nextPageIsFoundByAnyPath(path: String, members: String) async throws {
    let file = try file(pages: #"{"by": "next_url", "path": \#(Self.quoted(path))}"#)
    serve(#"{"value": [{"id": 1}], \#(members)}"#, #"{"value": [{"id": 2}]}"#)
    let outcome = await anvil("pull", file)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == "m: 2 pages, 2 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    #expect(try ids() == [1, 2])
  }

  @Test(arguments: [
    (#"["odd.key"].rows"#, #"{"odd.key": {"rows": [{"id": 1}]}}"#), ("sets[0]", #"{"sets": [[{"id": 1}]]}"#),
    ("sets.0", #"{"sets": {"0": [{"id": 1}]}}"#), ("data.edges[].node", #"{"data": {"edges": [{"node": {"id": 1}}]}}"#),
    ("", #"[{"id": 1}]"#), ("$", #"[{"id": 1}]"#), ("$.value", #"{"value": [{"id": 1}]}"#),
  ])
  func rowsAreFoundByAnyPath(path: String, page: String) async throws {
    let file = try file(items: path)
    serve(page)
    let outcome = await anvil("pull", file)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try ids() == [1])
  }

  @Test func fieldsOfRowsAreFoundByAnyPath() async throws {
    let file = try file(
      more: #"""
        , "cursor": {"field": "[\"meta.data\"].at", "parameter": "since"},
        "tombstone": {"field": "[\"@removed.reason\"]"}
        """#)
    serve(#"{"value": [{"id": 1, "meta.data": {"at": 7}}, {"id": 2, "meta.data": {"at": 9}}]}"#)
    #expect(await anvil("pull", file).status == 0)
    serve(#"{"value": [{"id": 2, "@removed.reason": "gone"}]}"#)
    #expect(await anvil("pull", file).output.contains("1 deleted"))
    #expect(server.requests.last?.query["since"] == "9")
    #expect(try ids() == [1])
  }

  @Test(arguments: [
    (#"items["#, "items"), ("a..b", "items"), (#"["a"#, "items"), ("a.", "items"), ("$.a[?", "items"),
    ("$..rows", "items"),
  ])
  func invalidPathIsReportedWithItsMember(path: String, member: String) async throws {
    let outcome = await anvil("pull", try file(items: path))
    #expect(outcome.status == 64)
    #expect(outcome.error.hasPrefix(#"anvil: the listing "m": \#(member) "#), "\(outcome.error)")
    #expect(server.requests.isEmpty)
  }

  @Test func invalidPathOfAnyMemberIsReported() async throws {
    for (member, more) in [
      ("pages.path", #", "pages": {"by": "next_url", "path": "a["}"#),
      ("cursor.field", #", "cursor": {"field": "a[", "parameter": "since"}"#),
      ("tombstone.field", #", "tombstone": {"field": "a["}"#),
    ] {
      let outcome = await anvil("pull", try file(more: more))
      #expect(outcome.status == 64)
      #expect(
        outcome.error.hasPrefix(
          #"anvil: the listing "m": \#(member) "a[": expected an index or a key in quotation marks at character 3"#),
        "\(outcome.error)")
    }
  }

  // MARK: Values that are not a position

  @Test(
    arguments: [
      ("_links.next", #""_links": {"next": {"href": "/rows?page=2"}}"#, "an object"),
      ("links", #""links": ["/rows?page=2"]"#, "an array"), ("has_more", #""has_more": true"#, "a boolean"),
      ("has_more", #""has_more": false"#, "a boolean"),
      (#"["odata.next"]"#, #""odata.next": {}"#, "an object"),
    ], ["next_url", "cursor"])
  func nextPageOfAnotherKindIsAnError(found: (path: String, members: String, kind: String), by: String) async throws {
    serve(#"{"value": [{"id": 1}, {"id": 9}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    serve(#"{"value": [{"id": 1}], \#(found.members)}"#)
    let parameter = by == "cursor" ? #", "parameter": "after""# : ""
    let outcome = await anvil(
      "pull", try file(pages: #"{"by": "\#(by)", "path": \#(Self.quoted(found.path))\#(parameter)}"#))
    #expect(outcome.status == 5)
    let expected = by == "cursor" ? "a string, a number or null" : "a string or null"
    #expect(outcome.error == "anvil: m: the next page at \(found.path) is \(found.kind), but must be \(expected)\n")
    #expect(try ids() == [1, 9])
  }

  @Test func numbersAndEmptyTextsAreRead() async throws {
    let file = try file(pages: #"{"by": "cursor", "parameter": "after", "path": "next"}"#)
    for end in ["null", #""""#] {
      serve(#"{"value": [{"id": 1}], "next": 2}"#, #"{"value": [{"id": 2}], "next": \#(end)}"#)
      let outcome = await anvil("pull", file)
      #expect(outcome.status == 0 && outcome.output.hasPrefix("m: 2 pages"))
    }
    serve(#"{"value": [{"id": 1}], "next": null}"#)
    #expect(await anvil("pull", file).output == "m: 1 page, 0 inserted, 0 updated, 1 unchanged, 1 deleted\n")
  }

  @Test func severalNextPagesAreAnError() async throws {
    serve(#"{"value": [{"id": 1}], "links": [{"url": "/a"}, {"url": "/b"}]}"#)
    let outcome = await anvil("pull", try file(pages: #"{"by": "next_url", "path": "links[].url"}"#))
    #expect(outcome.status == 5)
    #expect(outcome.error == "anvil: m: links[].url leads to 2 values, but must lead to one\n")
  }

  // MARK: Paths that no page has

  @Test(arguments: ["next_url", "cursor"]) func missingPathKeepsTheRows(by: String) async throws {
    serve(#"{"value": [{"id": 1}, {"id": 2}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    serve(#"{"value": [{"id": 1}], "next_page": "/rows?page=2"}"#)
    let parameter = by == "cursor" ? #", "parameter": "after""# : ""
    let file = try file(pages: #"{"by": "\#(by)", "path": "next"\#(parameter)}"#)
    for _ in 0..<2 {
      let outcome = await anvil("pull", file)
      #expect(outcome.status == 0)
      #expect(
        outcome.output == """
          m: 1 page, 0 inserted, 0 updated, 1 unchanged, 0 deleted, missing rows kept: no page has a value at next\n
          """)
    }
    #expect(try ids() == [1, 2])
  }

  @Test func missingPathIsReportedWithoutDeletion() async throws {
    serve(#"{"value": [{"id": 1}]}"#)
    let outcome = await anvil("pull", try file(pages: #"{"by": "next_url", "path": "a.b"}"#, missing: "kept"))
    #expect(outcome.output.hasSuffix("0 deleted, no page has a value at a.b\n"))
  }

  @Test func optionalPathMayBeMissing() async throws {
    serve(#"{"value": [{"id": 1}, {"id": 2}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    serve(#"{"value": [{"id": 1}]}"#)
    let file = try file(pages: #"{"by": "next_url", "path": "next", "optional": true}"#)
    #expect(await anvil("pull", file).output == "m: 1 page, 0 inserted, 0 updated, 1 unchanged, 1 deleted\n")
  }

  @Test func lastPageMayLackThePath() async throws {
    let file = try file(pages: #"{"by": "next_url", "path": "next"}"#)
    serve(#"{"value": [{"id": 1}], "next": "/rows?page=2"}"#, #"{"value": [{"id": 2}]}"#)
    #expect(await anvil("pull", file).status == 0)
    serve(#"{"value": [{"id": 1}], "next": "/rows?page=2"}"#, #"{"value": [{"id": 3}]}"#)
    #expect(
      await anvil("pull", file).output == "m: 2 pages, 1 inserted, 0 updated, 1 unchanged, 1 deleted\n")
    #expect(try ids() == [1, 3])
  }

  /// The next run requests the rows again that the listing may have lacked.
  @Test func missingPathDoesNotAdvanceTheCursor() async throws {
    let cursor = #", "cursor": {"field": "at", "parameter": "since"}"#
    serve(#"{"value": [{"id": 1, "at": 5}], "next_page": "/rows?page=2"}"#, #"{"value": [{"id": 2, "at": 3}]}"#)
    #expect(
      await anvil("pull", try file(pages: #"{"by": "next_url", "path": "next"}"#, missing: "kept", more: cursor))
        .status == 0)
    let file = try file(pages: #"{"by": "next_url", "path": "next_page"}"#, missing: "kept", more: cursor)
    #expect(await anvil("pull", file).output.hasPrefix("m: 2 pages, 1 inserted"))
    #expect(server.requests.allSatisfy { $0.query["since"] == nil })
    _ = await anvil("pull", file)
    #expect(server.requests.last?.query["since"] == "5" || server.requests.last?.query["page"] != nil)
  }

  // MARK: Keys with dots

  @Test func plainPathWithTheTextOfAKeyIsAnError() async throws {
    serve(#"{"value": [{"id": 1}], "@odata.nextLink": "/rows?page=2"}"#)
    let outcome = await anvil("pull", try file(pages: #"{"by": "next_url", "path": "@odata.nextLink"}"#))
    #expect(outcome.status == 5)
    #expect(
      outcome.error == #"""
        anvil: m: no key "@odata" at the top level, but a key "@odata.nextLink", whose path is ["@odata.nextLink"]

        """#)
  }

  @Test func partOfAPathWithTheTextOfAKeyIsAnError() async throws {
    serve(#"{"d": {"x": [{"id": 1}]}, "a": {"b": {}, "b.c": "/rows?page=2"}}"#)
    let outcome = await anvil(
      "pull", try file(items: "d.x", pages: #"{"by": "next_url", "path": "a.b.c"}"#))
    #expect(outcome.error == "anvil: m: no key \"c\" at a.b, but a key \"b.c\" at a, whose path is a[\"b.c\"]\n")
    let rows = await anvil("pull", try file(items: "a.b.c"))
    #expect(rows.error.contains(#"whose path is a["b.c"]"#))
  }

  @Test func fieldOfARowWithTheTextOfAKeyIsAnError() async throws {
    serve(#"{"value": [{"id": 1, "deleted.at": 5}]}"#)
    for more in [
      #", "tombstone": {"field": "deleted.at"}"#, #", "cursor": {"field": "deleted.at", "parameter": "since"}"#,
    ] {
      let outcome = await anvil("pull", try file(more: more))
      #expect(outcome.status != 0)
      #expect(outcome.error.contains(#"but a key "deleted.at", whose path is ["deleted.at"]"#), "\(outcome.error)")
    }
  }

  @Test func getExplainsAKeyWithADot() async throws {
    serve(#"{"@odata.nextLink": "x"}"#)
    let outcome = await anvil("get", server.argument("/rows"), "--path", "@odata.nextLink")
    #expect(outcome.status == 5)
    #expect(
      outcome.error == #"""
        anvil: no key "@odata" at the top level, but a key "@odata.nextLink", whose path is ["@odata.nextLink"]

        """#)
    #expect(await anvil("get", server.argument("/rows"), "--path", #"["@odata.nextLink"]"#).output == "x\n")
    #expect(await anvil("get", server.argument("/rows"), "--path", "$x").error.contains(#"no key "$x""#))
  }

  // MARK: More pages

  @Test(arguments: ["page", "offset"]) func booleanDecidesAboutNumberedPages(by: String) async throws {
    let file = try file(pages: #"{"by": "\#(by)", "parameter": "page", "path": "meta.has_more", "first": 1}"#)
    serve(
      #"{"value": [{"id": 1}], "meta": {"has_more": true}}"#, #"{"value": [{"id": 2}], "meta": {"has_more": false}}"#)
    let outcome = await anvil("pull", file)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("m: 2 pages, 2 inserted"))
    for (value, kind) in [("1", "a number"), (#""yes""#, "a string"), ("null", "null"), ("{}", "an object")] {
      serve(#"{"value": [{"id": 1}], "meta": {"has_more": \#(value)}}"#)
      let outcome = await anvil("pull", file)
      #expect(outcome.status == 5)
      #expect(outcome.error == "anvil: m: meta.has_more is \(kind), but must be true or false\n")
    }
    serve(#"{"value": [{"id": 1}]}"#)
    #expect(
      await anvil("pull", file).error == "anvil: m: there is no value at meta.has_more, but it must be true or false\n")
    serve(#"{"value": [], "meta": {"has_more": true}}"#)
    #expect(await anvil("pull", file).error.hasSuffix("meta.has_more is true, but the page has no rows\n"))
    #expect(try ids() == [1, 2])
  }

  // MARK: Other kinds on the way

  /// The paths of pages, the first page's members, those of the second page, and the error.
  private static let detours: [(path: String, first: String, second: String, error: String)] = [
    (
      "next.href", #""next": {"href": "URL"}"#, #""next": "URL""#,
      "next.href: next is a string, but must be an object or null"
    ),
    (
      "next.href", #""next": {"href": "URL"}"#, #""next": ["URL"]"#,
      "next.href: next is an array, but must be an object or null"
    ),
    (
      "a.next.href", #""a": {"next": {"href": "URL"}}"#, #""a": {"next": true}"#,
      "a.next.href: a.next is a boolean, but must be an object or null"
    ),
    (
      #"["a.b"].href"#, #""a.b": {"href": "URL"}"#, #""a.b": 5"#,
      #"["a.b"].href: ["a.b"] is a number, but must be an object or null"#
    ),
    (
      "links[0]", #""links": ["URL"]"#, #""links": {"0": "URL"}"#,
      "links[0]: links is an object, but must be an array or null"
    ),
    (
      "links.0", #""links": ["URL"]"#, #""links": "URL""#,
      "links.0: links is a string, but must be an object, an array or null"
    ),
    (
      "links[].url", #""links": [{"url": "URL"}]"#, #""links": "URL""#,
      "links[].url: links is a string, but must be an array, an object or null"
    ),
    (
      "links[].url", #""links": [{"url": "URL"}]"#, #""links": [null, "URL"]"#,
      "links[].url: links[1] is a string, but must be an object or null"
    ),
    (
      "$.next.href", #""next": {"href": "URL"}"#, #""next": "URL""#,
      "next.href: next is a string, but must be an object or null"
    ),
    (
      "$.links[-1].url", #""links": [{"url": "URL"}]"#, #""links": {"url": "URL"}"#,
      "$.links[-1].url: links is an object, but must be an array or null"
    ),
    (
      "$.links[-1].url", #""links": [{"url": "URL"}]"#, #""links": ["URL"]"#,
      "$.links[-1].url: links[0] is a string, but must be an object or null"
    ),
    (
      "$.link[?@.rel == 'next'].url", #""link": [{"rel": "next", "url": "URL"}]"#, #""link": "URL""#,
      "$.link[?@.rel == 'next'].url: link is a string, but must be an array, an object or null"
    ),
    (
      "$.link[?@.rel == 'next'].url", #""link": [{"rel": "next", "url": "URL"}]"#, #""link": ["URL"]"#,
      "$.link[?@.rel == 'next'].url: link[0] is a string, but must be an object or null"
    ),
  ]

  @Test(arguments: detours, ["next_url", "cursor"]) func anotherKindOnTheWayIsNotTheEnd(
    found: (path: String, first: String, second: String, error: String), by: String
  ) async throws {
    serve(#"{"value": [{"id": 1}, {"id": 9}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    let isCursor = by == "cursor"
    serve(
      #"{"value": [{"id": 1}], \#(found.first.replacing("URL", with: isCursor ? "2" : "/rows?page=2"))}"#,
      #"{"value": [{"id": 2}], \#(found.second.replacing("URL", with: isCursor ? "3" : "/rows?page=3"))}"#)
    let parameter = isCursor ? #", "parameter": "after""# : ""
    let outcome = await anvil(
      "pull", try file(pages: #"{"by": "\#(by)", "path": \#(Self.quoted(found.path))\#(parameter)}"#))
    #expect(outcome.status == 5)
    #expect(outcome.error == "anvil: m: \(found.error)\n")
    #expect(try ids() == [1, 2, 9])
  }

  @Test(arguments: [
    ("next.href", #""next": null"#), ("next.href", #""next": {}"#), ("next.href", #""next": {"href": null}"#),
    ("next.href", #""other": 1"#), ("links[1]", #""links": ["/rows"]"#), ("links[].url", #""links": [null, {}]"#),
    ("links[].url", #""links": []"#), ("$.link[?@.rel == 'next'].url", #""link": [{"rel": "self"}, null]"#),
    ("$..next.href", #""a": [1, {"next": "x"}]"#),
    ("$.link[?@.rel == 'next'].url", #""link": {"rel": "self", "n": 1}"#),
    ("$.link[?@.rel == 'next'].url", #""link": ["self", {"rel": "self"}]"#),
    ("$.link[?@.rel == 'next' || @ == 'last'].url", #""link": [{"rel": "next", "url": null}, "self"]"#),
  ])
  func nullAndAbsenceOnTheWayAreTheEnd(path: String, members: String) async throws {
    serve(#"{"value": [{"id": 1}, {"id": 9}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    serve(#"{"value": [{"id": 1}], \#(members)}"#)
    let file = try file(pages: #"{"by": "next_url", "path": \#(Self.quoted(path)), "optional": true}"#)
    #expect(await anvil("pull", file).output == "m: 1 page, 0 inserted, 0 updated, 1 unchanged, 1 deleted\n")
  }

  @Test(arguments: [
    (#""data": "x""#, "data.rows: data is a string, but must be an object or null"),
    (#""data": [{"id": 2}]"#, "data.rows: data is an array, but must be an object or null"),
    (#""data": {"rows": {"id": 2}}"#, "there is no list at data.rows"),
  ])
  func anotherKindOnTheWayToTheRowsIsNotAnEmptyPage(members: String, error: String) async throws {
    serve(#"{"value": [{"id": 1}, {"id": 9}]}"#)
    #expect(await anvil("pull", try file()).status == 0)
    serve(#"{"data": {"rows": [{"id": 1}]}, "next": 2}"#, #"{\#(members), "next": 3}"#, #"{"data": {"rows": []}}"#)
    for pages in [
      #"{"by": "cursor", "parameter": "after", "path": "next"}"#, #"{"by": "page", "parameter": "page"}"#,
      #"{"by": "offset", "parameter": "after", "first": 1}"#,
    ] {
      let outcome = await anvil("pull", try file(items: "data.rows", pages: pages), "--fresh")
      #expect(outcome.status == 5)
      #expect(outcome.error == "anvil: m: pull m, page 2: \(error)\n")
      #expect(try ids() == [1, 9])
    }
  }

  @Test func anElementWithoutTheRowIsAnErrorUnlessItIsNull() async throws {
    serve(#"{"edges": [{"node": {"id": 1}}, null, {}, "x"]}"#)
    let outcome = await anvil("pull", try file(items: "edges[].node"))
    #expect(outcome.status == 5)
    #expect(
      outcome.error
        == "anvil: m: pull m, page 1: edges[].node: edges[3] is a string, but must be an object or null\n")
  }

  @Test(arguments: [
    #", "tombstone": {"field": "meta.gone"}"#, #", "tombstone": {"field": "meta.gone", "equals": true}"#,
    #", "tombstone": {"field": "$.meta[?@.gone == true]"}"#,
    #", "cursor": {"field": "meta.gone", "parameter": "since"}"#,
  ])
  func anotherKindOnTheWayInARowIsAnError(more: String) async throws {
    serve(#"{"value": [{"id": 1, "meta": {"gone": 5}}, {"id": 2, "meta": ["gone"]}]}"#)
    let outcome = await anvil("pull", try file(missing: "kept", more: more))
    #expect(outcome.status == 5)
    #expect(outcome.error.hasPrefix("anvil: m: pull m, page 1: [1]: "), "\(outcome.error)")
    #expect(
      outcome.error.hasSuffix(": meta is an array, but must be an object or null\n")
        || outcome.error.hasSuffix(": meta[0] is a string, but must be an object or null\n"), "\(outcome.error)")
  }

  @Test(arguments: ["page", "offset"]) func anotherKindOnTheWayToABooleanIsNamed(by: String) async throws {
    serve(#"{"value": [{"id": 1}], "meta": "more"}"#)
    let outcome = await anvil(
      "pull", try file(pages: #"{"by": "\#(by)", "parameter": "page", "path": "meta.has_more", "first": 1}"#))
    #expect(outcome.status == 5)
    #expect(outcome.error == "anvil: m: meta.has_more: meta is a string, but must be an object or null\n")
  }

  // MARK: Paths without a meaning

  @Test(arguments: ["", "$", "."]) func onlyRowsMayBeTheWholePage(path: String) async throws {
    for (member, more) in [
      ("tombstone.field", #", "tombstone": {"field": "PATH"}"#),
      ("tombstone.field", #", "tombstone": {"field": "PATH", "equals": 1}"#),
      ("cursor.field", #", "cursor": {"field": "PATH", "parameter": "since"}"#),
      ("pages.path", #", "pages": {"by": "next_url", "path": "PATH"}"#),
      ("pages.path", #", "pages": {"by": "cursor", "parameter": "a", "path": "PATH"}"#),
      ("pages.path", #", "pages": {"by": "page", "parameter": "a", "path": "PATH"}"#),
    ] {
      let outcome = await anvil("pull", try file(more: more.replacing("PATH", with: path)))
      #expect(outcome.status == 64)
      let whole = member == "pages.path" ? "page" : "row"
      #expect(
        outcome.error == """
          anvil: the listing "m": \(member) "\(path)" is the whole \(whole), but must be the path of a value in it\n
          """)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aKeyIsNoTombstone() async throws {
    for path in ["id", "$.id", #"[\"id\"]"#] {
      let outcome = await anvil("pull", try file(more: #", "tombstone": {"field": "\#(path)"}"#))
      #expect(outcome.status == 64)
      #expect(outcome.error.contains("tombstone.field \"id\" is a key, which every row has"), "\(outcome.error)")
    }
    serve(#"{"value": [{"id": 1}, {"id": 2}]}"#)
    #expect(await anvil("pull", try file(more: #", "tombstone": {"field": "id", "equals": 2}"#)).status == 0)
    #expect(try ids() == [1])
  }

  @Test func aTombstoneMayBeNull() async throws {
    serve(#"{"value": [{"id": 1, "owner": null}, {"id": 2, "owner": "x"}]}"#)
    #expect(await anvil("pull", try file(more: #", "tombstone": {"field": "owner", "equals": null}"#)).status == 0)
    #expect(try ids() == [2])
  }

  @Test func aTombstoneThatNoRowEverHadIsReported() async throws {
    let file = try file(missing: "kept", more: #", "tombstone": {"field": "meta.gone"}"#)
    let note = ", no row has a value at meta.gone\n"
    serve(#"{"value": []}"#)
    #expect(await anvil("pull", file).output == "m: 1 page, 0 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    serve(#"{"value": [{"id": 1}, {"id": 2, "meta": null}, {"id": 3, "meta": {}}]}"#)
    for _ in 0..<2 {
      let outcome = await anvil("pull", file)
      #expect(outcome.status == 0 && outcome.output.hasSuffix(note), "\(outcome)")
    }
    serve(#"{"value": [{"id": 1}, {"id": 2, "meta": {"gone": null}}]}"#)
    #expect(await anvil("pull", file).output.hasSuffix("0 deleted\n"))
    // Later rows may lack the field.
    serve(#"{"value": [{"id": 1}]}"#)
    #expect(await anvil("pull", file).output.hasSuffix("0 deleted\n"))
    let other = try self.file(missing: "kept", more: #", "tombstone": {"field": "deleted_at"}"#)
    #expect(await anvil("pull", other).output.hasSuffix(", no row has a value at deleted_at\n"))
  }
}
