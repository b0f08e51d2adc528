internal import AnvilBase

/// Access to rows by their keys.
extension StoreTransaction {
  /// Returns the row with this key. A writing transaction locks the row until it ends.
  func find(_ key: RowKey, _ binding: EntityBinding) throws -> StoredRow? {
    let entity = binding.entity
    if let known = known.bulk?.row(key, of: entity) { return known }
    guard let schema = try table(of: entity, readBy: binding.names) else {
      noteAbsence(of: key, entity)
      return nil
    }
    let row = try firstRow(
      try binding.select(by: schema, rowLock, on: connection), key.values, binding.layout(of: schema))
    if row == nil { noteAbsence(of: key, entity) } else { try checkAbsence(of: key, entity) }
    known.bulk?.note(row, key, of: entity)
    return row
  }

  var rowLock: String { kind == .writing ? connection.rowLock : "" }

  /// Records that a row was looked up and not found, if another transaction may insert it before this one does.
  func noteAbsence(of key: RowKey, _ entity: String) {
    if !rowLock.isEmpty { known.noteAbsence(of: key, entity) }
  }

  /// Checks that this transaction has not looked up the row before without finding it.
  ///
  /// - Throws: ``StoreError/Code/conflict``, because another transaction has inserted the row since then.
  func checkAbsence(of key: RowKey, _ entity: String) throws(StoreError) {
    guard known.isAbsent(key, of: entity) else { return }
    throw StoreError(code: .conflict, reason: "another transaction has inserted the row of \(entity) in the meantime")
  }

  /// Returns those of `keys` that this transaction has looked up without finding a row. Called before the rows are written, and forgets
  /// these results.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if one of the rows exists now.
  func resolveAbsence(of keys: some Sequence<RowKey>, _ binding: EntityBinding) throws -> Set<RowKey> {
    guard known.hasAbsentRows(of: binding.entity) else { return [] }
    var absent: Set<RowKey> = []
    for key in keys where known.isAbsent(key, of: binding.entity) {
      _ = try find(key, binding)
      known.forgetAbsence(of: key, binding.entity)
      absent.insert(key)
    }
    return absent
  }

  private func firstRow(_ sql: String, _ values: [StoreValue], _ layout: StoredRow.Layout) throws -> StoredRow? {
    var found: StoredRow?
    try query(sql, values) { row in
      found = StoredRow(layout: layout, values: try row.values())
      return .stop
    }
    return found
  }

  func createOrUpdate<Model: StorableModel>(_ type: Model.Type, from decoder: any Decoder) throws -> Model {
    try requireWriting()
    return try bindings.with(type) { binding in
      let input: any Decoder =
        binding.mayRefer == false ? decoder : ReferencingDecoder(base: decoder, transaction: self)
      let key = try payloadKey(in: decoder, binding)
      if let key, let row = try find(key, binding) { return try update(type, row, key, from: input, binding) }
      let model: Model
      do {
        model = try input.singleValueContainer().decode(type)
      } catch let error as DecodingError {
        // A part of a model, which may have its key under a name that only `init(from:)` knows.
        guard key == nil, let key = try foundKey(of: type, in: decoder, binding), let row = try find(key, binding)
        else { throw error }
        return try update(type, row, key, from: input, binding)
      }
      noteReferences(of: model, binding)
      try encode(model, with: binding)
      guard binding.hasKey else {
        _ = try write(binding.values, as: binding.writing(.isConflict))
        changes[binding.entity].inserted += 1
        known.bulk?.add(StoreChanges.Counts(inserted: 1), of: binding.entity)
        return model
      }
      // The model may have changed its key. Without a table, the payload's key could not be looked up.
      let ownKey = try binding.key()
      // A nested model may have stored the same row.
      if ownKey != key || binding.mayRefer != false, let row = try find(ownKey, binding) {
        return try update(type, row, ownKey, from: input, binding)
      }
      try put(.inserted, ownKey, base: nil, binding)
      return model
    }
  }

  private func update<Model: StorableModel>(
    _ type: Model.Type, _ row: StoredRow, _ key: RowKey, from input: any Decoder, _ binding: EntityBinding
  ) throws -> Model {
    var model = try binding.coder(of: type).read(row, resolving: self)
    noteReferences(of: model, binding)
    try model.update(from: input)
    try encode(model, with: binding)
    guard try binding.key() == key else {
      throw StoreError(
        code: .invalidValue, reason: "an update changed the match key of a \(binding.entity)")
    }
    let rules = conflictRules(for: binding)
    if !rules.isEmpty, try binding.resolve(rules, over: row), let resolved = binding.row(over: row) {
      model = try binding.coder(of: type).read(resolved, resolving: self)
    }
    try put(over: row, key, binding)
    return model
  }

  func saveReferenced<Model: StorableModel>(
    _ model: Model
  ) throws -> (key: RowKey, columns: [EntitySchema.Column]) {
    try bindings.with(Model.self) { binding in
      try encode(model, with: binding)
      let key = try binding.key()
      let rules = conflictRules(for: binding)
      if !rules.isEmpty {
        try putResolved(key, rules, binding)
      } else if let row = known.bulk?.row(key, of: binding.entity) {
        if let row { try put(over: row, key, binding) } else { try put(.inserted, key, base: nil, binding) }
      } else {
        let isAbsent = try !resolveAbsence(of: CollectionOfOne(key), binding).isEmpty
        try checkReferenceChains(from: key, binding)
        changes[binding.entity] += try write(
          binding.values, as: binding.writing(isAbsent ? .isConflict : .updated)
        ).counts(ofRows: 1)
        if binding.hasAllColumns {
          known.bulk?.note(binding.row(), key, of: binding.entity)
        } else {
          known.bulk?.forgetRow(key, of: binding.entity)
        }
      }
      return (key, binding.schema?.keyColumns ?? [])
    }
  }

  /// Replaces `row` with the value encoded last. A write of the row may be pending.
  func put(over row: StoredRow, _ key: RowKey, _ binding: EntityBinding) throws {
    let entity = binding.entity
    try flushOtherVersions(than: binding)
    if known.bulk?.revert(key, binding) == true {
      changes[entity].updated -= 1
    } else {
      try put(binding.isStored(in: row) ? .unchanged : .updated, key, base: row, binding)
    }
  }

  /// Counts `outcome`. Writes the value encoded last unless it is unchanged. During a bulk operation, the value is added to the pending rows
  /// instead.
  func put(
    _ outcome: BulkState.Outcome, _ key: RowKey, base: StoredRow?, _ binding: EntityBinding
  ) throws {
    let entity = binding.entity
    switch outcome {
    case .inserted: changes[entity].inserted += 1
    case .updated: changes[entity].updated += 1
    case .unchanged: changes[entity].unchanged += 1
    }
    if outcome != .unchanged { try checkReferenceChains(from: key, binding) }
    known.bulk?.count(outcome, key, of: entity)
    known.forgetAbsence(of: key, entity)
    guard outcome != .unchanged else { return }
    if known.bulk == nil {
      _ = try write(binding.values, as: binding.writing(outcome == .inserted ? .isConflict : .updated))
    } else {
      try flushOtherVersions(than: binding)
      try known.bulk?.put(key, base: base, binding)
    }
  }

  /// Writes the pending rows if they belong to a version of the model with other columns.
  private func flushOtherVersions(than binding: EntityBinding) throws {
    if try known.bulk?.pending.hasRows(writtenUnlike: binding) == true { try flush() }
  }

  func flush() throws {
    guard let groups = known.bulk?.takePending() else { return }
    for (writing, rows) in groups {
      let count = connection.rowsPerWrite(ofColumns: writing.columns.count)
      for start in stride(from: 0, to: rows.count, by: count) {
        _ = try write(Array(rows[start..<min(start + count, rows.count)].joined()), as: writing)
      }
    }
  }

  /// Returns the key in a payload; `nil` if it cannot be determined before decoding.
  func payloadKey(in decoder: any Decoder, _ binding: EntityBinding) throws -> RowKey? {
    guard binding.hasKey, let schema = try schema(of: binding.entity) else { return nil }
    do {
      let container = try decoder.container(keyedBy: AttributeKey.self)
      var values: [StoreValue] = []
      for key in binding.keys {
        // As in the model, an alias is only read if the key is missing.
        let name = binding.payloadKeys(of: key).lazy.map(AttributeKey.init(_:)).first(where: container.contains)
        guard let name, let column = schema.column(named: key.attribute), column.reference == nil,
          let value = column.type.decode(name, from: container)
        else { return nil }
        values.append(value)
      }
      return RowKey(values)
    } catch is DecodingError {
      // Decoding the model gives a better error, or succeeds in another way.
      return nil
    }
  }

  /// Returns the key in a payload whose names for the key are not those of the model's attributes; `nil` if it has no key.
  ///
  /// The names are found by what the model reads instead of the attributes of any stored row, and are kept.
  func foundKey<Model: StorableModel>(
    of type: Model.Type, in decoder: any Decoder, _ binding: EntityBinding
  ) throws -> RowKey? {
    guard binding.hasKey, !binding.knowsKeyAliases,
      let row = try fetch(type, StoreQuery(limit: 1)).first
    else { return nil }
    for key in binding.keys {
      let known = binding.payloadKeys(of: key)
      let others = try row.alternatives(of: key.codingKey, in: decoder).filter { !known.contains($0) }
      binding.addPayloadKeys(others, of: key)
    }
    return try payloadKey(in: decoder, binding)
  }

  func noteReferences<Model>(of model: Model, _ binding: EntityBinding) {
    if binding.mayRefer == nil { binding.mayRefer = bindings.mayRefer(model) }
  }
}

extension RowWriting.Outcome {
  func counts(ofRows count: Int) -> StoreChanges.Counts {
    StoreChanges.Counts(inserted: inserted, updated: updated, unchanged: count - inserted - updated)
  }
}
