import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

@testable import AnvilPostgres

@Suite(.needsServer, .timeLimit(.minutes(15))) struct StatementTests {
  @Test func runReturnsTheNumberOfChangedRows() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)")
    #expect(try connection.run("INSERT INTO t VALUES (1), (2), (3)") == 3)
    #expect(try connection.run("CREATE TABLE other AS SELECT * FROM t") == 0)
    #expect(try connection.run("SELECT * FROM t") == 0)
    #expect(try connection.run("UPDATE t SET v = 5 WHERE v = 77") == 0)
    #expect(try connection.run("UPDATE t SET v = v + 1 WHERE v > 1 RETURNING v") == 2)
    #expect(try connection.run("BEGIN") == 0)
    #expect(try connection.run("DELETE FROM t") == 3)
    #expect(try connection.run("ROLLBACK") == 0)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(3)]])
  }

  /// Outside a transaction, in one with a cursor, and in one for a statement that cannot use a cursor.
  private static let ways: [(begin: [String], suffix: String)] = [
    ([], ""), (["BEGIN"], ""), (["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], ""),
    (["BEGIN"], " LIMIT (SELECT NULL::bigint AS update)"),
  ]

  @Test(arguments: ways.indices) func queriesEndWhenTheBodyReturnsStop(way: Int) throws {
    let (begin, suffix) = Self.ways[way]
    let connection = try TemporarySchema().open()
    for statement in begin { try connection.run(statement) }
    // The complete result would take the server hours.
    let last: Int64 = suffix.isEmpty ? 1_000_000_000_000 : 100_000
    var seen: [Int64?] = []
    for _ in 1...2 {
      try connection.query("SELECT generate_series(1::bigint, $1)\(suffix)", [.integer(last)]) { row in
        seen.append(try row.integer(at: 0))
        return seen.count % 3 == 0 ? .stop : .goOn
      }
    }
    #expect(seen == [1, 2, 3, 1, 2, 3])
    #expect(connection.isInTransaction == !begin.isEmpty)
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
  }

  private struct Stopped: Error {}

  @Test(arguments: ways.indices) func errorsOfTheBodyEndTheQuery(way: Int) throws {
    let (begin, suffix) = Self.ways[way]
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)", "INSERT INTO t VALUES (1), (2)")
    for statement in begin { try connection.run(statement) }
    #expect(throws: Stopped.self) { try connection.query("SELECT v FROM t\(suffix)", []) { _ in throw Stopped() } }
    if begin == ["BEGIN"] {
      // A reader that is still open would lock the table.
      #expect(throws: Never.self) { try connection.run("DROP TABLE t") }
    }
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
  }

  @Test(arguments: ways.indices) func aStatementCanRunWhileItsRowsAreRead(way: Int) throws {
    let (begin, suffix) = Self.ways[way]
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)", "INSERT INTO t VALUES (1), (2), (3)")
    for statement in begin { try connection.run(statement) }
    let sql = "SELECT v, NULL::text, 'x' FROM t WHERE v >= $1 ORDER BY v\(suffix)"
    var pairs: [[StoreValue]] = []
    try connection.query(sql, [.integer(1)]) { outer in
      let value = try outer.value(at: 0)
      try connection.query(sql, [value]) { inner in
        pairs.append([value, try inner.value(at: 0)])
        return .goOn
      }
      // The row is still there.
      #expect(try outer.values() == [value, .null, .text("x")])
      return .goOn
    }
    #expect(pairs == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)].map { [.integer($0.0), .integer($0.1)] })
    #expect(connection.isInTransaction == !begin.isEmpty)
  }

  @Test(arguments: ways.indices.filter { $0 != 2 }) func aQueryBodyCanWriteWhileRowsAreRead(way: Int) throws {
    let (begin, suffix) = Self.ways[way]
    let schema = try TemporarySchema()
    let connection = try schema.open(
      after: "CREATE TABLE t (v BIGINT)", "INSERT INTO t SELECT generate_series(1, 3000)")
    for statement in begin { try connection.run(statement) }
    var count = 0
    try connection.query("SELECT v FROM t\(suffix)", []) { row in
      count += 1
      if count % 500 == 1 {
        try connection.run("UPDATE t SET v = v + 10000 WHERE v = $1", [try row.value(at: 0)])
        #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(3_000)]])
      }
      return .goOn
    }
    #expect(count == 3_000)
    #expect(try connection.rows("SELECT count(*) FROM t WHERE v > 10000") == [[.integer(6)]])
  }

  @Test func aStatementsWritesAreKeptIfItsRowsAreNotAllRead() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)")
    for _ in 1...3 {
      try connection.query("INSERT INTO t SELECT generate_series(1, 100000) RETURNING v", []) { _ in .stop }
    }
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(300_000)]])
  }

  @Test func aStatementThatHadFewRowsCanReturnMany() throws {
    let connection = try TemporarySchema().open(after: "BEGIN")
    let sql = "SELECT generate_series(1, $1)"
    for _ in 1...2 {
      for _ in 1...5 { #expect(try connection.rows(sql, [.integer(3)]).count == 3) }
      for count: Int64 in [10_000, 20_000, 63, 64, 65] {
        var seen: Int64 = 0
        try connection.query(sql, [.integer(count)]) { row in
          seen += 1
          let value = try row.integer(at: 0)
          #expect(value == seen)
          if seen == 5 {
            let rows = try connection.rows("SELECT 7")
            #expect(rows == [[.integer(7)]])
          }
          return count == 20_000 && seen == 70 ? .stop : .goOn
        }
        #expect(seen == (count == 20_000 ? 70 : count))
      }
    }
    try connection.run("COMMIT")
  }

  /// Savepoints that are rolled back while rows are read: those before the query, and after.
  @Test func cursorsSurviveOnlyInnerSavepoints() throws {
    let connection = try TemporarySchema().open(after: "BEGIN", "SAVEPOINT a")
    let sql = "SELECT i FROM generate_series(1, 1000) AS i"
    var count = 0
    try connection.query(sql, []) { _ in
      count += 1
      if count == 10 {
        try connection.run("SAVEPOINT b")
        #expect(throws: StoreError.self) { try connection.run("SELECT 1 / 0") }
        try connection.run("ROLLBACK TO b")
      }
      return .goOn
    }
    #expect(count == 1_000)
    let error = try storeError {
      try connection.query(sql, []) { _ in
        try connection.run("ROLLBACK TO a")
        return .goOn
      }
    }
    #expect(error?.code == .invalidStatement)
    #expect(error?.reason == "its transaction ended before all rows were read")
    #expect(try connection.rows(sql).count == 1_000)
    let ended = try storeError {
      try connection.query(sql, []) { _ in
        try connection.run("COMMIT")
        try connection.run("BEGIN")
        return .goOn
      }
    }
    #expect(ended?.reason == "its transaction ended before all rows were read")
    #expect(try connection.rows(sql).count == 1_000)
  }

  @Test func anErrorIsThrownAfterTheRowsThatPrecedeIt() throws {
    let connection = try TemporarySchema().open()
    for (begin, isReentrant) in [(false, false), (false, true), (true, false)] {
      if begin { try connection.run("BEGIN") }
      var count = 0
      let error = try storeError {
        try connection.query("SELECT 1 / (500 - i) FROM generate_series(1, 1000) AS i", []) { _ in
          count += 1
          if isReentrant { _ = try connection.rows("SELECT 1") }
          return .goOn
        }
      }
      #expect(error?.backendMessage == "division by zero")
      #expect(begin ? count > 0 : count == 499)
    }
  }

  #if os(Linux)
  @Test func manyRowsDoNotFillTheMemory() throws {
    let connection = try TemporarySchema().open()
    for begin in [false, true] {
      if begin { try connection.run("BEGIN") }
      var count = 0
      let before = residentBytes
      // 400 MB.
      try connection.query("SELECT repeat('x', 4000) FROM generate_series(1, 100000)", []) { row in
        count += try row.text(at: 0)?.utf8.count ?? 0
        return .goOn
      }
      #expect(count == 400_000_000)
      #expect(residentBytes - before < 250_000_000)
    }
  }

  private var residentBytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst()
      .first
    return (pages.flatMap { Int($0) } ?? 0) * 4_096
  }
  #endif

  private func preparedCount(_ connection: PostgresConnection, _ sql: String) throws -> [[StoreValue]] {
    try connection.rows("SELECT count(*) FROM pg_prepared_statements WHERE statement = $1", [.text(sql)])
  }

  @Test func preparedStatementsAreReused() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)")
    let sql = "INSERT INTO t VALUES ($1)"
    for value in 1...10 { try connection.run(sql, [.integer(Int64(value))]) }
    // Statements are compared by their text, not by the string's identity.
    try connection.run(sql.split(separator: "|").joined(), [.integer(1)])
    #expect(try preparedCount(connection, sql) == [[.integer(1)]])
    let uses = try connection.rows(
      "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement = $1", [.text(sql)])
    #expect(uses == [[.integer(11)]])
  }

  @Test func leastRecentlyUsedStatementsAreDropped() throws {
    let connection = try TemporarySchema().open(.init(statementCacheCapacity: 3))
    for number in [1, 2, 3, 1, 4] { try connection.run("SELECT \(number)") }
    #expect(connection.statements.count == 3)
    // This statement is prepared next, and statement 3 is evicted.
    let prepared = try connection.rows("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time")
    #expect(prepared.prefix(3) == [[.text("SELECT 1")], [.text("SELECT 3")], [.text("SELECT 4")]])
    for number in 0..<200 { try connection.run("SELECT \(number)") }
    #expect(connection.statements.count == 3)
    let count = try #require(
      try connection.first("SELECT count(*) FROM pg_prepared_statements") { try $0.integer(at: 0) } ?? nil)
    #expect(count <= 4)
  }

  @Test(arguments: [-1, 0, 1]) func smallCachesWork(capacity: Int) throws {
    let connection = try TemporarySchema().open(.init(statementCacheCapacity: capacity))
    try connection.run("BEGIN")
    for _ in 1...3 {
      #expect(try connection.rows("SELECT $1::int", [.integer(1)]) == [[.integer(1)]])
      #expect(try connection.rows("SELECT $1::int, 2", [.integer(1)]) == [[.integer(1), .integer(2)]])
      #expect(throws: StoreError.self) { try connection.run("SELECT 1 / 0") }
      // No statement can be evicted now.
      try connection.run("ROLLBACK")
      try connection.run("BEGIN")
    }
    #expect(connection.statements.count == max(capacity, 0))
  }

  @Test(arguments: [false, true]) func lostPreparedStatementsDoNotBreakTheConnection(isInTransaction: Bool) throws {
    let connection = try TemporarySchema().open(.init(statementCacheCapacity: 2))
    for number in 1...3 { try connection.run("SELECT \(number)") }
    if isInTransaction { try connection.run("BEGIN") }
    // The server has no prepared statements now, also none of those that the cache has evicted.
    try connection.run("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$")
    if isInTransaction {
      let error = try storeError { try connection.run("SELECT 4") }
      #expect(error?.code == .conflict)
      try connection.run("ROLLBACK")
    }
    for number in 1...9 {
      #expect(try connection.rows("SELECT \(number)") == [[.integer(Int64(number))]])
    }
    try connection.run("BEGIN")
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
    try connection.run("COMMIT")
  }

  @Test(arguments: [false, true]) func preparedStatementsWorkAfterSchemaChanges(isInTransaction: Bool) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (a BIGINT)", "INSERT INTO t VALUES (1)")
    if isInTransaction { try connection.run("BEGIN") }
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1)]])
    if isInTransaction { try connection.run("SAVEPOINT s") }
    try connection.run("ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x'")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1), .text("x")]])
    guard isInTransaction else { return }
    try connection.run("ROLLBACK TO s")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1)]])
  }

  @Test func statementsWorkAfterSchemaChangesByOthers() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (a BIGINT)", "INSERT INTO t VALUES (1)")
    let other = try schema.open()
    let writing = RowWriting(table: "t", columns: [.init("a", .integer)], keyNames: [], existingRow: .updated)
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1)]])
    _ = try connection.write([.integer(2)], as: writing)
    try other.run("ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x'")
    #expect(try connection.rows("SELECT * FROM t WHERE a = 1") == [[.integer(1), .text("x")]])
    #expect(try connection.rows("SELECT * FROM t").count == 2)
    // In a transaction the statement fails, and the next one succeeds.
    try connection.run("BEGIN")
    _ = try connection.rows("SELECT * FROM t AS update")
    _ = try connection.rows("SELECT * FROM t")
    try connection.run("COMMIT")
    try other.run("ALTER TABLE t ADD COLUMN c TEXT")
    for sql in ["SELECT * FROM t AS update", "SELECT * FROM t"] {
      try connection.run("BEGIN")
      let error = try storeError { _ = try connection.rows(sql) }
      #expect(error == StoreError(code: .conflict, sql: sql))
      try connection.run("ROLLBACK")
      try connection.run("BEGIN")
      #expect(try connection.rows(sql).first?.count == 3)
      try connection.run("ROLLBACK")
    }
    try other.run("ALTER TABLE t ALTER COLUMN a TYPE TEXT")
    _ = try connection.write([.integer(3)], as: writing)
    #expect(try connection.rows("SELECT a FROM t WHERE a = $1", [.text("3")]) == [[.text("3")]])
  }

  @Test(arguments: [
    ("", "it is empty"), (" -- only a comment", "it is empty"), ("SELECT 1\0 garbage", "it contains a NUL character"),
    ("COPY (SELECT 1) TO STDOUT", "COPY is not supported"),
    ("COPY t FROM STDIN", "COPY is not supported"),
    ("SELECT 1; DROP TABLE t", nil), ("SELECT 1; gibberish", nil),
  ])
  func textThatIsNotExactlyOneStatementIsRejected(sql: String, reason: String?) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v TEXT)")
    let error = try storeError { try connection.run(sql) }
    #expect(error?.code == .invalidStatement)
    #expect(error?.reason == reason)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ; -- done", " /* é */ SELECT 1;\n\n"])
  func statementsMayBeSurroundedBySpaceAndComments(sql: String) throws {
    let connection = try TemporarySchema().open()
    #expect(try connection.rows(sql) == [[.integer(1)]])
    try connection.run("BEGIN")
    #expect(try connection.rows(sql) == [[.integer(1)]])
  }

  @Test(arguments: [
    "WITH w AS (INSERT INTO t VALUES (1) RETURNING v) SELECT v FROM w", "INSERT INTO t VALUES (1) RETURNING v",
    "SELECT v FROM (VALUES (1::bigint)) AS x (v)", "VALUES (1::bigint)", "(SELECT 1::bigint)",
    "SELECT 1::bigint INTO made",
    "SELECT 1::bigint FROM t RIGHT JOIN (VALUES (1)) AS x (i) ON true", "SHOW TimeZone",
  ])
  func statementsThatReturnRowsWorkInTransactions(sql: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v BIGINT)", "BEGIN")
    let expected: [[StoreValue]] =
      sql.contains("made") ? [] : sql.contains("SHOW") ? [[.text("UTC")]] : [[.integer(1)]]
    #expect(try connection.rows(sql) == expected)
    try connection.run("COMMIT")
  }

  @Test(arguments: [0, 1, 3]) func aWrongNumberOfValuesIsAnError(count: Int) throws {
    let connection = try TemporarySchema().open()
    let error = try storeError { try connection.run("SELECT $1, $2", Array(repeating: .null, count: count)) }
    #expect(
      error?.description
        == "invalid statement: it has 2 placeholders, but \(count) values were passed in: SELECT $1, $2")
  }

  @Test func theMaximumNumberOfPlaceholdersWorks() throws {
    let connection = try TemporarySchema().open()
    let count = connection.maximumPlaceholderCount
    let list = (1...count).map(connection.placeholder).joined(separator: ",")
    let values = (1...count).map { StoreValue.integer(Int64($0)) }
    #expect(
      try connection.rows("SELECT \(count) IN (\(list)), 0 IN (\(list))", values) == [[.integer(1), .integer(0)]])
  }

  @Test(arguments: ["SELECT $0", "SELECT $2000000000", "SELECT $99999999999999999999", "SELECT $65536"])
  func invalidPlaceholderNumbersAreErrors(sql: String) throws {
    let connection = try TemporarySchema().open()
    #expect(try storeError { try connection.run(sql) }?.code == .invalidStatement)
    #expect(connection.isUsable)
  }

  @Test func connectionsIgnoreNoticesAndApplyTheirSettings() throws {
    let connection = try TemporarySchema().open(after: "DROP TABLE IF EXISTS nowhere")
    let names = ["TimeZone", "client_encoding", "standard_conforming_strings", "lock_timeout", "application_name"]
    let settings = try names.map { try connection.rows("SHOW \($0)").first?.first }
    #expect(settings == ["UTC", "UTF8", "on", "5s", "anvil"].map { .text($0) })
  }
}
