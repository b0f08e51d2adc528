extension StoreTransaction {
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
    try requireWriting()
    try flush()
    known.bulk?.forgetRows()
    let counts = try withBulk(of: Model.self, rules: rules) { try store(models, writing) }
    // Custom code of models may store models while others are created.
    known.bulk?.add(counts, of: Model.entityName)
    return counts
  }

  private func store<Model: StorableModel>(_ models: [Model], _ writing: Writing) throws -> StoreChanges.Counts {
    try bindings.with(Model.self) { binding in
      let rules = conflictRules(for: binding)
      if !rules.isEmpty, binding.hasKey { return try storeResolved(models, rules, binding) }
      let counts = try store(models, binding, writing)
      changes[Model.entityName] += counts
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
      if binding.mayRefer == nil { binding.mayRefer = bindings.mayRefer(model) }
      if binding.hasKey, binding.mayRefer == true { try checkReferenceChains(from: binding.key(), binding) }
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
    let (insertions, others) = batch.split(by: try resolveAbsence(of: batch.keys, binding))
    return try [insertions, others].compactMap(\.self).reduce(into: StoreChanges.Counts()) { counts, part in
      counts += try write(part.values, as: part.writing).counts(ofRows: part.rowCount)
    }
  }

  func createOrUpdateList<Model: StorableModel>(
    of type: Model.Type, from decoder: any Decoder, missing: MissingRows, in listing: StoreListing? = nil,
    rules: [ConflictRule] = []
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    var items = try decoder.unkeyedContainer()
    return try createOrUpdate(type, missing: missing, in: listing, rules: rules) { size in
      var decoders: [any Decoder] = []
      while !items.isAtEnd, decoders.count < size { decoders.append(try items.superDecoder()) }
      return decoders
    }
  }

  /// Creates or updates a model for each decoder. `next` returns at most the requested number of decoders, and none at the end.
  ///
  /// `didStore` receives the key of each model's row, as text. It requires a model with match keys.
  package func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, missing: MissingRows = .kept, in listing: StoreListing? = nil, rules: [ConflictRule] = [],
    next: (Int) throws -> [any Decoder], willCreate: (Int) -> Void = { _ in }, didStore: ((String) -> Void)? = nil
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireWriting()
    try flush()
    return try withBulk(of: type, rules: rules) {
      let (models, keys) = try createOrUpdate(type, next, willCreate, didStore)
      if let listing { try note(known.bulk?.keys ?? [], in: listing, of: type.entityName) }
      let deleted = try delete(missing, type)
      var counts = known.bulk?.counts ?? .init()
      counts.deleted = deleted
      return ManagedList(models: Self.final(models, keys), changes: counts)
    }
  }

  private func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, _ next: (Int) throws -> [any Decoder], _ willCreate: (Int) -> Void,
    _ didStore: ((String) -> Void)?
  ) throws -> (models: [Model], keys: [RowKey?]) where Model.Context == StoreTransaction {
    var models: [Model] = []
    var keys: [RowKey?] = []
    while true {
      let decoders = try next(Self.batchSize)
      guard !decoders.isEmpty else { return (models, keys) }
      if decoders.count > 1 {
        try bindings.with(type) { binding in
          try prefetch(try decoders.compactMap { try payloadKey(in: $0, binding) }, binding)
        }
      }
      for decoder in decoders {
        known.bulk?.lastKey = nil
        willCreate(models.count)
        let model = try type.createOrUpdate(in: self, from: decoder)
        models.append(model)
        // Custom code may have stored the row in another way, or not at all.
        let key = try known.bulk?.lastKey ?? payloadKey(of: model)
        keys.append(key)
        if let didStore { didStore(try KeyText.plainText(of: key ?? self.key(of: model))) }
      }
      try flush()
      known.bulk?.forgetRows()
    }
  }

  static var batchSize: Int { 256 }

  /// Returns the models in their final state. If several models belong to one row, the last one replaces the others.
  private static func final<Model>(_ models: [Model], _ keys: [RowKey?]) -> [Model] {
    var last: [RowKey: Int] = [:]
    for (index, key) in keys.enumerated() {
      if let key { last[key] = index }
    }
    guard last.count < models.count else { return models }
    return zip(models, keys).map { model, key in key.flatMap { last[$0] }.map { models[$0] } ?? model }
  }

  /// Fetches and caches the rows with these keys. Uses few queries.
  func prefetch(_ keys: [RowKey], _ binding: EntityBinding) throws {
    guard binding.hasKey, let schema = try table(of: binding.entity, readBy: binding.names) else { return }
    var seen: Set<RowKey> = []
    let keys = keys.filter { seen.insert($0).inserted }
    let rows = try rows(of: keys, schema, layout: binding.layout(of: schema), lock: connection.rowLock)
    for key in keys { known.bulk?.note(rows[key], key, of: binding.entity) }
  }

  /// Returns the key of a model with a custom `createOrUpdate`, and records it. Returns `nil` for a model without keys.
  private func payloadKey<Model: StorableModel>(of model: Model) throws -> RowKey? {
    guard let schema = try schema(of: Model.entityName), !schema.keyNames.isEmpty else { return nil }
    let key = try key(of: model)
    known.bulk?.notePayloadKey(key)
    return key
  }

  private func delete<Model: StorableModel>(_ missing: MissingRows, _ type: Model.Type) throws -> Int {
    guard let scope = try missing.scope(of: Model.entityName) else { return 0 }
    guard Model.matchKeys?.isEmpty == false else { throw noKeys(of: Model.entityName) }
    let names = AttributeNames(of: type)
    guard let schema = try table(of: Model.entityName, readBy: names) else { return 0 }
    let present = known.bulk?.keys ?? []
    return try deleteRows(of: schema, scope, names) { $0.filter { !present.contains($0) } }
  }

  /// Counts the rows of the model's entity while `body` runs, and applies the rules to them. The rules take precedence over those of the
  /// model.
  private func withBulk<Model: ManagedDecodable, Result>(
    of type: Model.Type, rules: [ConflictRule], _ body: () throws -> Result
  ) throws -> Result {
    let outer = known.bulk
    known.bulk = BulkState(counting: Model.entityName, rules: outer?.rules ?? [:])
    if !rules.isEmpty { known.bulk?.rules[Model.entityName] = ConflictRules(Model.conflictRules, rules) }
    defer {
      known.bulk = outer
      known.bulk?.forgetRows()
    }
    let result = try body()
    try flush()
    return result
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

/// The changes that a transaction made to rows, by entity.
public struct StoreChanges: Hashable, Sendable {
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

  /// The counts of the entities whose rows changed, by entity name.
  package let entities: [String: Counts]

  init(_ entities: [String: Counts]) {
    self.entities = entities.filter { !$0.value.isEmpty }
  }

  /// Returns the counts of a model's entity; all are 0 if its rows did not change.
  package func counts<Model: ManagedDecodable>(of type: Model.Type) -> Counts { entities[Model.entityName] ?? Counts() }
}

extension StoreChanges.Counts: CustomStringConvertible {
  /// The counts as text, such as `2 inserted, 1 updated, 7 unchanged, 0 deleted`.
  public var description: String {
    "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(deleted) deleted"
  }
}
