import Anvil
import AnvilStore
import AnvilStoreTesting
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Pulls whose table was dropped, or has lost a column, outside of the store.
@Suite(.timeLimit(.minutes(15)), .serialized) struct DroppedTableTests {
  private let listing: ListingServer

  init() throws {
    listing = try ListingServer()
    listing.serve((1...5).map { Member($0) })
  }

  private static let since = PullCursor.field("updated", parameter: "since")

  private func plan(_ name: String = "members", cursor: PullCursor = since) -> PullPlan {
    PullPlan(
      name: name, partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: cursor, missing: .kept, tombstone: nil, rows: ObjectPullRows(entity: "A", keys: ["id"]))
  }

  /// Runs a statement as another program would.
  private func run(_ sql: StoreStatement, in database: SyncDatabase) async throws {
    let other = try await database.open()
    try await other.context.perform { transaction in _ = try transaction.execute(sql) }
    await other.close()
  }

  @Test(arguments: SyncBackend.available) func aDroppedTableIsFilledFromTheBeginning(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    _ = try await store.store.run(plan())
    try await run(#"DROP TABLE "A""#, in: store.database)
    let report = try await store.store.run(plan())
    #expect(report.counts.inserted == 5)
    #expect("\(report)".hasSuffix(", listed from the beginning: the table A no longer exists"))
    let next = try await store.store.run(plan())
    #expect(next.resetReason == nil && next.counts.unchanged == 1)
    #expect(listing.targets == ["/members", "/members", "/members?since=4"])
  }

  @Test(arguments: SyncBackend.available) func theDroppedTableOfAModelIsFilledFromTheBeginning(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...25).map { Member($0) })
    listing.change { $0.failures = [3: 403] }
    await #expect(throws: TransportFailure.self) { try await store.store.run(listing.pull(missing: .deleted)) }
    listing.change { $0.failures = [:] }
    try await run(#"DROP TABLE "Member""#, in: store.database)
    let report = try await store.store.run(listing.pull(missing: .deleted), leases: .seconds(30))
    #expect(report.counts == StoreChanges.Counts(inserted: 25))
    #expect(report.resumedCount == 0)
    #expect(report.resetReason != nil)
    #expect(try await store.store.members == (1...25).map { Member($0) })
  }

  /// The positions of all pulls of the table are worthless, also if another pull has created it again.
  @Test(arguments: SyncBackend.available) func allPullsOfADroppedTableBeginAgain(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    for name in ["one", "two"] { _ = try await store.store.run(plan(name)) }
    try await run(#"DROP TABLE "A""#, in: store.database)
    for name in ["one", "two"] {
      let report = try await store.store.run(plan(name))
      #expect(report.resetReason == "the table A no longer exists")
      #expect(listing.targets.last == "/members")
    }
  }

  @Test(arguments: SyncBackend.available) func forgettingThePositionRestoresALostColumn(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    for name in ["one", "two"] { _ = try await store.store.run(plan(name)) }
    try await run(#"ALTER TABLE "A" DROP COLUMN name"#, in: store.database)
    let error = await #expect(throws: StoreError.self) { try await store.store.run(plan("one")) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.reason?.contains("--fresh") == true)
    try await store.store.forgetPosition(of: plan("one"))
    #expect(try await store.store.run(plan("one")).counts.updated == 5)
    // The rows of the other pull have lost their values, too.
    let other = try await store.store.run(plan("two"))
    #expect(other.resetReason == "the table A no longer has the column name")
    #expect(other.counts.unchanged == 5)
    let names = try await store.store.context.read {
      try $0.fetch(String.self, sql: #"SELECT name FROM "A" ORDER BY id"#)
    }
    #expect(names == (1...5).map { "m\($0)" })
  }

  /// Columns that refer to rows have an index, which is added, too.
  @Test(arguments: SyncBackend.available) func aLostReferenceIsRestored(_ backend: SyncBackend) async throws {
    struct Node: Codable, Identifiable, Sendable, Equatable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      var id: Int
      var parent: Reference<Node>?
    }
    let database = try SyncDatabase(backend)
    var store = try await database.open()
    listing.serve(texts: [#"{"id": 1}"#, #"{"id": 2, "parent": 1}"#])
    let pull = Pull("nodes", listing.gateway.request("members"), of: Node.self, by: .linkHeader)
    try await store.run(pull)
    let nodes = try await store.context.fetch(Node.self)
    let schema = try await store.context.schemaDump()
    await store.close()
    try await run(#"DROP INDEX IF EXISTS "Node.parent""#, in: database)
    try await run(#"ALTER TABLE "Node" DROP COLUMN parent"#, in: database)
    store = try await database.open()
    try await store.forgetPosition(of: pull)
    #expect(try await store.context.fetch(Node.self).map(\.parent) == [nil, nil])
    #expect(try await store.run(pull).counts == StoreChanges.Counts(updated: 1, unchanged: 1))
    let restored = try await store.context.schemaDump()
    #expect(restored == schema)
    #expect(try await store.context.fetch(Node.self) == nodes)
    await store.close()
  }

  @Test(arguments: SyncBackend.available) func forgettingThePositionRestoresADroppedTable(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    _ = try await store.store.run(plan())
    try await run(#"DROP TABLE "A""#, in: store.database)
    try await store.store.forgetPosition(of: plan())
    let report = try await store.store.run(plan())
    #expect(report.counts.inserted == 5 && report.resetReason == nil)
  }

  /// Without the table of positions, nothing was listed yet.
  @Test(arguments: SyncBackend.available) func droppedPositionsAreForgotten(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    _ = try await store.store.run(plan())
    try await run("DROP TABLE anvil_pulls", in: store.database)
    try await run("DROP TABLE anvil_pull_leases", in: store.database)
    #expect(try await store.store.run(plan()).counts.unchanged == 5)
    #expect(try await store.store.run(plan()).counts.unchanged == 1)
  }

  @Test(arguments: SyncBackend.available) func concurrentRunsFillADroppedTableOnce(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    let members = (1...30).map { Member($0) }
    listing.serve(members)
    let request = listing.gateway.request("members")
    let pull = Pull(
      "members", partitions: ["a": request, "b": request, "c": request], of: Member.self, by: .linkHeader,
      missing: .deleted)
    for _ in 0..<3 {
      try await store.store.run(pull, leases: .milliseconds(400))
      try await run(#"DROP TABLE "Member""#, in: store.database)
      let database = store.database
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { try await database.open().run(pull, leases: .milliseconds(400)) }
        }
        try await group.waitForAll()
      }
      #expect(try await store.store.members == members)
    }
  }

  @Test(arguments: SyncBackend.available) func aTableMayBeDroppedDuringARun(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...30).map { Member($0) })
    let database = store.database
    var configuration = ClientConfiguration.bare
    let drop = BeforeRequest("page=2") { try? await self.run(#"DROP TABLE "Member""#, in: database) }
    configuration.interceptors = [(drop, at: .call)]
    let gateway = Gateway(baseURL: listing.server.url, configuration: configuration)
    let pull = Pull("members", gateway.request("members"), of: Member.self, by: .linkHeader)
    await #expect(throws: StoreError.self) { try await store.store.run(pull) }
    let report = try await store.store.run(listing.pull())
    #expect(report.counts.inserted == 30 && report.resumedCount == 0)
    #expect(report.resetReason == "the table Member no longer exists")
  }

  /// The keys of listed rows are in tables of the store, which another program may drop like any other.
  @Test(arguments: SyncBackend.available, ["anvil_row_keys", "anvil_row_listings"]) func droppedKeysAreForgotten(
    _ backend: SyncBackend, table: String
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...25).map { Member($0) })
    try await store.store.run(listing.pull(missing: .deleted))
    try await run(StoreStatement(stringLiteral: "DROP TABLE \(table)"), in: store.database)
    try await store.store.forgetPosition(of: listing.pull())
    listing.serve((1...24).map { Member($0) })
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(report.counts == StoreChanges.Counts(unchanged: 24, deleted: 1))
    try await run(StoreStatement(stringLiteral: "DROP TABLE \(table)"), in: store.database)
    #expect(try await store.store.run(listing.pull(missing: .deleted)).missingRows == .deleted)
  }

  /// An interrupted listing whose keys are gone begins again: otherwise, the rows of its first pages would be missing.
  @Test(arguments: SyncBackend.available, ["anvil_row_keys", "anvil_row_listings"])
  func aListingWithoutItsKeysBeginsAgain(
    _ backend: SyncBackend, table: String
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...25).map { Member($0) })
    listing.change { $0.failures = [3: 403] }
    await #expect(throws: TransportFailure.self) { try await store.store.run(listing.pull(missing: .deleted)) }
    listing.change { $0.failures = [:] }
    listing.serve((2...25).map { Member($0) })
    try await run(StoreStatement(stringLiteral: "DROP TABLE \(table)"), in: store.database)
    let report = try await store.store.run(listing.pull(missing: .deleted))
    #expect(report.resumedCount == 0 && report.resetReason == "the keys of its rows no longer exist")
    #expect(try await store.store.members == (2...25).map { Member($0) })
  }

  /// A listing without rows has no table, and its position is valid.
  @Test func anEmptyListingKeepsItsPosition() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve([])
    listing.change { $0.entityTag = "\"1\"" }
    _ = try await store.store.run(plan(cursor: .entityTag))
    let report = try await store.store.run(plan(cursor: .entityTag))
    #expect(report.isNotModified && report.resetReason == nil)
  }
}
