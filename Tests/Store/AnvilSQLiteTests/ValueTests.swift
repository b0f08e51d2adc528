import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

@Suite struct ValueTests {
  /// A character of each assigned plane, and the last code point.
  private static let planes = (UInt32(0)...16).compactMap { Unicode.Scalar($0 << 16 | 0x41) }.map(String.init).joined()

  /// Each test creates new values, because the leak sanitizer cannot follow a constant to the bytes of a `Data`.
  static let hostile: [@Sendable () -> StoreValue] =
    smallValues.indices.map { index in { smallValues[index] } } + [
      // Larger than a page and than the page cache.
      { .text(String(repeating: "0123456789abcdé", count: 300_000)) },
      { .blob(Data(repeating: 0xA5, count: 4_500_000)) },
    ]

  private static var smallValues: [StoreValue] {
    [
      .null,
      .integer(.min), .integer(.max), .integer(0), .integer(-1), .integer(1 << 53 + 1),
      .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(0.1),
      .real(3),
      .text(""), .text("'"), .text("''); DROP TABLE t; --"), .text(#""quoted" `ticks` [brackets]"#),
      .text("?1 $1 :a @b"),
      .text("\0"), .text("a\0b"), .text("NULL"), .text("123"), .text("1e5"), .text("\u{FEFF}bom\r\n\t\u{1B}"),
      .text(planes), .text("\u{10FFFF}\u{FFFF}\u{E000}"), .text("e\u{301} is not é"),
      .blob(Data()), .blob(Data([0])), .blob(Data("'".utf8)), .blob(Data([0xFF, 0xFE, 0xC0, 0x80])),
    ]
  }

  @Test(arguments: hostile.indices) func hostileValuesAreRestoredFromTheFile(index: Int) throws {
    let value = Self.hostile[index]()
    let database = try TemporaryDatabase()
    try database.open().run("CREATE TABLE t (v BLOB)")
    #expect(try database.open().run("INSERT INTO t VALUES (?1)", [value]) == 1)
    let rows = try database.open().rows("SELECT v FROM t WHERE v IS ?1", [value])
    #expect(rows == [[value]])
    // Swift compares strings by canonical equivalence.
    if case .text(let text) = value, case .text(let found)? = rows.first?.first {
      #expect(Array(found.utf8) == Array(text.utf8))
    }
  }

  @Test(arguments: [0.0, -0.0]) func zeroKeepsItsSignUnlessTheColumnIsReal(zero: Double) throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (v REAL, w BLOB)")
    try connection.run("INSERT INTO t VALUES (?1, ?1)", [.real(zero)])
    // SQLite stores reals without a fraction as integers where the column is REAL, which have no sign of zero.
    #expect(try connection.first("SELECT v FROM t") { try $0.real(at: 0) } == 0)
    #expect(try connection.first("SELECT w FROM t") { try $0.real(at: 0)?.sign } == zero.sign)
  }

  @Test(arguments: [Double.nan, -Double.nan, Double.signalingNaN]) func notANumberIsRejected(number: Double) throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (a, b)")
    let error = try storeError { try connection.run("INSERT INTO t VALUES (?1, ?2)", [.integer(1), .real(number)]) }
    #expect(error?.code == .invalidValue)
    #expect(
      error?.description
        == "invalid value: value 2 is NaN, which SQLite cannot store: it would become NULL in: INSERT INTO t VALUES (?1, ?2)"
    )
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(0)]])
  }

  /// Some values are bound then, and some are not.
  @Test func statementsCanBeReusedAfterTheirValuesWereRejected() throws {
    let connection = try SQLiteConnection.inMemory(after: "CREATE TABLE t (a, b)")
    #expect(throws: StoreError.self) {
      try connection.run("INSERT INTO t VALUES (?1, ?2)", [.text("left"), .real(.nan)])
    }
    #expect(throws: StoreError.self) { try connection.run("INSERT INTO t VALUES (?1, ?2)", [.text("only one")]) }
    try connection.run("INSERT INTO t VALUES (?1, ?2)", [.null, .null])
    #expect(try connection.rows("SELECT a, b FROM t") == [[.null, .null]])
  }

  /// A value of each kind, and an integer that a `Double` cannot represent.
  private static let mixed = "SELECT 1, 0.5, 'x', x'00', NULL, 9007199254740993"

  @Test(arguments: [
    ([1, 2, 3], StoreReading.integer), ([2, 3, 5], .real), ([0, 1, 3, 5], .text), ([0, 1, 2, 5], .blob),
    ([-1, 6, .max, .min], .kind), ([-1, 6, .max, .min], .name),
  ])
  func readersRejectOtherKindsAndInvalidColumns(columns: [Int], reading: StoreReading) throws {
    let connection = try SQLiteConnection(.inMemory)
    for column in columns {
      let error = try storeError {
        _ = try connection.first(Self.mixed) { try reading.read(column, of: $0) }
      }
      let isColumn = 0..<6 ~= column
      #expect(error == StoreError(code: isColumn ? .invalidValue : .invalidStatement, sql: Self.mixed), "\(column)")
    }
  }

  @Test func readersReturnTheStoredValues() throws {
    let connection = try SQLiteConnection(.inMemory)
    let kinds = try connection.first(Self.mixed) { row in try (0..<6).map { try row.kind(at: $0) } }
    #expect(kinds == [.integer, .real, .text, .blob, .null, .integer])
    // An integer can be read as a real if the conversion is exact.
    #expect(try connection.first(Self.mixed) { try $0.real(at: 0) } == 1)
    #expect(try connection.first("SELECT 1 AS \"the name\"") { try $0.name(at: 0) } == "the name")
  }

  @Test(arguments: [StoreReading.integer, .real, .text, .blob])
  func nullIsReadWithoutAnError(reading: StoreReading) throws {
    let isNull = try SQLiteConnection(.inMemory).first(Self.mixed) { row in
      try reading.read(4, of: row) == nil
    }
    #expect(isNull == true)
  }

  @Test(arguments: ["x'C328'", "x'FF'", "x'EDA080'", "x'F4908080'", "x'41C0'", "x'F09F98'"])
  func invalidTextIsAnError(bytes: String) throws {
    let connection = try SQLiteConnection(.inMemory)
    let sql = "SELECT CAST(\(bytes) AS TEXT) AS name"
    let error = try storeError { _ = try connection.first(sql) { try $0.text(at: 0) } }
    #expect(error?.code == .invalidValue)
    #expect(error?.reason == "the text in column name is not valid UTF-8")
  }

  @Test func databasesInOtherEncodingsCanBeRead() throws {
    let connection = try SQLiteConnection.inMemory(after: "PRAGMA encoding='UTF-16le'", "CREATE TABLE t (v TEXT)")
    try connection.run("INSERT INTO t VALUES (?1)", [.text("a\0é𝄞")])
    #expect(try connection.rows("SELECT v, length(v) FROM t").first?.first == .text("a\0é𝄞"))
  }

  @Test func valuesOverTheLimitAreTooLarge() throws {
    let connection = try SQLiteConnection(.inMemory, configuration: .init(maximumLength: 100_000))
    try connection.run("CREATE TABLE t (v)")
    let text = String(repeating: "x", count: 100_001)
    for value in [StoreValue.text(text), .blob(Data(text.utf8))] {
      let error = try storeError { try connection.run("INSERT INTO t VALUES (?1)", [value]) }
      #expect(error?.code == .tooLarge)
      #expect(error?.description.contains("xxx") == false)
    }
    #expect(try storeError { try connection.run("SELECT '\(text)'") }?.code == .tooLarge)
    // Created by the database, not by Anvil.
    #expect(try storeError { try connection.run("SELECT zeroblob(100001)") }?.code == .tooLarge)
    #expect(try connection.run("INSERT INTO t VALUES (?1)", [.text(String(text.dropFirst(1_000)))]) == 1)
  }
}
