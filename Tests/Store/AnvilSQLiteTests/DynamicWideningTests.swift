import AnvilBase
import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

/// Tables whose columns change their types, and tables that were created for models.
@Suite struct DynamicWideningTests {
  @Test func indicesViewsAndTriggersAreKept() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"id": 1, "v": 1, "w": 1}, {"id": 2, "v": 2, "w": 1}]"#, keys: "id")
    for sql in [
      "CREATE UNIQUE INDEX unique_v ON T (v)", "CREATE INDEX part ON T (w) WHERE v > 0",
      "CREATE VIEW seen AS SELECT v FROM T",
      "CREATE TABLE log (v)",
      "CREATE TRIGGER told AFTER UPDATE ON T BEGIN INSERT INTO log VALUES (new.v); END",
      "CREATE TRIGGER seen_too INSTEAD OF DELETE ON seen BEGIN DELETE FROM T WHERE v = old.v; END",
    ] { try store.connection.run(sql) }
    let before = try store.rows("SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' ORDER BY name")
    let stored = try await store.store(#"{"id": 1, "v": 1.5}"#, keys: "id")
    #expect(stored.widenings == [.init(name: "v", from: .integer, to: .real)])
    #expect(try store.rows("SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' ORDER BY name") == before)
    #expect(try store.rows("SELECT v FROM log") == [[.real(1.5)]])
    let error = await #expect(throws: StoreError.self) { try await store.store(#"{"id": 3, "v": 2}"#, keys: "id") }
    #expect(error?.code == .constraint(.unique))
  }

  @Test func keyIsWidenedWithItsRows() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"id": 1, "v": 1}, {"id": 2, "v": 2}]"#, keys: "id")
    try store.connection.run("CREATE INDEX by_v ON T (v)")
    let stored = try await store.store(#"[{"id": "x", "v": 3}, {"id": 2, "v": 4}]"#, keys: "id")
    #expect(stored.counts == StoreChanges.Counts(inserted: 1, updated: 1))
    #expect(
      try store.rows("SELECT id, v FROM T ORDER BY id")
        == [[.text("1"), .integer(1)], [.text("2"), .integer(4)], [.text("x"), .integer(3)]])
    #expect(try store.connection.columns(ofTable: "T").first?.primaryKeyPosition == 1)
    #expect(try store.rows("SELECT name FROM sqlite_master WHERE name = 'by_v'").count == 1)
  }

  struct Team: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String?
  }

  struct Player: Codable, Sendable, ManagedDecodable, Equatable {
    static let entityName = "T"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: UUID
    var born: Date?
    var score: Int?
    var team: Team?
  }

  private static let player = Player(
    id: UUID(), born: Date(timeIntervalSinceReferenceDate: 0.5), score: 1, team: Team(id: 7))

  @Test func objectsCanBeStoredInTheTableOfAModel() async throws {
    let store = try await DynamicStore()
    var player = Self.player
    try await store.store.context.save(player)
    let id = player.id.uuidString.lowercased()
    let stored = try await store.store(#"{"id": "\#(id)", "born": "2001-01-01T00:00:02Z", "score": 2}"#, keys: "id")
    #expect(stored == StoredObjects(updated: 1))
    player.born = Date(timeIntervalSinceReferenceDate: 2)
    player.score = 2
    #expect(try await store.store.context.fetch(Player.self) == [player])
  }

  @Test(arguments: [
    (#""born": 5"#, "the number born cannot be stored in its column, which contains dates (RFC 3339)"),
    (#""team": 7"#, "the column team refers to rows of Team and cannot be set from JSON"),
  ])
  func columnsOfAModelAreNotWidened(member: String, reason: String) async throws {
    let store = try await DynamicStore()
    try await store.store.context.save(Self.player)
    let refusal = try await store.refusal(of: #"[{"id": "\#(Self.player.id)", \#(member)}]"#, keys: ["id"])
    #expect(refusal?.reason == reason)
    #expect(try await store.store.context.fetch(Player.self) == [Self.player])
  }

  @Test func wideningAColumnKeepsReferencesOfTheTable() async throws {
    let store = try await DynamicStore()
    try await store.store.context.save(Self.player)
    try await store.store(#"{"id": "\#(Self.player.id)", "score": "high"}"#, keys: "id")
    #expect(try store.rows("SELECT score, team FROM T") == [[.text("high"), .integer(7)]])
    #expect(
      try store.rows("SELECT \"table\", \"from\" FROM pragma_foreign_key_list('T')") == [
        [.text("Team"), .text("team")]
      ])
    // The model reports a mismatch when it is read, and the store when it is written.
    await #expect(throws: DecodingError.self) { try await store.store.context.fetch(Player.self) }
    await #expect(throws: StoreError(code: .schemaMismatch)) { try await store.store.context.save(Self.player) }
  }

  @Test func aReferencedKeyIsNotWidened() async throws {
    let store = try await DynamicStore()
    try await store.store.context.save(Self.player)
    let error = await #expect(throws: StoreError.self) {
      try await store.store(#"{"id": "x"}"#, as: "Team", keys: "id")
    }
    #expect(error?.reason == "the type of the key of Team cannot be changed: T refers to it")
    #expect(try await store.store(#"{"id": 7, "name": "red"}"#, as: "Team", keys: "id").counts.updated == 1)
    #expect(try await store.store.context.fetch(Player.self).first?.team?.name == "red")
  }

  struct Game: Codable, Sendable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var home: Team?
    var teams: [Team]
  }

  @Test func wideningAKeyKeepsReferencesOfTheRows() async throws {
    let store = try await DynamicStore()
    try await store.store.context.save(Game(id: 1, home: Team(id: 7), teams: [Team(id: 7), Team(id: 8)]))
    let before = try store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    try await store.store(#"{"id": "final"}"#, as: "Game", keys: "id")
    #expect(
      try store.rows("SELECT id, home, teams FROM Game ORDER BY id") == [
        [.text("1"), .integer(7), .text("[7,8]")], [.text("final"), .null, .null],
      ])
    #expect(try store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") == before)
    #expect(before.count == 1)
    await #expect(throws: StoreError.self) { _ = try await store.store.context.delete(Team(id: 7)) }
  }

  @Test func aModelReadsRowsThatWereStoredWithoutAModel() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"id": 1, "name": "red"}, {"id": 2}]"#, as: "Team", keys: "id")
    #expect(try await store.store.context.fetch(Team.self) == [Team(id: 1, name: "red"), Team(id: 2)])
    try await store.store.context.save(Team(id: 2, name: "blue"))
    #expect(try await store.store(#"{"id": 2, "name": "blue"}"#, as: "Team", keys: "id").counts.unchanged == 1)
  }

  @Test func aColumnWithInvalidValuesIsNotWidened() async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"id": 1, "v": 1}"#, keys: "id")
    try store.connection.run("UPDATE T SET v = x'00'")
    let error = await #expect(throws: StoreError.self) { try await store.store(#"{"id": 2, "v": "x"}"#, keys: "id") }
    #expect(error?.reason == "the column v cannot be converted to text: its type is integer, but a row has blob")
    #expect(try store.rows() == [[.integer(1), .blob(Data([0]))]])
  }
}

extension StoredObjects {
  fileprivate init(updated: Int) {
    self.init()
    counts.updated = updated
  }
}
