/// Rules for rows that exist.
extension StoreTransaction {
  /// Returns the rules of the running call if it has rules for the model. Otherwise returns the rules of the model.
  func conflictRules(for binding: EntityBinding) -> ConflictRules {
    callRules[binding.entity] ?? binding.conflictRules
  }

  /// Applies rules to the rows of the model's entity while `body` runs. They take precedence over the rules of the model.
  func withRules<Model: ManagedDecodable, Result>(
    _ rules: [ConflictRule], for type: Model.Type, _ body: () throws -> Result
  ) rethrows -> Result {
    guard !rules.isEmpty else { return try body() }
    let outer = callRules
    callRules[Model.entityName] = ConflictRules(Model.conflictRules, rules)
    defer { callRules = outer }
    return try body()
  }

  /// Stores the value encoded last. If a row with its key exists, the rules determine the values of the row.
  func putResolved(_ key: RowKey, _ rules: ConflictRules, _ binding: EntityBinding) throws {
    guard let row = try find(key, binding) else { return try put(.inserted, key, base: nil, binding) }
    _ = try binding.resolve(rules, over: row)
    try put(over: row, key, binding)
  }

  /// Stores models that have match keys, in their order. If a row with the same key exists, the rules determine its values.
  func storeResolved<Model: StorableModel>(
    _ models: [Model], _ rules: ConflictRules, _ binding: EntityBinding
  ) throws -> StoreChanges.Counts {
    let reader = KeyReader<Model>()
    var rest = models[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.batchSize)
      rest = rest.dropFirst(part.count)
      try prefetch(try part.map { try reader.key(of: $0) }, binding)
      for model in part {
        try encode(model, with: binding)
        noteReferences(of: model, binding)
        try putResolved(try binding.key(), rules, binding)
      }
      try flush()
      bulk?.forgetRows()
    }
    return bulk?.counts ?? .init()
  }
}
