#if os(Linux) || os(macOS)
import AnvilSQLite
import AnvilStore
import AnvilStoreWorkerSupport
import Foundation
import Testing

/// A process that is killed while it stores batch after batch.
@Suite(.timeLimit(.minutes(5))) struct KilledWriterTests {
  /// Runs the worker until it is killed, and returns how many batches it said were committed.
  private func run(on path: String, killingAfter delay: Duration) async throws -> Int {
    let worker = try WorkerProcess("batches", path)
    try await Task.sleep(for: delay)
    worker.kill()
    let (status, lines) = try await worker.end()
    #expect(status == nil, "it ended by itself")
    // The last line may be cut off.
    return lines.compactMap { Int($0) }.max() ?? 0
  }

  @Test func whatWasCommittedIsThereAndNothingElse() async throws {
    let database = try TemporaryDatabase()
    let path = database.url.path()
    var committed = 0
    var kills = 0
    for _ in 0..<50 {
      let said = try await run(on: path, killingAfter: .milliseconds(Int.random(in: 0...120)))
      kills += said > committed ? 1 : 0
      let store = try await Store(.sqlite(path: path))
      let rows = try await store.context.fetch(BatchRow.self)
      let batches = rows.map(\.batch).max().map { $0 + 1 } ?? 0
      #expect(rows == BatchRow.rows(after: batches))
      #expect(batches >= max(said, committed), "said \(said), had \(committed), has \(batches)")
      committed = batches
      await store.close()
      #expect(try database.open().rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
    #expect(
      kills > 5 && committed > 50, "\(committed) batches, \(kills) of 50 runs stored some: the kills came too early")
  }
}
#endif
