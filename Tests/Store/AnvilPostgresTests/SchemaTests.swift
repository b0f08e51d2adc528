import AnvilBase
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import AnvilStoreTesting
import Testing

@Suite(.needsServer, .timeLimit(.minutes(15))) struct SchemaTests {
  @Test func aRewrittenTableIsAConflictForOlderTransactions() throws {
    let schema = try TemporarySchema()
    let writer = try schema.open(after: "CREATE TABLE t (v TEXT)", "INSERT INTO t VALUES ('1')")
    let reader = try schema.open()
    try reader.run(reader.beginReading)
    #expect(try reader.tableExists("t"))
    try writer.run("ALTER TABLE t ALTER COLUMN v TYPE BIGINT USING v::bigint")
    let error = #expect(throws: StoreError.self) { try reader.columns(ofTable: "t") }
    #expect(error?.code == .conflict)
    try reader.run("ROLLBACK")
    #expect(try reader.columns(ofTable: "t").map(\.declaredType) == ["bigint"])
  }

  private struct Cases: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String?
    var NAME: String?
  }

  @Test func theCatalogIsReadAgainOnlyAfterAChange() async throws {
    let schema = try TemporarySchema()
    let log = QueryLog()
    let store = try await Store(.postgres(schema.url, connections: 1).logged(in: log))
    try await store.save(Cases(id: 1))
    _ = try await store.fetch(Cases.self)
    _ = log.takeQueries(of: "anvil_attributes")
    try await store.save(Cases(id: 2, name: "b"))
    #expect(try await store.fetch(Cases.self).count == 2)
    #expect(log.takeQueries(of: "anvil_attributes") == [])
    try schema.open().run("ALTER TABLE \"Cases\" RENAME COLUMN name TO other")
    #expect(try await store.fetch(Cases.self) == [Cases(id: 1), Cases(id: 2)])
    #expect(log.takeQueries(of: "anvil_attributes") != [])
    try schema.open().run("ALTER TABLE \"Cases\" RENAME COLUMN other TO name")
    #expect(try await store.fetch(Cases.self).count == 2)
  }

  /// SQL has added the column, without the collation of a store's columns.
  @Test func textWithAnotherCollationIsOrderedByItsScalars() async throws {
    let schema = try TemporarySchema()
    let store = try await Store(.postgres(schema.url, connections: 1), migrations: [.index("NAME", in: "Cases")])
    try await store.save((1...4).map { Cases(id: $0, NAME: "n\($0)") })
    let other = try schema.open()
    let collations = try other.rows("SELECT 1 FROM pg_collation WHERE collname = 'en-x-icu'")
    try other.run("ALTER TABLE \"Cases\" DROP COLUMN name")
    try other.run("ALTER TABLE \"Cases\" ADD COLUMN name TEXT \(collations.isEmpty ? "" : #"COLLATE "en-x-icu""#)")
    for (id, name) in [(1, "a"), (2, "B"), (3, "é"), (4, "Z")] {
      try other.run("UPDATE \"Cases\" SET name = '\(name)' WHERE id = \(id)")
    }
    let name = StoredColumn<Cases, String?>("name")
    #expect(try await store.fetch(Cases.self, orderedBy: [.ascending(name)]).map(\.id) == [2, 4, 1, 3])
    #expect(try await store.fetch(Cases.self, where: name < "a", orderedBy: [.ascending(name)]).map(\.id) == [2, 4])
    // The index of a store's column gives the order.
    let sorted = StoreOrder<Cases>.ascending(StoredColumn<Cases, String?>("NAME"))
    let plan = try await store.perform { transaction in
      _ = try transaction.execute("SET LOCAL enable_seqscan = off")
      return try transaction.explain(Cases.self, where: StoredColumn<Cases, String?>("NAME") > "n", orderedBy: [sorted])
    }
    #expect(plan.contains("Index") && !plan.contains("Seq Scan"), "\(plan)")
  }

  /// SQL has added the column, with a collation that takes letters of both cases as equal.
  @Test func textIsEqualOnlyToItselfWhateverTheCollation() async throws {
    let schema = try TemporarySchema()
    let store = try await Store(.postgres(schema.url, connections: 1))
    try await store.save([Cases(id: 1, NAME: "n")])
    try schema.open().run(
      "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    try schema.open().run("ALTER TABLE \"Cases\" DROP COLUMN name")
    try schema.open().run("ALTER TABLE \"Cases\" ADD COLUMN name TEXT COLLATE any_case")
    try await store.save([Cases(id: 1, name: "Ada"), Cases(id: 2, name: "ada")])
    let name = StoredColumn<Cases, String?>("name")
    let conditions: [StoreCondition<Cases>] = [
      name == "ada", name != "Ada", .isAmong(name, ["ada", "b"]), .isAmong(name, Array(repeating: "ada", count: 300)),
      name > "Z", .hasPrefix(name, "ad"), .contains(name, "ada"),
    ]
    for (index, condition) in conditions.enumerated() {
      #expect(try await store.fetch(Cases.self, where: condition).map(\.id) == [2], "\(index)")
    }
  }

  /// Another program has divided the table into partitions, which have no `xmax`.
  @Test func rowsOfAPartitionedTableAreWritten() async throws {
    let schema = try TemporarySchema()
    let store = try await Store(.postgres(schema.url, connections: 1))
    try await store.save(Cases(id: 1, name: "a"))
    let other = try schema.open()
    for statement in [
      #"ALTER TABLE "Cases" RENAME TO "Cases_old""#,
      #"CREATE TABLE "Cases" (id BIGINT PRIMARY KEY, name TEXT COLLATE "C") PARTITION BY RANGE (id)"#,
      #"CREATE TABLE "Cases_1" PARTITION OF "Cases" FOR VALUES FROM (0) TO (100)"#,
      #"CREATE TABLE "Cases_2" PARTITION OF "Cases" FOR VALUES FROM (100) TO (200)"#,
      #"INSERT INTO "Cases" SELECT id, name FROM "Cases_old""#,
    ] { try other.run(statement) }
    let rows = [Cases(id: 1, name: "a"), Cases(id: 2, name: "b"), Cases(id: 150, name: "c")]
    #expect(try await store.save(rows) == StoreChanges.Counts(inserted: 2, unchanged: 1))
    let changed = [Cases(id: 1, name: "A"), Cases(id: 150, name: "c"), Cases(id: 151, name: "d")]
    #expect(try await store.save(changed) == StoreChanges.Counts(inserted: 1, updated: 1, unchanged: 1))
    #expect(try await store.fetch(Cases.self).map(\.name) == ["A", "b", "c", "d"])
    #expect(try await store.perform { try $0.delete(Cases.self, where: StoredColumn<Cases, Int>("id") > 100) } == 2)
  }

  @Test func aDatabaseThatWasEmptiedIsFilledAgain() async throws {
    let schema = try TemporarySchema()
    let store = try await Store(.postgres(schema.url, connections: 1))
    try await store.save(Cases(id: 1))
    #expect(try await store.count(Cases.self) == 1)
    let other = try schema.open()
    for table in ["\"Cases\"", "anvil_attributes"] { try other.run("DROP TABLE \(table)") }
    #expect(try await store.count(Cases.self) == 0)
    try await store.save(Cases(id: 2))
    #expect(try await store.fetch(Cases.self) == [Cases(id: 2)])
  }

  @Test func columnsThatDifferOnlyByCaseAreSeparate() async throws {
    let schema = try TemporarySchema()
    let context = try await Store(.postgres(schema.url)).context
    let models = [Cases(id: 1), Cases(id: 2, name: "a"), Cases(id: 3, NAME: "b"), Cases(id: 4, name: "a", NAME: "b")]
    try await context.save(models)
    #expect(try await context.fetch(Cases.self) == models)
  }

  private struct Catalog: Codable, Sendable, ManagedDecodable {
    static let entityName = "pg_class"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.oid)]
    var oid: Int
  }

  /// The server would look for them in its own schema first.
  @Test func namesOfSystemTablesAreRefused() async throws {
    let schema = try TemporarySchema()
    let context = try await Store(.postgres(schema.url)).context
    let error = await #expect(throws: StoreError.self) { try await context.save(Catalog(oid: 1)) }
    #expect(
      error?.description == """
        invalid statement: pg_class cannot be the name of an entity: names that begin with pg_ are reserved for the database
        """)
    #expect(try await context.fetch(Catalog.self).isEmpty)
  }

  @Test func columnsMatchTheTableDefinition() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(
      after: """
        CREATE TABLE "select" (dropped INT, b TEXT COLLATE "C" NOT NULL, "a""b" VARCHAR(20), c BIGINT,
        d INTEGER GENERATED ALWAYS AS (1) STORED, e DOUBLE PRECISION[], PRIMARY KEY (c, b) INCLUDE (d))
        """, #"ALTER TABLE "select" DROP COLUMN dropped"#)
    #expect(
      try connection.columns(ofTable: "select") == [
        StoreColumn(name: "b", declaredType: "text", isNotNull: true, primaryKeyPosition: 2),
        StoreColumn(name: "a\"b", declaredType: "character varying(20)", isNotNull: false),
        StoreColumn(name: "c", declaredType: "bigint", isNotNull: true, primaryKeyPosition: 1),
        StoreColumn(name: "d", declaredType: "integer", isNotNull: false, hasDefault: true),
        StoreColumn(name: "e", declaredType: "double precision[]", isNotNull: false),
      ])
    for name in ["SELECT", "nowhere", "", "select\0x"] {
      #expect(try connection.columns(ofTable: name).isEmpty, "\(name)")
    }
  }

  @Test(arguments: [
    (StoredType.integer, "bigint"), (.real, "double precision"), (.boolean, "boolean"), (.text, "text"),
    (.date, "double precision"), (.data, "bytea"), (.uuid, "uuid"), (.url, "text"), (.decimal, "numeric"),
    (.json, "json"),
  ])
  func storedTypesHaveTheExpectedColumnTypes(type: StoredType, expected: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open()
    try connection.run("CREATE TABLE t (v \(connection.columnType(for: type)))")
    #expect(
      try connection.columns(ofTable: "t") == [StoreColumn(name: "v", declaredType: expected, isNotNull: false)])
  }

  @Test func textIsComparedByItsBytes() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open()
    try connection.run("CREATE TABLE t (v \(connection.columnType(for: .text)))")
    for text in ["é", "Z", "a", "\u{FFFF}", "𝄞"] { try connection.run("INSERT INTO t VALUES ($1)", [.text(text)]) }
    #expect(
      try connection.rows("SELECT v FROM t ORDER BY v") == ["Z", "a", "é", "\u{FFFF}", "𝄞"].map { [.text($0)] })
    let sql = "SELECT \(connection.textPositionFunction)(v, $1) FROM t WHERE v = $2"
    #expect(try connection.rows(sql, [.text("a"), .text("a")]) == [[.integer(1)]])
    #expect(try connection.rows(sql, [.text("A"), .text("a")]) == [[.integer(0)]])
  }

  @Test func tablesAreFoundButViewsAreNotTables() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(
      after: "CREATE TABLE t (v TEXT)", "CREATE TABLE parts (v INT) PARTITION BY LIST (v)", "CREATE VIEW w AS SELECT 1",
      "CREATE TEMP TABLE passing (v TEXT)")
    #expect(try connection.tableExists("t"))
    #expect(try connection.tableExists("parts"))
    for name in ["T", "w", "passing", "pg_class", "", "t' OR '1'='1", "t\0"] {
      #expect(try !connection.tableExists(name), "\(name)")
    }
    #expect(try !TemporarySchema().open().tableExists("t"))
  }

  @Test(arguments: [
    "select", "a b", #"""#, #"""; DROP TABLE t; --"#, "'", "`", "[x]", "é\u{301}", "\"\u{301}", "$1", "\n", "𝄞", "pg_x",
    "a.b", "Upper", String(repeating: "l", count: 63), String(repeating: "é", count: 31),
  ])
  func anyNameCanBeQuoted(name: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open()
    let quoted = try connection.quoted(name)
    try connection.run("CREATE TABLE \(quoted) (\(quoted) TEXT PRIMARY KEY)")
    try connection.run("INSERT INTO \(quoted) (\(quoted)) VALUES ($1)", [.text("x")])
    #expect(try connection.rows("SELECT \(quoted).\(quoted) FROM \(quoted)") == [[.text("x")]])
    #expect(try connection.tableExists(name))
    #expect(try connection.columns(ofTable: name).map { Array($0.name.utf8) } == [Array(name.utf8)])
    let writing = RowWriting(table: name, columns: [.init(name, .text)], keyNames: [name], existingRow: .updated)
    #expect(try connection.write([.text("x"), .text("y")], as: writing) == .init(inserted: 1))
  }

  @Test(arguments: [
    ("", "a name is empty"), ("\0", "a name contains a NUL character"), ("a\0b", "a name contains a NUL character"),
    (String(repeating: "l", count: 64), "a name has 64 bytes, but PostgreSQL supports at most 63"),
    (String(repeating: "é", count: 32), "a name has 64 bytes, but PostgreSQL supports at most 63"),
  ])
  func invalidNamesAreRejected(name: String, reason: String) throws {
    let connection = try TemporarySchema().open()
    let error = try storeError { _ = try connection.quoted(name) }
    #expect(error?.code == .invalidStatement)
    #expect(error?.reason == reason)
    #expect(try !connection.tableExists(name))
  }

  @Test func aTableIsLockedUntilTheTransactionEnds() throws {
    let schema = try TemporarySchema()
    let (first, second) = (try schema.open(), try schema.open(.init(busyTimeout: .milliseconds(20))))
    try first.run(first.beginWriting)
    try first.lockTable("T")
    try second.run(second.beginWriting)
    #expect(try storeError { try second.lockTable("T") }?.code == .busy)
    try second.run("ROLLBACK")
    try first.run("COMMIT")
    try second.run(second.beginWriting)
    try second.lockTable("T")
    try second.run("ROLLBACK")
  }

  @Test func lockingATableDoesNotAffectOtherSchemas() throws {
    let schemas = [try TemporarySchema(), try TemporarySchema()]
    let connections = try schemas.map { try $0.open(.init(busyTimeout: .milliseconds(20))) }
    for connection in connections {
      try connection.run(connection.beginWriting)
      try connection.lockTable("T")
    }
    let other = try schemas[0].open(.init(busyTimeout: .milliseconds(20)))
    try other.run(other.beginWriting)
    try other.lockTable("U")
    withExtendedLifetime(schemas) {}
  }
}
