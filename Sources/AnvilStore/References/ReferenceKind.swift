/// A model that can be taken apart into attributes and put together again.
typealias StorableModel = ManagedDecodable & Codable

/// What values of a type are to a row that holds them.
enum ReferenceKind: Sendable {
  /// Attributes.
  case none
  /// A model that has a row of its own.
  case one
  /// Models that have rows of their own.
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

  /// Whether rows of the model can be found again, and in a store.
  fileprivate static func hasRows<Model: ManagedDecodable>(_ type: Model.Type) -> Bool {
    Model.Context.self == StoreTransaction.self && !(Model.matchKeys ?? []).isEmpty
  }
}

/// An array of models, without their type.
protocol ModelArray {
  static var elementHasRows: Bool { get }
  static var entityName: String { get }

  /// Stores the elements and says what stands for them.
  func keep(in transaction: StoreTransaction) throws -> KeptReference

  /// The array of what `decode` makes of each element's type.
  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> Self
}

extension Array: ModelArray where Element: ManagedDecodable & Codable {
  static var elementHasRows: Bool { ReferenceKind.hasRows(Element.self) }
  static var entityName: String { Element.entityName }

  func keep(in transaction: StoreTransaction) throws -> KeptReference {
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for model in self { keys.append(try transaction.saveReferenced(model).key) }
    return KeptReference(
      value: .text(try KeyText.text(of: keys)), type: .json, reference: .many(entity: Element.entityName))
  }

  static func make(_ decode: (any StorableModel.Type) throws -> [any StorableModel]) throws -> [Element] {
    try decode(Element.self).compactMap { $0 as? Element }
  }
}
