/// Reading models.
extension Rows {
  struct Page<Model> {
    var models: [Model] = []
    /// The position of another page, if one may follow.
    var next: StoreQuery.Position?
    /// The references of each model in the columns of `StoreQuery.related`.
    var related: [[StoredCell]] = []
  }

  func page<Model: StorableModel>(_ type: Model.Type, _ query: StoreQuery) throws -> Page<Model> {
    try bulk.flush()
    return try bindings.with(type) { binding in
      guard let schema = try tables.table(of: binding.entity, readBy: binding.names) else { return Page() }
      var writer = tables.writer(schema, binding.names, query)
      let sql = try writer.select(query, rowLock: statements.rowLock)
      let layout = binding.layout(of: schema)
      let coder = binding.coder(of: type)
      var rows: [StoredRow] = []
      var page = Page<Model>()
      var count = 0
      let columns = writer.relatedColumns
      let (first, end) = (schema.columns.count, schema.columns.count + columns.count)
      try statements.query(sql, writer.values) { row in
        // Rows with references are decoded later, when all referenced rows can be fetched together.
        if layout.hasReferences {
          rows.append(StoredRow(layout: layout, values: try row.values()))
        } else {
          page.models.append(try coder.read(row, layout, resolving: nil))
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
        if count == query.limit { page.next = .after(try row.values(from: end)) }
        return .goOn
      }
      if page.next == nil, writer.hasLastSection { page.next = .lastSection }
      if layout.hasReferences { page.models = try references.models(in: rows, schema, coder) }
      return page
    }
  }

  /// Returns the database's plan for a query, without running it.
  func explain<Model: StorableModel>(_ type: Model.Type, _ query: StoreQuery) throws -> String {
    let names = AttributeNames(of: type)
    guard let schema = try tables.table(of: Model.entityName, readBy: names) else { return "" }
    var writer = tables.writer(schema, names, query)
    let sql = try writer.select(query, rowLock: "")
    return try statements.attempt { try statements.connection.explanation(of: sql, writer.values) }
  }

  /// Returns the model whose match keys have these values; `nil` if it is not stored.
  func fetch<Model: StorableModel>(_ type: Model.Type, keys values: [any Encodable & Sendable]) throws -> Model? {
    try bulk.flush()
    return try bindings.with(type) { binding in
      let schema = try tables.table(of: binding.entity, readBy: binding.names)
      let key = try binding.key(of: values, in: schema)
      guard let schema, case let layout = binding.layout(of: schema), !bulk.isRunning, !layout.hasReferences else {
        guard let row = try find(key, binding), let schema else { return nil }
        return try references.models(in: [row], schema, binding.coder(of: type)).first
      }
      // Without references, the model is read from the row as the database returns it.
      let coder = binding.coder(of: type)
      var model: Model?
      let sql = try binding.select(by: schema, statements.rowLock, on: statements.connection)
      try statements.query(sql, key.values) { row in
        model = try coder.read(row, layout, resolving: nil)
        return .stop
      }
      try note(isFound: model != nil, key, binding.entity)
      return model
    }
  }

  func count(_ type: any ManagedDecodable.Type, _ condition: ConditionNode) throws -> Int {
    try bulk.flush()
    let names = AttributeNames(of: type)
    guard let schema = try tables.table(of: type.entityName, readBy: names) else { return 0 }
    var writer = tables.writer(schema, names, StoreQuery(condition: condition))
    let sql = try writer.count(condition)
    return try statements.attempt {
      Int(clamping: try statements.connection.first(sql, writer.values) { row in try row.integer(at: 0) } ?? 0)
    }
  }

  /// Returns the models that each of the cells refers to, in their order.
  func related<Target: StorableModel>(_ type: Target.Type, _ cells: [StoredCell]) throws -> [[Target]] {
    let references = references
    let keys = try cells.map(references.keys(in:))
    var seen: Set<RowKey> = []
    let wanted = keys.joined().filter { seen.insert($0).inserted }
    guard !wanted.isEmpty else { return cells.map { _ in [] } }
    return try bindings.with(type) { binding in
      guard let schema = try tables.table(of: binding.entity, readBy: binding.names) else {
        return cells.map { _ in [] }
      }
      let layout = binding.layout(of: schema)
      let rows = try statements.rows(of: wanted, schema, layout: layout, lock: statements.rowLock)
      let models = try references.models(in: Array(rows.values), schema, binding.coder(of: type))
      let found = Dictionary(zip(rows.keys, models)) { first, _ in first }
      return keys.map { $0.compactMap { found[$0] } }
    }
  }
}

extension Rows.Page: Sendable where Model: Sendable {}
