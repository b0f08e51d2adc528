import AnvilBase
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

/// Stores whose file disappears while it is open.
@Suite(.timeLimit(.minutes(15))) struct MovedFileTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let database: TemporaryDatabase
  private let store: Store
  private var path: String { database.url.path() }

  init() async throws {
    database = try TemporaryDatabase()
    store = try await Store(.sqlite(path: database.url.path()))
    try await store.context.save(Entry(id: 1, text: "a"))
  }

  private func expectMoved(_ body: () async throws -> Void) async {
    let error = await #expect(throws: StoreError.self) { try await body() }
    #expect(error?.code == .fileMoved)
    #expect(
      error?.description == """
        the database file was moved, deleted or replaced: \(path) is not the file that was opened: restore that file, \
        or close the store and open it again
        """)
  }

  @Test(arguments: DatabaseLoss.allCases)
  func writersAndReadersReceiveAnError(loss: DatabaseLoss) async throws {
    try loss.happen(to: database.url)
    await expectMoved { try await store.context.save(Entry(id: 2, text: "b")) }
    await expectMoved { _ = try await store.context.fetch(Entry.self) }
    #expect(FileManager.default.fileExists(atPath: path) == (loss == .replaced))
  }

  @Test(arguments: DatabaseLoss.allCases)
  func aCommitIntoAMovedFileIsAnError(loss: DatabaseLoss) async throws {
    let changes = store.context.changes(of: Entry.self)
    let url = database.url
    await expectMoved {
      try await store.context.perform { transaction in
        try transaction.save(Entry(id: 2, text: "b"))
        try loss.happen(to: url)
      }
    }
    await store.close()
    for await change in changes { Issue.record("\(change) was published") }
  }

  /// Stores open connections for readers as they need them.
  @Test(arguments: DatabaseLoss.allCases)
  func laterConnectionsDoNotOpenAnotherFile(loss: DatabaseLoss) async throws {
    let file = SQLiteFile()
    let first = try SQLiteConnection(.file(path), file: file)
    _ = try SQLiteConnection(.file(path), file: file)
    try loss.happen(to: database.url)
    let error = try storeError { _ = try SQLiteConnection(.file(path), file: file) }
    #expect(error?.code == .fileMoved)
    #expect(FileManager.default.fileExists(atPath: path) == (loss == .replaced))
    #expect(try storeError { try first.run("SELECT 1") }?.code == .fileMoved)
  }

  @Test func aRestoredFileIsUsedAgain() async throws {
    try DatabaseLoss.moved.happen(to: database.url)
    await expectMoved { try await store.context.save(Entry(id: 2, text: "b")) }
    try FileManager.default.moveItem(at: database.url.appendingPathExtension("other"), to: database.url)
    try await store.context.save(Entry(id: 2, text: "b"))
    #expect(try await store.context.fetch(Entry.self).map(\.text) == ["a", "b"])
  }

  #if os(Linux) || os(macOS)
  /// Runs in a separate process, because the current directory belongs to the whole process.
  @Test func aRelativePathIsThatOfTheDirectoryInWhichTheLocationWasMade() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-relative-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (status, lines) = try await WorkerProcess("relative", folder.path()).end()
    #expect(status == 0)
    #expect(lines == ["2"])
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path()))
  }
  #endif

  @Test func reopeningAStoreCreatesANewFile() async throws {
    try DatabaseLoss.deleted.happen(to: database.url)
    await expectMoved { _ = try await store.context.count(Entry.self) }
    await store.close()
    let next = try await Store(.sqlite(path: path))
    #expect(try await next.context.count(Entry.self) == 0)
    try await next.context.save(Entry(id: 2, text: "b"))
    await next.close()
    #expect(try database.open().rows(#"SELECT text FROM "Entry""#) == [[.text("b")]])
  }
}
