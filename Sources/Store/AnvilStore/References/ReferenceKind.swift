/// A model that can be stored as attributes and read from them.
package typealias StorableModel = ManagedDecodable & Codable

/// The kind of reference that a type represents.
enum ReferenceKind: Sendable {
  /// An attribute, which is not a reference.
  case none
  /// A model with a separate row.
  case one
  /// Models with separate rows.
  case many

  init(of type: any Any.Type) {
    if let model = type as? any StorableModel.Type {
      self = Self.hasRows(model) ? .one : .none
    } else if let array = type as? any ModelArray.Type {
      self = array.elementHasRows ? .many : .none
    } else {
      self = .none
    }
  }

  /// Returns `true` if models of this type have separate rows: they are stored in a store, and have match keys.
  fileprivate static func hasRows<Model: ManagedDecodable>(_ type: Model.Type) -> Bool {
    Model.Context.self == StoreTransaction.self && !(Model.matchKeys ?? []).isEmpty
  }
}

/// An array of models, for use without its element type.
protocol ModelArray {
  static var elementHasRows: Bool { get }
  static var entityName: String { get }

  /// Stores the elements and returns the reference to them.
  func store(in transaction: StoreTransaction) throws -> StoredReference

  /// Creates the array. `decode` is called with the type of the elements and returns them.
  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> Self
}

extension Array: ModelArray where Element: ManagedDecodable & Codable {
  static var elementHasRows: Bool { ReferenceKind.hasRows(Element.self) }
  static var entityName: String { Element.entityName }

  func store(in transaction: StoreTransaction) throws -> StoredReference {
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for model in self { keys.append(try transaction.saveReferenced(model).key) }
    return StoredReference(
      value: .text(try KeyText.text(of: keys)), type: .json, reference: .many(entity: Element.entityName))
  }

  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> [Element] {
    try decode(Element.self).compactMap { $0 as? Element }
  }
}
