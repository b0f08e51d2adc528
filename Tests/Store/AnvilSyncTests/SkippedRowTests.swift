import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Rows that were skipped, and are stored after the model was mended.
@Suite(.timeLimit(.minutes(15)), .serialized) struct SkippedRowTests {
  /// A member whose name may be a number.
  private struct MendedMember: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Member"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String

    enum CodingKeys: String, CodingKey {
      case id, name
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try (try? container.decode(String.self, forKey: .name)) ?? "\(container.decode(Int.self, forKey: .name))"
    }
  }

  private struct Squad: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
  }

  private struct Player: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var squad: Squad
  }

  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  private func mended(_ cursor: PullCursor) -> Pull<MendedMember> {
    Pull("members", listing.gateway.request("members"), of: MendedMember.self, by: .linkHeader, cursor: cursor)
  }

  private func letADayPass(in store: Store, _ backend: SyncBackend, requested: Int = 0) async throws {
    let count = try await store.context.perform { transaction in
      switch backend {
      case .sqlite:
        try transaction.execute(
          """
          UPDATE anvil_pulls SET state = json_set(state, '$.skipped.requested', \(requested)) \
          WHERE state LIKE '%requested%'
          """)
      case .postgres:
        try transaction.execute(
          """
          UPDATE anvil_pulls SET state = jsonb_set(state::jsonb, '{skipped,requested}', to_jsonb(\(requested)::bigint))::json \
          WHERE state::text LIKE '%requested%'
          """)
      }
    }
    #expect(count == 1)
  }

  /// Pulls five rows, and then three more, of which one is skipped.
  private func skipARow(in store: Store, _ cursor: PullCursor) async throws {
    listing.serve((0..<5).map { Member($0) })
    try await store.run(listing.pull(cursor: cursor))
    listing.serve((0..<8).map { Member($0) })
    listing.change { $0.rows[6].json = #"{"id": 6, "name": 6, "updated": 6}"# }
    #expect(try await store.run(listing.pull(cursor: cursor)).skippedCount == 1)
  }

  @Test(arguments: SyncBackend.available) func skippedRowsAreRequestedAgainOnceADay(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let store = try await database.open()
    let cursor = PullCursor.field("updated", parameter: "since")
    try await skipARow(in: store, cursor)
    #expect(listing.targets.last == "/members?since=4")
    // Other listings do not request it.
    #expect(try await store.run(mended(cursor)).counts == StoreChanges.Counts(unchanged: 1))
    try await letADayPass(in: store, backend)
    // The model is as it was: the row is skipped again, and not requested by the next listing.
    #expect(try await store.run(listing.pull(cursor: cursor)).skippedCount == 1)
    #expect(listing.targets.last == "/members?since=4")
    try await store.run(listing.pull(cursor: cursor))
    #expect(listing.targets.last == "/members?since=7")
    try await letADayPass(in: store, backend)
    #expect(try await store.run(mended(cursor)).counts.inserted == 1)
    #expect(try await store.context.count(Member.self) == 8)
    // No row is skipped any more, so none is requested again.
    try await store.run(mended(cursor))
    try await store.run(mended(cursor))
    #expect(listing.targets.last == "/members?since=7")
    let states = try await store.context.read { transaction in
      try transaction.fetch(String.self, sql: "SELECT state FROM anvil_pulls")
    }
    #expect(states.allSatisfy { !$0.contains("requested") })
  }

  /// The time of the last request would be in the future for the months that the clock was ahead.
  @Test func skippedRowsAreRequestedAfterTheClockWasSetBack() async throws {
    let database = try SyncDatabase(.sqlite)
    let store = try await database.open()
    let cursor = PullCursor.field("updated", parameter: "since")
    try await skipARow(in: store, cursor)
    let later = Int(Date.now.timeIntervalSinceReferenceDate) + 400 * 86_400
    try await letADayPass(in: store, .sqlite, requested: later)
    #expect(try await store.run(mended(cursor)).counts.inserted == 1)
  }

  @Test func theEntityTagIsNotSentWhenSkippedRowsAreRequestedAgain() async throws {
    let database = try SyncDatabase(.sqlite)
    let store = try await database.open()
    listing.serve(texts: [#"{"id": 1, "name": 1}"#, #"{"id": 2, "name": "b"}"#])
    listing.change { $0.entityTag = #""v1""# }
    try await store.run(listing.pull(cursor: .entityTag))
    #expect(try await store.run(mended(.entityTag)).isNotModified)
    try await letADayPass(in: store, .sqlite)
    #expect(try await store.run(mended(.entityTag)).counts == StoreChanges.Counts(inserted: 1, unchanged: 1))
    #expect(try await store.run(mended(.entityTag)).isNotModified)
  }

  /// The database checks the references to a row at the commit, when the row can no longer be left out.
  @Test(arguments: SyncBackend.available) func aDeletedRowThatAnotherModelContainsIsSkipped(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let store = try await database.open()
    try await store.save([Player(id: 1, squad: Squad(name: "red"))])
    try await store.save([Squad(name: "blue"), Squad(name: "green")])
    listing.serve(texts: [
      #"{"name": "blue", "deleted": true}"#, #"{"name": "red", "deleted": true}"#, #"{"name": "white"}"#,
      #"{"name": "green", "deleted": true}"#,
    ])
    let pull = Pull(
      "squads", listing.gateway.request("members"), of: Squad.self, by: .linkHeader, tombstone: .field("deleted"))
    let report = try await store.run(pull)
    #expect(report.counts == StoreChanges.Counts(inserted: 1, deleted: 2))
    #expect(report.skipped.map(\.path) == ["[1]"])
    #expect(try await store.fetch(Squad.self).map(\.name) == ["red", "white"])
    // When the row is no longer contained, it is deleted.
    try await store.delete(Player.self, where: .all)
    #expect(try await store.run(pull).counts == StoreChanges.Counts(unchanged: 1, deleted: 1))
  }

  @Test(arguments: SyncBackend.available) func aMissingRowThatAnotherModelContainsIsSkipped(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let store = try await database.open()
    try await store.save((0..<600).map { Squad(name: "\($0)") })
    try await store.save([3, 400].map { Player(id: $0, squad: Squad(name: "\($0)")) })
    listing.serve(texts: [#"{"name": "white"}"#])
    let pull = Pull(
      "squads", listing.gateway.request("members"), of: Squad.self, by: .linkHeader, missing: .deleted)
    let report = try await store.run(pull)
    #expect(report.counts == StoreChanges.Counts(inserted: 1, deleted: 598))
    #expect(report.missingRows == .deleted)
    #expect(report.skippedCount == 2)
    #expect(report.skipped.allSatisfy { $0.reason.contains("missing") })
    #expect(try await Set(store.fetch(Squad.self).map(\.name)) == ["3", "400", "white"])
    // The next listing tries again.
    try await store.delete(Player.self, where: .all)
    #expect(try await store.run(pull).counts == StoreChanges.Counts(unchanged: 1, deleted: 2))
  }
}
