/// A model whose rows are read and written column by column. The macro ``StoredModel()`` writes the conformance.
public protocol StoredModel: ManagedDecodable, Codable, Sendable where Context == StoreTransaction {
  /// The type of the columns. It has a property for each property of the model, with the same name.
  associatedtype Columns: Sendable

  /// The columns, for conditions and orders.
  static var _columns: Columns { get }

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

/// An attribute of a ``StoredModel``: the name in payloads and the name of the column.
public struct _StoredAttribute: Hashable, Sendable {
  package let key: String
  package let column: String
  package let isMatchKey: Bool

  /// - Parameters:
  ///   - key: The coding key, or a path of keys joined by dots.
  ///   - column: The name of the column.
  ///   - isMatchKey: True if the attribute identifies the row.
  public init(key: String, column: String, isMatchKey: Bool = false) {
    self.key = key
    self.column = column
    self.isMatchKey = isMatchKey
  }
}

/// A column of a model's table, for conditions and orders.
///
///     try await context.fetch(User.self, where: \.stars > 100 && \.team == nil, orderedBy: [.descending(\.stars)])
public struct StoredColumn<Model: StoredModel, Value>: Sendable {
  let attribute: StoreAttribute

  /// - Parameter key: The coding key of the attribute.
  public init(_key key: String) {
    attribute = StoreAttribute(key)
  }
}
