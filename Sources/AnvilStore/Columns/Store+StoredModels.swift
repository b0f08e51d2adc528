/// Reading and deleting models by conditions on their columns. Each call runs in a separate transaction.
extension StoreContext {
  /// Returns the models that match `predicate`.
  ///
  ///     try await context.fetch(User.self, where: \.stars > 100, orderedBy: [.descending(\.stars)])
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be read as the model; ``StoreError``; `CancellationError`.
  @_disfavoredOverload
  public func fetch<Model: StoredModel>(
    _ type: Model.Type, where predicate: ModelPredicate<Model>? = nil, orderedBy orders: [ModelOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) async throws -> [Model] {
    try await fetch(
      type, where: predicate?.predicate, orderedBy: orders.map(\.order), limit: limit, offset: offset)
  }

  /// Returns the number of rows that match `predicate`.
  public func count<Model: StoredModel>(_ type: Model.Type, where predicate: ModelPredicate<Model>) async throws -> Int
  {
    try await count(type, where: predicate.predicate)
  }

  /// Removes the rows that match `predicate`. Returns the number of removed rows.
  @discardableResult
  public func delete<Model: StoredModel>(_ type: Model.Type, where predicate: ModelPredicate<Model>) async throws -> Int
  {
    try await delete(type, where: predicate.predicate)
  }

  /// Returns a sequence of the models that match `predicate`. It reads them page by page, so that results may be larger than memory.
  @_disfavoredOverload
  public func stream<Model: StoredModel>(
    _ type: Model.Type, where predicate: ModelPredicate<Model>? = nil, orderedBy orders: [ModelOrder<Model>] = [],
    pageSize: Int = 500
  ) -> Models<Model> {
    stream(type, where: predicate?.predicate, orderedBy: orders.map(\.order), pageSize: pageSize)
  }
}

/// Reading and deleting models in the transaction, by conditions on their columns.
extension StoreTransaction {
  /// Returns the models that match `predicate`.
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be read as the model; ``StoreError``.
  @_disfavoredOverload
  public func fetch<Model: StoredModel>(
    _ type: Model.Type, where predicate: ModelPredicate<Model>? = nil, orderedBy orders: [ModelOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] {
    try fetch(type, where: predicate?.predicate, orderedBy: orders.map(\.order), limit: limit, offset: offset)
  }

  /// Returns the number of rows that match `predicate`.
  public func count<Model: StoredModel>(_ type: Model.Type, where predicate: ModelPredicate<Model>) throws -> Int {
    try count(type, where: predicate.predicate)
  }

  /// Removes the rows that match `predicate`. Returns the number of removed rows.
  @discardableResult
  public func delete<Model: StoredModel>(_ type: Model.Type, where predicate: ModelPredicate<Model>) throws -> Int {
    try delete(type, where: predicate.predicate)
  }
}

extension MissingRows {
  /// Deletes the rows of a model that match `scope` and are not in the list. Use this when the list contains all rows that match.
  ///
  ///     missing: .deleted(User.self, where: \.team == "red")
  public static func deleted<Model: StoredModel>(
    _ type: Model.Type, where scope: ModelPredicate<Model>
  ) -> MissingRows {
    .deleted(where: scope.predicate)
  }
}
