/// Storing one or many models.
extension StoreTransaction {
  /// The time at which rows of one call are written.
  enum Writing {
    /// After all models have been encoded. An error in encoding leaves the transaction as it was.
    case atEnd
    /// As soon as there are enough of them, for a call that is the whole transaction: an error has to roll it back.
    case early
  }

  /// Stores the models: rows with the same match keys are updated, the others are inserted. Of several with the same keys, the last one is
  /// stored.
  ///
  /// - Throws: ``CollectedRows/OutOfOrder`` if rows were written early and a later model may replace one of them.
  func store<Model: StorableModel>(
    _ models: [Model], writing: Writing = .atEnd
  ) throws -> StoreChanges.Counts {
    try requireWriting()
    try flush()
    bulk?.forgetRows()
    let counts = try withBulk(of: Model.self) {
      let counts = try bindings.with(Model.self) { binding in try store(models, binding, writing) }
      changes[Model.entityName, default: .init()] += counts
      return counts
    }
    if bulk?.countedEntity == Model.entityName { savedCounts += counts }
    return counts
  }

  private func store<Model: StorableModel>(
    _ models: [Model], _ binding: EntityBinding, _ writing: Writing
  ) throws -> StoreChanges.Counts {
    var counts = StoreChanges.Counts()
    var rows = CollectedRows()
    for model in models {
      try encode(model, with: binding)
      if binding.mayRefer == nil { binding.mayRefer = bindings.mayRefer(model) }
      if binding.hasKey, binding.mayRefer == true { try checkWays(from: binding.key(), binding) }
      try rows.append(from: binding, on: connection)
      if writing == .early, binding.mayRefer == false {
        for batch in rows.takeFull() { counts += try write(batch, binding) }
      }
    }
    // Referenced rows are written before the rows that refer to them.
    try flush()
    var parts = rows.distinct()
    for index in parts.indices {
      // Each part is released as soon as it is written.
      let part = parts[index]
      parts[index].values = []
      counts += try write(part, binding)
    }
    return counts
  }

  private func write(_ batch: CollectedRows.Batch, _ binding: EntityBinding) throws -> StoreChanges.Counts {
    try resolveAbsence(of: batch.keys, binding)
    return try write(batch.values, as: batch.writing).counts(ofRows: batch.rowCount)
  }

  /// Creates or updates a model for each element of the list that `decoder` decodes.
  ///
  /// - Parameter missing: The treatment of rows that are not in the payload.
  func createOrUpdateList<Model: StorableModel>(
    of type: Model.Type, from decoder: any Decoder, missing: MissingRows
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    var items = try decoder.unkeyedContainer()
    return try createOrUpdate(type, missing: missing) { size in
      var decoders: [any Decoder] = []
      while !items.isAtEnd, decoders.count < size { decoders.append(try items.superDecoder()) }
      return decoders
    }
  }

  /// Creates or updates a model for each decoder. `next` returns at most the requested number of decoders, and none at the end.
  ///
  /// `didStore` receives the key of each model's row, as text. It requires a model with match keys.
  package func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, missing: MissingRows = .kept, next: (Int) throws -> [any Decoder],
    willCreate: (Int) -> Void = { _ in }, didStore: ((String) -> Void)? = nil
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireWriting()
    try flush()
    return try withBulk(of: type) {
      var models: [Model] = []
      var keys: [RowKey?] = []
      while true {
        let decoders = try next(Self.batchSize)
        guard !decoders.isEmpty else { break }
        try bindings.with(type) { try prefetch(decoders, $0) }
        for decoder in decoders {
          lastKey = nil
          willCreate(models.count)
          models.append(try type.createOrUpdate(in: self, from: decoder))
          if lastKey == nil { try noteSpoken(models[models.count - 1]) }
          keys.append(lastKey)
          try didStore?(KeyText.plainText(of: lastKey ?? key(of: models[models.count - 1])))
        }
        try flush()
        bulk?.forgetRows()
      }
      let deleted = try delete(missing, type)
      var counts = bulk?.counts ?? .init()
      counts.inserted += unkeyedInsertions
      counts += savedCounts
      counts.deleted = deleted
      return ManagedList(models: Self.final(models, keys), changes: counts)
    }
  }

  private static var batchSize: Int { 256 }

  /// Returns the models in their final state: of several for one row, all are replaced with the last.
  private static func final<Model>(_ models: [Model], _ keys: [RowKey?]) -> [Model] {
    var last: [RowKey: Int] = [:]
    for (index, key) in keys.enumerated() {
      if let key { last[key] = index }
    }
    guard last.count < models.count else { return models }
    return zip(models, keys).map { model, key in key.flatMap { last[$0] }.map { models[$0] } ?? model }
  }

  /// Fetches all rows that are in the payloads, with few queries.
  private func prefetch(_ decoders: [any Decoder], _ binding: EntityBinding) throws {
    guard decoders.count > 1, binding.hasKey, let schema = try schema(of: binding.entity) else { return }
    var keys: [RowKey] = []
    var seen: Set<RowKey> = []
    for decoder in decoders {
      if let key = try payloadKey(in: decoder, binding), seen.insert(key).inserted { keys.append(key) }
    }
    let rows = try rows(of: keys, schema, layout: binding.layout(of: schema), lock: connection.rowLock)
    for key in keys { bulk?.note(rows[key], key, of: binding.entity) }
  }

  /// Records the row of a model that creates or updates itself.
  private func noteSpoken<Model: StorableModel>(_ model: Model) throws {
    guard let schema = try schema(of: Model.entityName), !schema.keyNames.isEmpty else { return }
    bulk?.noteSpoken(try key(of: model))
  }

  /// Removes the rows that were not counted, if `missing` requires it.
  private func delete<Model: StorableModel>(_ missing: MissingRows, _ type: Model.Type) throws -> Int {
    guard case .deleted(let scope) = missing.treatment else { return 0 }
    guard let schema = try schema(of: Model.entityName), !schema.keyNames.isEmpty else {
      throw StoreError(
        code: .invalidStatement, reason: "\(Model.entityName) has no match keys: nothing tells which rows are missing")
    }
    let present = bulk?.keys ?? []
    let missing = try keys(schema, scope, AttributeNames(of: type)).filter { !present.contains($0) }
    return try delete(missing, schema)
  }

  /// Counts the rows of the model's entity while `body` runs.
  private func withBulk<Model: ManagedDecodable, Result>(
    of type: Model.Type, _ body: () throws -> Result
  ) throws -> Result {
    let outer = (bulk, unkeyedInsertions, savedCounts)
    (bulk, unkeyedInsertions, savedCounts) = (BulkState(counting: Model.entityName), 0, .init())
    defer {
      (bulk, unkeyedInsertions, savedCounts) = outer
      bulk?.forgetRows()
    }
    let result = try body()
    try flush()
    return result
  }
}
