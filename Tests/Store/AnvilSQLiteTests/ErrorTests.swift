import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

@Suite struct ErrorTests {
  private static let schema = [
    "CREATE TABLE users (id INTEGER PRIMARY KEY, mail TEXT NOT NULL UNIQUE, age INTEGER CHECK (age >= 0))",
    "CREATE TABLE posts (id TEXT PRIMARY KEY, author INTEGER REFERENCES users (id))",
    "INSERT INTO users VALUES (1, 'a@example.org', 5)",
    "INSERT INTO posts VALUES ('p', 1)",
    "CREATE TRIGGER guarded BEFORE DELETE ON posts BEGIN SELECT RAISE(ABORT, 'kept for good'); END",
  ]

  @Test(arguments: [
    ("INSERT INTO users VALUES (1, 'b', 1)", StoreError.Code.constraint(.unique), "1555"),
    ("INSERT INTO users VALUES (2, 'a@example.org', 1)", .constraint(.unique), "2067"),
    ("INSERT INTO posts VALUES ('p', 1)", .constraint(.unique), "1555"),
    ("INSERT INTO posts (rowid, id) VALUES (1, 'q')", .constraint(.unique), "2579"),
    ("INSERT INTO posts VALUES ('q', 99)", .constraint(.foreignKey), "787"),
    ("DELETE FROM users WHERE id = 1", .constraint(.foreignKey), "787"),
    ("INSERT INTO users VALUES (2, NULL, 1)", .constraint(.notNull), "1299"),
    ("INSERT INTO users VALUES (2, 'b', -1)", .constraint(.check), "275"),
    ("DELETE FROM posts", .constraint(.other), "1811"),
    ("INSERT INTO users VALUES ('one', 'b', 1)", .invalidValue, "20"),
    ("SELEC 1", .invalidStatement, "1"),
    ("SELECT * FROM nowhere", .invalidStatement, "1"),
    ("SELECT nothing FROM users", .invalidStatement, "1"),
    (#"SELECT "nothing" FROM users"#, .invalidStatement, "1"),
    ("COMMIT", .invalidStatement, "1"),
    ("INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)", .invalidStatement, "1"),
  ])
  func failuresHaveTheExpectedCode(sql: String, code: StoreError.Code, backendCode: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    for statement in Self.schema { try connection.run(statement) }
    let error = try storeError { try connection.run(sql) }
    #expect(error?.code == code)
    #expect(error?.backendCode == backendCode)
    #expect(error?.sql == sql)
    #expect(error?.backendMessage?.isEmpty == false)
    // The connection is still usable.
    #expect(try connection.rows("SELECT count(*) FROM users") == [[.integer(1)]])
  }

  @Test func descriptionsContainTheStatementButNoValues() throws {
    let connection = try SQLiteConnection(.inMemory)
    for statement in Self.schema { try connection.run(statement) }
    let error = try storeError {
      try connection.run(
        "INSERT INTO users\n  VALUES (?1, ?2, ?3)", [.integer(77), .text("a@example.org"), .integer(123_456)])
    }
    #expect(
      error?.description == """
        unique constraint failed: UNIQUE constraint failed: users.mail (2067) in: INSERT INTO users VALUES (?1, ?2, ?3)
        """)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func descriptionsEscapeControlCharacters() {
    let error = StoreError(code: .other, sql: "SELECT '\u{1B}[2J'\r\n--\u{202E}", backendMessage: "no\u{7} such")
    #expect(error.description == #"the database failed: no\u{7} such in: SELECT '\u{1b}[2J' --\u{202e}"#)
  }

  @Test(arguments: ["this is text, and long enough to have been a header of a database, were it one: \(UUID())"])
  func filesThatAreNotDatabasesAreReported(content: String) throws {
    let database = try TemporaryDatabase()
    let data = Data(String(repeating: content, count: 50).utf8)
    try data.write(to: database.url)
    #expect(try storeError { _ = try database.open() }?.code == .notADatabase)
    #expect(try Data(contentsOf: database.url) == data)
  }

  @Test func emptyFilesBecomeDatabases() throws {
    let database = try TemporaryDatabase()
    try Data().write(to: database.url)
    #expect(try database.open().run("CREATE TABLE t (v)") == 0)
  }

  @Test func damagedDatabasesAreReported() throws {
    let database = try TemporaryDatabase()
    try fill(database)
    var data = try Data(contentsOf: database.url)
    // All pages except the first, which contains the schema.
    for index in data.indices.dropFirst(4096) { data[index] = 0xEE }
    try data.write(to: database.url)
    let connection = try database.open()
    #expect(try storeError { _ = try connection.rows("SELECT * FROM t") }?.code == .corrupt)
  }

  @Test func truncatedDatabasesAreReported() throws {
    let database = try TemporaryDatabase()
    try fill(database)
    try Data(contentsOf: database.url).prefix(4096).write(to: database.url)
    let error = try storeError { _ = try database.open().rows("SELECT * FROM t") }
    #expect(error?.code == .corrupt)
  }

  private func fill(_ database: TemporaryDatabase) throws {
    let connection = try database.open()
    try connection.run("CREATE TABLE t (v)")
    for _ in 1...20 { try connection.run("INSERT INTO t VALUES (?1)", [.blob(Data(repeating: 1, count: 3_000))]) }
  }

  @Test(arguments: ["", "a\0b", "/nowhere/at/all/store.db", "/"]) func pathsThatCannotBeOpenedAreReported(
    path: String
  ) throws {
    #expect(try storeError { _ = try SQLiteConnection(.file(path)) }?.code == .cannotOpen)
  }

  /// SQLite may read a path as a URI, or take it to mean memory.
  @Test(arguments: ["file:uri?mode=memory", ":memory:", "a b?c#d%20é"]) func pathsAreNotInterpretedAsURIs(
    name: String
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder.path(percentEncoded: false) + "/" + name
      try SQLiteConnection(.file(path)).run("CREATE TABLE t (v)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) == [name])
    }
  }

  @Test func readOnlyConnectionsRejectWrites() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v)", "PRAGMA query_only=ON")
    #expect(try storeError { try connection.run("INSERT INTO t VALUES (1)") }?.code == .readOnly)
  }

  @Test func fullDatabasesAreReportedAndRolledBack() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    try connection.run("CREATE TABLE t (v)")
    try connection.run("PRAGMA max_page_count=10")
    try connection.run("BEGIN")
    let error = try storeError {
      for _ in 1...100 { try connection.run("INSERT INTO t VALUES (?1)", [.blob(Data(count: 4_000))]) }
    }
    #expect(error?.code == .full)
    if connection.isInTransaction { try connection.run("ROLLBACK") }
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }
}
