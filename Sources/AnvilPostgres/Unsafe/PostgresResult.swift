internal import AnvilStore
internal import CPostgres

/// Owns a `PGresult *`: the rows of a statement or some of them, or its end, or its error.
///
/// Safety: the pointer is valid from `init` to `deinit`, and what the library gives of it does not change.
@safe
final class PostgresResult {
  enum Status {
    /// One or more rows of more that are to come.
    case someRows
    /// The last rows, if any.
    case rows
    /// The end of a statement that gives no rows.
    case done
    /// There was no statement.
    case empty
    /// COPY, which this package does not do.
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

  /// The number of rows in the tag; 0 where it has none.
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

  /// Calls `body` with the bytes of a value, which are valid until it returns; `nil` for NULL and for what is not there.
  func withValue<Result>(
    row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let (row, column) = (Int32(clamping: row), Int32(clamping: column))
    // Safety: the library looks whether row and column are there before it answers: NULL, when they are not. The result is
    // held while `body` runs.
    return try withExtendedLifetime(self) {
      guard unsafe PQgetisnull(pointer, row, column) == 0, let start = unsafe PQgetvalue(pointer, row, column) else {
        return try body(nil)
      }
      return try unsafe body(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(pointer, row, column))))
    }
  }

  /// Returns `true` if a value is true, in a Boolean column in the binary format.
  func isTrue(row: Int, column: Int) -> Bool {
    unsafe withValue(row: row, column: column) { value in
      unsafe value.flatMap { unsafe PostgresDecoding($0, isBinary: true).boolean } == 1
    }
  }

  /// The SQLSTATE of a failure; `nil` where the library, and not the server, found it.
  var sqlState: String? { unsafe anvil_postgres_error_state(pointer).map { unsafe String(cString: $0) } }

  /// True if the schema has changed since the statement was prepared, so that its rows would have other columns.
  var isStalePlan: Bool {
    guard sqlState == "0A000", let function = unsafe anvil_postgres_error_function(pointer) else { return false }
    return unsafe String(cString: function) == "RevalidateCachedQuery"
  }

  /// The failure as an error.
  @inline(never)
  func error(_ sql: String?) -> StoreError {
    guard let state = sqlState else {
      // The library's own: the connection was lost, or there was no memory.
      let message = unsafe PQresultErrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
      return StoreError(
        code: .other, sql: sql,
        backendMessage: message.split(separator: "\n").first.map(String.init) ?? "unknown failure")
    }
    if isStalePlan {
      return StoreError(code: .conflict, sql: sql, backendCode: state, reason: "the schema was changed meanwhile")
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
