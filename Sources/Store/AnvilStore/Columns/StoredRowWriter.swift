#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Receives the values of a ``StoredModel``. Columns are numbered in the order of the model's attributes.
///
/// The functions throw `EncodingError.invalidValue` for a value that cannot be stored, such as NaN, and
/// ``StoreError/Code/schemaMismatch`` for a value whose type differs from that of earlier values.
public struct _StoredRowWriter: ~Copyable {
  private let collector: AttributeCollector

  init(_ collector: AttributeCollector) { self.collector = collector }

  /// Sets the value of a column.
  @inlinable
  public func write<Value: StoredValue>(_ value: Value, _ column: Int) throws {
    try Value._write(value, to: self, at: column)
  }

  /// Sets the value of a column. `nil` is stored as NULL.
  @inlinable
  public func writeIfPresent<Value: StoredValue>(_ value: Value?, _ column: Int) throws {
    try Value._write(value, to: self, at: column)
  }

  /// Stores the raw value.
  @inlinable
  public func write<Value: RawRepresentable & Encodable>(
    _ value: Value, _ column: Int
  ) throws where Value.RawValue: StoredValue {
    try Value.RawValue._write(value.rawValue, to: self, at: column)
  }

  /// Stores the raw value. `nil` is stored as NULL.
  @inlinable
  public func writeIfPresent<Value: RawRepresentable & Encodable>(
    _ value: Value?, _ column: Int
  ) throws where Value.RawValue: StoredValue {
    try Value.RawValue._write(value?.rawValue, to: self, at: column)
  }

  /// Stores the raw value.
  @inlinable
  public func write<Value: StoredValue & RawRepresentable>(
    _ value: Value, _ column: Int
  ) throws where Value.RawValue: StoredValue {
    try Value._write(value, to: self, at: column)
  }

  /// Stores the raw value. `nil` is stored as NULL.
  @inlinable
  public func writeIfPresent<Value: StoredValue & RawRepresentable>(
    _ value: Value?, _ column: Int
  ) throws where Value.RawValue: StoredValue {
    try Value._write(value, to: self, at: column)
  }

  /// Stores the value as JSON, or in a separate row if it is a model with match keys.
  public func write<Value: Encodable>(_ value: Value, _ column: Int) throws {
    try collector.addOther(value, at: column)
  }

  /// Stores the value as JSON, or in a separate row if it is a model with match keys. `nil` is stored as NULL.
  public func writeIfPresent<Value: Encodable>(_ value: Value?, _ column: Int) throws {
    if let value {
      try collector.addOther(value, at: column)
    } else {
      try collector.addNull(storedType(of: Value.self), at: column)
    }
  }

  /// Sets a date, in the form of the column. `nil` is stored as NULL.
  func set(date: Date?, at column: Int) throws {
    if let date { try collector.add(date, at: column) } else { try collector.addNull(Date.storedType, at: column) }
  }

  /// Sets the value of a type that columns store directly. `nil` is stored as NULL.
  func set<Value: StoredScalar>(_ value: Value?, at column: Int) throws {
    if let value {
      try collector.add(value, at: column)
    } else {
      try collector.addNull(Value.storedType, at: column)
    }
  }
}
