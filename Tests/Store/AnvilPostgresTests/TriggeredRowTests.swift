import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

/// Rows that triggers insert while a transaction runs.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct TriggeredRowTests {
  private struct Guest: Codable, Sendable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var nick: String?
  }

  /// Stores a tally and a guest, and lets the insertion of a guest insert a tally with the same key.
  private func open(_ schema: TemporarySchema) async throws -> Store {
    let store = try await Store(.postgres(schema.url, connections: 4))
    try await store.save(SharedCounter(key: 0, total: 0))
    try await store.save(Guest(id: 0))
    let connection = try schema.open()
    try connection.run(
      """
      CREATE FUNCTION count_guests() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO "SharedCounter" (key, total) VALUES (NEW.id, 1); RETURN NULL; END $$
      """)
    try connection.run(#"CREATE TRIGGER counting AFTER INSERT ON "Guest" FOR EACH ROW EXECUTE FUNCTION count_guests()"#)
    return store
  }

  @Test func rowInsertedByATriggerAfterItWasLookedUpIsFound() async throws {
    let schema = try TemporarySchema()
    let store = try await open(schema)
    let totals = try await store.perform { transaction in
      var totals: [Int?] = []
      for key in 1...3 { totals.append(try transaction.fetch(SharedCounter.self, key: key)?.total) }
      try transaction.save(Guest(id: 1))
      totals.append(try transaction.fetch(SharedCounter.self, key: 1)?.total)
      try transaction.perform { nested in
        try nested.save(Guest(id: 2))
        try nested.save(SharedCounter(key: 2, total: 5))
      }
      totals.append(try transaction.fetch(SharedCounter.self, key: 2)?.total)
      try transaction.perform { try $0.save(Guest(id: 3)) }
      let payload = try JSONDecoder().decode(CapturedDecoder.self, from: Data(#"{"key": 3, "total": 9}"#.utf8))
      totals.append(try SharedCounter.createOrUpdate(in: transaction, from: payload.decoder).total)
      try transaction.save([SharedCounter(key: 1, total: 4), SharedCounter(key: 4, total: 0)])
      return totals
    }
    #expect(totals == [nil, nil, nil, 1, 5, 9])
    #expect(try await store.fetch(SharedCounter.self).map(\.total) == [0, 4, 5, 9, 0])
    await store.close()
  }

  @Test func rowInsertedByAnotherTransactionAfterItWasLookedUpIsAConflict() async throws {
    let schema = try TemporarySchema()
    let store = try await open(schema)
    let attempts = Attempts()
    let total = try await store.perform { transaction in
      attempts.count += 1
      let known = try transaction.fetch(SharedCounter.self, key: 1)?.total
      // This transaction has a number, too.
      try transaction.save(Guest(id: 100 + attempts.count))
      if attempts.count == 1 {
        try schema.open().run(#"INSERT INTO "SharedCounter" (key, total) VALUES (1, 7)"#)
        _ = try transaction.fetch(SharedCounter.self, key: 1)
      }
      return known
    }
    #expect(total == 7)
    #expect(attempts.count == 2)
    await store.close()
  }

  @Test func triggersDoNotSeeTheConversionOfAColumn() async throws {
    let schema = try TemporarySchema()
    let first = try await Store(.postgres(schema.url))
    try await first.save((1...3).map { SharedCounter(key: $0, total: $0) })
    let connection = try schema.open()
    try connection.run(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rows stay'; END $$
      """)
    for event in ["UPDATE", "DELETE"] {
      try connection.run(
        #"CREATE TRIGGER "Refuse \#(event)" BEFORE \#(event) ON "SharedCounter" FOR EACH ROW EXECUTE FUNCTION refuse()"#
      )
    }
    try connection.run(#"ALTER TABLE "SharedCounter" DISABLE TRIGGER "Refuse DELETE""#)
    let second = try await Store(
      .postgres(schema.url), migrations: [.retype("total", as: String.self, in: "SharedCounter")])
    let totals = try connection.rows(#"SELECT total FROM "SharedCounter" ORDER BY key"#)
    #expect(totals == [[.text("1")], [.text("2")], [.text("3")]])
    #expect(throws: StoreError.self) { try connection.run(#"UPDATE "SharedCounter" SET total = 'x'"#) }
    try connection.run(#"DELETE FROM "SharedCounter" WHERE key = 3"#)
    for store in [first, second] { await store.close() }
  }

  private final class Attempts: @unchecked Sendable {
    /// Only the thread of the transaction uses it.
    var count = 0
  }

  private struct CapturedDecoder: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
  }
}
