internal import AnvilStore
internal import CPostgres

/// Owns a `PGresult *`, which contains rows of a statement, its end, or its error.
///
/// Safety: the pointer is valid from `init` to `deinit`, and the library does not change the memory that it returns for
/// it.
@safe
final class PostgresResult {
  enum Status {
    /// A row of a streamed query. At least one more result follows.
    case someRows
    /// All rows of a query, or the end of a streamed query.
    case rows
    /// The end of a statement that returns no rows.
    case done
    /// The result of an SQL text that contains no statement.
    case empty
    /// The start of a COPY, which this package does not support.
    case copy
    case failure
  }

  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    // Safety: the last use of the pointer.
    unsafe PQclear(pointer)
  }

  var status: Status {
    switch unsafe PQresultStatus(pointer) {
    case PGRES_SINGLE_TUPLE: .someRows
    case PGRES_TUPLES_OK: .rows
    case PGRES_COMMAND_OK: .done
    case PGRES_EMPTY_QUERY: .empty
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: .copy
    default: .failure
    }
  }

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

  /// Calls `body` with the bytes of a value, which are valid until it returns. Calls it with `nil` for NULL and for a
  /// position outside of the result.
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

  /// Returns the failure as an error.
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
