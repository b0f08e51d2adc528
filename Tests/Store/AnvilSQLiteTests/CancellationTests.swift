import AnvilBase
import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Synchronization
import Testing

/// Tasks that are cancelled while no statement runs.
@Suite(.timeLimit(.minutes(15))) struct CancellationTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let database: TemporaryDatabase
  private var path: String { database.url.path() }

  init() throws {
    database = try TemporaryDatabase()
  }

  @Test func aCancelledTaskRunsNothing() async throws {
    let store = try await Store(.sqlite(path: path))
    let isRun = Flag()
    let task = Task {
      WatchedBackend.cancelCurrentTask()
      try await store.context.perform { _ in isRun.value = true }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!isRun.value)
  }

  @Test func aTaskCancelledWhileConnectingRunsNothing() async throws {
    let (isOpen, isRun) = (Flag(), Flag())
    let backend = WatchedBackend(
      path: path, didConnect: { if isOpen.value { WatchedBackend.cancelCurrentTask() } })
    let store = try await Store(Store.Location(backend))
    isOpen.value = true
    // The store has opened a connection for readers only.
    let task = Task { try await store.context.perform { _ in isRun.value = true } }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!isRun.value)
    try await store.context.save(Entry(id: 1, text: "a"))
  }

  /// The statement that the cancellation would interrupt has not begun.
  @Test func aTaskCancelledJustBeforeWaitingDoesNotWait() async throws {
    let isHeld = Flag()
    let backend = WatchedBackend(
      path: path, busyTimeout: .seconds(100_000),
      willRun: { sql in
        if isHeld.value, sql == "BEGIN IMMEDIATE" { WatchedBackend.cancelCurrentTask() }
      })
    let store = try await Store(Store.Location(backend))
    let other = try database.open()
    try other.run("BEGIN IMMEDIATE")
    isHeld.value = true
    let task = Task { try await store.context.save(Entry(id: 1, text: "a")) }
    await #expect(throws: CancellationError.self) { try await task.value }
    isHeld.value = false
    try other.run("COMMIT")
    try await store.context.save(Entry(id: 1, text: "b"))
    #expect(try await store.context.fetch(Entry.self) == [Entry(id: 1, text: "b")])
  }

  /// The interruption of a cancelled task may meet any statement.
  @Test(arguments: [1, 100]) func anInterruptedRollbackLeavesNoTransactionOpen(interruptions: Int) async throws {
    let left = Mutex(interruptions)
    let backend = WatchedBackend(
      path: path,
      willRun: { sql throws(StoreError) in
        guard sql == "ROLLBACK" else { return }
        let isInterrupted = left.withLock { left in
          left -= 1
          return left >= 0
        }
        if isInterrupted { throw StoreError(code: .interrupted) }
      })
    let store = try await Store(Store.Location(backend))
    try await store.save(Entry(id: 1, text: "a"))
    await #expect(throws: CocoaError.self) {
      try await store.perform { transaction in
        try transaction.save(Entry(id: 2, text: "b"))
        throw CocoaError(.coderInvalidValue)
      }
    }
    try await store.save(Entry(id: 3, text: "c"))
    #expect(try await store.fetch(Entry.self).map(\.id) == [1, 3])
  }

  /// A column gets another type by statements for each row: of the column, or of the whole row where it is the key.
  @Test(arguments: [(#"{"id": 1, "v": "x"}"#, #"UPDATE "T""#), (#"{"id": "x"}"#, #"INSERT INTO "anvil_wider""#)])
  func wideningStopsAtTheNextRow(json: String, statement: String) async throws {
    let count = Mutex(0)
    let backend = WatchedBackend(
      path: path,
      willRun: { sql in
        guard sql.hasPrefix(statement) else { return }
        count.withLock { $0 += 1 }
        WatchedBackend.cancelCurrentTask()
      })
    let store = try await Store(Store.Location(backend))
    let rows = (1...10).map { #"{"id": \#($0), "v": \#($0)}"# }.joined(separator: ",")
    _ = try await store.context.store(try JSON(parsing: "[\(rows)]"), as: "T", keys: ["id"])
    let wider = try JSON(parsing: json)
    let task = Task { try await store.context.store(wider, as: "T", keys: ["id"]) }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(count.withLock { $0 } == 1)
    #expect(
      try database.open().rows("SELECT typeof(id), typeof(v), count(*) FROM T GROUP BY 1, 2")
        == [[.text("integer"), .text("integer"), .integer(10)]])
  }
}

private final class Flag: Sendable {
  private let stored = Atomic(false)

  var value: Bool {
    get { stored.load(ordering: .relaxed) }
    set { stored.store(newValue, ordering: .relaxed) }
  }
}
