import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Rows that are missing from a listing, and partitions.
@Suite(.timeLimit(.minutes(15)), .serialized) struct MissingRowTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  @Test(arguments: SyncBackend.available) func missingRowsAreRemovedAfterACompleteListing(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...25).map { Member($0) })
    #expect(try await store.store.run(listing.pull(missing: .deleted)).missingRows == .deleted)
    let rest = (1...25).filter { $0 % 3 != 0 }.map { Member($0) }
    listing.serve(rest)
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(report.counts.deleted == 8)
    #expect(report.counts.unchanged == 17)
    #expect(try await store.store.members == rest)
  }

  /// Rows of the pages before the interruption are in the listing, too, whatever the page.
  @Test(arguments: SyncBackend.available, 1...3) func anInterruptionLosesNoRows(
    _ backend: SyncBackend, page: Int
  ) async throws {
    let database = try SyncDatabase(backend)
    var store = try await database.open()
    listing.serve((1...26).map { Member($0) })
    try await store.run(listing.pull(missing: .deleted))
    let rest = (3...28).map { Member($0) }
    listing.serve(rest)
    listing.change { $0.failures = [page: 503] }
    await #expect(throws: TransportFailure.self) { try await store.run(listing.pull(missing: .deleted)) }
    // Nothing is removed before the listing is complete.
    #expect(try await store.context.count(Member.self) >= 26)
    #expect(try await store.context.fetch(Member.self, key: 1) != nil)
    await store.close()
    listing.change { $0.failures = [:] }
    store = try await database.open()
    let report = try await store.run(listing.pull(missing: .deleted))
    #expect(report.missingRows == .deleted)
    #expect(report.counts.deleted == 2)
    #expect(try await store.members == rest)
  }

  /// The keys of the pages before the change of the rule are not known.
  @Test(arguments: [false, true]) func changingTheMissingRowRuleDuringAListingDeletesNothing(
    wasListed: Bool
  ) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    if wasListed {
      listing.serve([Member(20)])
      try await store.store.run(listing.pull(missing: .deleted))
    }
    listing.serve((1...28).map { Member($0) })
    listing.change { $0.failures = [2: 503] }
    await #expect(throws: TransportFailure.self) { try await store.store.run(listing.pull()) }
    listing.change { $0.failures = [:] }
    #expect(try await store.store.run(listing.pull(missing: .deleted)).missingRows == .keptAfterPartialListing)
    #expect(try await store.store.context.count(Member.self) == 28)
    listing.serve((2...28).map { Member($0) })
    #expect(try await store.store.run(listing.pull(missing: .deleted)).counts.deleted == 1)
  }

  @Test func rowsOutsideTheScopeAreKept() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    try await store.store.context.save([Member(100, "local"), Member(5, "m5")])
    listing.serve((1...3).map { Member($0) })
    let scope = MissingRows.deleted(Member.self, where: StoredColumn<Member, Int>("id") < 50)
    let report = try await store.store.run(listing.pull(missing: scope))
    #expect(report.counts.deleted == 1)
    #expect(try await store.store.members.map(\.id) == [1, 2, 3, 100])
  }

  @Test func anIncrementalListingRemovesNothing() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let pull = listing.pull(cursor: .field("updated", parameter: "since"), missing: .deleted)
    listing.serve((1...5).map { Member($0) })
    #expect(try await store.store.run(pull).missingRows == .deleted)
    let report = try await store.store.run(pull)
    #expect(report.missingRows == .keptAfterPartialListing)
    #expect(report.counts.deleted == 0)
    #expect(try await store.store.context.count(Member.self) == 5)
    listing.serve((1...4).map { Member($0) })
    try await store.store.forgetPosition(of: pull)
    #expect(try await store.store.run(pull).counts.deleted == 1)
  }

  @Test(arguments: SyncBackend.available) func aSkippedRowIsNotMissing(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...3).map { Member($0) })
    try await store.store.run(listing.pull(missing: .deleted))
    listing.serve(texts: [#"{"id": 1, "name": "one"}"#, #"{"id": 2, "name": 2}"#])
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(report.skippedCount == 1 && report.counts.deleted == 1)
    #expect(try await store.store.members == [Member(1, "one"), Member(2)])
    // Nothing says which row this is, so any may be it.
    listing.serve(texts: [#"{"id": 1, "name": "one"}"#, #"{"id": "?", "name": "b"}"#])
    let unreadable = try await store.store.run(listing.pull(missing: .deleted))
    #expect(unreadable.missingRows == .keptAfterUnreadableKey)
    #expect(try await store.store.context.count(Member.self) == 2)
  }

  @Test func deletingMissingRowsRequiresMatchKeys() async throws {
    struct Note: Codable, Sendable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = nil
      var text: String
    }
    let store = try await SyncDatabase(.sqlite).opened()
    let pull = Pull("notes", listing.gateway.request("members"), of: Note.self, by: .linkHeader, missing: .deleted)
    let error = await #expect(throws: PullError.self) { try await store.store.run(pull) }
    #expect(error?.code == .invalidPull)
    #expect(listing.targets == [])
  }

  // MARK: Partitions

  private func serveTeams(_ teams: [String: ClosedRange<Int>], failing: String? = nil) {
    for (name, ids) in teams {
      listing.server.on(.get, "/teams/\(name)") { request in
        let page = request.query["page"].flatMap { Int($0) } ?? 1
        if failing == name, page == 2 { return .status(503) }
        let all = Array(ids)
        let rows = all.dropFirst((page - 1) * 2).prefix(2).map { #"{"id": \#($0), "name": "\#(name)"}"# }
        return .json("[\(rows.joined(separator: ","))]")
      }
    }
  }

  private func teams(_ names: [String], cursor: PullCursor? = nil) -> Pull<Member> {
    let requests = names.map { ($0, listing.gateway.request("teams", $0)) }
    return Pull(
      "teams", partitions: Dictionary(uniqueKeysWithValues: requests), of: Member.self,
      by: .pageNumber("page") { $0.count < 2 }, cursor: cursor, missing: .deleted)
  }

  @Test(arguments: SyncBackend.available) func eachPartitionHasItsOwnPosition(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    serveTeams(["blue": 1...5, "green": 11...15, "red": 21...25], failing: "green")
    let pull = teams(["red", "green", "blue"])
    await #expect(throws: TransportFailure.self) { try await store.store.run(pull) }
    #expect(try await store.store.members.map(\.id) == [1, 2, 3, 4, 5, 11, 12])
    serveTeams(["green": 11...15])
    let before = listing.targets.count
    let report = try await store.store.run(pull)
    #expect(report.resumedCount == 1)
    #expect(report.missingRows == .deleted)
    #expect(listing.targets[before...].first == "/teams/green?page=2")
    #expect(!listing.targets[before...].contains { $0.hasPrefix("/teams/blue") })
    #expect(try await store.store.context.count(Member.self) == 15)
  }

  @Test(arguments: SyncBackend.available) func aRowIsMissingIfNoPartitionHasIt(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    serveTeams(["blue": 1...5, "red": 4...8])
    let pull = teams(["red", "blue"])
    try await store.store.run(pull)
    serveTeams(["blue": 1...3, "red": 4...6])
    let report = try await store.store.run(pull)
    #expect(report.counts.deleted == 2)
    #expect(try await store.store.members.map(\.id) == Array(1...6))
  }

  /// Another run, or a later one, may have partitions that this one does not have.
  @Test(arguments: SyncBackend.available) func runsWithOtherPartitionsKeepEachOthersRows(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    serveTeams(["blue": 1...5, "green": 11...15, "red": 21...25])
    try await store.store.run(teams(["blue", "green"]))
    let other = try await store.store.run(teams(["red"]), leases: .seconds(30))
    #expect(other.counts.deleted == 0)
    #expect("\(other)".hasSuffix("0 deleted, rows of 2 other partitions kept"))
    serveTeams(["blue": 1...3])
    #expect(try await store.store.run(teams(["blue", "green"])).counts.deleted == 2)
    #expect(try await store.store.members.map(\.id) == [1, 2, 3] + Array(11...15) + Array(21...25))
    // Without the positions, there are no other partitions.
    try await store.store.forgetPosition(of: teams(["blue"]))
    #expect(try await store.store.run(teams(["blue"])).counts.deleted == 10)
  }

  @Test func anIncompleteListingOfAnotherRunKeepsMissingRows() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    serveTeams(["blue": 1...5, "green": 11...15])
    try await store.store.run(teams(["blue", "green"]))
    serveTeams(["blue": 1...4, "green": 11...14], failing: "green")
    await #expect(throws: TransportFailure.self) { try await store.store.run(teams(["green"])) }
    let report = try await store.store.run(teams(["blue"]))
    #expect(report.counts.deleted == 0)
    #expect("\(report)".hasSuffix("missing rows kept: the partition green of another run is not listed completely"))
    serveTeams(["green": 11...14])
    #expect(try await store.store.run(teams(["green"])).counts.deleted == 2)
  }

  @Test func rowsOfAnUnchangedPartitionAreKept() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/teams/blue") { request in
      guard request.headers[.ifNoneMatch] == nil else { return .status(304) }
      return .status(200, headers: [.eTag: #""b""#], body: Data(#"[{"id": 1, "name": "a"}]"#.utf8))
    }
    serveTeams(["red": 5...5])
    let pull = teams(["blue", "red"], cursor: .entityTag)
    try await store.store.run(pull)
    serveTeams(["red": 6...6])
    let report = try await store.store.run(pull)
    #expect(report.notModifiedCount == 1)
    #expect(report.counts.deleted == 1)
    #expect(try await store.store.members.map(\.id) == [1, 6])
  }
}
