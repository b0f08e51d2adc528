import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import Testing

@Suite struct SchemaTests {
  @Test func columnsMatchTheTableDefinition() throws {
    let connection = try SQLiteConnection.inMemory(
      after: """
        CREATE TABLE "select" (b TEXT NOT NULL, "a""b" VARCHAR(20), c, d INTEGER AS (1) STORED, PRIMARY KEY (c, b)) WITHOUT ROWID
        """)
    #expect(
      try connection.columns(ofTable: "SELECT") == [
        StoreColumn(name: "b", declaredType: "TEXT", isNotNull: true, primaryKeyPosition: 2),
        StoreColumn(name: "a\"b", declaredType: "VARCHAR(20)", isNotNull: false),
        StoreColumn(name: "c", declaredType: "", isNotNull: true, primaryKeyPosition: 1),
        StoreColumn(name: "d", declaredType: "INTEGER", isNotNull: false, hasDefault: true),
      ])
    for name in ["nowhere", "", "select\0x"] { #expect(try connection.columns(ofTable: name).isEmpty, "\(name)") }
  }

  @Test func tablesAreFoundButViewsAreNotTables() throws {
    let connection = try SQLiteConnection.inMemory(
      after: "CREATE TABLE t (v)", "CREATE VIEW w AS SELECT 1", "CREATE TEMP TABLE passing (v)")
    #expect(try connection.tableExists("t"))
    #expect(try connection.tableExists("T"))
    for name in ["w", "passing", "", "t' OR '1'='1", "t\0"] { #expect(try !connection.tableExists(name), "\(name)") }
  }

  @Test(arguments: [
    "select", "a b", #"""#, #"""; DROP TABLE t; --"#, "'", "`", "[x]", "é\u{301}", "\"\u{301}", "?1", "\n", "𝄞",
    "sqlite", "a.b",
    String(repeating: "long", count: 5_000),
  ])
  func anyNameCanBeQuoted(name: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    let quoted = try connection.quoted(name)
    try connection.run("CREATE TABLE \(quoted) (\(quoted) TEXT)")
    try connection.run("INSERT INTO \(quoted) (\(quoted)) VALUES (?1)", [.text("x")])
    #expect(try connection.rows("SELECT \(quoted).\(quoted) FROM \(quoted)") == [[.text("x")]])
    #expect(try connection.tableExists(name))
    #expect(try connection.columns(ofTable: name).map { Array($0.name.utf8) } == [Array(name.utf8)])
  }

  @Test(arguments: ["", "\0", "a\0b"]) func invalidNamesAreRejected(name: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    #expect(throws: StoreError(code: .invalidStatement)) { try connection.quoted(name) }
  }
}
