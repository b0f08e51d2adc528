import AnvilModel
import AnvilSQLite
import AnvilStore
import Foundation
import Testing

/// Stores whose file goes away while they have it open.
@Suite(.timeLimit(.minutes(2))) struct MovedFileTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  /// What happens to the file.
  enum Loss: CaseIterable {
    case deleted, moved, replaced

    func happen(to file: URL) throws {
      let files = FileManager.default
      switch self {
      case .deleted: try files.removeItem(at: file)
      case .moved: try files.moveItem(at: file, to: other(file))
      case .replaced:
        try files.copyItem(at: file, to: other(file))
        try files.removeItem(at: file)
        try files.moveItem(at: other(file), to: file)
      }
    }

    private func other(_ file: URL) -> URL { file.appendingPathExtension("other") }
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
        the database's file was moved, deleted or replaced: \(path) is not the file that was opened: put that back, or close \
        the store and open it again
        """)
  }

  @Test(arguments: Loss.allCases)
  func writersAndReadersHearOfIt(loss: Loss) async throws {
    try loss.happen(to: database.url)
    await expectMoved { try await store.context.save(Entry(id: 2, text: "b")) }
    await expectMoved { _ = try await store.context.fetch(Entry.self) }
    #expect(FileManager.default.fileExists(atPath: path) == (loss == .replaced))
  }

  @Test(arguments: Loss.allCases)
  func aCommitIsNotReportedAsDone(loss: Loss) async throws {
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
  @Test(arguments: Loss.allCases)
  func connectionsThatAreOpenedLaterTakeNoOtherFile(loss: Loss) async throws {
    let file = SQLiteFile()
    let first = try SQLiteConnection(.file(path), file: file)
    _ = try SQLiteConnection(.file(path), file: file)
    try loss.happen(to: database.url)
    let error = try storeError { _ = try SQLiteConnection(.file(path), file: file) }
    #expect(error?.code == .fileMoved)
    #expect(FileManager.default.fileExists(atPath: path) == (loss == .replaced))
    #expect(try storeError { try first.run("SELECT 1") }?.code == .fileMoved)
  }

  @Test func aFileThatIsPutBackIsUsedAgain() async throws {
    try Loss.moved.happen(to: database.url)
    await expectMoved { try await store.context.save(Entry(id: 2, text: "b")) }
    try FileManager.default.moveItem(at: database.url.appendingPathExtension("other"), to: database.url)
    try await store.context.save(Entry(id: 2, text: "b"))
    #expect(try await store.context.fetch(Entry.self).map(\.text) == ["a", "b"])
  }

  @Test func aStoreThatIsOpenedAgainMakesANewFile() async throws {
    try Loss.deleted.happen(to: database.url)
    await expectMoved { _ = try await store.context.count(Entry.self) }
    await store.close()
    let next = try await Store(.sqlite(path: path))
    #expect(try await next.context.count(Entry.self) == 0)
    try await next.context.save(Entry(id: 2, text: "b"))
    await next.close()
    #expect(try database.open().rows(#"SELECT text FROM "Entry""#) == [[.text("b")]])
  }
}
