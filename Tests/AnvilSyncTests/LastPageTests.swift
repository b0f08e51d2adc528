import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Errors for the page after the last one.
@Suite(.timeLimit(.minutes(2)), .serialized) struct LastPageTests {
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
      report = try await store.store.run(pull(by: pagination), sharing: .leases())
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
}
