/// Tables.
extension StoreTransaction {
  private var catalog: SchemaCatalog { SchemaCatalog(connection: connection) }

  /// The entity's table; `nil` when there is none yet.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when the table of that name is not the store's.
  func schema(of entity: String) throws -> EntitySchema? {
    if let known = schemas[entity] { return known }
    let schema = try catalog.schema(of: entity)
    schemas[entity] = .some(schema)
    return schema
  }

  /// Takes `model` apart and sees to it that its table has a column for each attribute.
  func encode<Model: StorableModel>(_ model: Model, with binding: EntityBinding) throws {
    try binding.encoder.encode(model)
    guard !binding.isBound(since: bindings.schemaGeneration) else { return }
    let schema = try schema(of: binding.entity)
    guard !binding.isBound(to: schema, since: bindings.schemaGeneration) else { return }
    // What waits to be written has the columns that were known before.
    try flush()
    if let schema, binding.takesOverJSON(from: schema) { try binding.encoder.encode(model) }
    let attributes = try attributes(of: binding)
    let bound = try schema.map { try extend($0, attributes, binding) } ?? create(attributes, binding)
    if bound.columns.count > attributes.count { try checkOthers(of: bound, model, binding) }
    schemas[binding.entity] = bound
    binding.bind(to: bound)
  }

  /// The columns that the binding's attributes need.
  private func attributes(of binding: EntityBinding) throws -> [EntitySchema.Column] {
    var columns: [EntitySchema.Column] = []
    for attribute in binding.encoder.attributes {
      guard let type = attribute.type else { continue }
      columns.append(
        EntitySchema.Column(
          name: binding.columnName(of: attribute.name), type: type, reference: attribute.reference))
    }
    for key in binding.keys where !columns.contains(where: { $0.name == key.attribute }) {
      let isEncoded = binding.encoder.attributes.contains { $0.name == key.codingKey || $0.name == key.attribute }
      if isEncoded { throw binding.nullKey(key) }
      throw StoreError(
        code: .schemaMismatch, reason: "\(binding.entity) encodes nothing for its match key \(key.codingKey)")
    }
    guard !columns.isEmpty else {
      throw StoreError(code: .schemaMismatch, reason: "\(binding.entity) has no attribute that could be stored")
    }
    return columns
  }

  private func create(_ columns: [EntitySchema.Column], _ binding: EntityBinding) throws -> EntitySchema {
    let wanted = binding.schema(of: columns)
    try leaveToOthers(wanted)
    try lockSchema()
    if let schema = try schema(of: binding.entity) { return try extend(schema, columns, binding) }
    try change { try catalog.create(wanted, targets: self.schema(of:)) }
    return wanted
  }

  /// Ends this transaction, to be run anew after another one that changes the schema, where that is the way.
  private func leaveToOthers(_ schema: EntitySchema) throws {
    guard connection.changesSchemaApart, !isForSchema else { return }
    try requireWriting()
    neededSchema = schema
    try attempt { throw StoreError(code: .conflict, reason: "the schema is changed before") }
  }

  /// Gives the entity's table the columns that it does not have; makes it where there is none.
  func addColumns(of wanted: EntitySchema) throws {
    try lockSchema()
    guard let current = try schema(of: wanted.entity) else {
      return try change { try catalog.create(wanted, targets: schema(of:)) }
    }
    try change { _ = try catalog.extend(current, toHave: wanted, targets: schema(of:)) }
  }

  /// The table with columns for attributes that it does not have.
  private func extend(
    _ schema: EntitySchema, _ columns: [EntitySchema.Column], _ binding: EntityBinding
  ) throws -> EntitySchema {
    let keys = binding.keys.map(\.attribute)
    guard schema.keyNames == keys else {
      func words(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
      throw StoreError(
        code: .schemaMismatch,
        reason:
          "the rows of \(schema.entity) have the match keys \(words(schema.keyNames)), the model has \(words(keys))")
    }
    let differences = columns.compactMap { column -> String? in
      guard let stored = schema.column(named: column.name), stored != column else { return nil }
      return "\(column.name) is \(stored.kind) and the model has \(column.kind)"
    }
    guard differences.isEmpty else {
      throw StoreError(
        code: .schemaMismatch, reason: "in the rows of \(schema.entity) \(differences.joined(separator: ", "))")
    }
    let wanted = binding.schema(of: columns)
    guard !schema.has(wanted) else { return schema }
    // Who only reads has no need of it.
    guard kind == .writing else { return schema }
    try leaveToOthers(wanted)
    try lockSchema()
    let current = try self.schema(of: schema.entity) ?? schema
    // Others may have added columns meanwhile, and of other types.
    guard current == schema else { return try extend(current, columns, binding) }
    return try change { try catalog.extend(current, toHave: wanted, targets: self.schema(of:)) }
  }

  /// Declares the columns that the model did not encode and reads: they are null for values that do not encode them.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when the model neither writes nor reads some of the table's columns.
  private func checkOthers<Model: StorableModel>(
    of schema: EntitySchema, _ model: Model, _ binding: EntityBinding
  ) throws {
    let attributes = binding.encoder.attributes
    var known = Set(attributes.map { binding.columnName(of: $0.name) })
    guard schema.columns.contains(where: { !known.contains($0.name) }) else { return }
    // What is not encoded now, as nil may not be, may be read all the same.
    var values = Dictionary(zip(attributes.map { binding.columnName(of: $0.name) }, binding.encoder.values)) { $1 }
    for column in schema.columns where values[column.name] == nil { values[column.name] = .null }
    let row = StoredRow(
      layout: binding.layout(of: schema), values: schema.columns.map { values[$0.name] ?? .null })
    guard let read = attributesRead(by: Model.self, in: row) else { return }
    for name in read {
      guard let column = schema.column(named: binding.columnName(of: name)), known.insert(column.name).inserted else {
        continue
      }
      binding.encoder.declare(Attribute(name, column.type, column.reference))
    }
    let unknown = schema.columns.map(\.name).filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw StoreError(
        code: .schemaMismatch,
        reason: "the rows of \(schema.entity) have the \(SchemaCatalog.list(unknown)), which the model does not know")
    }
  }

  func lockSchema() throws {
    try connection.lockSchema()
    schemas.removeAll()
  }

  private func change<Result>(_ body: () throws -> Result) throws -> Result {
    try requireWriting()
    // Each statement of it fails as one of the transaction's own does.
    return try attempt(body)
  }
}

extension EntitySchema.Column {
  /// What the column holds, in words.
  fileprivate var kind: String { Attribute(name, type, reference).kind }
}
