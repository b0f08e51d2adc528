import AnvilBase
import AnvilCodable
import AnvilSQLite
import AnvilTestSupport
import Foundation
import Testing

@StoredModel
private struct Topic: Identifiable {
  @MatchKey var id: String
}

@StoredModel
private struct Post {
  @MatchKey var id: Int
  @MatchKey var site: String
  var topics: [Reference<Topic>]
}

/// The table of elements that makes conditions on arrays of references fast in SQLite.
struct ElementIndexTests {
  @Test func rowsThatAreReplacedBySQLAreFound() async throws {
    let store = try await Store(.inMemory)
    try await store.save([Topic(id: "a"), Topic(id: "b")])
    try await store.save(Post(id: 1, site: "x", topics: [Reference(id: "a"), Reference(id: "a")]))
    try await store.perform { transaction in
      _ = try transaction.execute("INSERT OR REPLACE INTO Post (id, site, topics) VALUES (1, 'x', '[\"b\", \"b\"]')")
    }
    #expect(try await store.count(Post.self, where: .contains(\.topics, "a")) == 0)
    #expect(try await store.count(Post.self, where: .any(\.topics, where: \.id == "a")) == 0)
    #expect(try await store.count(Post.self, where: .any(\.topics, where: \.id == "b")) == 1)
    #expect(try await store.count(Post.self, where: .contains(\.topics, "b")) == 1)
  }

  @Test func aTableThatAnotherProgramHasDroppedGetsANewIndex() async throws {
    let database = try TemporaryDatabase()
    let store = try await Store(.sqlite(path: database.url.path()))
    try await store.save(Post(id: 1, site: "x", topics: [Reference(id: "a")]))
    try await store.perform { transaction in
      _ = try transaction.execute("DROP TABLE Post")
      _ = try transaction.execute("DELETE FROM anvil_attributes WHERE entity = 'Post'")
    }
    try await store.save(Post(id: 2, site: "x", topics: [Reference(id: "a")]))
    #expect(try await store.fetch(Post.self, where: .contains(\.topics, "a")).map(\.id) == [2])
    withExtendedLifetime(database) {}
  }
}
