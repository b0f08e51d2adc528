extension StoreTransaction {
  func fetch<Model: StorableModel>(_ type: Model.Type, _ query: StoreQuery) throws -> [Model] {
    try page(type, query).models
  }

  struct Page<Model> {
    var models: [Model] = []
    /// The values of the last row in the columns that determine the order, if another page may follow.
    var last: [StoreValue]?
    /// The references of each model in the columns of `StoreQuery.related`.
    var related: [[StoredCell]] = []
  }

  func page<Model: StorableModel>(_ type: Model.Type, _ query: StoreQuery) throws -> Page<Model> {
    try flush()
    return try bindings.with(type) { binding in
      guard let schema = try table(of: binding.entity, readBy: binding.names) else { return Page() }
      var writer = writer(schema, binding.names, hasRelations: !query.relations.isEmpty)
      let sql = try writer.select(query, rowLock: rowLock)
      let layout = binding.layout(of: schema)
      let coder = binding.coder(of: type)
      let refers = schema.columns.contains { $0.reference != nil }
      var rows: [StoredRow] = []
      var page = Page<Model>()
      var count = 0
      let columns = writer.relatedColumns
      let (first, end) = (schema.columns.count, schema.columns.count + columns.count)
      try self.query(sql, writer.values) { row in
        // Rows with references are decoded later, when all referenced rows can be fetched together.
        if refers {
          rows.append(StoredRow(layout: layout, values: try row.values()))
        } else {
          page.models.append(try coder.read(row, layout, resolving: self))
        }
        if !columns.isEmpty {
          page.related.append(
            try columns.enumerated().map { index, column in
              guard let column else { return .null }
              return StoredCell(
                value: try row.value(at: first + index), type: column.type, reference: column.reference)
            })
        }
        count += 1
        // No page follows one that is not full.
        if count == query.limit { page.last = try row.values(from: end) }
        return .goOn
      }
      if refers { page.models = try decode(type, rows, schema, coder) }
      return page
    }
  }

  func decode<Model: StorableModel>(
    _ type: Model.Type, _ rows: [StoredRow], _ schema: EntitySchema, _ coder: RowCoder<Model>
  ) throws -> [Model] {
    try withReferences {
      try prefetchReferences(of: rows)
      let keyIndices = schema.keyIndices
      return try rows.map { row in
        guard !keyIndices.isEmpty else { return try coder.read(row, resolving: self) }
        try reading.referenced?.enter(RowKey(keyIndices.map { row.values[$0] }), of: schema.entity)
        defer { reading.referenced?.leave() }
        return try coder.read(row, resolving: self)
      }
    }
  }

  /// Returns the database's plan for a query, without running it.
  package func explain<Model: StorableModel>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil
  ) throws -> String {
    let names = AttributeNames(of: type)
    guard let schema = try table(of: Model.entityName, readBy: names) else { return "" }
    let query = StoreQuery(condition, orders, limit: limit)
    var writer = writer(schema, names, hasRelations: !query.relations.isEmpty)
    let sql = try writer.select(query, rowLock: "")
    return try attempt { try connection.explanation(of: sql, writer.values) }
  }

  func fetch<Model: StorableModel>(_ type: Model.Type, keys values: [any Encodable & Sendable]) throws -> Model? {
    try flush()
    return try bindings.with(type) { binding in
      let schema = try table(of: binding.entity, readBy: binding.names)
      let key = try binding.key(of: values, in: schema)
      guard known.bulk == nil, let schema, schema.columns.allSatisfy({ $0.reference == nil }) else {
        guard let row = try find(key, binding), let schema else { return nil }
        return try decode(type, [row], schema, binding.coder(of: type)).first
      }
      // Without references, the model is read from the row as the database returns it.
      let (layout, coder) = (binding.layout(of: schema), binding.coder(of: type))
      var model: Model?
      try query(try binding.select(by: schema, rowLock, on: connection), key.values) { row in
        model = try coder.read(row, layout, resolving: self)
        return .stop
      }
      if model == nil { noteAbsence(of: key, binding.entity) } else { try checkAbsence(of: key, binding.entity) }
      return model
    }
  }

  func count(_ type: any ManagedDecodable.Type, _ condition: ConditionNode) throws -> Int {
    try flush()
    let names = AttributeNames(of: type)
    guard let schema = try table(of: type.entityName, readBy: names) else { return 0 }
    var writer = writer(schema, names, condition)
    let sql = try writer.count(condition)
    var count: Int64 = 0
    try query(sql, writer.values) { row in
      count = try row.integer(at: 0) ?? 0
      return .stop
    }
    return Int(clamping: count)
  }

  func deleteRows(of type: any ManagedDecodable.Type, _ condition: ConditionNode) throws -> Int {
    try requireWriting()
    try flush()
    known.bulk?.forgetRows()
    let names = AttributeNames(of: type)
    guard let schema = try table(of: type.entityName, readBy: names) else { return 0 }
    var writer = writer(schema, names, condition)
    let sql = try writer.delete(condition)
    let count = try run(sql, writer.values)
    changes[schema.entity].deleted += count
    return count
  }

  func writer(_ table: EntitySchema, _ names: AttributeNames, _ condition: ConditionNode) -> QueryWriter {
    writer(table, names, hasRelations: !StoreQuery(condition: condition).relations.isEmpty)
  }

  private func writer(_ table: EntitySchema, _ names: AttributeNames, hasRelations: Bool) -> QueryWriter {
    QueryWriter(table, names: names, hasRelations: hasRelations, on: connection) { try self.table(of: $0, readBy: $1) }
  }

  /// Removes the row with the model's key. Returns `true` if there was one.
  func deleteRow<Model: StorableModel>(of model: Model) throws -> Bool {
    try requireWriting()
    try flush()
    known.bulk?.forgetRows()
    guard let schema = try schema(of: Model.entityName) else { return false }
    let key = try self.key(of: model)
    return try delete([key], schema) > 0
  }

  func key<Model: StorableModel>(of model: Model) throws -> RowKey {
    guard Model.matchKeys?.isEmpty == false else {
      throw StoreError(
        code: .invalidStatement,
        reason:
          "\(Model.entityName) has no match keys, so the row of a value cannot be identified; use a condition")
    }
    return try KeyReader<Model>().key(of: model)
  }

  func delete(_ keys: [RowKey], _ schema: EntitySchema) throws -> Int {
    let sql = "DELETE FROM \(try connection.quoted(schema.entity)) WHERE \(try schema.keyCondition(on: connection))"
    var count = 0
    for key in keys { count += try run(sql, key.values) }
    changes[schema.entity].deleted += count
    return count
  }
}

extension StoreTransaction.Page: Sendable where Model: Sendable {}
