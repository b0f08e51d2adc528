internal import AnvilBase

/// The rows of a transaction: finds, creates, updates and removes them, and counts the changes.
final class Rows {
  let statements: Statements
  let tables: Tables
  let bulk: Bulk
  let bindings: EntityBindings
  private(set) var changes = RowChanges()
  /// Keys that were looked up and not found, by entity. Other transactions may insert such rows meanwhile.
  private var absentKeys: [String: Set<RowKey>] = [:]

  init(_ statements: Statements, _ tables: Tables, _ bulk: Bulk, _ bindings: EntityBindings) {
    self.statements = statements
    self.tables = tables
    self.bulk = bulk
    self.bindings = bindings
  }

  /// A finder of the rows that other rows refer to, as they are now.
  var references: References { References(of: self) }

  private func resolver(of row: StoredRow) -> References? { row.layout.hasReferences ? references : nil }

  /// Returns a function that restores the state as it is now.
  func checkpoint() -> () -> Void {
    { [changes, absentKeys] in (self.changes, self.absentKeys) = (changes, absentKeys) }
  }

  /// Counts changes that were made in another way.
  func note(_ counts: StoreChanges.Counts, of entity: String) { changes[entity] += counts }

  /// Notes that a statement of the caller may have changed any rows and tables.
  func noteAnyChange() { changes.mayBeAny = true }

  /// Discards what is known of tables and rows, because a statement of the caller may have changed it.
  func forget() {
    bindings.forget()
    tables.forget()
    absentKeys = [:]
  }
}

/// Finding rows by their keys.
extension Rows {
  /// Returns the row with this key. A writing transaction locks the row until it ends.
  func find(_ key: RowKey, _ binding: EntityBinding) throws -> StoredRow? {
    let entity = binding.entity
    if let known = bulk.row(key, of: entity) { return known }
    guard let schema = try tables.table(of: entity, readBy: binding.names) else {
      noteAbsence(of: key, entity)
      return nil
    }
    let row = try statements.row(
      try binding.select(by: schema, statements.rowLock, on: statements.connection), key.values,
      binding.layout(of: schema))
    try note(isFound: row != nil, key, entity)
    bulk.note(row, key, of: entity)
    return row
  }

  /// Notes that a row was looked up.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if this transaction has looked up the row before without finding it, and another transaction has
  ///   inserted it since then.
  func note(isFound: Bool, _ key: RowKey, _ entity: String) throws {
    guard isFound else { return noteAbsence(of: key, entity) }
    guard absentKeys[entity]?.contains(key) == true else { return }
    // A trigger may have inserted the row when this transaction wrote another one.
    if let schema = try tables.schema(of: entity),
      case let condition = try schema.keyCondition(on: statements.connection),
      try statements.attempt({ try statements.connection.hasInserted(rowOf: entity, where: condition, key.values) })
    {
      absentKeys[entity]?.remove(key)
      return
    }
    throw StoreError(code: .conflict, reason: "another transaction has inserted the row of \(entity) in the meantime")
  }

  private func noteAbsence(of key: RowKey, _ entity: String) {
    // Otherwise, no other transaction can insert the row before this one does.
    if !statements.rowLock.isEmpty { absentKeys[entity, default: []].insert(key) }
  }

  /// Returns those of `keys` that this transaction has looked up without finding a row. Called before the rows are written, and forgets
  /// these results.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if one of the rows exists now.
  func resolveAbsence(of keys: some Sequence<RowKey>, _ binding: EntityBinding) throws -> Set<RowKey> {
    guard absentKeys[binding.entity]?.isEmpty == false else { return [] }
    var absent: Set<RowKey> = []
    for key in keys where absentKeys[binding.entity]?.contains(key) == true {
      let row = try find(key, binding)
      absentKeys[binding.entity]?.remove(key)
      if row == nil { absent.insert(key) }
    }
    return absent
  }

  /// Finds rows together, so that ``find(_:_:)`` need not read them.
  func prefetch(_ keys: [RowKey], _ binding: EntityBinding) throws {
    guard binding.hasKey, let schema = try tables.table(of: binding.entity, readBy: binding.names) else { return }
    var seen: Set<RowKey> = []
    let keys = keys.filter { seen.insert($0).inserted }
    let rows = try statements.rows(
      of: keys, schema, layout: binding.layout(of: schema), lock: statements.connection.rowLock)
    for key in keys { bulk.note(rows[key], key, of: binding.entity) }
  }
}

/// Creating and updating rows.
extension Rows {
  func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, from decoder: any Decoder, in context: StoreTransaction
  ) throws -> Model {
    try statements.requireWriting()
    return try bindings.with(type) { binding in
      // The models in a model are written once, not again with each model that contains them.
      let isWhole = bulk.isRunning || binding.mayRefer == false
      func create() throws -> Model { try self.create(type, from: decoder, in: context, binding) }
      return try isWhole ? create() : bulk.run(counting: binding.entity, nil, create)
    }
  }

  private func create<Model: StorableModel>(
    _ type: Model.Type, from decoder: any Decoder, in context: StoreTransaction, _ binding: EntityBinding
  ) throws -> Model {
    let input: any Decoder =
      binding.mayRefer == false ? decoder : ReferencingDecoder(base: decoder, transaction: context)
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
    bindings.noteReferences(of: model, binding)
    try encode(model, with: binding)
    guard binding.hasKey else {
      _ = try statements.write(binding.values, as: binding.writing(.isConflict))
      changes[binding.entity].inserted += 1
      bulk.add(StoreChanges.Counts(inserted: 1), of: binding.entity)
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

  private func update<Model: StorableModel>(
    _ type: Model.Type, _ row: StoredRow, _ key: RowKey, from input: any Decoder, _ binding: EntityBinding
  ) throws -> Model {
    var model = try updated(type, row, from: input, binding)
    bindings.noteReferences(of: model, binding)
    try encode(model, with: binding)
    guard try binding.key() == key else {
      throw StoreError(
        code: .invalidValue, reason: "an update changed the match key of a \(binding.entity)")
    }
    let rules = conflictRules(for: binding)
    if !rules.isEmpty, try binding.resolve(rules, over: row), let resolved = binding.row(over: row) {
      model = try binding.coder(of: type).read(resolved, resolving: resolver(of: resolved))
    }
    try put(over: row, key, binding)
    return model
  }

  private func updated<Model: StorableModel>(
    _ type: Model.Type, _ row: StoredRow, from input: any Decoder, _ binding: EntityBinding
  ) throws -> Model {
    // Neither the row nor the old model is decoded if nothing of them remains.
    if binding.updatesByDefault == true, binding.isReplaced(row, by: input) {
      return try input.singleValueContainer().decode(type)
    }
    var model = try binding.coder(of: type).read(row, resolving: resolver(of: row))
    if binding.updatesByDefault == nil {
      let observed = ObservedInput(input, for: type)
      try model.update(from: observed)
      binding.updatesByDefault = observed.isReadByDefault
    } else {
      try model.update(from: input)
    }
    return model
  }

  /// Encodes `model` into attributes, and makes sure that its table has a column for each.
  func encode<Model: StorableModel>(_ model: Model, with binding: EntityBinding) throws {
    let coder = binding.coder(of: Model.self)
    try coder.write(model, with: binding.encoder)
    guard !binding.isBound(since: bindings.schemaGeneration) else { return }
    let schema = try tables.schema(of: binding.entity)
    guard !binding.isBound(to: schema, since: bindings.schemaGeneration) else { return }
    // Pending rows have the columns that were known before.
    try bulk.flush()
    if let schema, binding.adoptColumnTypes(from: schema) { try coder.write(model, with: binding.encoder) }
    try tables.bind(binding, to: schema) { row in references.attributesRead(by: Model.self, in: row) }
  }

  /// Replaces `row` with the value encoded last. A write of the row may be pending.
  func put(over row: StoredRow, _ key: RowKey, _ binding: EntityBinding) throws {
    if try bulk.revert(key, binding) {
      changes[binding.entity].updated -= 1
    } else {
      try put(binding.isStored(in: row) ? .unchanged : .updated, key, base: row, binding)
    }
  }

  /// Counts `outcome`. Writes the value encoded last unless it is unchanged. During a bulk operation, the value is added to the pending rows
  /// instead.
  func put(_ outcome: Bulk.Outcome, _ key: RowKey, base: StoredRow?, _ binding: EntityBinding) throws {
    let entity = binding.entity
    changes[entity].add(outcome)
    if outcome != .unchanged { try checkReferenceChains(from: key, binding) }
    bulk.count(outcome, key, of: entity)
    absentKeys[entity]?.remove(key)
    guard outcome != .unchanged else { return }
    if bulk.isRunning {
      try bulk.put(key, base: base, binding)
    } else {
      _ = try statements.write(binding.values, as: binding.writing(outcome == .inserted ? .isConflict : .updated))
    }
  }

  func checkReferenceChains(from key: RowKey, _ binding: EntityBinding) throws {
    if binding.mayRefer != false { try references.checkChains(from: key, binding) }
  }

  /// Returns the rules of the running call if it has rules for the model. Otherwise returns the rules of the model.
  func conflictRules(for binding: EntityBinding) -> ConflictRules {
    bulk.rules(of: binding.entity) ?? binding.conflictRules
  }

  /// Stores the value encoded last. If a row with its key exists, the rules determine the values of the row.
  func putResolved(_ key: RowKey, _ rules: ConflictRules, _ binding: EntityBinding) throws {
    guard let row = try find(key, binding) else { return try put(.inserted, key, base: nil, binding) }
    _ = try binding.resolve(rules, over: row)
    try put(over: row, key, binding)
  }
}

/// Models that are contained in other models and have separate rows.
extension Rows {
  func store<T: Encodable>(_ value: T) throws -> StoredReference? {
    switch bindings.kind(of: T.self) {
    case .none: nil
    case .one: try (value as? any StorableModel).map { try store($0) }
    case .many: try (value as? any ModelArray).map { try $0.store(in: self) }
    }
  }

  private func store<Model: StorableModel>(_ model: Model) throws -> StoredReference {
    let (key, columns) = try save(model)
    let reference = EntityReference.one(entity: Model.entityName)
    if columns.count == 1, case .one(let value) = key {
      return StoredReference(value: value, type: columns[0].type, reference: reference)
    }
    return StoredReference(value: .text(try KeyText.text(of: key)), type: .json, reference: reference)
  }

  /// Stores a model, and returns its key and the columns of the key.
  func save<Model: StorableModel>(_ model: Model) throws -> (key: RowKey, columns: [EntitySchema.Column]) {
    try bindings.with(Model.self) { binding in
      try encode(model, with: binding)
      let key = try binding.key()
      let rules = conflictRules(for: binding)
      if !rules.isEmpty {
        try putResolved(key, rules, binding)
      } else if let row = bulk.row(key, of: binding.entity) {
        if let row { try put(over: row, key, binding) } else { try put(.inserted, key, base: nil, binding) }
      } else {
        let isAbsent = try !resolveAbsence(of: CollectionOfOne(key), binding).isEmpty
        try checkReferenceChains(from: key, binding)
        changes[binding.entity] += try statements.write(
          binding.values, as: binding.writing(isAbsent ? .isConflict : .updated)
        ).counts(ofRows: 1)
        if binding.hasAllColumns {
          bulk.note(binding.row(), key, of: binding.entity)
        } else {
          bulk.forgetRow(key, of: binding.entity)
        }
      }
      return (key, binding.schema?.keyColumns ?? [])
    }
  }
}

/// Keys of models and of payloads.
extension Rows {
  /// Returns the key in a payload; `nil` if it cannot be determined before decoding.
  func payloadKey(in decoder: any Decoder, _ binding: EntityBinding) throws -> RowKey? {
    guard binding.hasKey, let schema = try tables.schema(of: binding.entity) else { return nil }
    do {
      let container = try decoder.container(keyedBy: AttributeKey.self)
      var values: [StoreValue] = []
      for key in binding.keys {
        // As in the model, an alias is only read if the key is missing.
        let name = binding.payloadKeys(of: key).lazy.map(AttributeKey.init(_:)).first(where: container.contains)
        guard let name, let column = schema.column(named: key.attribute), column.reference == nil,
          let value = binding.value(of: key, at: name, in: container, as: column.type)
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
      let row = try page(type, StoreQuery(limit: 1)).models.first
    else { return nil }
    for key in binding.keys {
      let known = binding.payloadKeys(of: key)
      let others = try row.alternatives(of: key.codingKey, in: decoder).filter { !known.contains($0) }
      binding.addPayloadKeys(others, of: key)
    }
    return try payloadKey(in: decoder, binding)
  }

  /// Returns the key of a model.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for a model without match keys.
  func key<Model: StorableModel>(of model: Model) throws -> RowKey {
    guard Model.matchKeys?.isEmpty == false else {
      throw StoreError(
        code: .invalidStatement,
        reason:
          "\(Model.entityName) has no match keys, so the row of a value cannot be identified; use a condition")
    }
    return try KeyReader<Model>(bindings.datePrecision, in: try tables.schema(of: Model.entityName)).key(of: model)
  }
}

/// Removing rows.
extension Rows {
  /// Removes the row with the model's key. Returns `true` if there was one.
  func delete<Model: StorableModel>(_ model: Model) throws -> Bool {
    guard let schema = try tableToDelete(from: Model.entityName) else { return false }
    return try delete([key(of: model)], schema) > 0
  }

  /// Removes the row with the key in the payload of `decoder`. Returns `true` if there was one.
  func delete<Model: StorableModel>(_ type: Model.Type, describedBy decoder: any Decoder) throws -> Bool {
    guard let schema = try tableToDelete(from: Model.entityName) else { return false }
    let known = try bindings.with(type) { binding in
      try payloadKey(in: decoder, binding) ?? foundKey(of: type, in: decoder, binding)
    }
    return try delete([try known ?? key(of: decoder.singleValueContainer().decode(type))], schema) > 0
  }

  func delete(_ type: any ManagedDecodable.Type, _ condition: ConditionNode) throws -> Int {
    let names = AttributeNames(of: type)
    guard let schema = try tableToDelete(from: type.entityName, names) else { return 0 }
    var writer = tables.writer(schema, names, StoreQuery(condition: condition))
    let count = try statements.run(try writer.delete(condition), writer.values)
    changes[schema.entity].deleted += count
    return count
  }

  /// Calls `body` with batches of the keys of the rows that match the condition, which `body` may delete.
  func forEachBatchToDelete(
    from entity: String, _ names: AttributeNames, _ condition: ConditionNode,
    _ body: ([RowKey], EntitySchema) throws -> Void
  ) throws {
    guard let schema = try tableToDelete(from: entity, names) else { return }
    guard !schema.keyNames.isEmpty else { throw StoreError.missingRows(of: schema.entity) }
    var writer = tables.writer(schema, names, StoreQuery(condition: condition))
    let sql = try writer.keys(condition)
    // A condition on other rows is read to its end first: SQLite would not find the rows that `body` has deleted.
    let readsOtherRows = !writer.tables[0].prefix.isEmpty
    var (keys, batches): ([RowKey], [[RowKey]]) = ([], [])
    try statements.query(sql, writer.values) { row in
      keys.append(row.count == 1 ? .one(try row.value(at: 0)) : .several(try row.values()))
      guard keys.count == Statements.batchSize else { return .goOn }
      if readsOtherRows { batches.append(keys) } else { try body(keys, schema) }
      keys.removeAll(keepingCapacity: true)
      return .goOn
    }
    for keys in batches + [keys] { try body(keys, schema) }
  }

  func delete(_ keys: [RowKey], _ schema: EntitySchema) throws -> Int {
    let connection = statements.connection
    let sql = "DELETE FROM \(try connection.quoted(schema.entity)) WHERE \(try schema.keyCondition(on: connection))"
    var count = 0
    for key in keys { count += try statements.run(sql, key.values) }
    changes[schema.entity].deleted += count
    return count
  }

  private func tableToDelete(from entity: String, _ names: AttributeNames? = nil) throws -> EntitySchema? {
    try statements.requireWriting()
    try bulk.end()
    let schema = try tables.schema(of: entity)
    return names.map { schema?.readable(by: $0) } ?? schema
  }
}

extension StoreError {
  static func missingRows(of entity: String) -> StoreError {
    StoreError(
      code: .invalidStatement, reason: "\(entity) has no match keys, so missing rows cannot be identified")
  }
}

extension RowWriting.Outcome {
  func counts(ofRows count: Int) -> StoreChanges.Counts {
    StoreChanges.Counts(inserted: inserted, updated: updated, unchanged: count - inserted - updated)
  }
}

struct RowChanges {
  private(set) var counts: [String: StoreChanges.Counts] = [:]
  /// True if a statement of the caller may have changed rows of any entity.
  var mayBeAny = false

  subscript(entity: String) -> StoreChanges.Counts {
    get { counts[entity] ?? StoreChanges.Counts() }
    set { counts[entity] = newValue }
  }

  var entities: [String] { counts.filter { !$0.value.isEmpty }.map(\.key) }
}
