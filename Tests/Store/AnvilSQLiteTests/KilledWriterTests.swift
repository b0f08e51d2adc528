#if os(Linux) || os(macOS)
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

/// A process that is killed while it stores batch after batch.
@Suite(.timeLimit(.minutes(15))) struct KilledWriterTests {
  /// Runs the worker until it has committed `batches` more and `delay` has passed, kills it, and returns the number of batches
  /// that it reported as committed.
  private func run(on path: String, killingAfter batches: Int, and delay: Duration) async throws -> Int {
    let worker = try WorkerProcess("batches", path)
    try await worker.waitForLines(batches)
    try await Task.sleep(for: delay)
    worker.kill()
    let (status, lines) = try await worker.end()
    #expect(status == nil, "it ended by itself")
    return lines.compactMap { Int($0) }.max() ?? 0
  }

  @Test func exactlyTheCommittedRowsSurviveAKilledWriter() async throws {
    let database = try TemporaryDatabase()
    let path = database.url.path()
    var committed = 0
    let count = rounds(100)
    for round in 0..<count {
      // Every other process is killed at any moment of its start, the others while they store.
      let said = try await run(
        on: path, killingAfter: round.isMultiple(of: 2) ? 0 : Int.random(in: 1...4),
        and: .milliseconds(Int.random(in: 0...(round.isMultiple(of: 2) ? 120 : 20))))
      let store = try await Store(.sqlite(path: path))
      let rows = try await store.context.fetch(BatchRow.self)
      let batches = rows.map(\.batch).max().map { $0 + 1 } ?? 0
      #expect(rows == BatchRow.rows(after: batches))
      #expect(batches >= max(said, committed), "said \(said), had \(committed), has \(batches)")
      committed = batches
      await store.close()
      #expect(try database.open().rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
    #expect(committed >= count / 2)
  }
}
#endif
