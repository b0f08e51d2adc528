/// Storing many models.
extension Rows {
  /// The time when the rows of one call are written.
  enum Writing {
    /// After all models have been encoded, so that an encoding error leaves the transaction as it was.
    case atEnd
    /// As soon as there are enough of them. Allowed only if the call is the whole transaction, because an error must roll back the rows.
    case early
  }

  /// Stores the models. Existing rows with the same match keys are updated; the other models are inserted. Of several models with the same
  /// match keys, the last one is stored.
  ///
  /// - Throws: ``CollectedRows/OutOfOrder`` if rows were written early and a later model may replace one of them.
  func store<Model: StorableModel>(
    _ models: [Model], rules: [ConflictRule] = [], writing: Writing = .atEnd
  ) throws -> StoreChanges.Counts {
    bulk.forgetRows()
    let counts = try applying(rules, to: Model.self) { try store(models, writing) }
    // Custom code of models may store models while others are created.
    bulk.add(counts, of: Model.entityName)
    return counts
  }

  private func store<Model: StorableModel>(_ models: [Model], _ writing: Writing) throws -> StoreChanges.Counts {
    try bindings.with(Model.self) { binding in
      let rules = conflictRules(for: binding)
      if !rules.isEmpty, binding.hasKey { return try storeResolved(models, rules, binding) }
      let counts = try store(models, binding, writing)
      note(counts, of: Model.entityName)
      return counts
    }
  }

  private func store<Model: StorableModel>(
    _ models: [Model], _ binding: EntityBinding, _ writing: Writing
  ) throws -> StoreChanges.Counts {
    var counts = StoreChanges.Counts()
    var rows = CollectedRows()
    try ContiguousArray(models).span.forEachBorrowed { (model: borrowing Model) in
      try encode(model, with: binding)
      if binding.mayRefer == nil { bindings.noteReferences(of: model, binding) }
      if binding.hasKey, binding.mayRefer == true { try checkReferenceChains(from: binding.key(), binding) }
      try rows.append(from: binding, on: statements.connection)
      if writing == .early, binding.mayRefer == false {
        for batch in rows.takeFull() { counts += try write(batch, binding) }
      }
    }
    // Referenced rows are written before the rows that refer to them.
    try bulk.flush()
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
    let (insertions, others) = batch.split(by: try resolveAbsence(of: batch.keys, binding))
    return try [insertions, others].compactMap(\.self).reduce(into: StoreChanges.Counts()) { counts, part in
      counts += try statements.write(part.values, as: part.writing).counts(ofRows: part.rowCount)
    }
  }

  /// Stores models that have match keys, in their order. If a row with the same key exists, the rules determine its values.
  private func storeResolved<Model: StorableModel>(
    _ models: [Model], _ rules: ConflictRules, _ binding: EntityBinding
  ) throws -> StoreChanges.Counts {
    let reader = KeyReader<Model>(bindings.datePrecision, in: try tables.schema(of: binding.entity))
    var rest = models[...]
    while !rest.isEmpty {
      let part = rest.prefix(Statements.batchSize)
      rest = rest.dropFirst(part.count)
      try prefetch(try part.map { try reader.key(of: $0) }, binding)
      for model in part {
        try encode(model, with: binding)
        bindings.noteReferences(of: model, binding)
        try putResolved(try binding.key(), rules, binding)
      }
      try bulk.end()
    }
    return bulk.counts
  }

  /// Creates or updates a model for each decoder. `next` returns at most the requested number of decoders, and none at the end.
  ///
  /// `didStore` receives the key of each model's row, and requires a model with match keys. `didList` receives all keys at the end.
  func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, missing: MissingRows, rules: [ConflictRule], in context: StoreTransaction,
    next: (Int) throws -> [any Decoder], willCreate: (Int) -> Void = { _ in }, didStore: ((ListedKey) -> Void)? = nil,
    didList: (Set<RowKey>) throws -> Void = { _ in }
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try applying(rules, to: type) {
      var models: [Model] = []
      var keys: [RowKey?] = []
      while case let decoders = try next(Statements.batchSize), !decoders.isEmpty {
        if decoders.count > 1 {
          try bindings.with(type) { binding in
            try prefetch(try decoders.compactMap { try payloadKey(in: $0, binding) }, binding)
          }
        }
        for decoder in decoders {
          willCreate(models.count)
          let (model, lastKey) = try bulk.lastKey { try type.createOrUpdate(in: context, from: decoder) }
          models.append(model)
          // Custom code may have stored the row in another way, or not at all.
          let key = try lastKey ?? payloadKey(of: model)
          keys.append(key)
          if let didStore { didStore(try ListedKey(key ?? self.key(of: model))) }
        }
        try bulk.end()
      }
      let present = bulk.keys
      try didList(present)
      var counts = bulk.counts
      if let scope = try missing.scope(of: Model.entityName) {
        guard Model.matchKeys?.isEmpty == false else { throw StoreError.missingRows(of: Model.entityName) }
        try forEachBatchToDelete(from: Model.entityName, AttributeNames(of: type), scope) { keys, schema in
          counts.deleted += try delete(keys.filter { !present.contains($0) }, schema)
        }
      }
      return ManagedList(models: Self.final(models, keys), changes: counts)
    }
  }

  /// Returns the models in their final state. If several models belong to one row, the last one replaces the others.
  private static func final<Model>(_ models: [Model], _ keys: [RowKey?]) -> [Model] {
    var last: [RowKey: Int] = [:]
    for (index, key) in keys.enumerated() {
      if let key { last[key] = index }
    }
    guard last.count < models.count else { return models }
    return zip(models, keys).map { model, key in key.flatMap { last[$0] }.map { models[$0] } ?? model }
  }

  /// Returns the key of a model with a custom `createOrUpdate`, and records it. Returns `nil` for a model without keys.
  private func payloadKey<Model: StorableModel>(of model: Model) throws -> RowKey? {
    guard let schema = try tables.schema(of: Model.entityName), !schema.keyNames.isEmpty else { return nil }
    let key = try key(of: model)
    bulk.notePayloadKey(key)
    return key
  }

  /// Counts the rows of the model's entity while `body` runs, and applies the rules to them. The rules take precedence over those of the
  /// model.
  func applying<Model: ManagedDecodable, Result>(
    _ rules: [ConflictRule], to type: Model.Type, _ body: () throws -> Result
  ) throws -> Result {
    try statements.requireWriting()
    try bulk.flush()
    let rules = rules.isEmpty ? nil : ConflictRules(Model.conflictRules, rules)
    return try bulk.run(counting: Model.entityName, rules, body)
  }
}

extension Span where Element: ~Copyable {
  /// Calls `body` with each element.
  ///
  /// A loop over an array copies each element of a type that is not known at compile time, which retains and releases all its strings.
  @inline(__always)
  fileprivate func forEachBorrowed(_ body: (borrowing Element) throws -> Void) rethrows {
    for index in indices { try body(self[index]) }
  }
}

/// The changes that a transaction made to rows.
public enum StoreChanges {
  /// The number of inserted, updated, unchanged and deleted rows of one entity.
  public struct Counts: Hashable, Sendable {
    /// The number of rows that were added.
    public var inserted = 0
    /// The number of existing rows that have other values now.
    public var updated = 0
    /// The number of existing rows that already had all values and were not written.
    public var unchanged = 0
    /// The number of rows that were removed.
    public var deleted = 0

    package init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
      self.inserted = inserted
      self.updated = updated
      self.unchanged = unchanged
      self.deleted = deleted
    }

    /// A Boolean value that indicates whether no row was inserted, updated or deleted.
    public var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

    package static func + (lhs: Counts, rhs: Counts) -> Counts {
      Counts(
        inserted: lhs.inserted + rhs.inserted, updated: lhs.updated + rhs.updated,
        unchanged: lhs.unchanged + rhs.unchanged, deleted: lhs.deleted + rhs.deleted)
    }

    package static func += (lhs: inout Counts, rhs: Counts) { lhs = lhs + rhs }
  }
}

extension StoreChanges.Counts: CustomStringConvertible {
  /// The counts as text, such as `2 inserted, 1 updated, 7 unchanged, 0 deleted`.
  public var description: String {
    "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(deleted) deleted"
  }
}
