/// Models of the transaction.
extension StoreTransaction {
  /// The models that the condition is true for: in this order, or else in that of their match keys, or as they came where they
  /// have none.
  ///
  /// - Throws: `DecodingError` when a row is none of the model's; ``StoreError``.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil, orderedBy orders: [StoreOrder] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, StoreQuery(predicate: predicate, orders: orders, limit: limit, offset: offset))
  }

  /// The model whose match keys have these values, in their order; `nil` when there is none.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) throws -> Model? where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, keys: [key] + others)
  }

  /// The number of rows that the condition is true for.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try count(type, predicate)
  }

  /// Stores a model as it is: inserted, or in place of the attributes of the row that has its match keys.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try save(CollectionOfOne(model))
  }

  /// Stores models as they are: inserted, or in place of the attributes of the rows that have their match keys. Rows that are
  /// equal to that already are not written. Of several models with the same match keys the last counts.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ models: some Sequence<Model>
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try requireUsable()
    return try store(models)
  }

  /// Removes the row that has the model's match keys.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> Bool where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRow(of: model)
  }

  /// Removes the rows that the condition is true for, all of the entity where there is none.
  ///
  /// - Returns: the number of rows that were removed.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate?
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRows(of: type, predicate)
  }

  /// Creates or updates a model for each element of the list that `decoder` stands at.
  ///
  /// - Parameters:
  ///   - type: the models.
  ///   - decoder: a decoder of a list.
  ///   - missing: what becomes of rows that are not in the list.
  /// - Returns: the models, and what became of the rows.
  /// - Throws: as ``ManagedDecodable/createOrUpdate(in:from:)``.
  public func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, missing: MissingRows = .kept
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireUsable()
    return try createOrUpdateList(of: Model.self, from: decoder, missing: missing)
  }

  /// Runs `body` in a transaction within this one: what it changed is undone when it throws, and this one goes on.
  ///
  /// - Throws: what `body` throws; ``StoreError``.
  @discardableResult
  public func perform<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try requireUsable()
    return try nest { try body(self) }
  }
}
