/// Reading and writing models in the transaction.
extension StoreTransaction {
  /// Returns the models that match `condition`.
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be decoded as the model; ``StoreError``.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, StoreQuery(condition, orders, limit: limit, offset: offset))
  }

  /// Returns the model whose match keys have these values, which are in the order of the keys. Returns `nil` if the model is not stored.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) throws -> Model? where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, keys: [key] + others)
  }

  /// Returns the number of rows that match `condition`.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try count(type, condition.node)
  }

  /// Stores the model: updates the row that has its match keys, or inserts a new row.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try save(CollectionOfOne(model))
  }

  /// Stores the models. Rows with the same match keys are updated; the other models are inserted.
  ///
  /// Rows that already have the same values are not written. Of several models with the same match keys, the last one is stored. If there
  /// are rules, all of them are stored, one after the other.
  ///
  /// - Parameters:
  ///   - models: The models, of one type.
  ///   - rules: Rules for rows that exist. They take precedence over those of the model.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ models: some Sequence<Model>, rules: [ConflictRule] = []
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try requireUsable()
    return try store(Array(models), rules: rules)
  }

  /// Removes the row that has the model's match keys.
  ///
  /// - Returns: `true` if there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> Bool where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRow(of: model)
  }

  /// Removes the rows that match `condition`; with ``StoreCondition/all``, all rows of the model.
  ///
  /// - Returns: The number of removed rows.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model>
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRows(of: type, condition.node)
  }

  /// Creates or updates a model for each element of the list that `decoder` decodes.
  ///
  /// - Parameters:
  ///   - type: The type of the models.
  ///   - decoder: A decoder of a list.
  ///   - missing: The treatment of rows that are not in the list.
  ///   - rules: Rules for rows that exist. They take precedence over the model's own.
  /// - Returns: The models and the changes to their rows.
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``.
  public func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, missing: MissingRows = .kept,
    rules: [ConflictRule] = []
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireUsable()
    return try createOrUpdateList(of: Model.self, from: decoder, missing: missing, rules: rules)
  }

  /// Runs `body` in a nested transaction. If `body` throws, its changes are undone and the outer transaction continues.
  ///
  /// - Throws: The error that `body` throws; ``StoreError``.
  @discardableResult
  public func perform<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try requireUsable()
    return try nest { try body(self) }
  }
}
