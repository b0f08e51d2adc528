import Anvil
import AnvilSQLite
import AnvilStore
import AnvilSync
import Foundation
import Rounds

/// Stores a JSON array as it arrives. Records are created on demand, so that only the store takes memory.
struct BodyRun {
  let count: Int
  let folder: URL

  func run() async throws {
    let file = folder.appending(path: "anvil-store-bench-\(UUID().uuidString).db").path()
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    let store = try await Store(.sqlite(path: file))
    let body = HTTP.Body.stream(RecordChunks(count: count))
    let start = Seconds.now()
    let changes = try await body.storeElements(of: NumberedRecord.self, in: store)
    let seconds = Seconds.now() - start
    guard changes.inserted == count else { throw BenchmarkError("stored \(changes)") }
    await store.close()
    print(
      "\(count) records from a body: "
        + String(format: "%.2f s of processors, %.2f s elapsed, ", seconds.processor, seconds.elapsed)
        + "at most \(PeakMemory.byteCount() / 1_000_000) MB resident")
  }
}

/// A JSON array of records in chunks of about 64 KiB.
private struct RecordChunks: AsyncSequence, Sendable {
  let count: Int

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let count: Int
    private let encoder = JSON.Encoder()
    private var number = 0

    init(count: Int) {
      self.count = count
    }

    mutating func next() async throws -> Data? {
      guard number < count else { return nil }
      var chunk = Data()
      while number < count, chunk.count < 65_536 {
        chunk.append(UInt8(ascii: number == 0 ? "[" : ","))
        number += 1
        chunk.append(try encoder.encode(NumberedRecord(number: number, changes: false)))
      }
      if number == count { chunk.append(UInt8(ascii: "]")) }
      return chunk
    }
  }
}
