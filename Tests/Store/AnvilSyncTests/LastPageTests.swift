import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// The end of listings: errors for the page after the last one, and links that are refused.
@Suite(.timeLimit(.minutes(15)), .serialized) struct LastPageTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  /// Serves full pages of two rows at `/numbered`, and an error after the last.
  private func serve(_ ids: [Int], then status: Int) {
    listing.server.on(.get, "/numbered") { request in
      func value(_ name: String) -> Int? { request.query[name].flatMap { Int($0) } }
      let first = value("offset") ?? ((value("page") ?? 1) - 1) * 2
      let rows = ids.dropFirst(first).prefix(2).map { #"{"id": \#($0), "name": "m\#($0)"}"# }
      guard !rows.isEmpty else { return .status(HTTP.Status(code: status)) }
      return .json("[\(rows.joined(separator: ","))]")
    }
  }

  private func pull(by pagination: Pagination<JSON>, missing: MissingRows = .deleted) -> Pull<Member> {
    Pull("numbered", listing.gateway.request("numbered"), of: Member.self, by: pagination, missing: missing)
  }

  private static let pages = Pagination<JSON>.pageNumber("page") { $0.count == 0 }
  private static let offsets = Pagination<JSON>.offset("offset") { $0.count }

  @Test(arguments: SyncBackend.available, [404, 416]) func aMissingPageEndsNumberedPages(
    _ backend: SyncBackend, status: Int
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    for pagination in [Self.pages, Self.offsets] {
      serve([1, 2, 3, 4], then: status)
      var report = try await store.store.run(pull(by: pagination))
      #expect(report.pages == 2 && report.restartedCount == 0)
      #expect(report.missingRows == .deleted)
      serve([1, 4], then: status)
      report = try await store.store.run(pull(by: pagination), leases: .seconds(30))
      #expect(report.pages == 1)
      #expect(report.counts == StoreChanges.Counts(unchanged: 2, deleted: 2))
      #expect(try await store.store.members.map(\.id) == [1, 4])
    }
  }

  @Test(arguments: [400, 403, 410, 500]) func otherErrorsDoNotEndNumberedPages(status: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve([1, 2, 3, 4], then: status)
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull(by: Self.pages)) }
    #expect(try await store.store.pullPositions().map(\.state.isListed) == [false])
  }

  @Test func aMissingFirstPageIsAnError() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve([], then: 404)
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull(by: Self.pages)) }
    #expect(listing.targets.count == 1)
  }

  @Test func aMissingPageDoesNotEndLinkedPages() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve([1, 2], then: 404)
    let cursors = Pagination<JSON>.cursor("offset") { _ in "2" }
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull(by: cursors)) }
    #expect(try await store.store.pullPositions().map(\.state.isListed) == [false])
  }

  /// Serves two rows a page, with a flag that states whether there is a next page.
  private func serveFlags(then status: Int) {
    listing.server.on(.get, "/numbered") { request in
      switch request.query["page"] {
      case "1": .json(#"{"rows": [{"id": 1, "name": "m1"}], "more": true}"#)
      default: .status(HTTP.Status(code: status))
      }
    }
  }

  private func flagged(by pagination: Pagination<JSON>) -> Pull<Member> {
    Pull(
      "numbered", listing.gateway.request("numbered"), of: Member.self, by: pagination, items: "rows",
      missing: .deleted)
  }

  @Test(arguments: [404, 416, 204]) func aMissingPageThatWasAnnouncedIsNoEnd(status: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serveFlags(then: status)
    let pull = flagged(by: .pageNumber("page", hasNextAt: "more"))
    if status == 204 {
      let report = try await store.store.run(pull)
      #expect(report.missingRows == .keptAfterUncertainEnd && report.uncertainEnd == "page 2 has no content")
    } else {
      await #expect(throws: TransportFailure.self) { try await store.store.run(pull) }
      #expect(try await store.store.pullPositions().map(\.state.isListed) == [false])
    }
  }

  /// The guide says so: a closure may look at a flag or at the rows, which a pull does not know.
  @Test(arguments: [404, 416, 204]) func aMissingPageAfterAClosureIsTheEnd(status: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serveFlags(then: status)
    let report = try await store.store.run(flagged(by: .pageNumber("page") { $0["more"]?.bool != true }))
    #expect(report.missingRows == .deleted && report.uncertainEnd == nil)
  }

  /// The position of an earlier run may be rejected because the whole listing is gone.
  @Test func aMissingPageAfterAnInterruptionRestartsTheListing() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serve([1, 2, 3, 4], then: 500)
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull(by: Self.pages)) }
    serve([], then: 404)
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull(by: Self.pages)) }
    #expect(try await store.store.members.map(\.id) == [1, 2, 3, 4])
    serve([1, 2, 3], then: 404)
    #expect(try await store.store.run(pull(by: Self.pages)).counts == StoreChanges.Counts(unchanged: 3, deleted: 1))
  }

  // MARK: Links

  /// Serves two pages of two rows. The first page's link leads to `link`.
  private func serveLinks(_ link: String) {
    listing.server.on(.get, "/linked") { request in
      let isFirst = request.query["page"] == nil
      let ids = isFirst ? [1, 2] : [3, 4]
      let rows = ids.map { #"{"id": \#($0), "name": "m\#($0)"}"# }.joined(separator: ",")
      return .status(
        200, headers: isFirst ? [.link: HTTP.HeaderValue(rawValue: "<\(link)>; rel=next")] : [:],
        body: Data("[\(rows)]".utf8))
    }
  }

  private func linked(keys: [String]) -> PullPlan {
    PullPlan(
      name: "linked", partitions: ["": listing.gateway.request("linked")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: keys.isEmpty ? .kept : .deleted, tombstone: nil,
      rows: ObjectPullRows(entity: "Linked", keys: keys))
  }

  @Test(arguments: SyncBackend.available, [["id"], []]) func thePageWithARefusedLinkIsStored(
    _ backend: SyncBackend, keys: [String]
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    func ids() async throws -> [Int] {
      try await store.store.context.read { try $0.fetch(Int.self, sql: #"SELECT id FROM "Linked" ORDER BY id"#) }
    }
    for link in ["http://other.example/linked?page=2", "http://[", "http://other.example/linked?page=2"] {
      serveLinks(link)
      await #expect(throws: PaginationError.self) { try await store.store.run(linked(keys: keys)) }
      #expect(try await ids() == [1, 2])
      #expect(try await store.store.pullPositions().map(\.state.isListed) == [false])
      #expect(try await store.store.pullPositions().map(\.state.pages) == [1])
    }
    serveLinks("/linked?page=2")
    let report = try await store.store.run(linked(keys: keys))
    #expect(report.counts.inserted == 2 && report.resumedCount == 1)
    #expect(try await ids() == [1, 2, 3, 4])
    #expect(report.missingRows == (keys.isEmpty ? .kept : .deleted))
    #expect(report.counts.deleted == 0)
  }
}
