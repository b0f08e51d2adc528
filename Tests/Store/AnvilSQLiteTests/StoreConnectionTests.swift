import AnvilBase
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

/// The behaviour of a store when other connections interfere, and with files that are not its databases.
@Suite(.timeLimit(.minutes(15))) struct StoreConnectionTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let database: TemporaryDatabase
  private var path: String { database.url.path() }

  init() throws {
    database = try TemporaryDatabase()
  }

  @Test func waitingTooLongForAnotherProcessIsABusyError() async throws {
    let store = try await Store(.sqlite(path: path, busyTimeout: .milliseconds(20)))
    let other = try database.open()
    try other.run("BEGIN IMMEDIATE")
    let error = await #expect(throws: StoreError.self) { try await store.context.save(Entry(id: 1, text: "a")) }
    #expect(error?.code == .busy)
    // Reading does not wait for writers.
    #expect(try await store.context.count(Entry.self) == 0)
    try other.run("COMMIT")
    try await store.context.save(Entry(id: 1, text: "a"))
  }

  @Test func aFileThatIsNotADatabaseIsAnErrorAndIsNotChanged() async throws {
    let text = Data(String(repeating: "not a database\n", count: 100).utf8)
    try text.write(to: database.url)
    let error = await #expect(throws: StoreError.self) { try await Store(.sqlite(path: path)) }
    #expect(error?.code == .notADatabase)
    #expect(try Data(contentsOf: database.url) == text)
    let missing = await #expect(throws: StoreError.self) { try await Store(.sqlite(path: path + "/no/such/folder.db")) }
    #expect(missing?.code == .cannotOpen)
  }

  @Test func aTableNotCreatedByAStoreIsAnErrorAndIsNotChanged() async throws {
    try database.open().run(#"CREATE TABLE "Entry" (id INTEGER PRIMARY KEY, other TEXT)"#)
    let store = try await Store(.sqlite(path: path))
    let error = await #expect(throws: StoreError.self) { try await store.context.save(Entry(id: 1, text: "a")) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.description
        == "the model does not match the existing table: the table Entry exists already, but was not created by a store"
    )
  }

  @Test func tablesAreOrdinarySQLTables() async throws {
    let store = try await Store(.sqlite(path: path))
    try await store.context.save([Entry(id: 1, text: "a"), Entry(id: 2, text: "b")])
    await store.close()
    let rows = try database.open().rows(#"SELECT id, text FROM "Entry" ORDER BY id"#)
    #expect(rows == [[.integer(1), .text("a")], [.integer(2), .text("b")]])
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the log is left behind")
  }
}
