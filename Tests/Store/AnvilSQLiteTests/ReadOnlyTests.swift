import AnvilBase
import AnvilCodable
import AnvilSQLite
import AnvilTestSupport
import Foundation
import Testing

@StoredModel
private struct Chapter: Equatable {
  @MatchKey var id: Int
  var title: String
}

/// Databases that cannot be written.
struct ReadOnlyTests {
  /// Root may write files of any rights.
  private static let hasRights = getuid() == 0

  @Test(.disabled(if: hasRights, "root can write every file"))
  func aFileWithoutTheRightToWriteIsRead() async throws {
    let database = try TemporaryDatabase()
    let path = database.url.path()
    let store = try await Store(.sqlite(path: path))
    try await store.save(Chapter(id: 1, title: "a"))
    try await store.perform { transaction in _ = try transaction.execute("CREATE TABLE x (y)") }
    await store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let reader = try await Store(.sqlite(path: path))
    #expect(try await reader.fetch(Chapter.self, where: \.title == "a") == [Chapter(id: 1, title: "a")])
    let error = await #expect(throws: StoreError.self) { try await reader.save(Chapter(id: 2, title: "b")) }
    #expect(error?.code == .readOnly)
    withExtendedLifetime(database) {}
  }

  @Test(.disabled(if: hasRights, "root can write every file"))
  func aFolderWithoutTheRightToWriteIsAnErrorWithAdvice() async throws {
    let database = try TemporaryDatabase()
    let (path, folder) = (database.url.path(), database.url.deletingLastPathComponent().path())
    let store = try await Store(.sqlite(path: path))
    try await store.save(Chapter(id: 1, title: "a"))
    await store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let error = await #expect(throws: StoreError.self) { try await Store(.sqlite(path: path)) }
    #expect(error?.code == .readOnly)
    #expect(error?.reason?.contains("-wal") == true)
    withExtendedLifetime(database) {}
  }

  /// Set by hand: a database on a medium that is mounted with `ro`, which an earlier run has written.
  private static let readOnlyPath = ProcessInfo.processInfo.environment["ANVIL_READ_ONLY_DATABASE"]

  @Test(.enabled(if: readOnlyPath != nil, "ANVIL_READ_ONLY_DATABASE names no database"))
  func aDatabaseOnAReadOnlyMediumIsRead() async throws {
    let reader = try await Store(.sqlite(path: try #require(Self.readOnlyPath)))
    #expect(try await reader.fetch(Chapter.self, where: \.title == "a") == [Chapter(id: 1, title: "a")])
    let error = await #expect(throws: StoreError.self) { try await reader.save(Chapter(id: 2, title: "b")) }
    #expect(error?.code == .readOnly)
  }
}
