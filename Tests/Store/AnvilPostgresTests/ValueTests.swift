import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

@Suite(.needsServer, .timeLimit(.minutes(15))) struct ValueTests {
  /// A character of each assigned plane, and the last code point.
  private static let planes = (UInt32(0)...16).compactMap { Unicode.Scalar($0 << 16 | 0x41) }.map(String.init).joined()

  /// A value of a column's type.
  ///
  /// Each test creates new values, because the leak sanitizer cannot follow a constant to the bytes of a `Data`.
  struct Hostile: Sendable {
    let type: String
    let makeValue: @Sendable () -> StoreValue

    init(_ type: String, _ value: @autoclosure @escaping @Sendable () -> StoreValue) {
      (self.type, makeValue) = (type, value)
    }
  }

  static let hostile: [Hostile] = {
    let integers: [Int64] = [.min, .max, 0, -1, 1 << 53 + 1]
    let reals: [Double] = [
      .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 3, 1 / 3, .pi * 1e-200, -.ulpOfOne,
      Double.leastNormalMagnitude.nextDown,
    ]
    let texts = [
      "", "'", "''); DROP TABLE t; --", #""quoted" `ticks` [brackets]"#, #"\x00 \\ \' \n"#, "?1 $1 :a @b", "NULL",
      "123",
      "1e5", "{a,b}", "\u{FEFF}bom\r\n\t\u{1B}\u{1}\u{7F}", planes, "\u{10FFFF}\u{FFFF}\u{E000}", "e\u{301} is not é",
    ]
    let blobs: [[UInt8]] = [[], [0], Array("'".utf8), Array(#"\x41"#.utf8), [0xFF, 0xFE, 0xC0, 0x80]]
    var values = integers.map { integer in Hostile("BIGINT", .integer(integer)) }
    values += reals.map { real in Hostile("DOUBLE PRECISION", .real(real)) }
    values += texts.map { text in Hostile("TEXT", .text(text)) }
    values += blobs.map { bytes in Hostile("BYTEA", .blob(Data(bytes))) }
    // Larger than the buffers between the client and the server.
    values.append(Hostile("TEXT", .text(String(repeating: "0123456789abcdé", count: 130_000))))
    values.append(Hostile("BYTEA", .blob(Data(repeating: 0xA5, count: 2_000_000))))
    values += [0, 1].map { integer in Hostile("BOOLEAN", .integer(integer)) }
    values.append(Hostile("UUID", .text("6B29FC40-CA47-1067-B31D-00DD010662DA")))
    values += ["BIGINT", "DOUBLE PRECISION", "BOOLEAN", "TEXT", "BYTEA", "UUID", "NUMERIC"].map { Hostile($0, .null) }
    return values
  }()

  /// In the binary and, with a number of the type NUMERIC, in the text format.
  @Test(arguments: [
    "10000-01-01 00:00:00+00", "0044-03-15 00:00:00+00 BC", "4713-02-28 01:02:03.25+00 BC",
    "294276-12-31 23:59:59.999999+00",
  ])
  func timesOfOtherYearsAreTextsOfTheServer(text: String) throws {
    let connection = try TemporarySchema().open(after: "SET TIME ZONE 'UTC'")
    for other in ["", ", 1::numeric"] {
      #expect(try connection.first("SELECT '\(text)'::timestamptz\(other)") { try $0.text(at: 0) } == text)
    }
  }

  /// The second column forces all results into the text format.
  @Test(arguments: hostile.indices, ["TEXT", "NUMERIC"])
  func hostileValuesAreRestored(index: Int, other: String) throws {
    let (type, value) = (Self.hostile[index].type, Self.hostile[index].makeValue())
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v \(type), other \(other))")
    #expect(try connection.run("INSERT INTO t VALUES ($1, $2)", [value, .null]) == 1)
    #expect(try connection.rows("SELECT v, other FROM t") == [[value, .null]])
    // Swift compares strings by canonical equivalence.
    if case .text(let text) = value {
      #expect(
        try connection.first("SELECT v, other FROM t") { try $0.text(at: 0) }??.utf8.elementsEqual(text.utf8) == true)
    }
    if value != .null {
      #expect(try connection.rows("SELECT count(*) FROM t WHERE v = $1", [value]) == [[.integer(1)]])
    }
  }

  @Test(arguments: hostile.indices) func hostileValuesAreWrittenUnchanged(index: Int) throws {
    let (type, value) = (Self.hostile[index].type, Self.hostile[index].makeValue())
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (id BIGINT PRIMARY KEY, v \(type))")
    let writing = RowWriting(
      table: "t", columns: [.init("id", .integer), .init("v", .text)], keyNames: ["id"], existingRow: .updated)
    let rows = [.integer(1), value, .integer(2), .null, .integer(3), value]
    #expect(try connection.write(rows, as: writing) == .init(inserted: 3))
    #expect(try connection.rows("SELECT v FROM t ORDER BY id") == [[value], [.null], [value]])
    #expect(try connection.write(rows, as: writing) == .init())
  }

  @Test(arguments: [0.0, -0.0], ["TEXT", "NUMERIC"]) func zeroKeepsItsSign(zero: Double, other: String) throws {
    let connection = try TemporarySchema().open()
    let sql = "SELECT $1::double precision, NULL::\(other)"
    #expect(try connection.first(sql, [.real(zero)]) { try $0.real(at: 0) }??.sign == zero.sign)
  }

  @Test(arguments: [Double.nan, -Double.nan, Double.signalingNaN]) func notANumberIsRejected(number: Double) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (a BIGINT, b DOUBLE PRECISION, c NUMERIC)")
    for column in ["b", "c"] {
      let sql = "INSERT INTO t (a, \(column)) VALUES ($1, $2)"
      let error = try storeError { try connection.run(sql, [.integer(1), .real(number)]) }
      #expect(error?.description == "invalid value: value 2 is NaN, which a store does not support in: \(sql)")
    }
    let writing = RowWriting(
      table: "t", columns: [.init("a", .integer), .init("b", .real)], keyNames: [], existingRow: .updated)
    let error = try storeError {
      _ = try connection.write([.integer(1), .real(1), .integer(2), .real(number)], as: writing)
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.reason == "column b of row 2 is NaN, which a store does not support")
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  /// Values that other programs have written.
  @Test(arguments: ["'NaN'::float8", "'NaN'::float4", "'NaN'::numeric"]) func readingNotANumberIsAnError(
    sql: String
  ) throws {
    let connection = try TemporarySchema().open()
    let error = try storeError { _ = try connection.rows("SELECT \(sql) AS v") }
    #expect(error?.code == .invalidValue)
    #expect(error?.reason?.hasPrefix("column v contains NaN") == true)
  }

  @Test(arguments: ["\0", "a\0b", "a\0"]) func textWithNULIsRejected(text: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v TEXT)")
    let error = try storeError { try connection.run("INSERT INTO t VALUES ($1)", [.text(text)]) }
    #expect(
      error?.description
        == "invalid value: value 1 contains a NUL character, which PostgreSQL does not support in text in: INSERT INTO t VALUES ($1)"
    )
    let writing = RowWriting(table: "t", columns: [.init("v", .text)], keyNames: [], existingRow: .updated)
    #expect(try storeError { _ = try connection.write([.text(text)], as: writing) }?.code == .invalidValue)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test(arguments: [
    "0", "-0.10", "3.1400", "99999999999999999999999999999999999999", "-1.2345678901234567890123456789012345678",
    "1" + String(repeating: "0", count: 1_000), "0." + String(repeating: "0", count: 1_000) + "1",
  ])
  func decimalsKeepTheirDigits(digits: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v NUMERIC)")
    try connection.run("INSERT INTO t VALUES ($1)", [.text(digits)])
    #expect(try connection.rows("SELECT v FROM t") == [[.text(digits)]])
  }

  /// The exponents that Foundation's decimals have.
  @Test(arguments: ["1e127", "-9e-128"]) func decimalsMayHaveExponents(text: String) throws {
    let connection = try TemporarySchema().open()
    let value = try #require(try connection.first("SELECT $1::numeric", [.text(text)]) { try $0.text(at: 0) } ?? nil)
    #expect(Decimal(string: value) == Decimal(string: text))
  }

  @Test(arguments: [#"{"b": 1,  "a" : [1.0, 1e2], "a": "\u00e9"}"#, "null", #""text""#, " [ ] "])
  func jsonTextIsStoredUnchanged(json: String) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v JSON)")
    try connection.run("INSERT INTO t VALUES ($1)", [.text(json)])
    #expect(try connection.rows("SELECT v FROM t") == [[.text(json)]])
  }

  @Test func deeplyNestedJSONIsRestoredOrRejected() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v JSON)")
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    try connection.run("INSERT INTO t VALUES ($1)", [.text(nested(500))])
    #expect(try connection.rows("SELECT v FROM t") == [[.text(nested(500))]])
    let error = try storeError { try connection.run("INSERT INTO t VALUES ($1)", [.text(nested(1_000_000))]) }
    #expect(error?.code == .tooLarge)
    #expect(error?.backendMessage == "stack depth limit exceeded")
  }

  /// A value of each kind, and an integer that a `Double` cannot represent.
  private static let mixed = "SELECT 1, 0.5::float8, 'x', '\\x00'::bytea, NULL::text, 9007199254740993"

  @Test(arguments: [
    ([1, 2, 3], StoreReading.integer), ([2, 3, 5], .real), ([0, 1, 3, 5], .text), ([0, 1, 2, 5], .blob),
    ([-1, 6, .max, .min], .kind), ([-1, 6, .max, .min], .name),
  ])
  func readersRejectOtherKindsAndInvalidColumns(columns: [Int], reading: StoreReading) throws {
    let connection = try TemporarySchema().open()
    for column in columns {
      let error = try storeError { _ = try connection.first(Self.mixed) { try reading.read(column, of: $0) } }
      let isColumn = 0..<6 ~= column
      #expect(error == StoreError(code: isColumn ? .invalidValue : .invalidStatement, sql: Self.mixed), "\(column)")
    }
  }

  @Test func readersReturnTheStoredValues() throws {
    let connection = try TemporarySchema().open()
    let kinds = try connection.first(Self.mixed) { row in try (0..<6).map { try row.kind(at: $0) } }
    #expect(kinds == [.integer, .real, .text, .blob, .null, .integer])
    // An integer can be read as a real if the conversion is exact.
    #expect(try connection.first(Self.mixed) { try $0.real(at: 0) } == 1)
    #expect(try connection.first("SELECT 1 AS \"the name\"") { try $0.name(at: 0) } == "the name")
  }

  @Test(arguments: [StoreReading.integer, .real, .text, .blob])
  func nullIsReadWithoutAnError(reading: StoreReading) throws {
    let isNull = try TemporarySchema().open().first(Self.mixed) { row in try reading.read(4, of: row) == nil }
    #expect(isNull == true)
  }

  /// With and without a column of a type that is only supported as text.
  @Test(arguments: ["", ", 1.5::numeric"]) func typesOfOtherTablesCanBeRead(other: String) throws {
    let connection = try TemporarySchema().open()
    let row = try connection.rows(
      """
      SELECT -2::int2, 70000::int4, 4294967295::oid, 1.5::float4, true, 'c'::char(3), 'n'::name, 'v'::varchar, '"x"'::json,
      '\\xdeadbeef'::bytea, '6b29fc40-ca47-1067-b31d-00dd010662da'::uuid\(other)
      """
    ).first?.prefix(11)
    #expect(
      row == [
        .integer(-2), .integer(70_000), .integer(4_294_967_295), .real(1.5), .integer(1), .text("c"), .text("n"),
        .text("v"), .text(#""x""#), .blob(Data([0xDE, 0xAD, 0xBE, 0xEF])),
        .text("6B29FC40-CA47-1067-B31D-00DD010662DA"),
      ])
  }

  @Test func valuesOfOtherTypesAreReadAsText() throws {
    let connection = try TemporarySchema().open()
    #expect(
      try connection.rows(
        """
        SELECT '2026-01-02 03:04:05+05:45'::timestamptz, ARRAY[1, 2], '{"a":1}'::jsonb, '1 day'::interval, 1.50,
        sum(n) FROM generate_series(1::bigint, 3) AS n
        """)
        == [
          [
            .text("2026-01-01T21:19:05.000000000Z"), .text("{1,2}"), .text(#"{"a": 1}"#), .text("1 day"), .text("1.50"),
            .text("6"),
          ]
        ])
  }

  @Test(arguments: [
    ("BIGINT", StoreValue.text("1")), ("BIGINT", .real(1.5)), ("BIGINT", .blob(Data())), ("SMALLINT", .integer(32_768)),
    ("INTEGER", .integer(1 << 31)), ("DOUBLE PRECISION", .text("1")), ("DOUBLE PRECISION", .integer(1 << 53 + 1)),
    ("BOOLEAN", .integer(2)), ("BOOLEAN", .text("true")), ("TEXT", .blob(Data([65]))), ("BYTEA", .text("x")),
    ("BYTEA", .integer(1)), ("UUID", .text("no uuid")), ("NUMERIC", .text("secret")), ("JSON", .text("{secret")),
    ("VARCHAR(3)", .text("abcd")), ("JSON", .blob(Data())), ("DATE", .text("secret")),
  ])
  func valuesThatTheColumnCannotStoreAreRejected(type: String, value: StoreValue) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v \(type))")
    let writing = RowWriting(table: "t", columns: [.init("v", .text)], keyNames: [], existingRow: .updated)
    let errors = [
      try storeError { try connection.run("INSERT INTO t VALUES ($1)", [value]) },
      try storeError { _ = try connection.write([value], as: writing) },
    ]
    for error in errors {
      #expect(error?.code == (type.hasPrefix("VARCHAR") ? .tooLarge : .invalidValue))
      #expect(error?.description.contains("secret") == false)
    }
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  @Test(arguments: [
    ("DOUBLE PRECISION", StoreValue.integer(5), StoreValue.real(5)), ("BIGINT", .real(5), .integer(5)),
    ("TEXT", .integer(5), .text("5")), ("NUMERIC", .integer(5), .text("5")), ("NUMERIC", .real(0.5), .text("0.5")),
    ("SMALLINT", .integer(-5), .integer(-5)), ("REAL", .real(0.5), .real(0.5)),
    ("VARCHAR(3)", .text("abc"), .text("abc")),
    ("CHAR(3)", .text("ab"), .text("ab")), ("JSONB", .text(#"{"a": 1}"#), .text(#"{"a": 1}"#)),
    ("TIMESTAMPTZ", .text("2026-01-02T03:04:05Z"), .text("2026-01-02T03:04:05.000000000Z")),
  ])
  func valuesAreConvertedToTheTypeOfTheColumn(type: String, value: StoreValue, expected: StoreValue) throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(after: "CREATE TABLE t (v \(type))")
    try connection.run("INSERT INTO t VALUES ($1)", [value])
    let writing = RowWriting(table: "t", columns: [.init("v", .text)], keyNames: [], existingRow: .updated)
    #expect(try connection.write([value], as: writing) == .init(inserted: 1))
    #expect(try connection.rows("SELECT v FROM t") == [[expected], [expected]])
  }

  @Test func valuesOverTheLimitAreTooLarge() throws {
    let schema = try TemporarySchema()
    let connection = try schema.open(.init(maximumLength: 100_000))
    try connection.run("CREATE TABLE t (v TEXT, w BYTEA)")
    let text = String(repeating: "x", count: 100_001)
    for (column, value) in [("v", StoreValue.text(text)), ("w", .blob(Data(text.utf8)))] {
      let error = try storeError { try connection.run("INSERT INTO t (\(column)) VALUES ($1)", [value]) }
      #expect(error?.code == .tooLarge)
      #expect(error?.description.contains("xxx") == false)
    }
    #expect(try storeError { try connection.run("SELECT '\(text)'") }?.code == .tooLarge)
    #expect(try connection.run("INSERT INTO t (v) VALUES ($1)", [.text(String(text.dropFirst(1_000)))]) == 1)
  }
}
