import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Pulls that keep their name and get another table or another request.
@Suite(.timeLimit(.minutes(15)), .serialized) struct ChangedPullTests {
  private let listing: ListingServer

  init() throws {
    listing = try ListingServer()
    listing.serve((1...5).map { Member($0) })
  }

  private static let since = PullCursor.field("updated", parameter: "since")

  private func plan(
    _ request: GatewayRequest? = nil, as entity: String = "A", cursor: PullCursor = since, missing: MissingRows = .kept
  ) -> PullPlan {
    plan(["": request ?? listing.gateway.request("members")], as: entity, cursor: cursor, missing: missing)
  }

  private func plan(
    _ partitions: [String: GatewayRequest], as entity: String = "A", cursor: PullCursor = since,
    missing: MissingRows = .kept
  ) -> PullPlan {
    PullPlan(
      name: "members", partitions: partitions, pagination: .linkHeader, items: JSON.Path(), cursor: cursor,
      missing: missing, tombstone: nil, rows: ObjectPullRows(entity: entity, keys: ["id"]))
  }

  @Test(arguments: SyncBackend.available) func anotherTableGetsAllRows(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    #expect(try await store.store.run(plan()).counts.inserted == 5)
    let report = try await store.store.run(plan(as: "B"))
    #expect(report.counts.inserted == 5)
    #expect("\(report)".hasSuffix(", listed from the beginning: the table was A before"))
    let next = try await store.store.run(plan(as: "B"))
    #expect(listing.targets == ["/members", "/members", "/members?since=4"])
    #expect("\(next)" == "1 page, 0 inserted, 0 updated, 1 unchanged, 0 deleted")
  }

  @Test func anotherModelGetsAllRows() async throws {
    struct Person: Codable, Sendable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      var id: Int
      var name: String
    }
    let store = try await SyncDatabase(.sqlite).opened()
    try await store.store.run(listing.pull(cursor: Self.since))
    let people = Pull(
      "members", listing.gateway.request("members"), of: Person.self, by: .linkHeader, cursor: Self.since)
    #expect(try await store.store.run(people).counts.inserted == 5)
  }

  @Test func anUnmodifiedListingFillsAnotherTable() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.change { $0.entityTag = "\"1\"" }
    _ = try await store.store.run(plan(cursor: .entityTag))
    #expect(try await store.store.run(plan(cursor: .entityTag)).isNotModified)
    #expect(try await store.store.run(plan(as: "B", cursor: .entityTag)).counts.inserted == 5)
  }

  @Test func anotherRequestIsListedFromTheBeginning() async throws {
    let gateway = listing.gateway
    let other = Gateway(baseURL: listing.server.url.appending(path: "v2"), configuration: .bare)
    let changed = [
      plan(gateway.request("people")), plan(gateway.request("members", query: ["state": "all"])),
      plan(other.request("members")), plan(cursor: .field("updated", parameter: "after")),
      plan(cursor: .field("id", parameter: "since")),
    ]
    for plan in changed {
      let store = try await SyncDatabase(.sqlite).opened()
      _ = try await store.store.run(self.plan())
      let report = try await store.store.run(plan)
      #expect(report.counts.unchanged == 5)
      #expect("\(report)".hasSuffix(", listed from the beginning: the request has changed"))
    }
  }

  /// Neither the fields of a request nor the order of its query decide which rows it returns.
  @Test func aRequestWithOtherFieldsGoesOn() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    var request = listing.gateway.request("members", query: ["a": "1", "b": "2"])
    _ = try await store.store.run(plan(request))
    request = listing.gateway.request("members", query: ["b": "2", "a": "1"])
    request.headers[.authorization] = "Bearer next"
    request.timeout = .seconds(7)
    let report = try await store.store.run(plan(request, cursor: .field("updated", parameter: "since", overlap: 1)))
    #expect(report.counts.unchanged == 2)
    #expect(!"\(report)".contains("beginning"))
  }

  /// Earlier versions sent the description of a date in a query.
  @Test(arguments: SyncBackend.available) func aRequestWithADateGoesOn(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let date = Date(timeIntervalSinceReferenceDate: 791_784_306)
    let former = listing.gateway.request("members", query: ["from": "2026-02-03 04:05:06 +0000", "size": "10"])
    _ = try await store.store.run(plan(former))
    let request = listing.gateway.request("members", query: ["from": date, "size": 10])
    for _ in 1...2 { #expect(!"\(try await store.store.run(plan(request)))".contains("beginning")) }
    #expect(listing.targets.suffix(2).allSatisfy { $0 == "/members?from=2026-02-03T04%3A05%3A06Z&size=10&since=4" })
    let other = listing.gateway.request("members", query: ["from": date + 1, "size": 10])
    #expect("\(try await store.store.run(plan(other)))".hasSuffix("the request has changed"))
  }

  @Test(arguments: SyncBackend.available) func anInterruptedListingDoesNotGoOnAtTheOldURL(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...25).map { Member($0) })
    listing.change { $0.failures = [2: 403] }
    await #expect(throws: TransportFailure.self) { try await store.store.run(plan(missing: .deleted)) }
    listing.change { $0.failures = [:] }
    let changed = plan(listing.gateway.request("members", query: ["state": "all"]), missing: .deleted)
    let report = try await store.store.run(changed, leases: .seconds(30))
    #expect(report.resumedCount == 0)
    #expect(report.counts == StoreChanges.Counts(inserted: 15, unchanged: 10))
    #expect(listing.targets[2] == "/members?state=all")
  }

  /// The other partitions of the interrupted listing keep their positions.
  @Test func onlyTheChangedPartitionIsListedFromTheBeginning() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let request = listing.gateway.request("members")
    listing.server.on(.get, "/blue") { _ in .status(403) }
    var partitions = ["amber": request, "blue": listing.gateway.request("blue"), "red": request]
    await #expect(throws: TransportFailure.self) { try await store.store.run(plan(partitions)) }
    partitions["blue"] = listing.gateway.request("people")
    #expect(try await store.store.run(plan(partitions)).pages == 2)
    #expect(listing.targets == ["/members", "/blue", "/people", "/members"])
  }

  /// A position as programs stored it before it had a table and a request.
  private struct FormerPosition: Codable, Sendable, ManagedDecodable {
    static let entityName = "anvil_pulls"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.pull), .key(CodingKeys.partition)]
    var pull: String
    var partition: String
    var version: Int
    var round: Int
    var state: PullPosition.State
    var updated: Date
  }

  @Test(arguments: SyncBackend.available) func positionsOfFormerProgramsAreKept(_ backend: SyncBackend) async throws {
    let source = try await SyncDatabase(.sqlite).opened()
    _ = try await source.store.run(plan())
    let position = try #require(try await source.store.pullPositions().first)
    let database = try await SyncDatabase(backend).opened()
    let former = try await database.database.open()
    var stored = FormerPosition(
      pull: position.pull, partition: position.partition, version: position.version, round: position.round,
      state: position.state, updated: position.updated)
    try await former.context.save(stored)
    _ = try await database.store.run(plan())
    #expect(listing.targets.last == "/members?since=4")
    // Both programs use the database.
    stored = try #require(try await former.context.fetch(FormerPosition.self).first)
    stored.version += 1
    try await former.context.save(stored)
    _ = try await database.store.run(plan())
    #expect(listing.targets.last == "/members?since=4")
    _ = try await database.store.run(plan(as: "B"))
    #expect(listing.targets.last == "/members")
    await former.close()
  }
}
