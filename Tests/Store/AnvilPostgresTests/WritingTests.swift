import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.needsServer, .timeLimit(.minutes(15))) struct WritingTests {
  private static let table = """
    CREATE TABLE t (id BIGINT, kind TEXT COLLATE "C", name TEXT, number DOUBLE PRECISION, flag BOOLEAN, note JSON, other TEXT,
    PRIMARY KEY (kind, id))
    """

  private static func writing(_ existingRow: RowWriting.ExistingRow, keys: [String] = ["kind", "id"]) -> RowWriting {
    RowWriting(
      table: "t",
      columns: [
        .init("name", .text), .init("id", .integer), .init("kind", .text), .init("number", .real),
        .init("flag", .boolean), .init("note", .json),
      ], keyNames: keys, existingRow: existingRow)
  }

  private static func row(_ id: Int64, name: String, note: String? = #"{"a": 1}"#) -> [StoreValue] {
    [
      .text(name), .integer(id), .text("k"), .real(Double(id) / 2), .integer(id & 1),
      note.map(StoreValue.text) ?? .null,
    ]
  }

  @Test func changesOfCaseAreStoredInColumnsThatIgnoreCase() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(
      after: "CREATE COLLATION ignoring (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
      "CREATE DOMAIN word AS TEXT COLLATE ignoring")
    for (number, type) in ["TEXT COLLATE ignoring", "VARCHAR(20) COLLATE ignoring", "word"].enumerated() {
      let table = #""Word\#(number)""#
      try connection.run("CREATE TABLE \(table) (id BIGINT PRIMARY KEY, word \(type))")
      let writing = RowWriting(
        table: "Word\(number)", columns: [.init("id", .integer), .init("word", .text)], keyNames: ["id"],
        existingRow: .updated)
      for (word, outcome) in [
        ("Bob", RowWriting.Outcome(inserted: 1)), ("BOB", .init(updated: 1)), ("BOB", .init()),
      ] {
        #expect(try connection.write([.integer(1), .text(word)], as: writing) == outcome)
        #expect(try connection.rows("SELECT word FROM \(table)") == [[.text(word)]])
      }
    }
  }

  @Test func rowsAreInsertedUpdatedOrUnchanged() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: Self.table)
    let writing = Self.writing(.updated)
    #expect(
      try connection.write((1...3).flatMap { Self.row($0, name: "old") }, as: writing) == .init(inserted: 3))
    try connection.run("UPDATE t SET other = 'kept'")
    let before = try connection.rows("SELECT id, xmin::text FROM t ORDER BY id")
    let rows =
      Self.row(4, name: "new") + Self.row(2, name: "new") + Self.row(1, name: "old")
      + Self.row(3, name: "old", note: #"{"a":1}"#)
    #expect(try connection.write(rows, as: writing) == .init(inserted: 1, updated: 2))
    let after = try connection.rows("SELECT id, xmin::text FROM t ORDER BY id")
    // Equal rows are not written.
    #expect(after.first == before.first)
    #expect(after[1] != before[1])
    #expect(after[2] != before[2])
    #expect(
      try connection.rows("SELECT id, name, number, flag, note, other FROM t ORDER BY id") == [
        [.integer(1), .text("old"), .real(0.5), .integer(1), .text(#"{"a": 1}"#), .text("kept")],
        [.integer(2), .text("new"), .real(1), .integer(0), .text(#"{"a": 1}"#), .text("kept")],
        [.integer(3), .text("old"), .real(1.5), .integer(1), .text(#"{"a":1}"#), .text("kept")],
        [.integer(4), .text("new"), .real(2), .integer(0), .text(#"{"a": 1}"#), .null],
      ])
  }

  @Test func changesFromAndToNullAreUpdates() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: Self.table)
    let writing = Self.writing(.updated)
    for (note, outcome) in [
      (nil, RowWriting.Outcome(inserted: 1)), (nil, .init()), ("1", .init(updated: 1)), ("1", .init()),
      (nil, .init(updated: 1)),
    ] {
      #expect(try connection.write(Self.row(1, name: "n", note: note), as: writing) == outcome)
    }
  }

  @Test func existingRowsAreConflictsIfOnlyInsertionIsAllowed() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: Self.table)
    let writing = Self.writing(.isConflict)
    #expect(try connection.write((1...2).flatMap { Self.row($0, name: "old") }, as: writing) == .init(inserted: 2))
    try connection.run("BEGIN")
    let error = try storeError {
      _ = try connection.write(Self.row(3, name: "x") + Self.row(1, name: "x"), as: writing)
    }
    #expect(error?.code == .conflict)
    #expect(error?.reason == "a row to be inserted already exists")
    try connection.run("ROLLBACK")
    #expect(try connection.rows("SELECT name FROM t") == [[.text("old")], [.text("old")]])
  }

  @Test func rowsWithoutKeysAreInserted() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (n SERIAL, id BIGINT)")
    let writing = RowWriting(table: "t", columns: [.init("id", .integer)], keyNames: [], existingRow: .updated)
    for _ in 1...2 { #expect(try connection.write([.integer(2), .integer(1)], as: writing) == .init(inserted: 2)) }
    #expect(try connection.rows("SELECT id FROM t ORDER BY n") == [2, 1, 2, 1].map { [.integer($0)] })
  }

  @Test func rowsWithOnlyKeysAreWritten() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (id UUID PRIMARY KEY)")
    let writing = RowWriting(table: "t", columns: [.init("id", .uuid)], keyNames: ["id"], existingRow: .updated)
    let id = StoreValue.text(UUID().uuidString)
    #expect(try connection.write([id, .text(UUID().uuidString)], as: writing) == .init(inserted: 2))
    #expect(try connection.write([id, .text(UUID().uuidString)], as: writing) == .init(inserted: 1))
  }

  @Test func tableNamesMayEqualNamesInTheStatement() throws {
    let schema = try TemporarySchema()
    for name in ["excluded", "present", "u", "c0"] {
      let connection = try schema.open(
        after: "CREATE TABLE \(name) (excluded BIGINT PRIMARY KEY, present TEXT, c0 TEXT)")
      let writing = RowWriting(
        table: name, columns: [.init("excluded", .integer), .init("present", .text), .init("c0", .text)],
        keyNames: ["excluded"], existingRow: .updated)
      #expect(try connection.write([.integer(1), .text("a"), .text("b")], as: writing) == .init(inserted: 1))
      #expect(try connection.write([.integer(1), .text("a"), .text("c")], as: writing) == .init(updated: 1))
    }
  }

  @Test(arguments: [0, 1, 2, 499, 500, 1_001, 20_000]) func anyNumberOfRowsIsWrittenByOneStatement(count: Int64) throws
  {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: Self.table)
    let writing = Self.writing(.updated)
    let rows = (0..<count).flatMap { Self.row($0, name: "é\($0)") }
    #expect(try connection.write(rows, as: writing) == .init(inserted: Int(count)))
    #expect(try connection.write(Self.row(-1, name: ""), as: writing) == .init(inserted: 1))
    #expect(
      try connection.rows("SELECT count(*), count(*) FILTER (WHERE name = 'é' || id) FROM t")
        == [[.integer(count + 1), .integer(count)]])
    let statements = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'"
    #expect(try connection.rows(statements) == [[.integer(1)]])
  }

  /// More rows than fit into one statement.
  @Test func manyLargeRowsAreWritten() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (id BIGINT PRIMARY KEY, v BYTEA)")
    let writing = RowWriting(
      table: "t", columns: [.init("id", .integer), .init("v", .data)], keyNames: ["id"], existingRow: .updated)
    let rows = (0..<30).flatMap { [StoreValue.integer($0), .blob(Data(repeating: UInt8($0), count: 1_000_000))] }
    #expect(try connection.write(rows, as: writing) == .init(inserted: 30))
    #expect(
      try connection.rows("SELECT count(*), sum(length(v))::bigint FROM t WHERE get_byte(v, 999999) = id")
        == [[.integer(30), .integer(30_000_000)]])
  }

  @Test func incompleteRowsAreRejected() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: Self.table)
    let error = try storeError { _ = try connection.write([.null], as: Self.writing(.updated)) }
    #expect(error?.description == "invalid statement: 1 values are not complete rows of 6 columns")
  }

  @Test func missingTablesAreReported() throws {
    let connection = try TemporarySchema().open()
    let error = try storeError { _ = try connection.write(Self.row(1, name: "x"), as: Self.writing(.updated)) }
    #expect(error?.code == .invalidStatement)
    #expect(error?.backendMessage == #"relation "t" does not exist"#)
  }

  /// Each thread writes the rows in another order, which could cause a deadlock.
  @Test func manyConnectionsWritingTheSameRowsLoseNothingAndCreateNoDuplicates() throws {
    let schema = try TemporarySchema()
    try schema.open().run(Self.table)
    let failures = Mutex<[String]>([])
    let inserted = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        let connection = try schema.open(.init(busyTimeout: .seconds(60)))
        for round in 0..<10 {
          let ids = (0..<100).map { Int64($0) }.shuffled()
          try connection.run(connection.beginWriting)
          let outcome = try connection.write(
            ids.flatMap { Self.row($0, name: "\(thread) \(round)") }, as: Self.writing(.updated))
          try connection.run("COMMIT")
          inserted.add(outcome.inserted, ordering: .relaxed)
          if outcome.inserted + outcome.updated != 100 { failures.withLock { $0.append("\(outcome)") } }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(inserted.load(ordering: .relaxed) == 100)
    // Each transaction wrote all rows. Those of the last one are stored.
    #expect(
      try schema.open().rows("SELECT count(*), count(DISTINCT id), count(DISTINCT name) FROM t")
        == [[.integer(100), .integer(100), .integer(1)]])
  }
}
