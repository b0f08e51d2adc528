internal import AnvilBase
package import AnvilStore

extension PostgresConnection {
  private static let mostInsertions = 64
  /// The maximum number of bytes of values in one statement. A single larger row is still written.
  private static let bytesPerStatement = 8 << 20

  /// Returns a number of rows that makes the fixed cost of a statement insignificant.
  package func rowsPerWrite(ofColumns count: Int) -> Int { 500 }

  package func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    let columnCount = writing.columns.count
    guard columnCount > 0, rows.count.isMultiple(of: columnCount) else {
      throw StoreError(
        code: .invalidStatement, reason: "\(rows.count) values are not complete rows of \(columnCount) columns")
    }
    let insertion = try insertion(for: writing)
    var outcome = RowWriting.Outcome()
    var start = 0
    var size = 0
    for row in stride(from: 0, to: rows.count, by: columnCount) {
      let rowSize = rows[row..<row + columnCount].reduce(0) { $0 + $1.sizeInArray }
      if row > start, size + rowSize > Self.bytesPerStatement {
        try write(rows, start..<row, insertion, &outcome)
        (start, size) = (row, 0)
      }
      size += rowSize
    }
    if start < rows.count { try write(rows, start..<rows.count, insertion, &outcome) }
    return outcome
  }

  private func write(
    _ rows: [StoreValue], _ range: Range<Int>, _ insertion: PostgresInsertion, _ outcome: inout RowWriting.Outcome
  ) throws(StoreError) {
    let result = try insert(rows, range, insertion)
    let rowCount = range.count / insertion.elements.count
    guard insertion.givesRows else {
      let count = result?.affectedRowCount ?? 0
      outcome.inserted += count
      guard count == rowCount || insertion.writing.existingRow == .updated else {
        throw StoreError(code: .conflict, sql: insertion.sql, reason: "a row to be inserted already exists")
      }
      return
    }
    for row in 0..<(result?.rowCount ?? 0) {
      let isInserted = result?.isTrue(row: row, column: 0)
      if isInserted == true { outcome.inserted += 1 } else { outcome.updated += 1 }
    }
  }

  private func insert(
    _ rows: [StoreValue], _ range: Range<Int>, _ insertion: PostgresInsertion
  ) throws(StoreError) -> PostgresResult? {
    settle()
    for check in insertion.checks {
      let found = try finish(check.sql, of: insertion, rows, range, columns: check.column..<check.column + 1)
      guard found?.rowCount ?? 0 == 0 else { throw StoreError(code: .invalidValue, reason: check.reason) }
    }
    return try finish(insertion.sql, of: insertion, rows, range, columns: insertion.elements.indices)
  }

  private func finish(
    _ sql: String, of insertion: PostgresInsertion, _ rows: [StoreValue], _ range: Range<Int>, columns: Range<Int>
  ) throws(StoreError) -> PostgresResult? {
    let statement = try prepared(sql)
    do throws(StoreError) {
      let parameters = try arrays(of: rows, range, insertion, columns)
      try handle.send(statement, parameters, isStreamed: false)
      return try handle.finish(statement.sql)
    } catch {
      // Another connection may have changed the types of the columns.
      insertions[ObjectIdentifier(insertion.writing)] = nil
      throw failed(error.inStatement(statement.sql), statement)
    }
  }

  /// Returns the values of each of the columns as an array in the binary format. Source: PostgreSQL's array_recv.
  private func arrays(
    of rows: [StoreValue], _ range: Range<Int>, _ insertion: PostgresInsertion, _ columns: Range<Int>
  ) throws(StoreError) -> PostgresParameters {
    let columnCount = insertion.elements.count
    var parameters = PostgresParameters()
    for column in columns {
      let element = insertion.elements[column]
      try parameters.append(isBinary: true, limit: handle.maximumLength) { bytes throws(StoreError) in
        // The header: one dimension, a flag for NULLs, the element type, the number of elements, and the index of the
        // first one.
        let cells = stride(from: range.lowerBound + column, to: range.upperBound, by: columnCount)
        let hasNull = cells.contains { rows[$0] == .null }
        for field in [
          1, hasNull ? 1 : 0, Int32(bitPattern: element.oid), Int32(clamping: range.count / columnCount), 1,
        ] {
          PostgresEncoding.append(field, to: &bytes)
        }
        for cell in cells {
          let value = rows[cell].withEra(in: insertion.types[column])
          try PostgresEncoding.appendElement(value, as: element, to: &bytes) {
            "column \(insertion.writing.columns[column].name) of row \(cell / columnCount + 1)"
          }
        }
      }
    }
    return parameters
  }

  private func insertion(for writing: RowWriting) throws(StoreError) -> PostgresInsertion {
    if let known = insertions[ObjectIdentifier(writing)] { return known }
    let sql = """
      SELECT a.attname::text, a.atttypid, pg_catalog.format_type(a.atttypid, -1), c.relkind = 'p', \
      pg_catalog.format_type(a.atttypid, a.atttypmod) \
      FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid \
      WHERE c.oid = pg_catalog.to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
      """
    var types: [String: PostgresInsertion.ColumnType] = [:]
    var isPartitioned = false
    for row in try rows(of: sql, [.text(try quoted(writing.table))]) {
      guard let column = row[0].text, let oid = row[1].integer, let name = row[2].text, let full = row[4].text else {
        continue
      }
      types[column] = .init(type: PostgresType(oid: UInt32(truncatingIfNeeded: oid)), name: name, declaration: full)
      isPartitioned = row[3] == .integer(1)
    }
    let insertion = try PostgresInsertion(writing, types: types, isPartitioned: isPartitioned, on: self)
    if insertions.count >= Self.mostInsertions { insertions.removeAll() }
    insertions[ObjectIdentifier(writing)] = insertion
    return insertion
  }
}

extension PostgresEncoding {
  /// Appends an element of an array: its length and its bytes. NULL has the length -1 and no bytes.
  fileprivate static func appendElement(
    _ value: StoreValue, as type: PostgresType, to bytes: inout [UInt8], _ label: () -> String
  ) throws(StoreError) {
    guard value != .null else { return append(Int32(-1), to: &bytes) }
    if type == .text, case .real(let real) = value, real.isInfinite { throw mismatch(value, "a finite number", label) }
    let start = bytes.count
    append(Int32(0), to: &bytes)
    try append(value, as: type, to: &bytes, label)
    guard let count = Int32(exactly: bytes.count - start - 4) else {
      throw StoreError(code: .tooLarge, reason: "\(label()) has \(bytes.count - start - 4) bytes")
    }
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: count >> Int32(24 - 8 * index)) }
  }
}

extension StoreValue {
  fileprivate var sizeInArray: Int {
    switch self {
    case .null: 4
    case .integer, .real: 12
    case .text(let text): 4 + text.utf8.count
    case .blob(let data): 4 + data.count
    }
  }
}

/// Encodes values in the server's format for a type.
///
/// Integers, reals, Booleans and bytes are sent in the binary format, which is exact and short. Other values are sent as text, which the
/// server reads like a literal in SQL.
enum PostgresEncoding {
  static func isBinary(_ type: PostgresType) -> Bool {
    switch type {
    case .int2, .int4, .int8, .float8, .boolean, .bytes: true
    default: false
    }
  }

  /// Appends the value, which must not be NULL.
  ///
  /// - Parameter label: The name of the value in an error, such as `value 2`.
  static func append(
    _ value: StoreValue, as type: PostgresType, to bytes: inout [UInt8], _ label: () -> String
  ) throws(StoreError) {
    if case .real(let real) = value, real.isNaN {
      throw StoreError(code: .invalidValue, reason: "\(label()) is NaN, which a store does not support")
    }
    switch type {
    case .int8: append(try integer(Int64.self, value, label), to: &bytes)
    case .int4: append(try integer(Int32.self, value, label), to: &bytes)
    case .int2: append(try integer(Int16.self, value, label), to: &bytes)
    case .float8: append(try real(value, label).bitPattern, to: &bytes)
    case .boolean:
      let integer = try integer(Int64.self, value, label)
      guard integer == 0 || integer == 1 else { throw mismatch(value, "a Boolean (0 or 1)", label) }
      bytes.append(UInt8(integer))
    case .bytes:
      guard case .blob(let data) = value else { throw mismatch(value, "bytes", label) }
      bytes.append(contentsOf: data)
    default: try appendText(value, to: &bytes, label)
    }
  }

  /// Appends an integer, the highest byte first.
  static func append<Integer: FixedWidthInteger>(_ integer: Integer, to bytes: inout [UInt8]) {
    for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: integer >> shift))
    }
  }

  private static func integer<Integer: FixedWidthInteger>(
    _: Integer.Type, _ value: StoreValue, _ label: () -> String
  ) throws(StoreError) -> Integer {
    switch value {
    case .integer(let integer):
      if let integer = Integer(exactly: integer) { return integer }
    case .real(let real):
      if let integer = Integer(exactly: real) { return integer }
    default: break
    }
    throw mismatch(value, "a \(Integer.bitWidth)-bit integer", label)
  }

  private static func real(_ value: StoreValue, _ label: () -> String) throws(StoreError) -> Double {
    switch value {
    case .real(let real): return real
    case .integer(let integer):
      if let real = Double(exactly: integer) { return real }
    default: break
    }
    throw mismatch(value, "a floating-point number", label)
  }

  private static func appendText(
    _ value: StoreValue, to bytes: inout [UInt8], _ label: () -> String
  ) throws(StoreError) {
    switch value {
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .real(let real): bytes.append(contentsOf: real.description.utf8)
    case .text(let text):
      let start = bytes.count
      bytes.append(contentsOf: text.utf8)
      guard !bytes[start...].contains(0) else {
        throw StoreError(
          code: .invalidValue, reason: "\(label()) contains a NUL character, which PostgreSQL does not support in text")
      }
    case .null, .blob: throw mismatch(value, "text", label)
    }
  }

  @inline(never)
  private static func mismatch(_ value: StoreValue, _ expected: String, _ label: () -> String) -> StoreError {
    StoreError(
      code: .invalidValue,
      reason: "\(label()) is of kind \(value.kind.rawValue), but PostgreSQL expects \(expected)")
  }
}

extension StoreValue {
  /// Returns the value in the form in which the server reads it as this type: the year 0 of a time is the year 1 BC.
  func withEra(in type: PostgresType) -> StoreValue {
    guard type.isTimestamp, case .text(let text) = self, let text = StoredDate.textWithEra(text) else { return self }
    return .text(text)
  }
}
