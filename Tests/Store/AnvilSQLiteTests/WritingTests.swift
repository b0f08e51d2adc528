import AnvilSQLite
import AnvilStore
import AnvilTestSupport
import Foundation
import Testing

/// Written rows, compared with a dictionary after the same operations.
@Suite struct WritingTests {
  private static let names = ["id", "flag", "ratio", "text", "bytes"]
  private static let types: [StoredType] = [.integer, .boolean, .real, .text, .data]

  private let connection: SQLiteConnection
  private let writing = RowWriting(
    table: "t", columns: zip(names, types).map { RowWriting.Column($0, $1) }, keyNames: ["id"], existingRow: .updated)

  init() throws {
    connection = try SQLiteConnection(.inMemory)
    try connection.run(
      "CREATE TABLE t (id INTEGER NOT NULL, flag BOOLEAN, ratio REAL, text TEXT, bytes BLOB, PRIMARY KEY (id))")
  }

  private func rows() throws -> [Int64: [StoreValue]] {
    var rows: [Int64: [StoreValue]] = [:]
    try connection.query("SELECT id, flag, ratio, text, bytes FROM t", []) { row in
      let values = try row.values()
      if case .integer(let id) = values[0] { rows[id] = values }
      return .goOn
    }
    return rows
  }

  private func row(_ id: Int64, _ variant: Int) -> [StoreValue] {
    let texts: [StoreValue] = [
      .null, .text(""), .text("a\0b"), .text("\u{E9}"), .text("e\u{301}"), .text(String(repeating: "x", count: 9_000)),
    ]
    let ratios: [StoreValue] = [.null, .real(5), .real(.infinity), .real(0.1)]
    let blobs: [StoreValue] = [.null, .blob(Data()), .blob(Data([0, 255]))]
    return [
      .integer(id), variant % 3 == 0 ? .null : .integer(Int64(variant % 2)), ratios[variant % 4], texts[variant % 6],
      blobs[variant % 3],
    ]
  }

  @Test(arguments: 1...UInt64(rounds(40))) func writesHaveTheSameOutcomesAsADictionary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var expected: [Int64: [StoreValue]] = [:]
    for _ in 0..<12 {
      let limit = Int64.random(in: 1...400, using: &random)
      // Often all ids are greater than those in the table.
      let greatest = Bool.random(using: &random) ? expected.keys.filter { $0 < 1_000_000 }.max() ?? 0 : 0
      var ids = Array(
        Set(
          (0..<Int.random(in: 1...200, using: &random)).map { _ in
            greatest + limit + Int64.random(in: -limit...limit, using: &random)
          }))
      ids.append(contentsOf: [.min, .max].shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
      if Bool.random(using: &random) { ids.sort() } else { ids.shuffle(using: &random) }
      if let id = ids.randomElement(using: &random) { ids.append(id) }
      // Usually the rows are unchanged.
      let shift = Int.random(in: 0...1, using: &random)
      let values = ids.map { row($0, abs(Int($0 % 60)) + (Int.random(in: 0...9, using: &random) == 0 ? shift : 0)) }
      var outcome = RowWriting.Outcome()
      for (id, row) in zip(ids, values) {
        if let old = expected[id] { outcome.updated += Self.isSame(old, row) ? 0 : 1 } else { outcome.inserted += 1 }
        expected[id] = row
      }
      #expect(try connection.write(values.flatMap(\.self), as: writing) == outcome)
    }
    let stored = try rows()
    #expect(stored.keys.sorted() == expected.keys.sorted())
    for (id, row) in expected { #expect(Self.isSame(stored[id] ?? [], row)) }
  }

  /// Text by its bytes, as a database compares it.
  private static func isSame(_ lhs: [StoreValue], _ rhs: [StoreValue]) -> Bool {
    lhs.count == rhs.count
      && zip(lhs, rhs).allSatisfy { lhs, rhs in
        guard case (.text(let lhs), .text(let rhs)) = (lhs, rhs) else { return lhs == rhs }
        return lhs.utf8.elementsEqual(rhs.utf8)
      }
  }

  @Test func unchangedRowsAmongManyOthersAreNotCounted() throws {
    let all = (0..<5_000).flatMap { row(Int64($0), $0) }
    #expect(try connection.write(all, as: writing) == RowWriting.Outcome(inserted: 5_000))
    let few = stride(from: 0, to: 5_000, by: 100).flatMap { row(Int64($0), $0) }
    #expect(try connection.write(few, as: writing) == RowWriting.Outcome())
  }

  @Test(arguments: [1, 7, 8, 9, 250]) func rowsWithoutKeysAreAllInserted(count: Int) throws {
    try connection.run("CREATE TABLE log (flag BOOLEAN, text TEXT)")
    let writing = RowWriting(
      table: "log", columns: [.init("flag", .boolean), .init("text", .text)], keyNames: [], existingRow: .updated)
    let values = (0..<count).flatMap { [StoreValue.integer(Int64($0 % 2)), .text("line \($0)")] }
    #expect(try connection.write(values, as: writing) == RowWriting.Outcome(inserted: count))
    #expect(try connection.write(values, as: writing) == RowWriting.Outcome(inserted: count))
    var stored: [StoreValue] = []
    try connection.query("SELECT flag, text FROM log ORDER BY rowid", []) { row in
      stored += try row.values()
      return .goOn
    }
    #expect(stored == values + values)
  }

  @Test func existingRowsAreConflictsIfOnlyInsertionIsAllowed() throws {
    let inserting = RowWriting(table: "t", columns: writing.columns, keyNames: ["id"], existingRow: .isConflict)
    _ = try connection.write(row(1, 1), as: inserting)
    let error = #expect(throws: StoreError.self) { try connection.write(row(0, 1) + row(1, 1), as: inserting) }
    #expect(error?.code == .conflict)
  }
}
