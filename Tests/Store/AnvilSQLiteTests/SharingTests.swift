import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct SharingTests {
  @Test func filesAreInWALModeWithForeignKeys() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    #expect(try connection.rows("PRAGMA journal_mode") == [[.text("wal")]])
    #expect(try connection.rows("PRAGMA synchronous") == [[.integer(1)]])
    #expect(try connection.rows("PRAGMA foreign_keys") == [[.integer(1)]])
    #expect(try connection.rows("PRAGMA trusted_schema") == [[.integer(0)]])
    #expect(try SQLiteConnection(.inMemory).rows("PRAGMA foreign_keys") == [[.integer(1)]])
  }

  @Test func savepointsNest() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)")
    #expect(!connection.isInTransaction)
    for statement in [
      "BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)", "SAVEPOINT a", "INSERT INTO t VALUES (2)", "SAVEPOINT b",
      "INSERT INTO t VALUES (3)", "ROLLBACK TO b", "RELEASE b", "RELEASE a", "SAVEPOINT c", "INSERT INTO t VALUES (4)",
      "ROLLBACK TO c", "RELEASE c",
    ] {
      try connection.run(statement)
      #expect(connection.isInTransaction)
    }
    try connection.run("COMMIT")
    #expect(!connection.isInTransaction)
    #expect(try connection.rows("SELECT v FROM t ORDER BY v") == [[.integer(1)], [.integer(2)]])
  }

  @Test func closingAConnectionRollsItsTransactionBack() throws {
    let database = try TemporaryDatabase()
    var connection: SQLiteConnection? = try database.open()
    try connection?.run("CREATE TABLE t (v)")
    try connection?.run("BEGIN IMMEDIATE")
    try connection?.run("INSERT INTO t VALUES (1)")
    connection = nil
    #expect(try database.open().rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test func readersSeeTheSnapshotOfTheirStart() throws {
    let database = try TemporaryDatabase()
    let (writer, reader) = (try database.open(), try database.open(.init(busyTimeout: .zero)))
    try writer.run("CREATE TABLE t (v)")
    let count = { try reader.rows("SELECT count(*) FROM t") }
    try writer.run("BEGIN IMMEDIATE")
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(try count() == [[.integer(0)]])
    try reader.run("BEGIN")
    #expect(try count() == [[.integer(0)]])
    try writer.run("COMMIT")
    #expect(try count() == [[.integer(0)]])
    // Its snapshot is outdated, so waiting would not help.
    #expect(try storeError { try reader.run("INSERT INTO t VALUES (2)") }?.code == .conflict)
    try reader.run("COMMIT")
    #expect(try count() == [[.integer(1)]])
  }

  @Test func aSecondWriterReceivesABusyError() throws {
    let database = try TemporaryDatabase()
    let (first, second) = (try database.open(), try database.open(.init(busyTimeout: .milliseconds(20))))
    try first.run("CREATE TABLE t (v)")
    try first.run("BEGIN IMMEDIATE")
    let error = try storeError { try second.run("BEGIN IMMEDIATE") }
    #expect(error?.description == "the database is busy: database is locked (5) in: BEGIN IMMEDIATE")
    try first.run("COMMIT")
    try second.run("BEGIN IMMEDIATE")
    try second.run("COMMIT")
  }

  /// Threads take turns on a new file, for the WAL mode, the table and their rows.
  @Test func manyThreadsWithTheirOwnConnectionsLoseNoWrites() throws {
    let database = try TemporaryDatabase()
    let (threads, rows) = (8, 50)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      do {
        let connection = try database.open(.init(busyTimeout: .seconds(60)))
        try connection.run("CREATE TABLE IF NOT EXISTS t (thread INTEGER, row INTEGER, PRIMARY KEY (thread, row))")
        for row in 1...rows {
          try connection.run("BEGIN IMMEDIATE")
          try connection.run("INSERT INTO t VALUES (?1, ?2)", [.integer(Int64(thread)), .integer(Int64(row))])
          _ = try connection.rows("SELECT count(*) FROM t")
          try connection.run("COMMIT")
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(
      try database.open().rows("SELECT count(*), count(DISTINCT thread) FROM t")
        == [[.integer(Int64(threads * rows)), .integer(Int64(threads))]])
  }

  private static let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

  @Test func interruptingEndsTheRunningStatement() throws {
    let connection = try SQLiteConnection(.inMemory)
    let interrupt = connection.interrupt
    var count = 0
    let error = try storeError {
      try connection.query(Self.endless, []) { _ in
        count += 1
        // From another thread, which is awaited.
        if count == 10 {
          DispatchQueue.global().sync { DispatchQueue.concurrentPerform(iterations: 4) { _ in interrupt() } }
        }
        return .goOn
      }
    }
    #expect(error?.code == .interrupted)
    #expect(count == 10)
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
  }

  @Test func interruptingBetweenStatementsDoesNothing() throws {
    let connection = try SQLiteConnection(.inMemory)
    connection.interrupt()
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
  }

  /// SQLite on its own would wait for the whole timeout, an hour here.
  @Test func interruptingEndsTheWaitForALock() throws {
    let database = try TemporaryDatabase()
    let (first, second) = (try database.open(), try database.open(.init(busyTimeout: .seconds(Int64.max))))
    try first.run("BEGIN IMMEDIATE")
    let interrupt = second.interrupt
    let isOver = Atomic(false)
    // Repeatedly, because interrupting has no effect before the statement begins.
    let interrupting = Thread { while !isOver.load(ordering: .relaxed) { interrupt() } }
    interrupting.start()
    defer { isOver.store(true, ordering: .relaxed) }
    #expect(try storeError { try second.run("BEGIN IMMEDIATE") }?.code == .interrupted)
  }

  @Test func interruptingClosingConnectionsIsSafe() throws {
    for _ in 1...200 {
      var connection: SQLiteConnection? = try SQLiteConnection(.inMemory)
      let interrupt = try #require(connection?.interrupt)
      let isStarted = DispatchSemaphore(value: 0)
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        isStarted.signal()
        for _ in 1...50 { interrupt() }
        isDone.signal()
      }
      isStarted.wait()
      connection = nil
      isDone.wait()
      interrupt()
    }
  }
}
