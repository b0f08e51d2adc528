import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Listings whose servers do not say clearly where they end, and rows that differ from the others.
@Suite(.timeLimit(.minutes(15)), .serialized) struct ListingEndTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  private func serve(_ reply: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply) {
    listing.server.on(.get, "/rows", reply)
  }

  private func plan(
    by pagination: Pagination<JSON>, items: JSON.Path = JSON.Path(), keys: [String] = ["id"],
    cursor: PullCursor? = nil, missing: MissingRows = .kept
  ) -> PullPlan {
    PullPlan(
      name: "rows", partitions: ["": listing.gateway.request("rows")], pagination: pagination, items: items,
      cursor: cursor, missing: missing, tombstone: nil, rows: ObjectPullRows(entity: "Row", keys: keys))
  }

  private func ids(_ store: OpenedStore) async throws -> [Int] {
    try await store.store.context.read { try $0.fetch(Int.self, sql: #"SELECT id FROM "Row" ORDER BY id"#) }
  }

  // MARK: Cursors

  /// Solr and Crossref repeat the cursor on the page after the last one.
  @Test(arguments: SyncBackend.available) func theSameCursorOnAPageWithoutRowsIsTheEnd(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    serve { request in
      switch request.query["mark"] {
      case nil: .json(#"{"docs": [{"id": 1}], "next": "b"}"#)
      case "b": .json(#"{"docs": [{"id": 2}], "next": "c"}"#)
      default: .json(#"{"docs": [], "next": "c"}"#)
      }
    }
    for _ in 0..<2 {
      let plan = plan(by: .cursor("mark") { $0["next"]?.string }, items: "docs", missing: .deleted)
      let report = try await store.store.run(plan)
      #expect(report.pages == 3 && report.missingRows == .deleted && report.counts.deleted == 0)
    }
    #expect(listing.targets.count == 6)
  }

  @Test func theSameCursorOnAPageWithRowsIsAnError() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { _ in .json(#"{"docs": [{"id": 1}], "next": "b"}"#) }
    let plan = plan(by: .cursor("mark") { $0["next"]?.string }, items: "docs", keys: [])
    for _ in 0..<3 { await #expect(throws: PaginationError.self) { try await store.store.run(plan) } }
    // The first page and the one that repeats the cursor; later runs store nothing again.
    #expect(try await ids(store).count == 2)
  }

  @Test func aLinkToThePageItselfIsTheEndIfThePageHasNoRows() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { request in
      request.query["page"] == nil
        ? .json(#"{"rows": [{"id": 1}], "next": "/rows?page=2"}"#) : .json(#"{"rows": [], "next": "/rows?page=2"}"#)
    }
    let report = try await store.store.run(plan(by: .nextURL { $0["next"]?.string }, items: "rows", missing: .deleted))
    #expect(report.pages == 2 && report.missingRows == .deleted)
  }

  @Test func aLinkToThePageItselfIsAnErrorIfThePageHasRows() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { _ in .json(#"{"rows": [{"id": 1}], "next": "/rows"}"#) }
    let plan = plan(by: .nextURL { $0["next"]?.string }, items: "rows", keys: [])
    for _ in 0..<2 { await #expect(throws: PaginationError.self) { try await store.store.run(plan) } }
    #expect(try await ids(store) == [1])
    #expect(listing.targets.count == 2)
  }

  @Test(arguments: [
    (#""next""#, "next.href: next is a string, but must be an object or null"),
    ("[1]", "next.href: next is an array, but must be an object or null"),
    ("false", "next.href: next is a boolean, but must be an object or null"),
  ])
  func anotherKindOnTheWayToTheNextPageIsNotTheEnd(next: String, message: String) async throws {
    serve { request in
      request.query["after"] == nil
        ? .json(#"{"rows": [{"id": 1}], "next": {"href": "/rows?after=2"}}"#)
        : .json(#"{"rows": [{"id": 2}], "next": \#(next)}"#)
    }
    let pagination = Pagination<JSON>.nextURL(at: ["next", "href"])
    let store = try await SyncDatabase(.sqlite).opened()
    let error = await #expect(throws: PaginationError.self) {
      try await store.store.run(plan(by: pagination, items: "rows", missing: .deleted))
    }
    #expect(error?.description == message)
    var count = 0
    let thrown = await #expect(throws: AnyError.self) {
      for try await _ in listing.gateway.request("rows").pages(of: JSON.self, by: pagination) { count += 1 }
    }
    #expect("\(thrown as Any)".contains(message))
    #expect(count == 2)
  }

  @Test func anotherKindOnTheWayInARowIsAnError() async throws {
    serve { _ in .json(#"[{"id": 1, "meta": {"at": 1}}, {"id": 2, "meta": 5}]"#) }
    let store = try await SyncDatabase(.sqlite).opened()
    var plans = [plan(by: .linkHeader, cursor: .field(["meta", "at"], parameter: "since"))]
    plans.append(
      PullPlan(
        name: "rows", partitions: ["": listing.gateway.request("rows")], pagination: .linkHeader, items: JSON.Path(),
        cursor: .none, missing: .kept, tombstone: .field(["meta", "at"]),
        rows: ObjectPullRows(entity: "Row", keys: ["id"])))
    for plan in plans {
      let error = await #expect(throws: PullError.self) { try await store.store.run(plan) }
      #expect(error?.code == .pathMismatch)
      #expect(error?.reason == "[1]: meta.at: meta is a number, but must be an object or null")
    }
  }

  // MARK: Numbers

  /// The pages that a server returns for the numbers from 1.
  @Test(arguments: [
    (["1", "1", "1"], 1), (["1", "2", "2", "2"], 2), (["1", "2", "3", "1", "2"], 3), (["1,2", "1,2"], 2),
  ])
  func aServerThatIgnoresOrLimitsNumbersIsNoticed(pages: [String], rowCount: Int) async throws {
    serve { request in
      let number = request.query["page"].flatMap { Int($0) } ?? 1
      let ids = pages[min(number, pages.count) - 1].split(separator: ",")
      return .json(
        #"{"page": \#(number), "rows": [\#(ids.map { #"{"id": \#($0)}"# }.joined(separator: ","))]}"#)
    }
    let store = try await SyncDatabase(.sqlite).opened()
    let plan = plan(by: .pageNumber("page") { $0["rows"]?.count == 0 }, items: "rows", keys: [])
    // The next runs continue at the page that was noticed.
    for _ in 0..<3 {
      let error = await #expect(throws: PaginationError.self) { try await store.store.run(plan) }
      #expect(error?.description.contains("has the same items as an earlier page") == true)
      #expect(try await ids(store).count == rowCount)
      #expect(try await store.store.pullPositions().map(\.state.isListed) == [false])
    }
    #expect(listing.targets.count <= 6)
  }

  @Test func aServerThatIgnoresOffsetsIsNoticed() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
    let plan = plan(by: .offset("offset") { $0.count }, missing: .deleted)
    await #expect(throws: PaginationError.self) { try await store.store.run(plan) }
    #expect(listing.targets == ["/rows?offset=0", "/rows?offset=2"])
  }

  @Test func pagesOfANumberedListAreDeliveredOnce() async throws {
    serve { _ in .json("[1, 2]") }
    for pagination in [Pagination<[Int]>.pageNumber("page") { $0.isEmpty }, .offset("offset") { $0.count }] {
      var items: [Int] = []
      await #expect(throws: AnyError.self) {
        for try await item in listing.gateway.request("rows").pages(of: [Int].self, by: pagination).items() {
          items.append(item)
        }
      }
      #expect(items == [1, 2])
    }
    #expect(listing.targets.count == 4)
  }

  // MARK: Empty pages

  @Test(arguments: [
    (#"{"rows": null}"#, 200), ("null", 200), ("", 204), (#"{"rows": []}"#, 200),
  ])
  func anEmptyPageEndsNumberedPages(page: String, status: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { request in
      request.query["page"] == "1"
        ? .json(#"{"rows": [{"id": 1}]}"#)
        : .status(HTTP.Status(code: status), headers: [.contentType: .applicationJSON], body: Data(page.utf8))
    }
    for _ in 0..<2 {
      let plan = plan(by: .pageNumber("page") { ($0["rows"]?.count ?? 0) == 0 }, items: "rows", missing: .deleted)
      let report = try await store.store.run(plan)
      #expect(report.pages == 2 && report.missingRows == .deleted)
    }
    #expect(try await ids(store) == [1])
  }

  /// A page that the page before it names has content, unless the server fails.
  @Test(arguments: SyncBackend.available, [("null", 200), ("", 200), ("", 204)])
  func aPageWithoutContentIsNoCertainEndOfLinkedPages(
    _ backend: SyncBackend, empty: (page: String, status: Int)
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    serve { _ in .json(#"{"rows": [{"id": 1}, {"id": 2}]}"#) }
    #expect(try await store.store.run(plan(by: .linkHeader, items: "rows")).counts.inserted == 2)
    serve { request in
      request.query["after"] == nil
        ? .json(#"{"rows": [{"id": 1}], "url": "/rows?after=b", "next": "b"}"#)
        : .status(
          HTTP.Status(code: empty.status), headers: [.contentType: .applicationJSON], body: Data(empty.page.utf8))
    }
    let paginations: [Pagination<JSON>] = [
      .nextURL(at: "url"), .cursor("after", at: "next"), .nextURL { $0["url"]?.string },
      .cursor("after") { $0["next"]?.string },
    ]
    for pagination in paginations {
      let plan = plan(by: pagination, items: "rows", missing: .deleted)
      for leases in [nil, Duration.seconds(30)] {
        let report = try await store.store.run(plan, leases: leases)
        #expect(report.missingRows == .keptAfterUncertainEnd && report.uncertainEnd == "page 2 has no content")
        #expect(report.pages == 2)
      }
    }
    #expect(try await ids(store) == [1, 2])
  }

  @Test(arguments: [#"{"next": "c"}"#, #"{"rows": null, "next": "c"}"#]) func aPageWithoutTheListBesideACursorIsEmpty(
    page: String
  ) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { request in
      switch request.query["after"] {
      case nil: .json(#"{"rows": [{"id": 1}], "next": "b"}"#)
      case "b": .json(page)
      default: .json(#"{"rows": [{"id": 2}]}"#)
      }
    }
    #expect(try await store.store.run(plan(by: .cursor("after") { $0["next"]?.string }, items: "rows")).pages == 3)
    #expect(try await ids(store) == [1, 2])
  }

  @Test(arguments: [#"{"row": []}"#, #"{"rows": {"id": 1}}"#, #"{"rows": "x"}"#, "{}"])
  func aPageWithoutTheListAtTheEndIsAnError(page: String) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { _ in .json(page) }
    let error = await #expect(throws: PullError.self) {
      try await store.store.run(plan(by: .pageNumber("page") { ($0["rows"]?.count ?? 0) == 0 }, items: "rows"))
    }
    #expect(error?.code == .noList)
  }

  @Test(arguments: [("null", 200), ("", 204), ("[]", 200)]) func anEmptyPageEndsAList(
    page: String, status: Int
  ) async throws {
    serve { request in
      request.query["page"] == "1"
        ? .json("[1, 2]")
        : .status(HTTP.Status(code: status), headers: [.contentType: .applicationJSON], body: Data(page.utf8))
    }
    let pages = listing.gateway.request("rows").pages(of: [Int].self, by: .pageNumber("page") { $0.isEmpty })
    var items: [Int] = []
    for try await item in pages.items() { items.append(item) }
    #expect(items == [1, 2])
    #expect(listing.targets.count == 2)
  }

  // MARK: Rows

  @Test(arguments: SyncBackend.available) func aMemberMayChangeTheCaseOfItsName(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    serve { _ in .json(#"[{"id": 1, "name": "a"}, {"ID": 2, "Name": "b"}, {"Id": 3, "NAME": "c", "age": 5}]"#) }
    for isFirst in [true, false] {
      let report = try await store.store.run(plan(by: .linkHeader, missing: .deleted))
      #expect(report.skipped == [])
      #expect(report.counts == (isFirst ? .init(inserted: 3) : .init(unchanged: 3)))
    }
    serve { _ in .json(#"[{"Id": 3, "NAME": "c"}, {"id": 4, "name": "x", "Name": "y"}]"#) }
    let report = try await store.store.run(plan(by: .linkHeader, missing: .deleted))
    #expect(report.counts == .init(unchanged: 1, deleted: 2))
    #expect(
      report.skipped.map(\.description) == ["page 1, [1]: a database does not distinguish the names name and Name"])
    #expect(try await ids(store) == [3])
  }

  /// Serves three rows, the second of which has `count` members with numbers.
  private func serveRow(withMembers count: Int) {
    let members = (1..<count).map { #""m\#($0)": \#($0)"# }.joined(separator: ",")
    serve { _ in .json(#"[{"id": 1, "m1": 1}, {"id": 2, \#(members)}, {"id": 3}]"#) }
  }

  @Test(arguments: SyncBackend.available, [998, 999, 1_000]) func aRowMayHaveManyMembers(
    _ backend: SyncBackend, count: Int
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    serveRow(withMembers: count)
    #expect(try await store.store.run(plan(by: .linkHeader)).counts == .init(inserted: 3))
    #expect(try await store.store.run(plan(by: .linkHeader)).counts == .init(unchanged: 3))
  }

  /// A row of PostgreSQL must fit a page of 8 KB, so it holds about 1,000 numbers of 8 bytes. SQLite has only a limit of columns.
  @Test(arguments: SyncBackend.available) func aRowThatIsTooLargeForTheDatabaseIsSkipped(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    serveRow(withMembers: 1_400)
    let report = try await store.store.run(plan(by: .linkHeader))
    switch backend {
    case .sqlite:
      #expect(report.counts == .init(inserted: 3))
      #expect(report.skipped == [])
    case .postgres:
      #expect(report.counts == .init(inserted: 2))
      #expect(try await ids(store) == [1, 3])
      let skipped = try #require(report.skipped.first)
      #expect(report.skippedCount == 1)
      #expect(skipped.description.hasPrefix("page 1, [1]: too large for the database: row is too big: "))
    }
  }

  @Test(arguments: [#"{"id": 2}"#, #"{"id": 2, "at": null}"#]) func aRowWithoutTheCursorsFieldIsStored(
    row: String
  ) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve { _ in .json(#"[{"id": 1, "at": 5}, \#(row), {"id": 3, "at": 4}]"#) }
    let plan = plan(by: .linkHeader, cursor: .field("at", parameter: "since"))
    for _ in 0..<2 {
      let report = try await store.store.run(plan)
      #expect(report.skippedCount == 0 && report.rowsWithoutCursor == 1)
    }
    #expect(listing.targets.last == "/rows?since=5")
    #expect(try await ids(store) == [1, 2, 3])
  }
}
