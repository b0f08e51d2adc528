/// Models of the store: each call is a transaction of its own.
extension StoreContext {
  /// The models that the condition is true for: in this order, or else in that of their match keys, or as they came where they
  /// have none.
  ///
  /// - Throws: `DecodingError` when a row is none of the model's; ``StoreError``; `CancellationError`.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil, orderedBy orders: [StoreOrder] = [],
    limit: Int? = nil, offset: Int = 0
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await read { transaction in
      try transaction.fetch(type, where: predicate, orderedBy: orders, limit: limit, offset: offset)
    }
  }

  /// The model whose match keys have these values, in their order; `nil` when there is none.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) async throws -> Model? where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.fetch(type, keys: [key] + others) }
  }

  /// How many rows the condition is true for.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.count(type, where: predicate) }
  }

  /// Removes the row that has the model's match keys; whether there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> Bool where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(model) }
  }

  /// Removes the rows that the condition is true for, all of the entity where there is none; how many there were.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate?
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(type, where: predicate) }
  }

  /// Stores models as they are, in one transaction: inserted, or in place of the attributes of the rows that have their match
  /// keys. Rows that are equal to that already are not written. Of several models with the same match keys the last counts.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ models: some Sequence<Model> & Sendable
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.save(models) }
  }

  /// Stores models as they come, a batch in each transaction: no more than one is in memory.
  ///
  /// A transaction has at most `batchSize` models.
  ///
  /// - Returns: what became of the rows, each counted once in each batch.
  /// - Throws: what the sequence throws, ``StoreError``, `CancellationError`; the batches before are committed then.
  @discardableResult
  public func save<Models: AsyncSequence>(
    contentsOf models: Models, batchSize: Int = 1_000
  ) async throws -> StoreChanges.Counts
  where Models.Element: ManagedDecodable & Codable & Sendable, Models.Element.Context == StoreTransaction {
    var counts = StoreChanges.Counts()
    var batch: [Models.Element] = []
    for try await model in models {
      batch.append(model)
      guard batch.count >= max(batchSize, 1) else { continue }
      counts += try await save(batch)
      batch.removeAll(keepingCapacity: true)
    }
    if !batch.isEmpty { counts += try await save(batch) }
    return counts
  }

  /// Stores a model as it is: inserted, or in place of the attributes of the row that has its match keys.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.save(model) }
  }
}
