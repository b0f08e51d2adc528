import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Rows with escapes of unpaired surrogates, which no text can contain.
@Suite(.timeLimit(.minutes(15)), .serialized) struct DamagedRowTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  private func plan(items: JSON.Path = JSON.Path(), cursor: PullCursor? = nil) -> PullPlan {
    PullPlan(
      name: "members", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: items,
      cursor: cursor, missing: .deleted, tombstone: nil, rows: ObjectPullRows(entity: "A", keys: ["id"]))
  }

  @Test(arguments: SyncBackend.available) func onlyTheRowsWithHalvesOfPairsAreSkipped(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...9).map { Member($0) })
    try await store.store.run(listing.pull(missing: .deleted))
    listing.serve(texts: [
      #"{"id": 1, "name": "\ud83d\ude00"}"#, #"{"id": 2, "name": "\\ud800"}"#, #"{"id": 3, "name": "a\ud800b"}"#,
      #"{"id": 4, "name": "\uDC00\ud800\ud801\udc00"}"#,
      #"{"id": 5, "name": "a", "badges": [{"color": "r"}, {"color": "\udead"}]}"#,
      #"{"id": 6, "name": "\ud800\n", "\udc01": 1}"#, #"{"id": 7, "name": "é\\\ud800"}"#, #"{"id": 8, "name": "b"}"#,
    ])
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(
      report.skipped.map(\.path) == ["[2].name", "[3].name", "[4].badges[1].color", "[5].name", "[6].name"])
    #expect(report.skippedCount == 5)
    #expect(report.skipped.first?.reason == #"the text has an unpaired surrogate (\ud800)"#)
    // Row 9 is missing, and the skipped rows are not.
    #expect(report.counts == StoreChanges.Counts(updated: 3, deleted: 1))
    #expect(
      try await store.store.members.map(\.name) == ["😀", #"\ud800"#, "m3", "m4", "m5", "m6", "m7", "b"])
  }

  @Test func rowsInAMemberOfThePageAreFound() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/members") { _ in
      .json(
        #"{"other": [{"id": 0}], "data": {"rows": [{"id": 1}, {"id": 2, "at": 9, "n": "\ud800"}, {"id": 3, "at": 2}]}}"#
      )
    }
    let report = try await store.store.run(plan(items: ["data", "rows"]))
    #expect(report.counts.inserted == 2)
    #expect(report.skipped.map(\.path) == ["[1].n"])
    // A skipped row does not advance the cursor.
    listing.server.on(.get, "/members") { _ in .json(#"[{"id": 1, "at": 1}, {"id": 2, "at": 9, "n": "\ud800"}]"#) }
    let second = try await SyncDatabase(.sqlite).opened()
    _ = try await second.store.run(plan(cursor: .field("at", parameter: "since")))
    #expect(try await second.store.pullPositions().map(\.cursorText) == ["1"])
  }

  @Test func aDamagedKeyIsUnreadable() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": "a"}"#, #"{"id": "b"}"#])
    _ = try await store.store.run(plan())
    listing.serve(texts: [#"{"id": "a"}"#, #"{"id": "\ud800"}"#])
    let report = try await store.store.run(plan())
    #expect(report.missingRows == .keptAfterUnreadableKey)
    #expect(report.counts.deleted == 0)
  }

  /// A damaged text outside of the rows may be the next page's position.
  @Test(arguments: [#"{"next": "\ud800", "rows": []}"#, #"{"rows": [{"id": 1, "n": "\ud800"}"#, #"{"rows": "\ud800"}"#])
  func otherPagesAreErrors(page: String) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/members") { _ in .json(page) }
    await #expect(throws: DecodingFailure.self) { try await store.store.run(plan(items: "rows")) }
  }
}
