internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The current row of a query. Its values are in a result of libpq or in a buffer.
///
/// Safety: the bytes of a value are used only within the closure that receives them. Only in `withBytes` can the row advance during the
/// closure, and `withBytes` retains the bytes.
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
      guard type.kind == .integer else { throw mismatch(.integer, column) }
      guard let integer = type == .boolean ? value.boolean : type == .oid ? value.unsignedInteger : value.integer
      else { throw unreadable(column) }
      return integer
    }
  }

  func real(at column: Int) throws(StoreError) -> Double? {
    let type = try self.column(column).type
    if type.kind == .integer {
      guard let integer = try integer(at: column) else { return nil }
      guard let real = Double(exactly: integer) else { throw mismatch(.real, column) }
      return real
    }
    return try read(column) { value throws(StoreError) in
      guard type.kind == .real else { throw mismatch(.real, column) }
      guard let real = value.real else { throw unreadable(column) }
      guard !real.isNaN else { throw error(.invalidValue, "\(describe(column)) contains NaN") }
      return real
    }
  }

  func text(at column: Int) throws(StoreError) -> String? {
    let type = try self.column(column).type
    return try read(column) { value throws(StoreError) in
      guard type.kind == .text else { throw mismatch(.text, column) }
      if type == .uuid {
        guard let uuid = value.uuid else { throw unreadable(column) }
        return uuid
      }
      if type == .timestamp {
        guard let time = value.timestamp else { throw unreadable(column) }
        return time
      }
      guard let text = value.text else {
        throw error(.invalidValue, "the text in \(describe(column)) is not valid UTF-8")
      }
      if type == .numeric, text.utf8.last.map({ !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }) ?? true {
        throw error(.invalidValue, "\(describe(column)) contains \(text), which is not a decimal number")
      }
      return text
    }
  }

  func blob(at column: Int) throws(StoreError) -> Data? {
    let type = try self.column(column).type
    return try read(column) { value throws(StoreError) in
      guard type.kind == .blob else { throw mismatch(.blob, column) }
      guard let data = value.bytes else { throw unreadable(column) }
      return data
    }
  }

  func withBytes<Result>(at column: Int, _ body: (borrowing RawSpan) throws -> Result) throws -> Result? {
    let type = try self.column(column).type
    switch type.kind {
    case .blob where !isBinary:
      guard let data = try blob(at: column) else { return nil }
      return try body(data.bytes)
    case .text where type == .uuid || type == .timestamp:
      guard let text = try text(at: column) else { return nil }
      return try body(unsafe ContiguousArray(text.utf8).span.bytes)
    case .blob, .text:
      // Safety: the memory is retained while `body` runs, even if the query advances. The span cannot escape from
      // it.
      return try unsafe withValue(column) { bytes in
        guard let bytes = unsafe bytes else { return nil }
        return try body(unsafe bytes.bytes)
      }
    default:
      guard try kind(at: column) != .null else { return nil }
      throw mismatch(.blob, column)
    }
  }

  // MARK: Helpers

  private func column(_ index: Int) throws(StoreError) -> PostgresColumn {
    guard columns.indices.contains(index), count > 0 else {
      throw error(.invalidStatement, "a row of \(count) columns has no column \(index)")
    }
    return columns[index]
  }

  /// Calls `body` with the value of a column, and returns its result or throws its error. Returns `nil` for NULL. The error passes through
  /// a `Result`, because closures do not infer typed errors.
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

  @inline(never)
  private func mismatch(_ expected: StoreValue.Kind, _ column: Int) -> StoreError {
    error(.invalidValue, "\(describe(column)) contains \(columns[column].type.kind.rawValue), not \(expected.rawValue)")
  }

  @inline(never)
  private func unreadable(_ column: Int) -> StoreError {
    error(
      .invalidValue,
      "\(describe(column)) contains a value that is invalid for its type (OID \(columns[column].type.oid))")
  }

  @inline(never)
  private func error(_ code: StoreError.Code, _ reason: String) -> StoreError {
    StoreError(code: code, sql: sql, reason: reason)
  }

  private func describe(_ column: Int) -> String {
    let name = columns[column].name
    return "column \(name.isEmpty ? "\(column)" : name)"
  }
}
