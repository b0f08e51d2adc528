import Anvil
import AnvilSQLite
import AnvilStore
import CStoreLoop
import Foundation
import Rounds

/// An operation of a process on its file.
enum Order: String, CaseIterable {
  /// Store all records into a new file.
  case insert
  /// Store them again, a tenth of them changed.
  case update
  /// Read all of them.
  case fetch
  /// Read them page by page.
  case stream
  /// Read each of them by its key, in a separate transaction.
  case get
  /// Read each of them by its key, all in one transaction.
  case getWithin
  /// Read the tenth of them with the fewest followers.
  case query
}

/// An implementation that stores records into a file and reads them.
protocol Contender {
  func perform(_ order: Order, file: String) async throws
}

/// Anvil's store.
final class AnvilContender<Record: BenchRecord>: Contender {
  private let records: [Record]
  private let changed: [Record]
  private var store: Store?

  init(count: Int) {
    records = Record.records(count, changes: false)
    changed = Record.records(count, changes: true)
  }

  func perform(_ order: Order, file: String) async throws {
    if order == .insert { store = try await Store(.sqlite(path: file)) }
    guard let store else { throw BenchmarkError("there is no file yet") }
    switch order {
    case .insert: try expect(await store.save(records).inserted, records.count)
    case .update: try expect(await store.save(changed).updated, (changed.count + 7) / 10)
    case .fetch: try expect(await store.fetch(Record.self).count, records.count)
    case .stream:
      var count = 0
      for try await _ in store.stream(Record.self) { count += 1 }
      try expect(count, records.count)
    case .get:
      for key in Record.scatteredIDs(records.count) {
        guard try await store.fetch(Record.self, key: key) != nil else { throw BenchmarkError("\(key) is missing") }
      }
    case .getWithin:
      let keys = Record.scatteredIDs(records.count)
      try await store.read { transaction in
        for key in keys {
          guard try transaction.fetch(Record.self, key: key) != nil else { throw BenchmarkError("\(key) is missing") }
        }
      }
    case .query: try expect(await store.fetch(Record.self, where: Record.hasFewFollowers).count, fewCount)
    }
  }

  private var fewCount: Int { records.count { $0.followers < RecordValues.fewFollowers } }
}

/// The loop in C.
final class CContender<Record: BenchRecord>: Contender {
  private let records: [store_record]
  private let changed: [store_record]
  private let updates: Int
  private var loop: OpaquePointer?

  init(count: Int, updatesAll: Bool) {
    records = Record.records(count, changes: false).map(\.cRecord.record)
    changed = Record.records(count, changes: true).map(\.cRecord.record)
    updates = updatesAll ? store_loop_updates_all : store_loop_updates_changed
  }

  func perform(_ order: Order, file: String) throws {
    if order == .insert {
      if let loop { store_loop_close(loop) }
      loop = store_loop_open(file, updates == store_loop_updates_all ? 0 : 16_000)
    }
    let keys = Record.scattered(records.count).map { records[$0] }
    guard let loop else { throw BenchmarkError("\(file) cannot be opened") }
    let isDone =
      switch order {
      case .insert: save(records, loop)
      case .update: save(changed, loop)
      case .fetch: store_loop_read(loop) >= 0
      case .stream: false
      case .get: store_loop_get(loop, keys, keys.count, true)
      case .getWithin: store_loop_get(loop, keys, keys.count, false)
      case .query: store_loop_query(loop, Int64(RecordValues.fewFollowers)) >= 0
      }
    guard isDone else { throw BenchmarkError("\(order) failed: \(String(cString: store_loop_message(loop)))") }
  }

  private func save(_ records: [store_record], _ loop: OpaquePointer) -> Bool {
    store_loop_save(loop, records.first?.key.bytes != nil, Int32(updates), records, records.count)
  }
}

private func expect(_ count: Int, _ expected: Int) throws {
  guard count == expected else { throw BenchmarkError("\(count) rows in place of \(expected)") }
}
