/// Models that are contained in other models and have separate rows.
extension StoreTransaction {
  func store<Model: StorableModel>(_ model: Model) throws -> StoredReference {
    let (key, columns) = try saveReferenced(model)
    let reference = EntityReference.one(entity: Model.entityName)
    if columns.count == 1, case .one(let value) = key {
      return StoredReference(value: value, type: columns[0].type, reference: reference)
    }
    return StoredReference(value: .text(try KeyText.text(of: key)), type: .json, reference: reference)
  }

  func createOrUpdateReferenced<Model: StorableModel>(
    _ type: Model.Type, from decoder: any Decoder
  ) throws -> Model {
    guard let context = self as? Model.Context else { return try createOrUpdate(type, from: decoder) }
    return try Model.createOrUpdate(in: context, from: decoder)
  }
}

extension StoreTransaction: ReferenceResolver {
  func resolve<T>(_ type: T.Type, in cell: StoredCell) throws -> T? {
    switch (cell.reference, bindings.kind(of: type)) {
    case (.one(let entity), .one):
      guard let model = type as? any StorableModel.Type, model.entityName == entity,
        let key = try keys(in: cell).first
      else { return nil }
      return try referencedModel(model, key) as? T
    case (.many(let entity), .many):
      guard let array = type as? any ModelArray.Type, array.entityName == entity else { return nil }
      let keys = try keys(in: cell)
      // Rows that no longer exist are left out of the list.
      return try array.make { model in try keys.compactMap { try referencedModel(model, $0) } } as? T
    default: return nil
    }
  }

  func isDangling(_ cell: StoredCell) throws -> Bool {
    guard case .one(let entity) = cell.reference, let key = try keys(in: cell).first else { return false }
    return try referencedRow(key, of: entity) == nil
  }

  func noteReading(of attribute: String?) {
    reading.attributes?.add(attribute)
  }

  /// Returns the attributes that the model reads when it is decoded from a row. Returns `nil` if it enumerates the keys, because it may
  /// then read any attribute.
  func attributesRead<Model: Decodable>(by type: Model.Type, in row: StoredRow) -> Set<String>? {
    if let model = type as? any StoredModel.Type { return Set(model._storedAttributes.map(\.key)) }
    let before = reading.attributes
    reading.attributes = ReadAttributes()
    defer { reading.attributes = before }
    // The attributes are recorded even if decoding fails.
    _ = try? row.decode(as: type, resolving: self)
    return reading.attributes?.names
  }

  /// Checks that the value encoded last can be decoded again.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` when the value is part of a cycle of references, or of a chain of references that is too
  ///   long.
  func checkReferenceChains(from key: RowKey, _ binding: EntityBinding) throws {
    guard binding.mayRefer != false, let schema = binding.schema, try isRecursive(schema), let row = binding.row()
    else {
      return
    }
    var level = [row]
    var seen: [String: Set<RowKey>] = [:]
    for _ in 0..<ReferencedRows.maxChainLength {
      var next: [StoredRow] = []
      for row in level {
        for (index, column) in row.layout.columns.enumerated() {
          guard let reference = column.reference, index < row.values.count else { continue }
          let cell = StoredCell(value: row.values[index], type: column.type, reference: reference)
          for target in try keys(in: cell) where seen[reference.entity, default: []].insert(target).inserted {
            guard reference.entity != binding.entity || target != key else {
              throw StoreError(
                code: .invalidValue, reason: "the references of a row of \(binding.entity) form a cycle")
            }
            if let row = try referencedRow(target, of: reference.entity) { next.append(row) }
          }
        }
      }
      if next.isEmpty { return }
      level = next
    }
    throw StoreError(
      code: .invalidValue,
      reason: "a chain of references is too long: it starts at a row of \(binding.entity) and has more than "
        + "\(ReferencedRows.maxChainLength) rows")
  }

  /// Returns `true` if rows of the table may refer, directly or through other rows, to rows of the same table.
  private func isRecursive(_ schema: EntitySchema) throws -> Bool {
    var seen: Set<String> = []
    var rest = schema.columns.compactMap(\.reference?.entity)
    while let entity = rest.popLast() {
      if entity == schema.entity { return true }
      guard seen.insert(entity).inserted, let target = try self.schema(of: entity) else { continue }
      rest += target.columns.compactMap(\.reference?.entity)
    }
    return false
  }

  func keys(in cell: StoredCell) throws -> [RowKey] {
    guard let reference = cell.reference, !cell.isNull, let target = try schema(of: reference.entity) else { return [] }
    switch (reference, cell.type, cell.value) {
    case (.many, _, .text(let text)): return try KeyText.keys(in: text, of: target.keyColumns)
    case (.one, .json, .text(let text)): return [try KeyText.key(in: text, of: target.keyColumns)]
    case (.one, _, let value): return [.one(value)]
    default: return []
    }
  }

  private func referencedModel<Model: StorableModel>(_ type: Model.Type, _ key: RowKey) throws -> Model? {
    guard let row = try referencedRow(key, of: Model.entityName) else { return nil }
    return try withReferences {
      try reading.referenced?.enter(key, of: Model.entityName)
      defer { reading.referenced?.leave() }
      return try bindings.with(type) { binding in
        guard let schema = try table(of: binding.entity, readBy: AttributeNames()) else { return nil }
        // Rows of a bulk operation have only those undescribed columns that a model of the operation has.
        let isOther = !schema.undescribedColumns.isEmpty && reading.referenced?.row(key, of: binding.entity) == nil
        let layout = isOther ? row.layout : binding.layout(of: schema)
        return try binding.coder(of: type).read(StoredRow(layout: layout, values: row.values), resolving: self)
      }
    }
  }

  /// Returns a referenced row, with the column names of the table.
  private func referencedRow(_ key: RowKey, of entity: String) throws -> StoredRow? {
    if let known = reading.referenced?.row(key, of: entity) ?? known.bulk?.row(key, of: entity) { return known }
    guard let schema = try table(of: entity, readBy: AttributeNames()) else { return nil }
    let sql = "\(try schema.select(on: connection)) WHERE \(try schema.keyCondition(on: connection))"
    var found: StoredRow?
    try query(sql, key.values) { row in
      found = StoredRow(layout: StoredRow.Layout(schema, aliases: [:]), values: try row.values())
      return .stop
    }
    reading.referenced?.note(found, key, of: entity)
    return found
  }

  /// Caches referenced rows while `body` decodes models.
  func withReferences<Result>(_ body: () throws -> Result) throws -> Result {
    guard reading.referenced == nil else { return try body() }
    reading.referenced = ReferencedRows()
    defer { reading.referenced = nil }
    return try body()
  }

  /// Fetches and caches all rows that these rows refer to, directly or through other rows. Uses few queries.
  func prefetchReferences(of rows: [StoredRow]) throws {
    var rows = rows
    while !rows.isEmpty {
      var wanted: [String: [RowKey]] = [:]
      var seen: [String: Set<RowKey>] = [:]
      for row in rows {
        for (index, column) in row.layout.columns.enumerated() {
          guard let reference = column.reference, index < row.values.count else { continue }
          let cell = StoredCell(value: row.values[index], type: column.type, reference: reference)
          for key in try keys(in: cell) where reading.referenced?.row(key, of: reference.entity) == nil {
            if seen[reference.entity, default: []].insert(key).inserted {
              wanted[reference.entity, default: []].append(key)
            }
          }
        }
      }
      rows = []
      for (entity, keys) in wanted {
        guard let schema = try table(of: entity, readBy: AttributeNames()) else { continue }
        let found = try self.rows(of: keys, schema, layout: StoredRow.Layout(schema, aliases: [:]), lock: "")
        for key in keys { reading.referenced?.note(found[key], key, of: entity) }
        rows += found.values
      }
    }
  }

  /// Returns the existing rows with these keys. Uses one query if the key is an integer or text, or if there are few keys.
  func rows(
    of keys: [RowKey], _ schema: EntitySchema, layout: StoredRow.Layout, lock: String
  ) throws -> [RowKey: StoredRow] {
    var found: [RowKey: StoredRow] = [:]
    let width = schema.keyNames.count
    guard width > 0 else { return found }
    let keyIndices = schema.keyIndices
    let order = " ORDER BY \(try schema.keyNames.map { try connection.quoted($0) }.joined(separator: ", "))\(lock)"
    func find(_ condition: String, _ values: [StoreValue]) throws {
      try query("\(try schema.select(on: connection)) WHERE \(condition)\(order)", values) { row in
        let row = StoredRow(layout: layout, values: try row.values())
        found[RowKey(keyIndices.map { row.values[$0] })] = row
        return .goOn
      }
    }
    if keys.count > Self.batchSize, let column = schema.keyColumns.first, width == 1,
      [.integer, .text, .url, .uuid].contains(column.type)
    {
      // One value with all keys, because the number of placeholders is limited.
      let list = connection.typed(connection.placeholder(1), as: .json)
      let elements = connection.elements(of: list, named: "e", as: column.type)
      let name = try connection.quoted(column.name)
      try find("\(name) IN (SELECT \(elements.value) FROM \(elements.list))", [.text(try KeyText.text(of: keys))])
      return found
    }
    var rest = keys[...]
    while !rest.isEmpty {
      // The sizes are powers of two, so that few different statements are needed.
      let most = max(1, min(256, connection.maximumPlaceholderCount / width))
      var size = 1
      while size < min(rest.count, most), size * 2 <= most { size *= 2 }
      let part = rest.prefix(size)
      rest = rest.dropFirst(size)
      guard let last = part.last else { break }
      let padded = part + Array(repeating: last, count: size - part.count)
      try find(try schema.keyCondition(ofRows: size, on: connection), padded.flatMap(\.values))
    }
    return found
  }
}
