#if os(Linux) || os(macOS)
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

/// Processes that write the same keys at the same time.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct ManyProcessesTests {
  @Test func eightProcessesOf25TasksLoseNoUpdatesAndCreateNoDuplicates() async throws {
    let schema = try TemporarySchema()
    let workers = try (0..<8).map { _ in try WorkerProcess("counters", schema.url, "25") }
    for worker in workers { #expect(try await worker.end().status == 0) }
    let store = try await Store(.postgres(schema.url))
    let counters = try await store.context.fetch(SharedCounter.self)
    #expect(counters == (0..<SharedCounter.keyCount).map { SharedCounter(key: $0, total: 200, seen: true) })
    await store.close()
  }
}
#endif
