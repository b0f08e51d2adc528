internal import AnvilBase
internal import AnvilStore
internal import CPostgres

/// The current row of a query. Its values are in a result of libpq or in a buffer.
///
/// Safety: the bytes of a value are used only within the closure that receives them.
final class PostgresRow: StoreRowColumns {
  enum Location {
    case none
    case result(PostgresResult, row: Int)
    case buffer(PostgresRowBuffer)
  }

  let sql: String
  let columns: [PostgresColumn]
  let isBinary: Bool
  var location = Location.none

  init(_ statement: PostgresStatement) {
    sql = statement.sql
    columns = statement.columns
    isBinary = statement.isBinary
  }

  var count: Int {
    if case .none = location { 0 } else { columns.count }
  }

  func name(at column: Int) throws(StoreError) -> String { try self.column(column).name }

  func kind(at column: Int) throws(StoreError) -> StoreValue.Kind {
    let type = try self.column(column).type
    return unsafe withValue(column) { unsafe $0 == nil } ? .null : type.kind
  }

  func integer(at column: Int) throws(StoreError) -> Int64? {
    let type = try self.column(column).type
    return try read(column) { value throws(StoreError) in
      guard type.kind == .integer else { throw mismatch(type.kind, .integer, column) }
      return try readable(
        type == .boolean ? value.boolean : type == .oid ? value.unsignedInteger : value.integer, column)
    }
  }

  func real(at column: Int) throws(StoreError) -> Double? {
    let type = try self.column(column).type
    if type.kind == .integer {
      guard let integer = try integer(at: column) else { return nil }
      guard let real = Double(exactly: integer) else { throw mismatch(.integer, .real, column) }
      return real
    }
    return try read(column) { value throws(StoreError) in
      guard type.kind == .real else { throw mismatch(type.kind, .real, column) }
      let real = try readable(value.real, column)
      guard !real.isNaN else { throw error(.invalidValue, "\(describe(column)) contains NaN") }
      return real
    }
  }

  func isDecimal(at column: Int) -> Bool { (try? self.column(column).type) == .numeric }

  func text(at column: Int) throws(StoreError) -> String? {
    let type = try self.column(column).type
    return try read(column) { value throws(StoreError) in
      guard type.kind == .text else { throw mismatch(type.kind, .text, column) }
      if type == .uuid { return try readable(value.uuid, column) }
      if type.isTimestamp { return try readable(value.timestamp, column) }
      guard var text = value.text else {
        throw error(.invalidValue, "the text in \(describe(column)) is not valid UTF-8")
      }
      while type == .character, text.utf8.last == .space { text.unicodeScalars.removeLast() }
      if type == .numeric, text.utf8.last.map({ !($0.isDigit) }) ?? true {
        throw error(.invalidValue, "\(describe(column)) contains \(text), which is not a decimal number")
      }
      return text
    }
  }

  func blob(at column: Int) throws(StoreError) -> Data? {
    let type = try self.column(column).type
    return try read(column) { value throws(StoreError) in
      guard type.kind == .blob else { throw mismatch(type.kind, .blob, column) }
      return try readable(value.bytes, column)
    }
  }

  private func column(_ index: Int) throws(StoreError) -> PostgresColumn {
    guard columns.indices.contains(index), count > 0 else { throw noColumn(index) }
    return columns[index]
  }

  /// `nil` for NULL. The error passes through a `Result`, because closures do not infer typed errors.
  private func read<Value>(
    _ column: Int, _ body: (PostgresDecoding) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    let result: Result<Value, StoreError>? = unsafe withValue(column) { bytes in
      guard let bytes = unsafe bytes else { return nil }
      do throws(StoreError) { return .success(try unsafe body(PostgresDecoding(bytes, isBinary: isBinary))) } catch {
        return .failure(error)
      }
    }
    return try result?.get()
  }

  private func withValue<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    switch location {
    case .none: try body(nil)
    case .result(let result, let row): try unsafe result.withValue(row: row, column: column, body)
    case .buffer(let buffer): try unsafe buffer.withValue(column: column, body)
    }
  }

  private func readable<Value>(_ value: Value?, _ column: Int) throws(StoreError) -> Value {
    if let value { return value }
    throw error(
      .invalidValue,
      "\(describe(column)) contains a value that is invalid for its type (OID \(columns[column].type.oid))")
  }

}

/// Owns a `PGresult *`, which contains rows of a statement, its end, or its error.
///
/// Safety: the pointer is valid from `init` to `deinit`, and the library does not change the memory that it returns for
/// it.
@safe
final class PostgresResult {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    // Safety: the last use of the pointer.
    unsafe PQclear(pointer)
  }

  var status: ExecStatusType { unsafe PQresultStatus(pointer) }

  var rowCount: Int { unsafe Int(PQntuples(pointer)) }

  /// The server's command tag, such as `INSERT 0 5`.
  var tag: String { unsafe PQcmdStatus(pointer).map { unsafe String(cString: $0) } ?? "" }

  /// The number of rows in the command tag, or 0 if the tag has no number.
  var affectedRowCount: Int { unsafe PQcmdTuples(pointer).flatMap { unsafe Int(String(cString: $0)) } ?? 0 }

  var columns: [PostgresColumn] {
    unsafe (0..<max(PQnfields(pointer), 0)).map { index in
      PostgresColumn(
        name: unsafe PQfname(pointer, index).map { unsafe String(cString: $0) } ?? "",
        type: PostgresType(oid: unsafe PQftype(pointer, index)))
    }
  }

  var parameterTypes: [PostgresType] {
    unsafe (0..<max(PQnparams(pointer), 0)).map { PostgresType(oid: unsafe PQparamtype(pointer, $0)) }
  }

  /// The bytes are valid until `body` returns; `nil` for NULL and for a position outside of the result.
  func withValue<Result>(
    row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let (row, column) = (Int32(clamping: row), Int32(clamping: column))
    // Safety: the library checks the row and the column, and returns NULL for a position outside of the result. The
    // result is retained while `body` runs.
    return try withExtendedLifetime(self) {
      guard unsafe PQgetisnull(pointer, row, column) == 0, let start = unsafe PQgetvalue(pointer, row, column) else {
        return try body(nil)
      }
      return try unsafe body(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(pointer, row, column))))
    }
  }

  /// Returns a value in the text format; `nil` for NULL and for a position outside of the result.
  func text(row: Int, column: Int) -> String? {
    unsafe withValue(row: row, column: column) { value in
      unsafe value.flatMap { unsafe PostgresDecoding($0, isBinary: false).text }
    }
  }

  /// Returns `true` if a value is true. The column is Boolean and in the binary format.
  func isTrue(row: Int, column: Int) -> Bool {
    unsafe withValue(row: row, column: column) { value in
      unsafe value.flatMap { unsafe PostgresDecoding($0, isBinary: true).boolean } == 1
    }
  }

  /// The SQLSTATE of a failure, or `nil` for a failure in the library itself.
  var sqlState: String? { unsafe anvil_postgres_error_state(pointer).map { unsafe String(cString: $0) } }

  /// True for the error of a prepared statement whose rows would have other columns, because the schema has changed since it was prepared.
  var isStalePlan: Bool {
    guard sqlState == "0A000", let function = unsafe anvil_postgres_error_function(pointer) else { return false }
    return unsafe String(cString: function) == "RevalidateCachedQuery"
  }

  @inline(never)
  func error(_ sql: String?) -> StoreError {
    guard let state = sqlState else {
      // A failure in the library: the connection was lost, or memory could not be allocated.
      let message = unsafe PQresultErrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
      return StoreError(
        code: .other, sql: sql,
        backendMessage: message.split(separator: "\n").first.map(String.init) ?? "unknown error")
    }
    if isStalePlan {
      return StoreError(code: .conflict, sql: sql, backendCode: state, reason: "the schema was changed in the meantime")
    }
    guard PostgresMessage.isShown(state) else {
      return StoreError(
        code: StoreError.Code(sqlState: state), sql: sql, backendCode: state, reason: PostgresMessage.reason(state))
    }
    return StoreError(
      code: StoreError.Code(sqlState: state), sql: sql,
      backendMessage: unsafe anvil_postgres_error_message(pointer).map { unsafe String(cString: $0) },
      backendCode: state)
  }
}

/// A buffer of rows, which are stored one after the other in one array. Keeping a result of libpq for each row would take 2 kB or more per
/// row.
///
/// Safety: values are read by their ranges in an array, which checks its bounds.
final class PostgresRowBuffer {
  /// The bytes of the values of all rows. `ends` contains the offset of the end of each value. For NULL, it contains -1 minus this offset.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private let columnCount: Int
  private var row = -1

  init(columnCount: Int) {
    self.columnCount = columnCount
  }

  func append(_ result: PostgresResult) {
    for row in 0..<result.rowCount {
      for column in 0..<columnCount {
        let isNull = unsafe result.withValue(row: row, column: column) { value in
          if let value = unsafe value { unsafe bytes.append(contentsOf: value) }
          return unsafe value == nil
        }
        ends.append(isNull ? -1 - bytes.count : bytes.count)
      }
    }
  }

  func advance() -> Bool {
    guard (row + 1) * columnCount < ends.count else { return false }
    row += 1
    return true
  }

  func withValue<Result>(
    column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let index = row * columnCount + column
    guard row >= 0, column < columnCount, index < ends.count, ends[index] >= 0 else { return try body(nil) }
    let start = index == 0 ? 0 : ends[index - 1] < 0 ? -1 - ends[index - 1] : ends[index - 1]
    let end = ends[index]
    return try unsafe bytes.withUnsafeBytes { try unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }
}
