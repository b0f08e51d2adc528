import AnvilModel
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Synchronization
import Testing

/// The behaviour of a store when the server or other clients interfere.
@Suite(.needsServer, .timeLimit(.minutes(2))) struct StoreConnectionTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let schema: TemporarySchema
  private let store: Store
  private var context: StoreContext { store.context }

  init() async throws {
    schema = try TemporarySchema()
    store = try await Store(.postgres(schema.url + "&application_name=\(schema.name)", connections: 2))
    try await store.context.save(Entry(id: 1, text: "a"))
  }

  /// Ends the store's connections on the server, and waits until they are closed.
  private static func terminateConnections(of name: String, _ schema: TemporarySchema) throws {
    let connection = try schema.open()
    try connection.query(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1", [.text(name)]
    ) { _ in .goOn }
  }

  @Test func aStoreHasAtLeastOneConnection() async throws {
    let store = try await Store(.postgres(schema.url, connections: 0))
    #expect(try await store.context.fetch(Entry.self) == [Entry(id: 1, text: "a")])
    try await store.context.save(Entry(id: 2, text: "b"))
    #expect(try await store.context.count(Entry.self) == 2)
  }

  @Test func connectionsLostBetweenTransactionsAreReplaced() async throws {
    for _ in 0..<3 {
      try Self.terminateConnections(of: schema.name, schema)
      #expect(try await context.fetch(Entry.self) == [Entry(id: 1, text: "a")])
      try Self.terminateConnections(of: schema.name, schema)
      try await context.save(Entry(id: 1, text: "a"))
    }
  }

  @Test func aTransactionThatLostItsConnectionIsRetriedAndCommittedOnce() async throws {
    let runs = Mutex(0)
    let (schema, name) = (schema, schema.name)
    let count = try await context.perform { context in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      let count = try context.count(Entry.self)
      try context.save(Entry(id: 2, text: "run \(run)"))
      if run == 1 { try Self.terminateConnections(of: name, schema) }
      try context.save(Entry(id: 3, text: "run \(run)"))
      return count
    }
    #expect(count == 1)
    #expect(runs.withLock { $0 } == 2)
    #expect(try await context.fetch(Entry.self).map(\.text) == ["a", "run 2", "run 2"])
  }

  @Test func theErrorForAnUnreachableServerDoesNotContainThePassword() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await Store(.postgres("postgres://ada:hushhush@127.0.0.1:1/users"))
    }
    #expect(error?.code == .cannotOpen)
    #expect(error.map { !"\($0)".contains("hushhush") } == true, "\(String(describing: error))")
    #expect(!"\(store)".contains("@"))
  }

  @Test func aCancelledTaskStopsWaitingForALockedRow() async throws {
    let other = try schema.open()
    try other.run("BEGIN")
    try other.run(#"UPDATE "Entry" SET text = 'held' WHERE id = 1"#)
    let task = Task { try await context.save(Entry(id: 1, text: "b")) }
    // Waits until it is blocked.
    var isWaiting = false
    while !isWaiting {
      isWaiting =
        try other.first(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
          [.text(schema.name)]
        ) { _ in true } ?? false
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.run("ROLLBACK")
    #expect(try await context.fetch(Entry.self) == [Entry(id: 1, text: "a")])
  }

  @Test func deadlockedTransactionsBothCommit() async throws {
    try await context.save(Entry(id: 2, text: "b"))
    for round in 0..<10 {
      try await withThrowingTaskGroup { group in
        for ids in [[1, 2], [2, 1]] {
          group.addTask {
            try await context.perform { context in
              for id in ids {
                let text = try context.fetch(Entry.self, key: id)?.text ?? ""
                try context.save(Entry(id: id, text: text + "\(round)"))
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let rounds = (0..<10).map { "\($0)\($0)" }.joined()
    #expect(try await context.fetch(Entry.self).map(\.text) == ["a" + rounds, "b" + rounds])
  }
}
