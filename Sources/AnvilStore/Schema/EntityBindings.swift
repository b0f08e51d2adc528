/// The bindings of a session's models, kept from one transaction to the next.
///
/// A model that holds models of its own type needs more than one at a time: each is taken and given back.
final class EntityBindings {
  /// The transaction that the session runs.
  var transaction: StoreTransaction?
  /// Goes up with each transaction, and whenever one learns of a table or changes it.
  var schemaGeneration: UInt64 = 0
  private var free: [ObjectIdentifier: [EntityBinding]] = [:]
  private var kinds: [ObjectIdentifier: ReferenceKind] = [:]

  /// What `body` makes of a binding for the model that nobody else uses meanwhile.
  func with<Model: ManagedDecodable, Result>(
    _ type: Model.Type, _ body: (EntityBinding) throws -> Result
  ) rethrows -> Result {
    let id = ObjectIdentifier(type)
    let binding =
      free[id]?.popLast() ?? EntityBinding(entity: Model.entityName, keys: Model.matchKeys ?? [], references: self)
    // What threw may have left it in the middle of a value.
    let result = try body(binding)
    free[id, default: []].append(binding)
    return result
  }

  /// Forgets all that was learnt of tables that may not be there any more.
  func forget() {
    free.removeAll()
  }

  /// Whether values of the type that `model` has may hold models that have rows of their own.
  ///
  /// A struct's mirror has all its properties, whatever is in them; of others nobody knows.
  func mayRefer(_ model: some Any) -> Bool {
    let mirror = Mirror(reflecting: model)
    guard mirror.displayStyle == .struct, !(model is any CustomReflectable) else { return true }
    return mirror.children.contains { child in
      var type: any Any.Type = Swift.type(of: child.value)
      while let optional = type as? any OptionalType.Type { type = optional.wrapped }
      return kind(of: type) != .none
    }
  }

  /// What values of a type are to a row that holds them.
  func kind(of type: any Any.Type) -> ReferenceKind {
    let id = ObjectIdentifier(type)
    if let kind = kinds[id] { return kind }
    let kind = ReferenceKind(of: type)
    kinds[id] = kind
    return kind
  }
}

extension EntityBindings: ReferenceKeeper {
  func keep<T: Encodable>(_ value: T) throws -> KeptReference? {
    guard let transaction else { return nil }
    switch kind(of: T.self) {
    case .none: return nil
    case .one: return try (value as? any StorableModel).map { try transaction.keep($0) }
    case .many: return try (value as? any ModelArray).map { try $0.keep(in: transaction) }
    }
  }
}
