import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct StoreExecutorTests {
  private actor Counter {
    private let executor: StoreExecutor
    private let connection: SQLiteConnection
    private(set) var value = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }

    init(executor: StoreExecutor) throws {
      self.executor = executor
      connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)")
    }

    func add() throws {
      value += 1
      try connection.run("INSERT INTO t VALUES (?1)", [.integer(Int64(value))])
    }

    func count() throws -> [[StoreValue]] {
      try connection.rows("SELECT count(*), max(v) FROM t")
    }

    func currentThread() throws -> String { try threadName() }

    nonisolated func assumingIsolation() -> Bool { assumeIsolated { _ in true } }

    func callsBack() -> Bool { assumingIsolation() }
  }

  @Test func allWorkRunsOnOneDedicatedThread() async throws {
    let executor = try StoreExecutor()
    let first = try Counter(executor: executor)
    let second = try Counter(executor: executor)
    let threads = try await withThrowingTaskGroup { group in
      for index in 0..<200 { group.addTask { try await (index % 2 == 0 ? first : second).currentThread() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(threads.count == 1)
    #expect(threads != [try await poolThread()])
    #expect(await first.callsBack())
  }

  @Test func concurrentTasksLoseNoUpdates() async throws {
    let counter = try Counter(executor: StoreExecutor())
    try await withThrowingTaskGroup { group in
      for _ in 1...1_000 {
        group.addTask {
          for _ in 1...5 { try await counter.add() }
        }
      }
      try await group.waitForAll()
    }
    #expect(await counter.value == 5_000)
    #expect(try await counter.count() == [[.integer(5_000), .integer(5_000)]])
  }

  @Test func pendingJobsRunAfterTheLastReferenceToTheExecutor() async throws {
    let done = AsyncStream<Int>.makeStream()
    try start(100, reportingTo: done.continuation)
    var seen: [Int] = []
    for await value in done.stream {
      seen.append(value)
      if seen.count == 100 { break }
    }
    #expect(seen.sorted() == Array(1...100))
  }

  /// After this returns, only the tasks retain the actor, which retains the executor.
  private func start(_ count: Int, reportingTo done: AsyncStream<Int>.Continuation) throws {
    let counter = try Counter(executor: StoreExecutor())
    for value in 1...count {
      Task {
        try await counter.add()
        done.yield(value)
      }
    }
  }

  #if os(Linux)
  @Test(arguments: 1...20) func threadsEndWithTheirExecutor(_: Int) async throws {
    weak var ended: StoreExecutor?
    let thread: String
    do {
      let executor = try StoreExecutor()
      ended = executor
      let counter = try Counter(executor: executor)
      thread = try await counter.currentThread()
      #expect(FileManager.default.fileExists(atPath: "/proc/self/task/\(thread)"))
    }
    await waitUntil { ended == nil && !FileManager.default.fileExists(atPath: "/proc/self/task/\(thread)") }
  }

  @Test func manyExecutorsLeaveNoThreadsBehind() async throws {
    let threads = try await withThrowingTaskGroup { group in
      for _ in 1...200 {
        group.addTask {
          let counter = try Counter(executor: StoreExecutor())
          try await counter.add()
          return try await counter.currentThread()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(threads.count == 200)
    for thread in threads {
      await waitUntil { !FileManager.default.fileExists(atPath: "/proc/self/task/\(thread)") }
    }
  }
  #endif

  @concurrent private func poolThread() async throws -> String { try threadName() }
}

/// Identifies the current thread by the kernel's number for it, if available.
private func threadName() throws -> String {
  #if os(Linux)
  let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
  return String(path.split(separator: "/").last ?? "")
  #else
  return "\(ObjectIdentifier(Thread.current))"
  #endif
}
