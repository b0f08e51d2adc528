// A process that writes to a store, for tests that need another one: to kill it, or to write beside it.
//
//     AnvilStoreWorker batches PATH          stores batches into a SQLite file until it is killed, and says how many are committed
//     AnvilStoreWorker relative FOLDER       stores rows in a.db of the folder, while the current directory changes, and says how many
//     AnvilStoreWorker counters URL TASKS    counts the same keys up in a PostgreSQL database, in so many tasks

import AnvilBase
import AnvilJSON
import AnvilPostgres
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import Foundation

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("batches", 3): try await storeBatches(path: arguments[2])
case ("relative", 3): try await storeRelatively(in: arguments[2])
case ("counters", 4): try await countUp(arguments[2], tasks: Int(arguments[3]) ?? 1)
default:
  FileHandle.standardError.write(
    Data("usage: AnvilStoreWorker batches PATH | relative FOLDER | counters URL TASKS\n".utf8))
  exit(64)
}

/// Continues after the last stored batch.
func storeBatches(path: String) async throws {
  let context = try await Store(.sqlite(path: path)).context
  let batch = StoredColumn<BatchRow, Int>("batch")
  let first =
    try await context.fetch(BatchRow.self, orderedBy: [.descending(batch)], limit: 1).first.map { $0.batch + 1 } ?? 0
  // Each batch is reported after its commit.
  let changes = context.changes(of: BatchRow.self)
  Task {
    var committed = first
    for await _ in changes {
      committed += 1
      FileHandle.standardOutput.write(Data("\(committed)\n".utf8))
    }
  }
  // A busy machine may kill this process much later than intended. The file must not grow without limit until then.
  let next = BatchRow.rows(from: first)
  let rows = AsyncStream { () async -> BatchRow? in
    let row = await next()
    if let row, row.batch >= first + 100 { try? await Task.sleep(for: .seconds(3_600)) }
    return row
  }
  var pending: [BatchRow] = []
  for await row in rows {
    pending.append(row)
    guard pending.count == BatchRow.batchSize else { continue }
    try await context.save(pending)
    pending.removeAll()
  }
}

/// Opens a relative path, and changes the current directory before the file and its other connections are opened.
func storeRelatively(in folder: String) async throws {
  _ = FileManager.default.changeCurrentDirectoryPath(folder)
  let location = Store.Location.sqlite(path: "a.db")
  _ = FileManager.default.changeCurrentDirectoryPath("/")
  let store = try await Store(location)
  try await store.save(SharedCounter(key: 1, total: 1))
  try FileManager.default.createDirectory(atPath: folder + "/b", withIntermediateDirectories: true)
  _ = FileManager.default.changeCurrentDirectoryPath(folder + "/b")
  try await store.save(SharedCounter(key: 2, total: 1))
  let count = try await store.fetch(SharedCounter.self).count
  FileHandle.standardOutput.write(Data("\(count)\n".utf8))
  await store.close()
}

/// Each task increments every key in a separate transaction, and then stores all of them as a list.
func countUp(_ url: String, tasks: Int) async throws {
  let store = try await Store(.postgres(url, connections: 4))
  try await withThrowingTaskGroup { group in
    for task in 0..<tasks {
      group.addTask {
        for step in 0..<SharedCounter.keyCount {
          let key = (step * 7 + task) % SharedCounter.keyCount
          try await store.context.perform { context in
            let total = try context.fetch(SharedCounter.self, key: key)?.total ?? 0
            let input = Data(#"{"key": \#(key), "total": \#(total + 1)}"#.utf8)
            try SharedCounter.createOrUpdate(in: context, from: JSON.Decoder().decoder(for: input))
          }
        }
        let list = (0..<SharedCounter.keyCount).map {
          #"{"key": \#(($0 * 3 + task) % SharedCounter.keyCount), "seen": true}"#
        }
        let decoder = { JSON.Decoder().decoder(for: Data("[\(list.joined(separator: ","))]".utf8)) }
        try await store.context.perform { context in
          try context.createOrUpdate([SharedCounter].self, from: decoder())
        }
      }
    }
    try await group.waitForAll()
  }
  await store.close()
}
