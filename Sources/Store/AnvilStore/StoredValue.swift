public import AnvilBase
public import AnvilJSON

/// A type whose values are stored directly in a column of a ``StoredModel``, instead of as JSON.
///
/// The types below conform. A type with a raw value of such a type may conform, too, and needs no functions for it:
///
///     enum State: String, StoredValue { case open, closed }
///
/// Values of other types are stored by their raw values if they are `RawRepresentable`, and otherwise as JSON.
public protocol StoredValue: StoredOperand where _Scalar == Self {
  /// Returns the value of a column; `nil` for NULL.
  static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Self?

  /// Sets the value of a column; NULL for `nil`.
  static func _write(_ value: Self?, to row: borrowing _StoredRowWriter, at column: Int) throws
}

/// A type of columns that conditions and orders can compare: a ``StoredValue``, or an optional one.
public protocol StoredOperand: Codable, Sendable {
  /// The type without the optional.
  associatedtype _Scalar: StoredValue

  /// The value; `nil` for an optional without a value.
  var _scalar: _Scalar? { get }
}

extension StoredValue {
  /// The value itself.
  public var _scalar: Self? { self }
}

extension Optional: StoredOperand where Wrapped: StoredValue {
  /// The type without the optional.
  public typealias _Scalar = Wrapped

  /// The value itself.
  public var _scalar: Wrapped? { self }
}

/// A ``StoredValue`` that is stored as text, so that conditions can search it.
public protocol StoredText: StoredValue {}

extension String: StoredText {}
extension URL: StoredText {}

extension StoredValue where Self: RawRepresentable, RawValue: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Self? {
    guard let rawValue = try RawValue._read(from: row, at: column) else { return nil }
    if let value = Self(rawValue: rawValue) { return value }
    throw row.invalid(Self.self, "\(rawValue)", column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Self?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try RawValue._write(value?.rawValue, to: row, at: column)
  }
}

extension Bool: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Bool? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Bool?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension String: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> String? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: String?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Double: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Double? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Double?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Float: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Float? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Float?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int8: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int8? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int8?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int16: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int16? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int16?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int32: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int32? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int32?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int64: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int64? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int64?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Int128: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Int128? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Int128?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt8: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt8? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt8?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt16: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt16? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt16?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt32: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt32? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt32?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt64: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt64? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt64?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UInt128: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UInt128? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UInt128?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Date: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Date? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Date?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(date: value, at: column)
  }
}

extension JSON.Day: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> JSON.Day? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: JSON.Day?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Data: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Data? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Data?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension UUID: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> UUID? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: UUID?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension URL: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> URL? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: URL?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}

extension Decimal: StoredValue {
  /// Returns the value of a column; `nil` for NULL.
  public static func _read(from row: borrowing _StoredRowReader, at column: Int) throws -> Decimal? {
    try row.scalar(column)
  }

  /// Sets the value of a column; NULL for `nil`.
  public static func _write(_ value: Decimal?, to row: borrowing _StoredRowWriter, at column: Int) throws {
    try row.set(value, at: column)
  }
}
