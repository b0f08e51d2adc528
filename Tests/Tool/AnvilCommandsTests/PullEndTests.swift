import AnvilHTTP
import AnvilSQLite
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The end of listings of `anvil pull` that contain pages without content, and the rows that such listings keep.
@Suite(.timeLimit(.minutes(15)))
struct PullEndTests {
  /// A response without a page.
  struct Empty: Sendable {
    let status: Int
    let body: String

    static let all = [
      Empty(status: 200, body: ""), Empty(status: 200, body: " \r\n"), Empty(status: 204, body: ""),
      Empty(status: 200, body: "null"),
    ]

    var reply: LoopbackServer.Reply {
      .status(HTTP.Status(code: status), headers: [.contentType: .applicationJSON], body: Data(body.utf8))
    }
  }

  private let folder: TemporaryFolder
  private let server: LoopbackServer

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
  }

  private var database: String { folder.path("store.db") }

  /// Writes a configuration file with one listing of `/rows`.
  private func file(_ pages: String?, missing: String = "deleted", more: String = "") throws -> String {
    let pages = pages.map { #", "pages": \#($0)"# } ?? ""
    let listing =
      #""name": "m", "path": "rows", "table": "M", "keys": ["id"], "items": "value", "missing": "\#(missing)"\#(pages)\#(more)"#
    let path = folder.path("pull.json")
    let text = #"{"base_url": "\#(server.url.absoluteString)", "into": "\#(database)", "listings": [{\#(listing)}]}"#
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func ids() throws -> [Int64] {
    var ids: [Int64] = []
    try SQLiteConnection(.file(database)).query(#"SELECT id FROM "M" ORDER BY id"#, []) { row in
      if case .integer(let id)? = try row.values().first { ids.append(id) }
      return .goOn
    }
    return ids
  }

  /// Serves `first`, and another reply for all other pages.
  private func serve(_ first: LoopbackServer.Reply, then other: LoopbackServer.Reply = .status(500)) {
    server.on(.get, "/rows") { request in
      let number = request.query["page"] ?? request.query["after"] ?? "1"
      return number == "1" ? first : other
    }
  }

  /// Stores the rows 1 to 3, which the tested listings lack.
  private func fill() async throws {
    serve(.json(#"{"value": [{"id": 1}, {"id": 2}, {"id": 3}]}"#))
    #expect(await anvil("pull", try file(nil)).status == 0)
    #expect(try ids() == [1, 2, 3])
  }

  private static let paginations: [String?] = [
    nil, #"{"by": "link"}"#, #"{"by": "next_url", "path": "next"}"#,
    #"{"by": "next_url", "path": "next", "optional": true}"#, #"{"by": "next_url", "path": "$.next"}"#,
    #"{"by": "cursor", "parameter": "after", "path": "next"}"#,
    #"{"by": "cursor", "parameter": "after", "path": "next", "optional": true}"#,
    #"{"by": "page", "parameter": "page"}"#, #"{"by": "offset", "parameter": "page", "first": 1}"#,
    #"{"by": "page", "parameter": "page", "path": "more"}"#,
    #"{"by": "offset", "parameter": "page", "first": 1, "path": "more"}"#,
  ]

  @Test(arguments: paginations, Empty.all) func aFirstPageWithoutContentRemovesNoRows(
    pages: String?, empty: Empty
  ) async throws {
    try await fill()
    serve(empty.reply)
    let file = try file(pages)
    for _ in 0..<2 {
      let outcome = await anvil("pull", file)
      #expect(outcome.status == 0)
      #expect(
        outcome.output == """
          m: 1 page, 0 inserted, 0 updated, 0 unchanged, 0 deleted, missing rows kept: page 1 has no content\n
          """)
      #expect(try ids() == [1, 2, 3])
    }
    // A later listing that ends with certainty removes the rows.
    serve(.json(#"{"value": [{"id": 1}], "next": null, "more": false}"#), then: .json(#"{"value": [], "more": false}"#))
    #expect(await anvil("pull", file).output.hasSuffix("2 deleted\n"))
    #expect(try ids() == [1])
  }

  @Test(
    arguments: [
      #"{"by": "next_url", "path": "next"}"#, #"{"by": "next_url", "path": "next", "optional": true}"#,
      #"{"by": "next_url", "path": "$.next"}"#, #"{"by": "cursor", "parameter": "after", "path": "cursor"}"#,
      #"{"by": "page", "parameter": "page", "path": "more"}"#,
      #"{"by": "offset", "parameter": "page", "first": 1, "path": "more"}"#,
    ], Empty.all)
  func aLaterPageWithoutContentRemovesNoRows(pages: String, empty: Empty) async throws {
    try await fill()
    let first = LoopbackServer.Reply.json(
      #"{"value": [{"id": 1}], "next": "/rows?page=2", "cursor": 2, "more": true}"#)
    serve(first, then: empty.reply)
    let file = try file(pages)
    let outcome = await anvil("pull", file)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        m: 2 pages, 0 inserted, 0 updated, 1 unchanged, 0 deleted, missing rows kept: page 2 has no content\n
        """)
    #expect(try ids() == [1, 2, 3])
    serve(first, then: .json(#"{"value": [{"id": 2}], "next": null, "cursor": null, "more": false}"#))
    #expect(await anvil("pull", file).output.hasSuffix("2 unchanged, 1 deleted\n"))
  }

  /// Without a path, only the numbers tell where numbered pages end.
  @Test(
    arguments: [
      #"{"by": "page", "parameter": "page"}"#, #"{"by": "offset", "parameter": "page", "first": 1}"#,
    ], Empty.all)
  func aLaterPageWithoutContentEndsNumberedPagesWithoutAPath(pages: String, empty: Empty) async throws {
    try await fill()
    serve(.json(#"{"value": [{"id": 1}]}"#), then: empty.reply)
    #expect(
      await anvil("pull", try file(pages)).output == "m: 2 pages, 0 inserted, 0 updated, 1 unchanged, 2 deleted\n")
  }

  @Test(arguments: Empty.all) func aLinkToAPageWithoutContentRemovesNoRows(empty: Empty) async throws {
    try await fill()
    let first = LoopbackServer.Reply.status(
      200, headers: [.contentType: .applicationJSON, .link: "</rows?page=2>; rel=\"next\""],
      body: Data(#"{"value": [{"id": 1}]}"#.utf8))
    serve(first, then: empty.reply)
    #expect(await anvil("pull", try file(nil)).output.hasSuffix("missing rows kept: page 2 has no content\n"))
    #expect(try ids() == [1, 2, 3])
  }

  /// A page whose link is refused is stored, and requested once more by the next run.
  @Test func aRepeatedFirstPageWithoutContentRemovesNoRows() async throws {
    try await fill()
    serve(
      .status(
        200, headers: [.contentType: .applicationJSON, .link: "<http://other.example/rows>; rel=\"next\""],
        body: Data(#"{"value": [{"id": 1}]}"#.utf8)))
    let file = try file(nil)
    #expect(await anvil("pull", file).status != 0)
    serve(.status(204))
    #expect(await anvil("pull", file).output.hasSuffix("missing rows kept: page 1 has no content\n"))
    #expect(try ids() == [1, 2, 3])
  }

  @Test func aListWithoutRowsInAPageIsComplete() async throws {
    for page in [#"{"value": [], "next": null, "more": false}"#, #"{"value": null, "next": null, "more": false}"#] {
      for pages in Self.paginations {
        try await fill()
        serve(.json(page))
        #expect(await anvil("pull", try file(pages)).output.hasSuffix("3 deleted\n"))
      }
    }
  }

  /// A server that has failed may write null for a list. Only what states the end, or has no other end, is complete.
  @Test(arguments: [
    (#"{"by": "next_url", "path": "next"}"#, #"{"value": null}"#, true),
    (#"{"by": "next_url", "path": "next"}"#, #"{"value": null, "next": null}"#, false),
    (#"{"by": "next_url", "path": "next"}"#, #"{"value": [], "errors": 1}"#, false),
    (#"{"by": "cursor", "parameter": "after", "path": "cursor"}"#, #"{"value": null}"#, true),
    (#"{"by": "cursor", "parameter": "after", "path": "cursor"}"#, #"{"value": null, "cursor": ""}"#, false),
    (#"{"by": "link"}"#, #"{"value": null}"#, true),
    (#"{"by": "page", "parameter": "page"}"#, #"{"value": null}"#, false),
    (#"{"by": "page", "parameter": "page", "path": "more"}"#, #"{"value": null, "more": false}"#, false),
  ])
  func aNullListOfALaterPageIsTheEndIfNothingElseCanBe(pages: String, last: String, isDoubtful: Bool) async throws {
    try await fill()
    serve(
      .status(
        200, headers: [.contentType: .applicationJSON, .link: "</rows?page=2>; rel=\"next\""],
        body: Data(#"{"value": [{"id": 1}], "next": "/rows?page=2", "cursor": 2, "more": true}"#.utf8)),
      then: .json(last))
    let note = isDoubtful ? ", missing rows kept: page 2 has null at value, and names no next page" : ""
    let outcome = await anvil("pull", try file(pages))
    #expect(outcome.status == 0)
    #expect(
      outcome.output == "m: 2 pages, 0 inserted, 0 updated, 1 unchanged, \(isDoubtful ? 0 : 2) deleted\(note)\n")
  }

  /// The page before has stated that there is a next page.
  @Test(
    arguments: [
      #"{"by": "page", "parameter": "page", "path": "more"}"#,
      #"{"by": "offset", "parameter": "page", "first": 1, "path": "more"}"#,
    ], [404, 416])
  func anErrorAfterAPageThatStatesANextPageIsNoEnd(pages: String, status: Int) async throws {
    try await fill()
    serve(.json(#"{"value": [{"id": 1}], "more": true}"#), then: .status(HTTP.Status(code: status)))
    #expect(await anvil("pull", try file(pages)).status != 0)
    #expect(try ids() == [1, 2, 3])
    serve(.json(#"{"value": [{"id": 1}], "more": true}"#), then: .json(#"{"value": [{"id": 2}], "more": false}"#))
    #expect(await anvil("pull", try file(pages)).output.hasSuffix("1 deleted\n"))
    #expect(try ids() == [1, 2])
  }

  /// Some servers have no content if nothing has changed.
  @Test func noContentIsNoDoubtIfNoRowsWouldBeRemoved() async throws {
    serve(.json(#"{"value": [{"id": 1, "at": 5}]}"#))
    for missing in ["kept", "deleted"] {
      let file = try file(nil, missing: missing, more: #", "cursor": {"field": "at", "parameter": "since"}"#)
      serve(.json(#"{"value": [{"id": 1, "at": 5}]}"#))
      #expect(await anvil("pull", file).status == 0)
      serve(.status(204))
      #expect(!(await anvil("pull", file).output.contains("no content")))
      #expect(server.requests.last?.query["since"] == "5")
    }
  }

  @Test func aPageWithoutContentDoesNotAdvanceTheCursor() async throws {
    let file = try file(
      #"{"by": "next_url", "path": "next"}"#, missing: "kept",
      more: #", "cursor": {"field": "at", "parameter": "since"}"#)
    serve(.json(#"{"value": [{"id": 1, "at": 5}], "next": "/rows?page=2"}"#), then: .status(204))
    for _ in 0..<2 { #expect(await anvil("pull", file).output.hasSuffix("0 deleted, page 2 has no content\n")) }
    #expect(server.requests.allSatisfy { $0.query["since"] == nil })
  }

  @Test(arguments: ["-1", "2", "0.5"]) func aNumberIsNoURL(number: String) async throws {
    try await fill()
    serve(.json(#"{"value": [{"id": 1}], "next": \#(number)}"#))
    for path in ["next", "$.next"] {
      let outcome = await anvil("pull", try file(#"{"by": "next_url", "path": "\#(path)"}"#))
      #expect(outcome.status == 5)
      #expect(outcome.error == "anvil: m: the next page at next is a number, but must be a string or null\n")
    }
    #expect(try ids() == [1, 2, 3])
  }
}
