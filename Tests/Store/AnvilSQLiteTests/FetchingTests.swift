import AnvilSQLite
import AnvilStore
import AnvilStoreTesting
import AnvilTestSupport
import Foundation
import Testing

/// The statements that fetching needs.
@Suite(.timeLimit(.minutes(15))) struct FetchingTests {
  @StoredModel
  struct Note: Equatable {
    @MatchKey var id: Int
    var text: String
    var made: Date?
  }

  private let database: TemporaryDatabase
  private let log = QueryLog()
  private let store: Store

  init() async throws {
    database = try TemporaryDatabase()
    store = try await Store(.sqlite(path: database.url.path()).logged(in: log))
    // The first transaction creates the table, and each connection reads the catalog once after that.
    for text in ["b", "a"] { try await store.save([Note(id: 1, text: "a"), Note(id: 2, text: text)]) }
    _ = try await store.fetch(Note.self, key: 1)
    _ = log.takeQueries()
  }

  @Test func theTableIsKnownToTheNextTransaction() async throws {
    #expect(try await store.fetch(Note.self, key: 2)?.text == "a")
    #expect(try await store.fetch(Note.self, key: 3) == nil)
    #expect(try await store.fetch(Note.self, where: \.text == "a").map(\.id) == [1, 2])
    #expect(log.takeQueries(of: "anvil_attributes") == [])
    try await store.save(Note(id: 2, text: "c"))
    #expect(try await store.fetch(Note.self, key: 2)?.text == "c")
    #expect(log.takeQueries(of: "anvil_attributes", "Note").count == 1)
  }

  @Test func aTransactionThatIsRolledBackLeavesNoTables() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await store.perform { transaction in
        _ = try transaction.execute("ALTER TABLE Note RENAME COLUMN text TO body")
        throw Failure()
      }
    }
    try await store.save(Note(id: 2, text: "c"))
    #expect(try await store.fetch(Note.self, key: 2)?.text == "c")
  }
}
