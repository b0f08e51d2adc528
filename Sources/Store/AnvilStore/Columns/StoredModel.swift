internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A model whose rows are read and written column by column. The macro ``StoredModel()`` writes the conformance.
public protocol StoredModel: ManagedDecodable, Codable, Sendable, StoredRelation
where Context == StoreTransaction, _Target == Self {
  /// The type of the columns. It has a property for each property of the model, with the same name.
  associatedtype Columns: Sendable

  /// The columns, for conditions and orders.
  static var columns: Columns { get }

  /// The attributes of the model, in the order of their columns.
  static var _storedAttributes: [_StoredAttribute] { get }

  /// Passes the value of each attribute to the writer.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that cannot be stored; ``StoreError``.
  func _write(to row: borrowing _StoredRowWriter) throws

  /// Reads the columns of a row and returns the model.
  ///
  /// - Throws: `DecodingError` for a value that is missing or has another type; ``StoreError``.
  static func _read(from row: borrowing _StoredRowReader) throws -> Self
}

extension StoredModel {
  /// The attributes that are marked with `@MatchKey`, in the order of their declaration. `nil` without such attributes.
  public static var matchKeys: [MatchKey]? {
    let keys = _storedAttributes.filter(\.isMatchKey).map { MatchKey(codingKey: $0.key, attribute: $0.column) }
    return keys.isEmpty ? nil : keys
  }
}

/// An attribute of a ``StoredModel``: the name in payloads, the name of the column, and the value in rows without the column.
public struct _StoredAttribute: Sendable {
  package let key: String
  package let column: String
  package let isMatchKey: Bool
  private let fallback: (@Sendable () -> any Encodable)?
  /// True if the default value is the same each time, so that the database can have it.
  let hasConstantDefault: Bool

  /// - Parameters:
  ///   - key: The coding key, or a path of keys joined by dots.
  ///   - column: The name of the column.
  ///   - isMatchKey: True if the attribute identifies the row.
  public init(key: String, column: String, isMatchKey: Bool = false) {
    self.key = key
    self.column = column
    self.isMatchKey = isMatchKey
    fallback = nil
    hasConstantDefault = false
  }

  /// - Parameters:
  ///   - key: The coding key, or a path of keys joined by dots.
  ///   - column: The name of the column.
  ///   - isMatchKey: True if the attribute identifies the row.
  ///   - isConstant: True if the default value is the same each time.
  ///   - fallback: Returns the default value of the property.
  public init<Value: Encodable>(
    key: String, column: String, isMatchKey: Bool = false, isConstant: Bool,
    default fallback: @escaping @Sendable () -> Value
  ) {
    self.key = key
    self.column = column
    self.isMatchKey = isMatchKey
    self.fallback = fallback
    hasConstantDefault = isConstant
  }

  /// Returns the stored form of the default value; `nil` without a default, and for a model with a separate row.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that cannot be stored.
  func defaultValue() throws -> (type: StoredType, value: StoreValue)? {
    guard let value = fallback?(), ReferenceKind(of: Swift.type(of: value)) == .none else { return nil }
    let compared: any Encodable = if let value = value as? any StoredValue { comparedValue(value) } else { value }
    if let scalar = try ScalarProbe.stored(compared) { return scalar.type.map { ($0, scalar.value) } }
    return (.json, .text(String(decoding: try JSON.Encoder.ofColumns.encode(value), as: UTF8.self)))
  }
}
