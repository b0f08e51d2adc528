/// Within a transaction: for the code that `perform` and `read` run.
extension StoreContext {
  private var transaction: StoreTransaction {
    get throws { try CurrentTransaction.transaction(of: self) }
  }

  /// The models that the condition is true for: in this order, or else in that of their match keys, or as they came where they
  /// have none.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil, orderedBy orders: [StoreOrder] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] where Model.Context == StoreContext {
    try transaction.fetch(type, StoreQuery(predicate: predicate, orders: orders, limit: limit, offset: offset))
  }

  /// The model whose match keys have these values, in their order; `nil` when there is none.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) throws -> Model? where Model.Context == StoreContext {
    try transaction.fetch(type, key: [key] + others)
  }

  /// How many rows the condition is true for.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil
  ) throws -> Int where Model.Context == StoreContext {
    try transaction.count(type, predicate)
  }

  /// Stores a model as it is: inserted, or in place of the attributes of the row that has its match keys.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> StoreChanges.Counts where Model.Context == StoreContext {
    try transaction.save(CollectionOfOne(model))
  }

  /// Stores models as they are: inserted, or in place of the attributes of the rows that have their match keys. Rows that are
  /// equal to that already are not written. Of several models with the same match keys the last counts.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ models: some Sequence<Model>
  ) throws -> StoreChanges.Counts where Model.Context == StoreContext {
    try transaction.save(models)
  }

  /// Removes the row that has the model's match keys; whether there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> Bool where Model.Context == StoreContext {
    try transaction.delete(model)
  }

  /// Removes the rows that the condition is true for, all of the entity where there is none; how many there were.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where predicate: StorePredicate?
  ) throws -> Int where Model.Context == StoreContext {
    try transaction.delete(type, predicate)
  }

  /// Creates or updates a model for each element of the list that `decoder` stands at, and says what became of the rows.
  ///
  /// `missing` says what becomes of rows that no element speaks of.
  /// - Throws: as ``ManagedDecodable/createOrUpdate(in:from:)``.
  public func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, missing: MissingRows = .kept
  ) throws -> ManagedList<Model> where Model.Context == StoreContext {
    try transaction.createOrUpdate(type, from: decoder, missing: missing)
  }
}
