internal import AnvilBase

/// The current row of a query. Columns are counted from 0.
///
/// The row refers to memory of the backend and is valid only until the next row: it can be borrowed, but not kept.
///
/// The functions that return a value of one kind return `nil` for NULL, and throw ``StoreError/Code/invalidValue`` for a value of another
/// kind, which a column may contain despite its declared type if other programs write the database. All functions throw
/// ``StoreError/Code/invalidStatement`` for a column that the row does not have.
package struct StoreRow: ~Copyable {
  package enum Next: Sendable {
    case goOn
    case stop
  }

  let columns: any StoreRowColumns

  package init(_ columns: any StoreRowColumns) {
    self.columns = columns
  }

  package var count: Int { columns.count }

  package func name(at column: Int) throws(StoreError) -> String { try columns.name(at: column) }

  package func kind(at column: Int) throws(StoreError) -> StoreValue.Kind { try columns.kind(at: column) }

  package func integer(at column: Int) throws(StoreError) -> Int64? { try columns.integer(at: column) }

  /// An integer is converted if a `Double` can represent it exactly.
  package func real(at column: Int) throws(StoreError) -> Double? { try columns.real(at: column) }

  /// Text that is not valid UTF-8 is an error.
  package func text(at column: Int) throws(StoreError) -> String? { try columns.text(at: column) }

  package func blob(at column: Int) throws(StoreError) -> Data? { try columns.blob(at: column) }

  package func isDecimal(at column: Int) -> Bool { columns.isDecimal(at: column) }

  package func value(at column: Int) throws(StoreError) -> StoreValue { try columns.value(at: column) }

  package func values(from first: Int = 0) throws(StoreError) -> [StoreValue] {
    var values: [StoreValue] = []
    values.reserveCapacity(count - first)
    for column in first..<count { values.append(try value(at: column)) }
    return values
  }
}

/// The backend's implementation of the functions of ``StoreRow``. The functions whose names end with `Only` return `nil` for a value of
/// another kind and for a column that the row does not have.
package protocol StoreRowColumns: AnyObject {
  var sql: String { get }
  var count: Int { get }
  func name(at column: Int) throws(StoreError) -> String
  /// Returns `true` if the database declares the values of the column as decimal numbers. They are text with the digits.
  func isDecimal(at column: Int) -> Bool
  func kind(at column: Int) throws(StoreError) -> StoreValue.Kind
  func value(at column: Int) throws(StoreError) -> StoreValue
  func integer(at column: Int) throws(StoreError) -> Int64?
  func real(at column: Int) throws(StoreError) -> Double?
  func text(at column: Int) throws(StoreError) -> String?
  func blob(at column: Int) throws(StoreError) -> Data?
  func integerOnly(at column: Int) throws(StoreError) -> Int64?
  func realOnly(at column: Int) throws(StoreError) -> Double?
  func textOnly(at column: Int) throws(StoreError) -> String?
}

extension StoreRowColumns {
  package func isDecimal(at column: Int) -> Bool { false }

  package func integerOnly(at column: Int) throws(StoreError) -> Int64? {
    guard column < count, case .integer = try kind(at: column) else { return nil }
    return try integer(at: column)
  }

  package func realOnly(at column: Int) throws(StoreError) -> Double? {
    guard column < count, case .real = try kind(at: column) else { return nil }
    return try real(at: column)
  }

  package func textOnly(at column: Int) throws(StoreError) -> String? {
    guard column < count, case .text = try kind(at: column) else { return nil }
    return try text(at: column)
  }

  package func value(at column: Int) throws(StoreError) -> StoreValue {
    // None of these functions returns `nil` for a value that is not NULL.
    switch try kind(at: column) {
    case .null: .null
    case .integer: try integer(at: column).map(StoreValue.integer) ?? .null
    case .real: try real(at: column).map(StoreValue.real) ?? .null
    case .text: try text(at: column).map(StoreValue.text) ?? .null
    case .blob: try blob(at: column).map(StoreValue.blob) ?? .null
    }
  }
}

/// Errors of a statement and its rows.
extension StoreRowColumns {
  @inline(never)
  package func error(_ code: StoreError.Code, _ reason: String) -> StoreError {
    StoreError(code: code, sql: sql, reason: reason)
  }

  @inline(never)
  package func noColumn(_ column: Int) -> StoreError {
    error(.invalidStatement, "a row of \(count) columns has no column \(column)")
  }

  @inline(never)
  package func mismatch(_ found: StoreValue.Kind, _ expected: StoreValue.Kind, _ column: Int) -> StoreError {
    error(.invalidValue, "\(describe(column)) contains \(found.rawValue), not \(expected.rawValue)")
  }

  package func describe(_ column: Int) -> String {
    let name = (try? name(at: column)) ?? ""
    return "column \(name.isEmpty ? "\(column)" : name)"
  }
}

/// A value of a placeholder or a column.
///
/// Values of different kinds are never equal: `.integer(1)` does not equal `.real(1)`. Numbers are compared by value, so `.real(-0.0)`
/// equals `.real(0)`. Texts are compared by their bytes, as in databases: a precomposed é does not equal a decomposed one.
package enum StoreValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// Any number except NaN, which statements reject: SQLite would store NULL instead. Models store -0.0 as 0, because SQLite does not keep
  /// the sign.
  case real(Double)
  /// Text. It may contain NUL if the backend supports that.
  case text(String)
  /// Bytes. An empty blob is not NULL.
  case blob(Data)

  // Consistent with the synthesized `hash(into:)`: texts with the same bytes are also equal as strings.
  package static func == (lhs: StoreValue, rhs: StoreValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs == rhs
    case (.text(let lhs), .text(let rhs)): lhs == rhs && lhs.utf8.elementsEqual(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    default: false
    }
  }

  /// The text; `nil` for a value of another kind.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The integer; `nil` for a value of another kind.
  package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  package enum Kind: String, Hashable, Sendable {
    case null, integer, real, text, blob
  }

  package var kind: Kind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
