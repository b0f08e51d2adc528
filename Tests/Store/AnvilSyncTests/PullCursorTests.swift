import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Runs that request only what has changed.
@Suite(.timeLimit(.minutes(15)), .serialized) struct PullCursorTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  @Test(arguments: SyncBackend.available) func theNextRunRequestsOnlyNewerRows(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let pull = listing.pull(cursor: .field("updated", parameter: "since"))
    listing.serve((1...25).map { Member($0) })
    #expect(try await store.store.run(pull).counts.inserted == 25)
    listing.serve((1...40).map { Member($0) })
    let report = try await store.store.run(pull)
    // The row with the highest value is included again.
    #expect(report.counts.inserted == 15)
    #expect(report.counts.unchanged == 1)
    #expect(
      listing.targets == [
        "/members", "/members?page=2", "/members?page=3", "/members?since=24", "/members?page=2&since=24",
      ])
    #expect(try await store.store.run(pull).counts.unchanged == 1)
    #expect(listing.targets.last == "/members?since=39")
    try await store.store.forgetPosition(of: pull)
    #expect(try await store.store.run(pull).counts.unchanged == 40)
  }

  @Test func deletedRowsNeedNoCursor() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let pull = listing.pull(cursor: .field("updated", parameter: "since"), tombstone: .field("deleted"))
    listing.serve([Member(1), Member(2)])
    try await store.store.run(pull)
    listing.serve(texts: [#"{"id": 3, "name": "c", "updated": 5}"#, #"{"id": 1, "deleted": true}"#])
    listing.change { for index in $0.rows.indices { $0.rows[index].updated = 5 } }
    let report = try await store.store.run(pull)
    #expect(report.counts == StoreChanges.Counts(inserted: 1, deleted: 1))
    #expect(try await store.store.members.map(\.id) == [2, 3])
  }

  @Test func aChangedCursorRuleDiscardsTheOldCursor() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve((1...5).map { Member($0) })
    let incremental = listing.pull(cursor: .field("updated", parameter: "since"), missing: .deleted)
    try await store.store.run(incremental)
    listing.serve((1...3).map { Member($0) })
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(report.missingRows == .deleted)
    #expect(report.counts.deleted == 2)
    #expect(listing.targets == ["/members", "/members"])
    try await store.store.run(incremental)
    #expect(listing.targets.last == "/members")
  }

  /// The values of pages before an interruption count only when the whole listing is there: it may be in any order.
  @Test func anInterruptedRunKeepsItsCursor() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let pull = listing.pull(cursor: .field("updated", parameter: "since"))
    listing.serve((1...5).map { Member($0) })
    try await store.store.run(pull)
    listing.serve((1...40).map { Member($0) })
    listing.change { state in
      state.rows.reverse()
      state.failures = [3: 500]
    }
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull) }
    #expect(listing.targets.last == "/members?page=3&since=4")
    listing.change { $0.failures = [:] }
    #expect(try await store.store.run(pull).resumedCount == 1)
    #expect(listing.targets.last == "/members?page=4&since=4")
    #expect(try await store.store.context.count(Member.self) == 40)
    try await store.store.run(pull)
    #expect(listing.targets.last == "/members?since=39")
  }

  @Test func cursorsAreComparedByValue() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    for (index, (values, highest)) in [
      ([#""2026-01-02T00:00:00.5Z""#, #""2026-01-02T00:00:00Z""#], "2026-01-02T00:00:00.5Z"),
      ([#""2026-01-02T00:30:00+02:00""#, #""2026-01-01T23:00:00Z""#], "2026-01-01T23:00:00Z"),
      ([#""10""#, #""9""#], "10"), (["9007199254740993", "9007199254740992"], "9007199254740993"),
      (["1.5", "1.25"], "1.5"), ([#""b""#, #""B""#], "b"),
    ].enumerated() {
      listing.server.on(.get, "/\(index)") { _ in
        .json(
          "[" + values.enumerated().map { #"{"id": \#($0), "name": "n", "at": \#($1)}"# }.joined(separator: ",") + "]")
      }
      let pull = Pull(
        "\(index)", listing.gateway.request("\(index)"), of: Member.self, by: .linkHeader,
        cursor: .field("at", parameter: "since"))
      try await store.store.run(pull)
      try await store.store.run(pull)
      #expect(listing.server.requests.last?.query["since"] == highest)
    }
  }

  /// One wrong clock must not hide all later changes.
  @Test(arguments: [
    ([#""2999-01-01T00:00:00Z""#, #""2026-01-02T00:00:00Z""#, #""2026-01-01T00:00:00Z""#], "2026-01-02T00:00:00Z", 1),
    ([#""2026-01-02""#, #""2999-01-01""#, #""2888-01-01""#], "2026-01-02", 2),
    ([#""2999-01-01T00:00:00Z""#], nil, 1), (["2999", "1"], "2999", 0), ([#""2999-x""#, #""1""#], "2999-x", 0),
  ])
  func aDateInTheFutureIsReportedAndIsNotThePosition(values: [String], since: String?, count: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/at") { _ in
      .json(
        "[" + values.enumerated().map { #"{"id": \#($0), "name": "n", "at": \#($1)}"# }.joined(separator: ",") + "]")
    }
    let pull = Pull(
      "at", listing.gateway.request("at"), of: Member.self, by: .linkHeader,
      cursor: .field("at", parameter: "since"))
    let report = try await store.store.run(pull)
    #expect(report.counts.inserted == values.count)
    #expect(report.futureCursorCount == count)
    #expect("\(report)".contains("in the future") == (count > 0))
    try await store.store.run(pull)
    #expect(listing.server.requests.last?.query["since"] == since)
  }

  /// An earlier version may have taken it.
  @Test func aStoredPositionInTheFutureIsDiscarded() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/at") { _ in .json(#"[{"id": 1, "name": "n", "at": "2026-01-02T00:00:00Z"}]"#) }
    let pull = Pull(
      "at", listing.gateway.request("at"), of: Member.self, by: .linkHeader,
      cursor: .field("at", parameter: "since"))
    try await store.store.run(pull)
    try await store.store.perform { transaction in
      _ = try transaction.execute("UPDATE anvil_pulls SET state = replace(state, '2026-01-02', '2999-01-02')")
    }
    try await store.store.run(pull)
    #expect(listing.targets.last == "/at")
    try await store.store.run(pull)
    #expect(listing.server.requests.last?.query["since"] == "2026-01-02T00:00:00Z")
  }

  /// A row on a page that was read already changes, and its value is below the highest one.
  @Test(arguments: SyncBackend.available) func anOverlapFindsChangesDuringTheListing(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((0..<20).map { Member($0) })
    listing.change { $0.rows.swapAt(0, 19) }
    let pull = Pull(
      "members", listing.gateway.request("members"), of: Member.self, by: .linkHeader,
      cursor: .field("updated", parameter: "since", overlap: 8))
    try await store.store.run(pull)
    listing.change { state in
      state.rows[3] = .init(json: ListingServer.json(Member(3, "changed"), updated: 12), updated: 12)
    }
    let report = try await store.store.run(pull)
    #expect(listing.targets.last == "/members?since=11")
    #expect(report.counts.updated == 1 && report.counts.unchanged == 9)
    #expect(try await store.store.members[3].name == "changed")
  }

  @Test(arguments: [
    (#""2026-03-01T00:04:00.250+02:00""#, "2026-02-28T23:59:00.250+02:00"), (#""2026-01-01""#, "2025-12-31"),
    (#""2026-01-01 00:00:10Z""#, "2025-12-31 23:55:10Z"), (#""2026-01-01T00:02""#, "2025-12-31T23:57"),
    ("1000", "700"), (#""1000""#, "700"), ("1000.5", "700.5"),
    (#""00001000""#, "00000700"), (#""+1000""#, "+700"), (#""0012""#, "0000"), (#""-1000""#, "-1300"),
  ]) func anOverlapKeepsTheFormatOfTheValue(value: String, since: String) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/at") { _ in .json(#"[{"id": 1, "name": "n", "at": \#(value)}]"#) }
    let pull = Pull(
      "at", listing.gateway.request("at"), of: Member.self, by: .linkHeader,
      cursor: .field("at", parameter: "since", overlap: 300))
    for _ in 0..<2 { try await store.store.run(pull) }
    #expect(listing.server.requests.last?.query["since"] == since)
  }

  @Test func anOverlapNeedsDatesOrNumbers() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a", "updated": "x"}"#])
    let error = await #expect(throws: PullError.self) {
      try await store.store.run(listing.pull(cursor: .field("updated", parameter: "since", overlap: 1)))
    }
    #expect(error?.description == "pull members, page 1: updated is text, but an overlap requires numbers or dates")
    let negative = await #expect(throws: PullError.self) {
      try await store.store.run(listing.pull(cursor: .field("updated", parameter: "since", overlap: -1)))
    }
    #expect(negative?.code == .invalidPull)
  }

  @Test(arguments: [
    (
      #"{"id": 2, "name": "b", "updated": [1]}"#, PullError.Code.cursorNotComparable,
      "[1].updated is of type array, but a cursor requires numbers or text"
    ),
    (
      #"{"id": 2, "name": "b", "updated": "x"}"#, .cursorNotComparable,
      "[1].updated cannot be compared with the values before it (type string)"
    ),
  ]) func aCursorThatCannotBeComparedIsAnError(row: String, code: PullError.Code, reason: String) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a", "updated": 1}"#, row])
    let pull = listing.pull(cursor: .field("updated", parameter: "since"))
    let error = await #expect(throws: PullError.self) { try await store.store.run(pull) }
    #expect(error?.code == code)
    #expect(error?.description == "pull members, page 1: \(reason)")
    #expect(try await store.store.members == [])
  }

  @Test func aCursorThatNoRowHasIsAnError() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a"}"#, #"{"id": 2, "name": "b"}"#])
    let pull = listing.pull(cursor: .field("updated", parameter: "since"))
    let error = await #expect(throws: PullError.self) { try await store.store.run(pull) }
    #expect(error?.code == .cursorMissing)
    #expect(error?.description == "pull members, page 1: no row has a value at updated, but the cursor requires it")
    listing.serve(texts: [#"{"id": 1, "name": "a", "updated": null}"#])
    #expect(try await store.store.run(pull).rowsWithoutCursor == 1)
    listing.serve(texts: [])
    #expect(try await store.store.run(pull).rowsWithoutCursor == 0)
  }

  @Test(arguments: SyncBackend.available) func anUnchangedListingIsNotRequestedAgain(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...15).map { Member($0) })
    listing.change { $0.entityTag = #""v1""# }
    let pull = listing.pull(cursor: .entityTag, missing: .deleted)
    let first = try await store.store.run(pull)
    #expect(first.pages == 2 && first.missingRows == .deleted && !first.isNotModified)
    let second = try await store.store.run(pull)
    #expect(second.isNotModified)
    #expect("\(second)" == "not modified")
    #expect(listing.targets.count == 3)
    #expect(try await store.store.context.count(Member.self) == 15)
    listing.serve((2...16).map { Member($0) })
    listing.change { $0.entityTag = #""v2""# }
    let third = try await store.store.run(pull)
    #expect(third.counts.inserted == 1 && third.counts.deleted == 1)
    #expect(try await store.store.members == (2...16).map { Member($0) })
  }
}
