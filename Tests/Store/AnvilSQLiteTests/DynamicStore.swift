import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation

/// A database file in which JSON is stored, and whose tables are read directly.
struct DynamicStore {
  private let file: TemporaryDatabase
  let store: Store
  let connection: SQLiteConnection

  init() async throws {
    file = try TemporaryDatabase()
    store = try await Store(.sqlite(path: file.url.path()))
    connection = try file.open()
  }

  @discardableResult
  func store(_ json: String, as entity: String = "T", keys: String...) async throws -> StoredObjects {
    try await store.context.store(try JSON(parsing: json), as: entity, keys: keys)
  }

  /// The reason why it cannot be stored.
  func refusal(of json: String, keys: [String] = []) async throws -> UnstorableObject? {
    do {
      _ = try await store.context.store(try JSON(parsing: json), as: "T", keys: keys)
      return nil
    } catch let error as UnstorableObject {
      return error
    }
  }

  /// The table's columns as the store knows them, such as `id integer`.
  func columns(of entity: String = "T") throws -> [String] {
    try connection.rows(
      "SELECT name || ' ' || type FROM anvil_attributes WHERE entity = ?1 ORDER BY place", [.text(entity)]
    )
    .compactMap { if case .text(let text) = $0[0] { text } else { nil } }
  }

  func rows(_ sql: String = "SELECT * FROM T") throws -> [[StoreValue]] { try connection.rows(sql) }
}
