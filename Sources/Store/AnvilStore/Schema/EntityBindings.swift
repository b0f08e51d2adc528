/// The bindings of a session's models, which are kept between transactions.
///
/// A model that contains models of the same type needs several bindings at a time. Therefore each use takes a binding and gives it back.
final class EntityBindings {
  /// The transaction that the session is running.
  var transaction: StoreTransaction?
  /// The precision of dates in columns.
  let datePrecision: StoredDate.Precision
  /// Incremented with each transaction, and whenever a transaction loads or changes a table.
  var schemaGeneration: UInt64 = 0
  private var free: [ObjectIdentifier: [EntityBinding]] = [:]
  private var kinds: [ObjectIdentifier: ReferenceKind] = [:]

  init(datePrecision: StoredDate.Precision = .nanoseconds) {
    self.datePrecision = datePrecision
  }

  /// Calls `body` with a binding for exclusive use and returns its result.
  func with<Model: StorableModel, Result>(
    _ type: Model.Type, _ body: (EntityBinding) throws -> Result
  ) rethrows -> Result {
    let id = ObjectIdentifier(type)
    let binding = free[id]?.popLast() ?? EntityBinding(of: type, references: self)
    // After an error the binding is discarded, because it may contain a part of a value.
    let result = try body(binding)
    free[id, default: []].append(binding)
    return result
  }

  /// Discards all bindings. Called when their tables may no longer exist.
  func forget() {
    free.removeAll()
  }

  /// Returns `true` if values of the model's type may contain models with separate rows.
  ///
  /// Only the properties of a struct are examined, with a mirror. Other types are assumed to contain models.
  func mayRefer(_ model: some Any) -> Bool {
    let mirror = Mirror(reflecting: model)
    guard mirror.displayStyle == .struct, !(model is any CustomReflectable) else { return true }
    return mirror.children.contains { child in
      var type: any Any.Type = Swift.type(of: child.value)
      while let optional = type as? any OptionalType.Type { type = optional.wrapped }
      return kind(of: type) != .none
    }
  }

  /// Returns the kind of reference that a type represents.
  func kind(of type: any Any.Type) -> ReferenceKind {
    let id = ObjectIdentifier(type)
    if let kind = kinds[id] { return kind }
    let kind = ReferenceKind(of: type)
    kinds[id] = kind
    return kind
  }
}

extension EntityBindings: ReferenceWriter {
  func store<T: Encodable>(_ value: T) throws -> StoredReference? {
    guard let transaction else { return nil }
    switch kind(of: T.self) {
    case .none: return nil
    case .one: return try (value as? any StorableModel).map { try transaction.store($0) }
    case .many: return try (value as? any ModelArray).map { try $0.store(in: transaction) }
    }
  }
}
