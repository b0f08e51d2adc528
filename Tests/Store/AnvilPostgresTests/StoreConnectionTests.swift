import AnvilBase
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Synchronization
import Testing

/// The behaviour of a store when the server or other clients interfere.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct StoreConnectionTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let schema: TemporarySchema
  private let store: Store
  private var context: Store { store.context }

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

  /// Waits until a statement of the store is blocked by a lock.
  private func waitForLockedStatement(seenBy connection: PostgresConnection) async throws {
    let sql = "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
    while try connection.first(sql, [.text(schema.name)], { _ in true }) != true {
      try await Task.sleep(for: .milliseconds(5))
    }
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

  @Test func anObservationReplacesAConnectionThatWasLostBeforeIt() async throws {
    func first() async throws -> [Entry]? {
      var values = store.values(of: Entry.self).makeAsyncIterator()
      return try await values.next()
    }
    #expect(try await first() == [Entry(id: 1, text: "a")])
    // The observation ends.
    try await Task.sleep(for: .milliseconds(200))
    try Self.terminateConnections(of: schema.name, schema)
    #expect(try await first() == [Entry(id: 1, text: "a")])
  }

  @Test func statementsAfterACaughtFailureThrowTheFailure() async throws {
    let (errors, caught) = AsyncStream.makeStream(of: String.self)
    let error = await #expect(throws: StoreError.self) {
      try await store.perform { transaction in
        _ = try? transaction.fetch(Int.self, sql: "SELECT nothing FROM nowhere")
        do { try transaction.save(Entry(id: 2, text: "b")) } catch { caught.yield("\(error)") }
      }
    }
    #expect(error?.backendMessage == #"relation "nowhere" does not exist"#)
    caught.finish()
    for await text in errors { #expect(text.contains(#"relation "nowhere" does not exist"#)) }
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
    try await waitForLockedStatement(seenBy: other)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.run("ROLLBACK")
    #expect(try await context.fetch(Entry.self) == [Entry(id: 1, text: "a")])
  }

  @Test(.needsTLSServer) func aCancelledTaskGivesUpAServerThatDoesNotAnswer() async throws {
    let relay = try FreezingRelay(to: try #require(TestServer.tlsURL))
    let url = relay.url + "&options=-csearch_path%3D\(schema.name)&application_name=\(schema.name)"
    let store = try await Store(.postgres(url, connections: 1))
    let other = try schema.open()
    try other.run("BEGIN")
    try other.run(#"UPDATE "Entry" SET text = 'held' WHERE id = 1"#)
    let task = Task { try await store.context.save(Entry(id: 1, text: "b")) }
    try await waitForLockedStatement(seenBy: other)
    relay.isFrozen = true
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    relay.isFrozen = false
    try other.run("ROLLBACK")
    try await store.context.save(Entry(id: 2, text: "c"))
    #expect(try await store.context.fetch(Entry.self) == [Entry(id: 1, text: "a"), Entry(id: 2, text: "c")])
  }

  @Test func changesInOtherSchemasAreNotForeignChanges() throws {
    let other = try TemporarySchema()
    let (own, second, foreign) = (try schema.open(), try schema.open(), try other.open())
    _ = try own.foreignChanges(to: "own")
    try foreign.announce(["Entry"], by: "foreign")
    try foreign.announce(nil, by: "foreign")
    try second.announce(["Entry", "Note"], by: "second")
    try second.announce(["Other"], by: "own")
    // Notifications arrive in the order of the transactions.
    var changed: Set<String>? = []
    while changed == [] { changed = try own.foreignChanges(to: "own") }
    #expect(changed == ["Entry", "Note"])
    try second.announce(nil, by: "second")
    changed = []
    while changed == [] { changed = try own.foreignChanges(to: "own") }
    #expect(changed == nil)
  }

  /// A point at which two transactions wait until each has written a row.
  private final class Meeting: Sendable {
    private let state = Mutex((runs: 0, rows: [Int: Set<Int>]()))

    var runCount: Int { state.withLock(\.runs) }

    func begin() { state.withLock { $0.runs += 1 } }

    /// Blocks the thread until both rows were written in this round.
    func wait(for row: Int, in round: Int) {
      _ = state.withLock { $0.rows[round, default: []].insert(row) }
      while state.withLock({ $0.rows[round, default: []].count < 2 }) { usleep(1_000) }
    }
  }

  @Test func deadlockedTransactionsBothCommit() async throws {
    try await context.save(Entry(id: 2, text: "b"))
    let meeting = Meeting()
    for round in 0..<3 {
      try await withThrowingTaskGroup { group in
        for ids in [[1, 2], [2, 1]] {
          group.addTask {
            try await context.perform { context in
              meeting.begin()
              for id in ids {
                let text = try context.fetch(Entry.self, key: id)?.text ?? ""
                try context.save(Entry(id: id, text: text + "\(round)"))
                // Writes the row, and waits until the other transaction has written the other row.
                _ = try context.fetch(Entry.self, key: id)
                meeting.wait(for: id, in: round)
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    // The server detects a deadlock after a second. In each round one of the two transactions runs again.
    #expect(meeting.runCount >= 9)
    let rounds = (0..<3).map { "\($0)\($0)" }.joined()
    #expect(try await context.fetch(Entry.self).map(\.text) == ["a" + rounds, "b" + rounds])
  }
}
