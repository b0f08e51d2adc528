import AnvilBase
import AnvilStore
import AnvilStoreTestSupport
import AnvilStoreTesting
import Foundation
import Testing

@testable import AnvilPostgres

/// Connections through PgBouncer, which assigns a session of the server to a client until its session or transaction ends.
@Suite(.needsPooler, .timeLimit(.minutes(15))) struct PoolerTests {
  private struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let database: TemporaryDatabase

  init() throws {
    database = try TemporaryDatabase()
  }

  @Test(arguments: PostgresPoolMode.allCases)
  func aStatementIsNeverThatOfAnotherProgram(poolMode: PostgresPoolMode) throws {
    let direct = try database.open()
    try direct.run("CREATE TABLE t (id BIGINT)")
    try direct.run("INSERT INTO t SELECT generate_series(1, 10)")
    // Both programs prepare as many statements, in the same order.
    let configuration = PostgresConnection.Configuration(poolMode: poolMode)
    let deleting = try database.open(.transaction, configuration)
    let counting = try database.open(.transaction, configuration)
    let other = try database.open(.transaction, configuration)
    for _ in 0..<3 {
      let error = try storeError {
        let count = "SELECT count(*) FROM t WHERE id > $1"
        try counting.run("BEGIN")
        #expect(try counting.rows(count, [.integer(0)]) == [[.integer(10)]])
        // The server's session of the other program is in use, so this one gets another.
        try deleting.run("BEGIN")
        try deleting.run("DELETE FROM t WHERE id > $1", [.integer(10)])
        try counting.run("COMMIT")
        // The first session is in use, so the other program gets the second one.
        try other.run("BEGIN")
        try deleting.run("COMMIT")
        try counting.run("BEGIN")
        #expect(try counting.rows(count, [.integer(0)]) == [[.integer(10)]])
      }
      #expect(error?.code == (poolMode == .session ? .unsupported : nil), "\(String(describing: error))")
      for connection in [deleting, counting, other] where connection.isInTransaction { try connection.run("ROLLBACK") }
    }
    #expect(try direct.rows("SELECT count(*) FROM t") == [[.integer(10)]])
  }

  @Test func namesOfPreparedStatementsDifferBetweenConnections() throws {
    var names: Set<[StoreValue]> = []
    for _ in 0..<3 {
      let connection = try database.open()
      let rows = try connection.rows("SELECT name FROM pg_prepared_statements")
      #expect(rows.count == 1)
      names.formUnion(rows)
    }
    #expect(names.count == 3)
  }

  #if os(Linux) || os(macOS)
  @Test(arguments: [TestServer.PoolMode.session, .transaction])
  func programsShareADatabaseBehindAPooler(mode: TestServer.PoolMode) async throws {
    let url = try database.url(mode)
    let workers = try (0..<2).map { _ in try WorkerProcess("counters", url, "10") }
    for worker in workers { #expect(try await worker.end().status == 0) }
    let store = try await Store(.postgres(url))
    let counters = try await store.context.fetch(SharedCounter.self)
    #expect(counters == (0..<SharedCounter.keyCount).map { SharedCounter(key: $0, total: 20, seen: true) })
    await store.close()
  }
  #endif

  @Test(arguments: PostgresPoolMode.allCases) func statementModeIsRefused(poolMode: PostgresPoolMode) async throws {
    let url = try database.url(.statement)
    let error = await #expect(throws: StoreError.self) { try await Store(.postgres(url, poolMode: poolMode)) }
    #expect(
      error?.description == """
        the database is not supported: the pooler does not allow transactions; a store needs a pooler in transaction or \
        session mode: transaction blocks not allowed in statement pooling mode (08P01)
        """)
  }

  @Test(arguments: [PostgresPoolMode.automatic, .transaction])
  func observingThroughTransactionModeIsRefused(poolMode: PostgresPoolMode) async throws {
    let store = try await Store(.postgres(database.url(.transaction), poolMode: poolMode))
    try await store.context.save(Entry(id: 1, text: "a"))
    let start = try await store.context.recordChanges(of: Entry.self)
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) {
        for try await _ in store.context.values(of: Entry.self) { break }
      }
      #expect(
        error?.description == """
          the database is not supported: values and changes cannot be observed through a pooler in transaction mode, \
          because it does not deliver notifications: connect to the server, or to a pooler in session mode in: LISTEN \
          anvil_changes
          """)
      let feed = await #expect(throws: StoreError.self) {
        for try await _ in store.context.changes(of: Entry.self, after: start) { break }
      }
      #expect(feed?.code == .unsupported)
    }
    // Pages of the feed can be read.
    try await store.context.save(Entry(id: 2, text: "b"))
    let changes = try await store.context.read { try $0.changes(of: Entry.self, after: start, limit: 10) }
    #expect(changes.map(\.kind) == [.inserted(Entry(id: 2, text: "b"))])
    await store.close()
  }

  @Test func observersThatBeginTogetherAreAllRefused() async throws {
    let store = try await Store(.postgres(database.url(.transaction)))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let error = await #expect(throws: StoreError.self) {
            for try await _ in store.context.values(of: Entry.self) {}
          }
          #expect(error?.code == .unsupported)
        }
      }
    }
    await store.close()
  }

  /// A pooler that passes on the process IDs of the server is only found when a prepared statement is missing.
  @Test func anObserverLearnsThatItsPoolerDeliversNoNotifications() async throws {
    let backend = PostgresBackend(connectionString: try database.url(.transaction), writerCount: 1, isPooled: false)
    let store = try await Store(Store.Location(backend))
    try await store.context.save(Entry(id: 1, text: "a"))
    var values = store.context.values(of: Entry.self).makeAsyncIterator()
    #expect(try await values.next()?.map(\.text) == ["a"])
    // Another program removes the statements of the store from all sessions of the pool.
    let others = try (0..<4).map { _ in try database.open(.transaction) }
    for other in others { try other.run(other.beginWriting) }
    for other in others { try other.run("DEALLOCATE ALL") }
    for other in others { try other.run("COMMIT") }
    #expect(try await store.context.fetch(Entry.self).count == 1)
    let error = await #expect(throws: StoreError.self) {
      while try await values.next() != nil {}
    }
    #expect(error?.code == .unsupported && error?.reason?.contains("does not deliver notifications") == true)
    await store.close()
  }

  /// Without a pooler, an observer goes on although a statement was missing.
  @Test func anObserverWithoutAPoolerIsNotRefused() throws {
    let sharing = PostgresSessionSharing()
    let listening = try PostgresConnection(database.url(), sharing: sharing)
    let other = try PostgresConnection(database.url(), sharing: sharing)
    #expect(try listening.foreignChanges(to: "a") == nil)
    #expect(try other.rows("SELECT 1") == [[.integer(1)]])
    _ = try other.handle.runInternally("DEALLOCATE ALL")
    #expect(try other.rows("SELECT 1") == [[.integer(1)]])
    #expect(listening.isSessionShared)
    #expect(try listening.foreignChanges(to: "a") == nil)
    #expect(try listening.foreignChanges(to: "a") == [])
  }

  @Test(arguments: [PostgresPoolMode.automatic, .session])
  func observingThroughSessionModeWorks(poolMode: PostgresPoolMode) async throws {
    let store = try await Store(.postgres(database.url(.session), poolMode: poolMode))
    let other = try await Store(.postgres(database.url(.transaction)))
    try await other.context.save(Entry(id: 1, text: "a"))
    var values = store.context.values(of: Entry.self).makeAsyncIterator()
    #expect(try await values.next()?.map(\.text) == ["a"])
    try await other.context.save(Entry(id: 1, text: "b"))
    #expect(try await values.next()?.map(\.text) == ["b"])
    for store in [store, other] { await store.close() }
  }

  private static let sessionStatements = [
    "SET lock_timeout = 1", "set session lock_timeout to 1", "SET ROLE anvil", "RESET ALL", "DISCARD ALL", "LISTEN a",
    "UNLISTEN *", "LOAD 'auto_explain'", "DEALLOCATE ALL", "CREATE TEMP TABLE a (b INT)", " /* a */ -- b\nRESET ALL",
    "CREATE TEMPORARY TABLE a (b INT) ON COMMIT DELETE ROWS", "CREATE LOCAL TEMP TABLE a (b INT)",
    "DECLARE a CURSOR WITH HOLD FOR SELECT 1", "SELECT 1 AS b INTO TEMP a", "CREATE OR REPLACE TEMP VIEW a AS SELECT 1",
    "SET /* LOCAL */ lock_timeout = 1", "SET -- LOCAL\n lock_timeout = 1", "CREATE TABLE \"pg_temp\".a (b INT)",
    "DO $$ BEGIN SET lock_timeout = 1; END $$",
  ]

  @Test(arguments: sessionStatements) func statementsThatChangeASharedSessionAreRefused(sql: String) async throws {
    let statement = StoreStatement(stringLiteral: sql)
    let shared = try await Store(.postgres(database.url(.transaction)))
    let error = await #expect(throws: StoreError.self) {
      try await shared.context.perform { try $0.execute(statement) }
    }
    #expect(error?.code == .unsupported)
    let declared = try await Store(.postgres(database.url(with: "pool_mode=transaction")))
    await #expect(throws: StoreError.self) { try await declared.context.perform { try $0.execute(statement) } }
    for store in [shared, declared] { await store.close() }
  }

  @Test(arguments: [
    "SET LOCAL lock_timeout = 1", "SET CONSTRAINTS ALL DEFERRED", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "CREATE TEMP TABLE a (b INT) ON COMMIT DROP", "DECLARE a CURSOR FOR SELECT 1", "CREATE TABLE temp (a INT)",
    "SELECT 'x INTO TEMP y' /* CREATE TEMP */", "DECLARE a CURSOR FOR WITH hold AS (SELECT 1) SELECT * FROM hold",
  ])
  func statementsThatEndWithTheirTransactionWork(sql: String) async throws {
    let store = try await Store(.postgres(database.url(.transaction)))
    for _ in 0..<2 {
      try await store.context.perform { transaction in
        try transaction.execute(StoreStatement(stringLiteral: sql))
        if sql.hasPrefix("CREATE TABLE") { try transaction.execute("DROP TABLE temp") }
      }
    }
    await store.close()
  }

  @Test func sessionSettingsWorkInSessionMode() async throws {
    let store = try await Store(.postgres(database.url(.session, with: "pool_mode=session"), connections: 1))
    try await store.context.perform { try $0.execute("SET application_name = 'mine'") }
    let name = try await store.context.perform { try $0.fetch(String.self, sql: "SHOW application_name") }
    #expect(name == ["mine"])
    await store.close()
  }

  @Test func settingsApplyToTransactionsAndNotToTheSessionsOfOthers() throws {
    let connection = try database.open(.transaction)
    let other = try database.open(.transaction)
    for begin in [connection.beginWriting, connection.beginReading] {
      try connection.run(begin)
      #expect(try connection.rows("SHOW lock_timeout") == [[.text("5s")]])
      #expect(try connection.rows("SHOW TimeZone") == [[.text("UTC")]])
      try connection.run("COMMIT")
      #expect(try other.rows("SHOW lock_timeout") == [[.text("0")]])
      #expect(try other.rows("SHOW TimeZone") == [[.text("Asia/Kathmandu")]])
      #expect(try other.rows("SELECT * FROM pg_prepared_statements").isEmpty)
    }
  }

  @Test func aQueryWithOtherColumnsThanBeforeIsAConflict() throws {
    let (connection, direct) = (try database.open(.transaction), try database.open())
    try direct.run("CREATE TABLE t (a BIGINT)")
    try direct.run("INSERT INTO t VALUES (1)")
    func rows() throws -> [[StoreValue]] {
      try connection.run(connection.beginReading)
      defer { _ = try? connection.run("ROLLBACK") }
      return try connection.rows("SELECT * FROM t")
    }
    for _ in 0..<5 { #expect(try rows() == [[.integer(1)]]) }
    for (change, expected) in [
      ("ALTER COLUMN a TYPE TEXT", [StoreValue.text("1")]), ("ADD COLUMN b INT DEFAULT 2", [.text("1"), .integer(2)]),
    ] {
      try direct.run("ALTER TABLE t \(change)")
      #expect(try storeError { _ = try rows() }?.code == .conflict)
      #expect(try rows() == [expected])
    }
  }

  @Test(arguments: [TestServer.PoolMode.session, .transaction])
  func aCancelledTaskInterruptsItsStatement(mode: TestServer.PoolMode) async throws {
    let (store, direct) = (try await Store(.postgres(database.url(mode), connections: 1)), try database.open())
    let task = Task {
      try await store.context.read { _ = try $0.fetch(String.self, sql: "SELECT pg_sleep(600)::text") }
    }
    let isSleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = $1"
    while try direct.rows(isSleeping, [.text(database.name)]).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await store.context.save(Entry(id: 1, text: "a"))
    await store.close()
  }
}

/// The contract of stores behind PgBouncer. The cases use a few databases one after the other.
@Suite(.needsPooler, .timeLimit(.minutes(15))) struct PoolerContractTests {
  /// Excludes the cases that observe, because transaction mode does not deliver notifications, and those with NUL characters.
  @Test(
    .recyclesDatabases, arguments: StoreContract.cases.filter { $0.needs.isDisjoint(with: [.nulInText, .observation]) })
  func transactionModeHolds(_ contractCase: StoreContract.Case) async throws {
    try await RecycledDatabases.withEmptyDatabase { database in
      try await contractCase.run(on: .postgres(database.url(.transaction), connections: 4))
    }
  }

  @Test(.recyclesDatabases, arguments: StoreContract.cases.filter { $0.needs.contains(.observation) })
  func sessionModeHolds(_ contractCase: StoreContract.Case) async throws {
    try await RecycledDatabases.withEmptyDatabase { database in
      try await contractCase.run(on: .postgres(database.url(.session), connections: 4))
    }
  }

  @Test(.recyclesDatabases) func aRecycledDatabaseIsEmpty() async throws {
    let count = "SELECT count(*) FROM pg_class WHERE relname LIKE 'left%'"
    let first = try await RecycledDatabases.withEmptyDatabase { database in
      let connection = try database.open(.session)
      for statement in [
        "CREATE TABLE left_table (a INT)", "CREATE SCHEMA left_schema", "CREATE TABLE left_schema.left_table (a INT)",
      ] {
        try connection.run(statement)
      }
      #expect(try connection.rows(count) == [[.integer(2)]])
      return database.name
    }
    let second = try await RecycledDatabases.withEmptyDatabase { database in
      #expect(try database.open(.session).rows(count) == [[.integer(0)]])
      try database.open(.session).run("CREATE TABLE left_table (a INT)")
      return database.name
    }
    #expect(first == second)
  }
}

/// What is found out about statements and errors without a server.
@Suite struct PoolerRuleTests {
  @Test(arguments: [
    "SET a = 1", "set\tsession a to 1", "SET /* LOCAL */ a = 1", "SET /* /* */ LOCAL */ a = 1", "SET -- LOCAL\n a = 1",
    "SET--LOCAL\ra = 1", "/* SELECT */ SET a = 1", "SET \"local\" = 1", "SET a = 'LOCAL'",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "SELECT 1; SET a = 1", "SELECT ';'; RESET a", ";;LISTEN a", "SELECT $$;$$; LISTEN a", "SELECT E'\\';'; LISTEN a",
    "SELECT 'a\\'; LISTEN a --'", "LISTEN a /* unterminated", "DO $$BEGIN NULL; END$$",
    "do language plpgsql 'BEGIN END'",
    "CREATE TEMP TABLE a (b INT)", "CREATE /* x */ TEMPORARY TABLE a (b INT)", "CREATE GLOBAL TEMP TABLE a (b INT)",
    "CREATE TEMP TABLE a AS SELECT 'ON COMMIT DROP'", "CREATE TEMP TABLE a (b INT) -- ON COMMIT DROP",
    "CREATE TEMP TABLE a (b INT) /* ON COMMIT DROP */ ON COMMIT PRESERVE ROWS", "CREATE TEMP SEQUENCE a",
    "CREATE OR REPLACE TEMP RECURSIVE VIEW a (b) AS SELECT 1", "CREATE TABLE pg_temp.a (b INT)",
    "CREATE TABLE IF NOT EXISTS \"pg_temp\".a (b INT)",
    "CREATE FUNCTION PG_TEMP.f() RETURNS INT AS 'SELECT 1' LANGUAGE sql",
    "CREATE TABLE pg_temp_3.a (b INT)", "SELECT 1 INTO TEMP a", "SELECT 1 INTO LOCAL TEMPORARY TABLE a",
    "SELECT 1 INTO pg_temp.a",
    "SELECT 1 INTO /**/ TABLE pg_temp.a", "(SELECT 1 INTO TEMP a)", "WITH a AS (SELECT 1) SELECT * INTO TEMP b FROM a",
    "SELECT 1INTO TEMP a", "TABLE a INTO TEMP b", "EXPLAIN ANALYZE CREATE TEMP TABLE a AS SELECT 1",
    "EXPLAIN (ANALYZE) SELECT 1 INTO TEMP a", "EXPLAIN ANALYZE CREATE TABLE pg_temp.a AS SELECT 1",
    "DECLARE a CURSOR WITH HOLD FOR SELECT 1", "DECLARE a CURSOR WITH /* OUT */ HOLD FOR SELECT 1",
    "PREPARE a AS SELECT 1", "EXECUTE a", "DEALLOCATE a", "DISCARD TEMP", "LOAD 'a'", "UNLISTEN *", "RESET ROLE",
    "SELECT \u{A0}1; LISTEN é", "SELECT $1; LISTEN a", "SELECT a$b$ FROM c; LISTEN d$b$", "SELECT $é$ ' $é$; LISTEN a",
    "SELECT U&'\\0041'; LISTEN a", "SELECT \"a;\"\"b\"; LISTEN c", "SELECT $a$ $b$ ; $a$; LISTEN a",
  ])
  func statementsThatOutliveTheirTransactionAreFound(sql: String) {
    #expect(PostgresStatement.outlivesTransaction(sql[...]))
  }

  @Test(arguments: [
    "", ";", "--", "/* SET a = 1 */", "-- SET a = 1", "SELECT 'SET a = 1; LISTEN b'", "SELECT $$; LISTEN a$$",
    "SELECT $a$; LISTEN a;$a$",
    "SELECT E'\\'; LISTEN a'", "SELECT e'a''; LISTEN b'", "SELECT \"; LISTEN a\"", "SELECT '; LISTEN a",
    "SELECT $a$; LISTEN a $b$",
    "SELECT 1 /* ; LISTEN a /* */ ; LISTEN a */", "SET LOCAL a = 1", "SET/**/LOCAL a = 1",
    "SET CONSTRAINTS ALL DEFERRED",
    "SET TRANSACTION READ ONLY", "SELECT 1; SET LOCAL a = 1", "CREATE TEMP TABLE a (b INT) ON COMMIT DROP",
    "CREATE TEMP TABLE a (b INT) ON /* x */ COMMIT DROP", "CREATE TEMP TABLE a ON COMMIT DROP AS SELECT 1",
    "CREATE TABLE temp (a INT)",
    "CREATE TABLE a AS SELECT 'CREATE TEMP'", "CREATE TABLE a (temp INT, temporary INT, pg_temperature INT)",
    "SELECT 1 INTO x.temp", "SELECT 1 INTO a", "SELECT 1 INTO \"temp\"",
    "INSERT INTO temp VALUES (1)", "INSERT INTO pg_temp.a VALUES (1)",
    "WITH a AS (INSERT INTO pg_temp.b VALUES (1)) SELECT 1",
    "MERGE INTO temp USING a ON true WHEN MATCHED THEN DELETE", "SELECT * FROM pg_temp.a", "SELECT 'INTO TEMP a'",
    "DECLARE a CURSOR FOR SELECT 1", "DECLARE a CURSOR WITHOUT HOLD FOR SELECT 1",
    "DECLARE a CURSOR FOR WITH hold AS (SELECT 1) SELECT * FROM hold", "NOTIFY a", "UPDATE a SET session = 1",
    "UPDATE a SET b = 'DO'",
    "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING", "CREATE RULE r AS ON INSERT TO a DO ALSO NOTIFY b",
    "CREATE FUNCTION f() RETURNS INT AS $$BEGIN SET a = 1; END$$ LANGUAGE plpgsql",
    "ALTER TABLE a ALTER b SET DEFAULT 1",
    "CREATE FUNCTION f() RETURNS INT BEGIN ATOMIC INSERT INTO a VALUES (1); SELECT 1; END", "SELECT a$$b FROM c",
  ])
  func otherStatementsAreAllowed(sql: String) {
    #expect(!PostgresStatement.outlivesTransaction(sql[...]))
  }

  /// Time and stack do not depend on how the text is nested.
  @Test(arguments: ["/*", "/* */", "$a$", "$", "'", "''", "\"", "E'\\", "--", "(", "a;", "$a$$b$", "CREATE ", "INTO "])
  func longTextsTakeLinearTime(piece: String) {
    _ = PostgresStatement.outlivesTransaction(String(repeating: piece, count: 200_000)[...])
  }

  @Test(arguments: [
    ("SELECT 1", true), ("/* UPDATE */ SELECT 'UPDATE' -- DELETE", true), ("SELECT \"into\" FROM a", true),
    ("(SELECT 1)", true),
    ("VALUES (1)", true), ("WITH a AS (SELECT 1) SELECT * FROM a", true), ("SELECT * FROM a FOR UPDATE", false),
    ("SELECT * FROM a FOR/**/SHARE", false), ("WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a", false),
    ("INSERT INTO a VALUES (1)", false),
    ("SELECT 1 INTO a", false), ("SELECT updated FROM a", true), ("", false), ("'SELECT'", false),
  ])
  func queriesForCursorsAreFound(sql: String, isCursorQuery: Bool) {
    #expect(PostgresStatement.isCursorQuery(sql) == isCursorQuery)
  }

  private static let statementMode = "transaction blocks not allowed in statement pooling mode"

  /// Only the refusal of a pooler in statement mode says that transactions do not work. PgBouncer has the same SQLSTATE for other failures.
  @Test(
    arguments: [
      (.connectionLost, statementMode, "08P01", true), (.connectionLost, "query_wait_timeout", "08P01", false),
      (.connectionLost, "server closed the connection unexpectedly", nil, false),
      (.connectionLost, nil, "57P01", false),
      (.cannotOpen, "sorry, too many clients already", "53300", false), (.interrupted, nil, "57014", false),
    ] as [(StoreError.Code, String?, String?, Bool)])
  func aLostConnectionIsNotAPoolerInStatementMode(
    code: StoreError.Code, message: String?, state: String?, isRefusal: Bool
  ) {
    let error = StoreError(code: code, sql: "BEGIN", backendMessage: message, backendCode: state)
    let found = PostgresConnection.refusalOfTransactions(error)
    #expect(found.code == (isRefusal ? .unsupported : code))
    #expect(found.backendMessage == message && found.backendCode == state)
  }
}

@Suite struct PostgresConnectionStringTests {
  @Test(
    arguments: [
      ("postgres://h/db", "postgres://h/db", nil),
      ("postgres://h/db?pool_mode=transaction", "postgres://h/db", .transaction),
      ("postgresql://h/db?a=b&pool_mode=session&c=d", "postgresql://h/db?a=b&c=d", .session),
      ("postgres://h/db?pool_mode=session&pool_mode=automatic", "postgres://h/db", .automatic),
      ("postgres://pool_mode=transaction@h/db", "postgres://pool_mode=transaction@h/db", nil),
      ("host=h dbname=d", "host=h dbname=d", nil),
      ("host=h pool_mode=transaction dbname=d", "host=h dbname=d", .transaction),
      ("pool_mode = 'session' host = h", " host = h", .session),
      (
        #"password='pool_mode=session' host=h\ pool_mode=session"#,
        #"password='pool_mode=session' host=h\ pool_mode=session"#, nil
      ),
      (#"password='it\'s' pool_mode=transaction "#, #"password='it\'s'"#, .transaction),
      ("host='h pool_mode=session", "host='h pool_mode=session", nil), ("", "", nil), ("nonsense", "nonsense", nil),
    ] as [(String, String, PostgresPoolMode?)])
  func thePoolModeIsTakenOut(string: String, text: String, poolMode: PostgresPoolMode?) throws {
    let location = try PostgresConnectionString(string)
    #expect(location.text == text)
    #expect(location.poolMode == poolMode)
  }

  @Test(arguments: ["postgres://h/?pool_mode=secret", "pool_mode=secret", "host=h pool_mode=''"])
  func anUnknownPoolModeIsAnError(string: String) throws {
    let error = try storeError { _ = try PostgresConnectionString(string) }
    #expect(
      error?.description == """
        the database cannot be opened: the option pool_mode of the connection string has an unknown value; the values are \
        automatic, session, transaction
        """)
  }

  @Test(arguments: [
    "postgres://smith:S3CR/ET@127.0.0.1:1/db", "postgres://smith:S3CR@ET@127.0.0.1:1/db",
    "postgresql://smith:S3CR#ET@127.0.0.1:1/db", "postgres://smith:S3CR?ET@127.0.0.1:1/db",
    "postgres://smith:S3CR%ET@127.0.0.1:1/db", "postgres://smith:S3CR%E@127.0.0.1:1/db",
    "postgres://smith:S3CRET%@127.0.0.1:1/db", "postgres://smith:12/S3CRET@127.0.0.1/db",
    "postgres://smith:12/S3/CRET@127.0.0.1/db", "postgres://smith:S3@CR/ET@127.0.0.1/db",
    "postgres://S3CR/ET@127.0.0.1/db", "postgres://a@h1,b:S3CRET@h2/db",
    "postgres://smith:S3CR?pool_mode=transaction&ET@127.0.0.1/db", "postgres://h?user=S3CRET@h/db",
    "postgres://h?user=S3CRET@h",
  ])
  func userAndPasswordOfAURLMustBePercentEncoded(url: String) throws {
    for body in [{ _ = try PostgresConnectionString(url) }, { _ = try PostgresConnection(url) }] {
      let error = try storeError(body)
      #expect(error?.code == .cannotOpen)
      #expect(
        error?.description == """
          the database cannot be opened: the user and password of the URL must be percent-encoded: / as %2F, @ as %40, # as %23, \
          ? as %3F, % as %25
          """)
    }
  }

  @Test(arguments: [
    "postgres://smith:S3CR%2F%40%23%3F%25ET@h:1/db", "postgres://smith:a:b[c],d;e=f&g+h!@h/db", "postgres://@h/db",
    "postgres://ada@h1:1,h2:2/db?application_name=a@b#c/d@e", "postgres:///db?user=ada@tenant",
    "postgres://h/?user=a@b",
    "postgres://ada@h?user=a@b", "postgres://", "postgres://[::1]:1/db", "postgres://u@%2Ftmp/db", "host=a/b@c",
    "postgres://us er:secret@host/%zz",
  ])
  func connectionStringsWithOneReadingAreAccepted(string: String) throws {
    #expect(try PostgresConnectionString(string).text == string)
  }
}
