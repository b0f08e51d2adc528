/// Reading and writing models. Each call runs in a separate transaction.
extension Store {
  /// Returns the models that match `condition`.
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be decoded as the model; ``StoreError``; `CancellationError`.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await read { transaction in
      try transaction.fetch(type, where: condition, orderedBy: orders, limit: limit, offset: offset)
    }
  }

  /// Returns the model whose match keys have these values, which are in the order of the keys. Returns `nil` if the model is not stored.
  public func fetch<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) async throws -> Model? where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.fetch(type, keys: [key] + others) }
  }

  /// Returns the number of rows that match `condition`.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.count(type, where: condition) }
  }

  /// Removes the row that has the model's match keys. Returns `true` if there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> Bool where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(model) }
  }

  /// Removes the rows that match `condition`; with ``StoreCondition/all``, all rows of the model. Returns the number of removed rows.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model>
  ) async throws -> Int where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.delete(type, where: condition) }
  }

  /// Stores the models in one transaction. Rows with the same match keys are updated; the other models are inserted.
  ///
  /// Rows that already have the same values are not written. Of several models with the same match keys, the last one is stored. If there
  /// are rules, all of them are stored, one after the other.
  ///
  /// - Parameters:
  ///   - models: The models, of one type.
  ///   - rules: Rules for rows that exist. They take precedence over those of the model.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ models: some Sequence<Model> & Sendable, rules: [ConflictRule] = []
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let models = Array(models)
    do {
      return try await perform { transaction in try transaction.store(models, rules: rules, writing: .early) }
    } catch is CollectedRows.OutOfOrder {
      return try await perform { transaction in try transaction.store(models, rules: rules) }
    }
  }

  /// Stores the models of an asynchronous sequence as they arrive, with one transaction for each batch of at most `batchSize` models. Only
  /// one batch is in memory at a time.
  ///
  /// - Returns: The counts of the changed rows. A row is counted once for each batch that contains it.
  /// - Throws: The sequence's error, ``StoreError``, `CancellationError`. The batches before the error stay committed.
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

  /// Stores the model: updates the row that has its match keys, or inserts a new row.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.save(model) }
  }
}
