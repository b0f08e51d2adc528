import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.needsServer, .timeLimit(.minutes(15))) struct TransactionTests {
  @Test func savepointsNest() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)")
    #expect(!connection.isInTransaction)
    for statement in [
      connection.beginWriting, "INSERT INTO t VALUES (1)", "SAVEPOINT a", "INSERT INTO t VALUES (2)", "SAVEPOINT b",
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

  @Test func failedTransactionsStayOpenAndCannotBeCommitted() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)")
    for end in ["COMMIT", "END", "ROLLBACK", " rollback ", "ABORT"] {
      try connection.run(connection.beginWriting)
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(throws: StoreError.self) { try connection.run("SELECT 1 / 0") }
      #expect(connection.isInTransaction)
      let error = try storeError { _ = try connection.rows("SELECT count(*) FROM t") }
      #expect(error?.backendCode == "25P02")
      let endError = try storeError { try connection.run(end) }
      let isCommit = end == "COMMIT" || end == "END"
      #expect(
        endError?.description
          == (isCommit
            ? "the database failed: the transaction was rolled back instead of committed, because one of its statements failed in: \(end)"
            : nil))
      #expect(!connection.isInTransaction)
    }
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  /// A query whose rows are buffered also fails the transaction.
  @Test func anErrorWhileRowsAreReadFailsTheTransaction() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)", "BEGIN", "INSERT INTO t VALUES (1)")
    var commitError: StoreError?
    let error = try storeError {
      try connection.query("SELECT 1 / (2 - i) AS share FROM generate_series(1, 5) AS i", []) { _ in
        commitError = try storeError { try connection.run("COMMIT") }
        return .goOn
      }
    }
    #expect(commitError?.reason?.hasSuffix("because one of its statements failed") == true)
    #expect(error?.backendCode == "22012")
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test func isInTransactionIsCorrectWhileRowsAreRead() throws {
    let connection = try TemporarySchema().open()
    for (begin, sql) in [
      (nil, "SELECT 1"), ("BEGIN", "SELECT 1"), ("ROLLBACK", "SELECT 1"), ("BEGIN", "SELECT 1 AS share"),
    ] {
      if let begin { try connection.run(begin) }
      var seen: Bool?
      try connection.query(sql, []) { _ in
        seen = connection.isInTransaction
        return .goOn
      }
      #expect(seen == (begin == "BEGIN"))
    }
  }

  @Test func closingAConnectionRollsItsTransactionBack() throws {
    let schema = try TemporarySchema()
    var connection: PostgresConnection? = try schema.open(after: "CREATE TABLE t (v BIGINT)", "BEGIN")
    try connection?.run("INSERT INTO t VALUES (1)")
    connection = nil
    #expect(try schema.open().rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test func readersSeeTheSnapshotOfTheirStart() throws {
    let schema = try TemporarySchema()
    let (writer, reader) = (try schema.open(after: "CREATE TABLE t (v BIGINT)"), try schema.open())
    let count = { try reader.rows("SELECT count(*) FROM t") }
    try reader.run(reader.beginReading)
    #expect(try count() == [[.integer(0)]])
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(try count() == [[.integer(0)]])
    try reader.run("COMMIT")
    #expect(try count() == [[.integer(1)]])
  }

  @Test func writingARowThatAnotherTransactionChangedIsAConflict() throws {
    let schema = try TemporarySchema()
    let (first, second) = (
      try schema.open(after: "CREATE TABLE t (v BIGINT)", "INSERT INTO t VALUES (1)"), try schema.open()
    )
    try first.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
    _ = try first.rows("SELECT * FROM t")
    try second.run("UPDATE t SET v = 2")
    #expect(try storeError { try first.run("UPDATE t SET v = 3") }?.code == .conflict)
    try first.run("ROLLBACK")
  }

  @Test func lockedRowsAreBusy() throws {
    let schema = try TemporarySchema()
    let first = try schema.open(after: "CREATE TABLE t (v BIGINT)", "INSERT INTO t VALUES (1), (2)")
    let second = try schema.open(.init(busyTimeout: .milliseconds(20)))
    try first.run(first.beginWriting)
    #expect(try first.rows("SELECT v FROM t WHERE v = 1\(first.rowLock)") == [[.integer(1)]])
    let error = try storeError { try second.run("UPDATE t SET v = 3 WHERE v = 1") }
    #expect(
      error?.description
        == "the database is busy: canceling statement due to lock timeout (55P03) in: UPDATE t SET v = 3 WHERE v = 1")
    #expect(try second.run("UPDATE t SET v = 4 WHERE v = 2") == 1)
    try first.run("COMMIT")
    #expect(try second.run("UPDATE t SET v = 3 WHERE v = 1") == 1)
  }

  @Test func statementsMayHaveATimeout() throws {
    let connection = try TemporarySchema().open()
    try connection.run("SET statement_timeout = 20")
    #expect(try storeError { try connection.run("SELECT pg_sleep(60)") }?.code == .interrupted)
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
  }

  // MARK: Interruptions

  @Test(arguments: [false, true]) func interruptingEndsTheStatementWhoseRowsAreRead(isInTransaction: Bool) throws {
    let connection = try TemporarySchema().open()
    if isInTransaction { try connection.run("BEGIN") }
    let interrupt = connection.interrupt
    var count = 0
    let error = try storeError {
      try connection.query("SELECT generate_series(1, 1000000000)", []) { _ in
        count += 1
        // From other threads, which are awaited.
        if count == 10 { DispatchQueue.concurrentPerform(iterations: 4) { _ in interrupt() } }
        return .goOn
      }
    }
    #expect(error?.code == .interrupted)
    #expect(count == 10)
    if isInTransaction { try connection.run("ROLLBACK") }
    for _ in 1...50 { #expect(try connection.rows("SELECT 1") == [[.integer(1)]]) }
  }

  @Test func interruptingBetweenStatementsDoesNothing() throws {
    let connection = try TemporarySchema().open()
    for _ in 1...50 {
      connection.interrupt()
      #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
    }
  }

  /// Statements are interrupted at any moment. The following statements are not affected.
  @Test func interruptingEndsOnlyOneStatement() throws {
    let connection = try TemporarySchema().open()
    let interrupt = connection.interrupt
    for _ in 1...30 {
      let thread = InterruptingThread(interrupt)
      let error = try storeError { try connection.run("SELECT pg_sleep(600)") }
      thread.stop()
      #expect(error?.code == .interrupted)
      #expect(try connection.rows("SELECT pg_sleep(0.001), 1").first?.last == .integer(1))
    }
  }

  @Test func interruptingEndsTheWaitForALock() throws {
    let schema = try TemporarySchema()
    let first = try schema.open(after: "CREATE TABLE t (v BIGINT)", "BEGIN", "LOCK TABLE t")
    let second = try schema.open(.init(busyTimeout: .seconds(Int64.max)))
    let thread = InterruptingThread(second.interrupt)
    let error = try storeError { try second.run("INSERT INTO t VALUES (1)") }
    thread.stop()
    #expect(error?.code == .interrupted)
    #expect(
      error?.description
        == "interrupted: canceling statement due to user request (57014) in: INSERT INTO t VALUES (1)")
    try first.run("COMMIT")
  }

  @Test func interruptingClosingConnectionsIsSafe() throws {
    let schema = try TemporarySchema()
    for _ in 1...20 {
      var connection: PostgresConnection? = try schema.open()
      let interrupt = try #require(connection?.interrupt)
      let thread = InterruptingThread(interrupt)
      _ = try? connection?.run("SELECT 1")
      connection = nil
      thread.stop()
      interrupt()
    }
  }

  // MARK: Lost connections

  @Test(arguments: [false, true]) func killedConnectionsAreReportedAsLost(isInTransaction: Bool) throws {
    let schema = try TemporarySchema()
    let (victim, other) = (try schema.open(), try schema.open())
    if isInTransaction { try victim.run("BEGIN") }
    #expect(victim.isUsable)
    // Waits until the connection is closed.
    #expect(
      try other.rows("SELECT pg_terminate_backend($1::int, 60000)", [.integer(victim.processID)]) == [[.integer(1)]])
    for _ in 1...2 {
      let error = try storeError { try victim.run("SELECT 1") }
      #expect(error?.code == .connectionLost)
      #expect(error?.sql == "SELECT 1")
    }
    #expect(!victim.isUsable)
    #expect(!victim.isInTransaction)
    victim.interrupt()
  }

  @Test(arguments: [false, true]) func connectionsLostWhileReadingRowsAreReported(isInTransaction: Bool) throws {
    let schema = try TemporarySchema()
    let (victim, other) = (try schema.open(), try schema.open())
    let id = try victim.processID
    if isInTransaction { try victim.run("BEGIN") }
    var count = 0
    let error = try storeError {
      try victim.query("SELECT generate_series(1, 1000000000)", []) { _ in
        count += 1
        if count == 10 { try other.run("SELECT pg_terminate_backend($1::int, 60000)", [.integer(id)]) }
        return .goOn
      }
    }
    #expect(error?.code == .connectionLost)
    #expect(count >= 10)
    #expect(!victim.isUsable)
  }
}

/// Calls a function repeatedly until it is stopped, because interrupting has no effect before a statement begins.
private final class InterruptingThread: Sendable {
  private let isOver = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ interrupt: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      while !self.isOver.load(ordering: .relaxed) {
        interrupt()
        usleep(200)
      }
      self.hasEnded.signal()
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
  }
}
