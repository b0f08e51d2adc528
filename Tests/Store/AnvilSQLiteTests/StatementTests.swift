import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

@testable import AnvilSQLite

@Suite struct StatementTests {
  @Test func runReturnsTheNumberOfChangedRows() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)", "CREATE TABLE log (v)")
    try connection.run("CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.v), (new.v); END")
    #expect(try connection.run("INSERT INTO t VALUES (1), (2), (3)") == 3)
    #expect(try connection.run("CREATE TABLE other (v)") == 0)
    #expect(try connection.run("SELECT * FROM t") == 0)
    #expect(try connection.run("UPDATE t SET v = 5 WHERE v = 77") == 0)
    #expect(try connection.run("UPDATE t SET v = v + 1 WHERE v > 1 RETURNING v") == 2)
    #expect(try connection.run("BEGIN") == 0)
    #expect(try connection.run("DELETE FROM t") == 3)
    #expect(try connection.run("ROLLBACK") == 0)
    #expect(try connection.rows("SELECT count(*) FROM log") == [[.integer(6)]])
  }

  @Test func aColumnThatTheRowDoesNotHaveIsAnError() throws {
    let connection = try SQLiteConnection(.inMemory)
    for column in [-1, 1, .max] {
      let reads: [(borrowing StoreRow) throws -> Void] = [
        { _ = try $0.value(at: column) }, { _ = try $0.kind(at: column) }, { _ = try $0.integer(at: column) },
        { _ = try $0.real(at: column) }, { _ = try $0.text(at: column) }, { _ = try $0.blob(at: column) },
        { _ = try $0.name(at: column) },
      ]
      for read in reads {
        try connection.query("SELECT NULL", []) { row in
          let error = try storeError { try read(row) }
          #expect(error?.code == .invalidStatement)
          #expect(error?.reason?.contains("a row of 1 columns has no column \(column)") == true)
          return .stop
        }
      }
    }
  }

  /// SQLite could otherwise take a misspelt name in double quotation marks for a text.
  @Test func doubleQuotationMarksAreOnlyForNames() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)")
    for sql in [#"SELECT "nothing" FROM t"#, #"CREATE INDEX i ON t (v) WHERE v = "nothing""#] {
      let error = try storeError { try connection.run(sql) }
      #expect(error?.code == .invalidStatement)
    }
  }

  @Test func queriesEndWhenTheBodyReturnsStop() throws {
    let connection = try SQLiteConnection(.inMemory)
    let sql = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    var seen: [Int64?] = []
    for _ in 1...2 {
      try connection.query(sql, []) { row in
        seen.append(try row.integer(at: 0))
        return seen.count % 3 == 0 ? .stop : .goOn
      }
    }
    #expect(seen == [1, 2, 3, 1, 2, 3])
  }

  private struct Stopped: Error {}

  @Test func errorsOfTheBodyEndTheQuery() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)", "INSERT INTO t VALUES (1), (2)")
    #expect(throws: Stopped.self) { try connection.query("SELECT v FROM t", []) { _ in throw Stopped() } }
    // A reader that is still open would lock the table.
    #expect(throws: Never.self) { try connection.run("DROP TABLE t") }
  }

  @Test func preparedStatementsAreReused() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)")
    let sql = "INSERT INTO t VALUES (?1)"
    let first = try connection.statements.take(sql, on: connection.handle)
    connection.statements.giveBack(first)
    try connection.run("SELECT 1")
    try connection.run(sql, [.integer(1)])
    // Statements are compared by their text, not by the string's identity.
    let again = try connection.statements.take(sql.split(separator: "|").joined(), on: connection.handle)
    #expect(again === first)
    connection.statements.giveBack(again)
  }

  @Test func leastRecentlyUsedStatementsAreDropped() throws {
    let connection = try SQLiteConnection(.inMemory, configuration: .init(statementCacheCapacity: 3))
    func statement(_ number: Int) throws -> SQLiteStatement {
      let statement = try connection.statements.take("SELECT \(number)", on: connection.handle)
      connection.statements.giveBack(statement)
      return statement
    }
    let kept = try statement(1)
    let dropped = try statement(2)
    _ = try statement(3)
    #expect(try statement(1) === kept)
    _ = try statement(4)
    #expect(connection.statements.count == 3)
    #expect(try statement(1) === kept)
    #expect(try statement(2) !== dropped)
    for number in 0..<1_000 { _ = try statement(number) }
    #expect(connection.statements.count == 3)
  }

  @Test(arguments: [-1, 0, 1]) func smallCachesWork(capacity: Int) throws {
    let connection = try SQLiteConnection(.inMemory, configuration: .init(statementCacheCapacity: capacity))
    for _ in 1...3 {
      #expect(try connection.rows("SELECT ?1", [.integer(1)]) == [[.integer(1)]])
      #expect(try connection.rows("SELECT ?1, 2", [.integer(1)]) == [[.integer(1), .integer(2)]])
    }
    #expect(connection.statements.count == max(capacity, 0))
  }

  @Test func aStatementCanRunWhileItsRowsAreRead() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)", "INSERT INTO t VALUES (1), (2), (3)")
    let sql = "SELECT v FROM t WHERE v >= ?1 ORDER BY v"
    var pairs: [[StoreValue]] = []
    try connection.query(sql, [.integer(1)]) { outer in
      let value = try outer.value(at: 0)
      try connection.query(sql, [value]) { inner in
        pairs.append([value, try inner.value(at: 0)])
        return .goOn
      }
      return .goOn
    }
    #expect(pairs == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)].map { [.integer($0.0), .integer($0.1)] })
  }

  @Test func preparedStatementsWorkAfterSchemaChanges() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1)]])
    try connection.run("ALTER TABLE t ADD COLUMN b DEFAULT 'x'")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1), .text("x")]])
  }

  @Test(arguments: [
    ("", "it is empty"), (" -- only a comment", "it is empty"),
    ("SELECT 1; DROP TABLE t", "it contains more than one statement"),
    ("SELECT 1; gibberish", "it contains more than one statement"),
    ("SELECT 1\0 garbage", "it contains a NUL character"),
  ])
  func textThatIsNotExactlyOneStatementIsRejected(sql: String, reason: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    let error = try storeError { try connection.run(sql) }
    #expect(error?.code == .invalidStatement)
    #expect(error?.reason == reason)
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ; -- done", " /* é */ SELECT 1;\n\n"])
  func statementsMayBeSurroundedBySpaceAndComments(sql: String) throws {
    #expect(try SQLiteConnection(.inMemory).rows(sql) == [[.integer(1)]])
  }

  @Test(arguments: [0, 1, 3]) func aWrongNumberOfValuesIsAnError(count: Int) throws {
    let connection = try SQLiteConnection(.inMemory)
    let error = try storeError { try connection.run("SELECT ?1, ?2", Array(repeating: .null, count: count)) }
    #expect(
      error?.description
        == "invalid statement: it has 2 placeholders, but \(count) values were passed in: SELECT ?1, ?2")
  }

  @Test func theMaximumNumberOfPlaceholdersWorks() throws {
    let connection = try SQLiteConnection(.inMemory)
    let count = connection.maximumPlaceholderCount
    let list = (1...count).map(connection.placeholder).joined(separator: ",")
    let values = (1...count).map { StoreValue.integer(Int64($0)) }
    #expect(
      try connection.rows("SELECT \(count) IN (\(list)), 0 IN (\(list))", values) == [[.integer(1), .integer(0)]])
  }

  @Test(arguments: ["SELECT ?0", "SELECT ?2000000000", "SELECT ?99999999999999999999"])
  func invalidPlaceholderNumbersAreErrors(sql: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    #expect(try storeError { try connection.run(sql) }?.code == .invalidStatement)
  }

  @Test func descriptionsTruncateLongStatements() throws {
    let connection = try SQLiteConnection(.inMemory)
    let sql = "SELECT nothing" + String(repeating: ", 1", count: 10_000)
    let error = try storeError { try connection.run(sql) }
    #expect(error?.sql == sql)
    #expect(error?.description.hasSuffix(", 1, 1…") == true)
    #expect((error?.description.count ?? .max) < 600)
  }
}
