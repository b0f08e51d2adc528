/// Fetches models by references.
extension StoreTransaction {
  /// Returns the model to which a reference refers. Returns `nil` if the model is not stored or the reference is `nil`.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` if the model does not have exactly one match key; `DecodingError` when the row cannot
  ///   be decoded as the model; ``StoreError``.
  public func fetch<Model: ManagedDecodable & Codable & Identifiable>(
    _ reference: Reference<Model>?
  ) throws -> Model? where Model.Context == StoreTransaction {
    try requireUsable()
    guard let reference else { return nil }
    return try fetch(Model.self, keys: [reference.id])
  }

  /// Returns the models to which the references refer, in the same order. References to models that are not stored are skipped.
  ///
  /// - Throws: The same errors as for one reference.
  public func fetch<Model: ManagedDecodable & Codable & Identifiable>(
    _ references: some Sequence<Reference<Model>>
  ) throws -> [Model] where Model.Context == StoreTransaction {
    try requireUsable()
    guard let key = Model.matchKeys?.first, Model.matchKeys?.count == 1 else {
      throw StoreError(
        code: .invalidStatement,
        reason: "\(Model.entityName) cannot be referenced: only models with exactly one match key can be")
    }
    let references = Array(references)
    var models: [Model.ID: Model] = [:]
    var rest = Array(Set(references.map(\.id)))[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(Self.batchSize))
      rest = rest.dropFirst(ids.count)
      let condition = ConditionNode.isAmong(ColumnPath(key.codingKey, isOptional: false), ids)
      for model in try fetch(Model.self, StoreQuery(condition: condition)) { models[model.id] = model }
    }
    return references.compactMap { models[$0.id] }
  }
}

/// Fetches models by references. Each call runs in a separate transaction.
extension Store {
  /// Returns the model to which a reference refers. Returns `nil` if the model is not stored or the reference is `nil`.
  public func fetch<Model: ManagedDecodable & Codable & Sendable & Identifiable>(
    _ reference: Reference<Model>?
  ) async throws -> Model? where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.fetch(reference) }
  }

  /// Returns the models to which the references refer, in the same order. References to models that are not stored are skipped.
  public func fetch<Model: ManagedDecodable & Codable & Sendable & Identifiable>(
    _ references: some Sequence<Reference<Model>> & Sendable
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.fetch(references) }
  }
}
