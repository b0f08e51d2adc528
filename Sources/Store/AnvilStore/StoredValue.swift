public import AnvilBase

/// A type whose values are stored directly in a column of a ``StoredModel``, instead of as JSON.
///
/// Numbers, text, Booleans, dates, `Data`, `UUID`, `URL` and `Decimal` conform. A type with a raw value of such a type may conform, too, and needs no functions for it:
///
///     enum State: String, StoredValue { case open, closed }
///
/// Values of other types are stored as the single value that they encode, as enumerations with raw values do, and otherwise as JSON.
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
