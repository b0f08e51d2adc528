#if os(Linux) || os(macOS)
import AnvilPostgres
import AnvilStore
import AnvilStoreWorkerModels
import Foundation
import Testing

/// Processes that write the same keys at the same time.
@Suite(.needsServer, .timeLimit(.minutes(5))) struct ManyProcessesTests {
  private static let program: URL? = Bundle.main.executableURL?.deletingLastPathComponent().appending(
    path: "AnvilStoreWorker")

  @Test func eightProcessesOf25TasksLoseNothingAndMakeNothingTwice() async throws {
    let schema = try TemporarySchema()
    let program = try #require(Self.program)
    let processes = try (0..<8).map { _ in
      let process = Process()
      process.executableURL = program
      process.arguments = ["counters", schema.url, "25"]
      try process.run()
      return process
    }
    for process in processes { process.waitUntilExit() }
    #expect(processes.map(\.terminationStatus) == Array(repeating: 0, count: 8))
    let store = try await Store(.postgres(schema.url))
    let counters = try await store.context.fetch(SharedCounter.self)
    #expect(counters == (0..<SharedCounter.keyCount).map { SharedCounter(key: $0, total: 200, seen: true) })
    await store.close()
  }
}
#endif
