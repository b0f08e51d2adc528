#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The row that a query has come to, read column by column; columns are counted from 0.
///
/// It is the backend's memory and gone with the next row: it can be borrowed, and not kept.
///
/// All readers throw ``StoreError/Code/invalidValue`` for a value of another kind, which a column of a foreign database may
/// hold whatever its declared type, and ``StoreError/Code/invalidStatement`` for a column that the row does not have.
package struct StoreRow: ~Copyable {
  /// What to do after a row.
  package enum Next: Sendable {
    case goOn
    case stop
  }

  private let columns: any StoreRowColumns

  package init(_ columns: any StoreRowColumns) {
    self.columns = columns
  }

  /// How many columns the row has.
  package var count: Int { columns.count }

  /// The name that the statement gives to the column.
  package func name(at column: Int) throws(StoreError) -> String { try columns.name(at: column) }

  package func kind(at column: Int) throws(StoreError) -> StoreValue.Kind { try columns.kind(at: column) }

  /// The integer; `nil` for NULL.
  package func integer(at column: Int) throws(StoreError) -> Int64? { try columns.integer(at: column) }

  /// The number, or the integer where a `Double` can hold it exactly; `nil` for NULL.
  package func real(at column: Int) throws(StoreError) -> Double? { try columns.real(at: column) }

  /// The text; `nil` for NULL. Text that is not valid UTF-8 is an error.
  package func text(at column: Int) throws(StoreError) -> String? { try columns.text(at: column) }

  /// The bytes; `nil` for NULL.
  package func blob(at column: Int) throws(StoreError) -> Data? { try columns.blob(at: column) }

  /// What `body` makes of the bytes of a text or a blob, which are not copied; `nil` for NULL. Text may be invalid UTF-8.
  package func withBytes<Result>(
    at column: Int, _ body: (borrowing RawSpan) throws -> Result
  ) throws -> Result? {
    try columns.withBytes(at: column, body)
  }

  /// The value, of the kind that it has.
  package func value(at column: Int) throws(StoreError) -> StoreValue {
    // None of the readers gives `nil` for what is not NULL.
    switch try kind(at: column) {
    case .null: .null
    case .integer: try integer(at: column).map(StoreValue.integer) ?? .null
    case .real: try real(at: column).map(StoreValue.real) ?? .null
    case .text: try text(at: column).map(StoreValue.text) ?? .null
    case .blob: try blob(at: column).map(StoreValue.blob) ?? .null
    }
  }

  /// All values, in the order of the columns.
  package func values() throws(StoreError) -> [StoreValue] {
    var values: [StoreValue] = []
    values.reserveCapacity(count)
    for column in 0..<count { values.append(try value(at: column)) }
    return values
  }
}

/// What a backend does for ``StoreRow``, whose functions say what these are to give.
package protocol StoreRowColumns: AnyObject {
  var count: Int { get }
  func name(at column: Int) throws(StoreError) -> String
  func kind(at column: Int) throws(StoreError) -> StoreValue.Kind
  func integer(at column: Int) throws(StoreError) -> Int64?
  func real(at column: Int) throws(StoreError) -> Double?
  func text(at column: Int) throws(StoreError) -> String?
  func blob(at column: Int) throws(StoreError) -> Data?
  func withBytes<Result>(at column: Int, _ body: (borrowing RawSpan) throws -> Result) throws -> Result?
}
