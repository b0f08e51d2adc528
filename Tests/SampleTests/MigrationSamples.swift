import Anvil
import AnvilSQLite
import Foundation
import Testing

/// A guest in the first version of a program.
private struct FirstGuest: Codable, Sendable, ManagedDecodable {
  static let entityName = "Guest"
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var login: String
  var age: String
  var room: String
  var phone: String?
}

private struct Guest: Codable, Sendable, Equatable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var name: String
  var age: Int
  var room: String
}

@Suite struct MigrationSamples {
  @Test func modelsAreMigrated() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-samples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "guests.db").path()
    let first = try await Store(.sqlite(path: path))
    try await first.save([
      FirstGuest(id: 1, login: "ada", age: "36", room: "b2", phone: "1"),
      FirstGuest(id: 2, login: "tim", age: "7", room: "b2"),
    ])
    await first.close()
    // sample: migrations
    let migrations: [StoreMigration] = [
      .rename("login", to: "name", in: "Guest"),
      .retype("age", as: Int.self, in: "Guest"),
      .retype("room", in: "Guest") { (text: String) in text.uppercased() },
      .drop("phone", in: "Guest"),
      .add("floor", default: 1, in: "Guest"),
      .index("name", in: "Guest"),
      .sql(#"DELETE FROM "Guest" WHERE "age" < 18"#, in: "Guest"),
    ]
    let store = try await Store(.sqlite(path: path), migrations: migrations)
    // end sample
    #expect(try await store.fetch(Guest.self) == [Guest(id: 1, name: "ada", age: 36, room: "B2")])
    await store.close()
    // The migrations of a new database have no tables.
    await (try await Store(.inMemory, migrations: migrations)).close()
  }
}
