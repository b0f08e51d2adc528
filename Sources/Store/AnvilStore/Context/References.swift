/// Finds the rows that other rows refer to, while models are read that contain models with separate rows.
///
/// It keeps the rows that it has found. Use one instance while no rows are written, for one model or for many.
final class References {
  private let statements: Statements
  private let tables: Tables
  private let bulk: Bulk
  private let bindings: EntityBindings
  private var found = ReferencedRows()

  init(of rows: Rows) {
    (statements, tables, bulk, bindings) = (rows.statements, rows.tables, rows.bulk, rows.bindings)
  }
}

extension References: ReferenceResolver {
  func resolve<T>(_ type: T.Type, in cell: StoredCell) throws -> T? {
    switch (cell.reference, bindings.kind(of: type)) {
    case (.one(let entity), .one):
      guard let model = type as? any StorableModel.Type, model.entityName == entity,
        let key = try keys(in: cell).first
      else { return nil }
      return try self.model(model, key) as? T
    case (.many(let entity), .many):
      guard let array = type as? any ModelArray.Type, array.entityName == entity else { return nil }
      let keys = try keys(in: cell)
      // Rows that no longer exist are left out of the list.
      return try array.make { model in try keys.compactMap { try self.model(model, $0) } } as? T
    default: return nil
    }
  }

  func isDangling(_ cell: StoredCell) throws -> Bool {
    guard case .one(let entity) = cell.reference, let key = try keys(in: cell).first else { return false }
    return try row(key, of: entity) == nil
  }

  private func model<Model: StorableModel>(_ type: Model.Type, _ key: RowKey) throws -> Model? {
    guard let row = try row(key, of: Model.entityName) else { return nil }
    return try bindings.with(type) { binding in
      guard let schema = try tables.table(of: binding.entity, readBy: AttributeNames()) else { return nil }
      // Rows of a bulk operation have only those undescribed columns that a model of the operation has.
      let isOther = !schema.undescribedColumns.isEmpty && found.row(key, of: binding.entity) == nil
      let layout = isOther ? row.layout : binding.layout(of: schema)
      return try read(StoredRow(layout: layout, values: row.values), key, of: Model.entityName, binding.coder(of: type))
    }
  }

  /// Returns a row, with the column names of the table. A writing transaction locks the row until it ends, because it may write the model
  /// that contains the row's values.
  private func row(_ key: RowKey, of entity: String) throws -> StoredRow? {
    if let known = found.row(key, of: entity) ?? bulk.row(key, of: entity) { return known }
    guard let schema = try tables.table(of: entity, readBy: AttributeNames()) else { return nil }
    let sql = try schema.selectRow(statements.rowLock, on: statements.connection)
    let row = try statements.row(sql, key.values, StoredRow.Layout(schema, AttributeNames()))
    found.note(row, key, of: entity)
    return row
  }

  /// Returns the models in the rows. Uses few queries for the rows that they refer to.
  func models<Model: StorableModel>(
    in rows: [StoredRow], _ schema: EntitySchema, _ coder: RowCoder<Model>
  ) throws -> [Model] {
    try prefetch(of: rows)
    let keyIndices = schema.keyIndices
    return try rows.map { row in
      guard !keyIndices.isEmpty else { return try coder.read(row, resolving: self) }
      return try read(row, RowKey(keyIndices.map { row.values[$0] }), of: schema.entity, coder)
    }
  }

  /// Reads a row that models in it must not refer to.
  private func read<Model: StorableModel>(
    _ row: StoredRow, _ key: RowKey, of entity: String, _ coder: RowCoder<Model>
  ) throws -> Model {
    try found.enter(key, of: entity)
    defer { found.leave() }
    return try coder.read(row, resolving: self)
  }

  /// Fetches all rows that these rows refer to, directly or through other rows.
  private func prefetch(of rows: [StoredRow]) throws {
    var rows = rows
    while !rows.isEmpty {
      var wanted: [String: [RowKey]] = [:]
      var seen: [String: Set<RowKey>] = [:]
      for row in rows {
        try forEachReference(of: row) { key, entity in
          guard found.row(key, of: entity) == nil, seen[entity, default: []].insert(key).inserted else { return }
          wanted[entity, default: []].append(key)
        }
      }
      rows = []
      // In the same order in all transactions, to avoid deadlocks.
      for (entity, keys) in wanted.sorted(by: { $0.key < $1.key }) {
        guard let schema = try tables.table(of: entity, readBy: AttributeNames()) else { continue }
        let read = try statements.rows(
          of: keys, schema, layout: StoredRow.Layout(schema, AttributeNames()), lock: statements.rowLock)
        for key in keys { found.note(read[key], key, of: entity) }
        rows += read.values
      }
    }
  }

  private func forEachReference(of row: StoredRow, _ body: (RowKey, _ entity: String) throws -> Void) throws {
    for (index, column) in row.layout.columns.enumerated() {
      guard let reference = column.reference else { continue }
      for key in try keys(in: row.cell(at: index)) { try body(key, reference.entity) }
    }
  }

  /// Returns the keys of the rows that a cell refers to; empty for a cell without references.
  func keys(in cell: StoredCell) throws -> [RowKey] {
    guard let reference = cell.reference, !cell.isNull, let target = try tables.schema(of: reference.entity) else {
      return []
    }
    switch (reference, cell.type, cell.value) {
    case (.many, _, .text(let text)): return try KeyText.keys(in: text, of: target.keyColumns, bindings.datePrecision)
    case (.one, .json, .text(let text)):
      return [try KeyText.key(in: text, of: target.keyColumns, bindings.datePrecision)]
    case (.one, _, let value): return [.one(target.keyColumns.first?.type.keyValue(value) ?? value)]
    default: return []
    }
  }

  /// Returns the attributes that the model reads when it is decoded from a row. Returns `nil` if it enumerates the keys, because it may
  /// then read any attribute.
  func attributesRead<Model: Decodable>(by type: Model.Type, in row: StoredRow) -> Set<String>? {
    if let model = type as? any StoredModel.Type { return Set(model._storedAttributes.map(\.key)) }
    let recorder = AttributeRecorder(self)
    // The attributes are recorded even if decoding fails.
    _ = try? row.decode(as: type, resolving: recorder)
    return recorder.names
  }

  /// Checks that the value encoded last can be decoded again.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` when the value is part of a cycle of references, or of a chain of references that is too
  ///   long.
  func checkChains(from key: RowKey, _ binding: EntityBinding) throws {
    guard let schema = binding.schema, try isRecursive(schema), let row = binding.row() else { return }
    var level = [row]
    var seen: [String: Set<RowKey>] = [:]
    for _ in 0..<ReferencedRows.maxChainLength {
      var next: [StoredRow] = []
      for row in level {
        try forEachReference(of: row) { target, entity in
          guard seen[entity, default: []].insert(target).inserted else { return }
          guard entity != binding.entity || target != key else {
            throw StoreError(code: .invalidValue, reason: "the references of a row of \(entity) form a cycle")
          }
          if let row = try self.row(target, of: entity) { next.append(row) }
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
      guard seen.insert(entity).inserted, let target = try tables.schema(of: entity) else { continue }
      rest += target.columns.compactMap(\.reference?.entity)
    }
    return false
  }
}

private final class AttributeRecorder: ReferenceResolver {
  private let references: References
  private var recorded: Set<String> = []
  private var areAll = false

  init(_ references: References) { self.references = references }

  /// The names; `nil` for all attributes, because a model that enumerates the keys may read any of them.
  var names: Set<String>? { areAll ? nil : recorded }

  func noteReading(of attribute: String?) {
    if let attribute { recorded.insert(attribute) } else { areAll = true }
  }

  func resolve<T>(_ type: T.Type, in cell: StoredCell) throws -> T? { try references.resolve(type, in: cell) }

  func isDangling(_ cell: StoredCell) throws -> Bool { try references.isDangling(cell) }
}

/// The referenced rows that are used while a row is decoded.
struct ReferencedRows {
  /// Rows by entity and key; `nil` for rows that do not exist.
  private var rows: [String: [RowKey: StoredRow?]] = [:]
  /// The chain of rows from the first one to the one that is being decoded.
  private(set) var path: [(entity: String, key: RowKey)] = []

  func row(_ key: RowKey, of entity: String) -> StoredRow?? { rows[entity]?[key] }

  mutating func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    rows[entity, default: [:]][key] = .some(row)
  }

  /// The maximum length of a chain of references. Decoding each row uses some of the thread's stack.
  static let maxChainLength = 1_000

  /// Adds a row to the end of the chain.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` if the chain already contains the row, because decoding would not end, and if the chain is
  ///   too long.
  mutating func enter(_ key: RowKey, of entity: String) throws(StoreError) {
    guard path.count < Self.maxChainLength else {
      throw StoreError(
        code: .invalidValue,
        reason:
          "a chain of references is too long: it starts at a row of \(path.first?.entity ?? entity) and has more than "
          + "\(Self.maxChainLength) rows")
    }
    guard !path.contains(where: { $0.entity == entity && $0.key == key }) else {
      let circle = path.map(\.entity) + [entity]
      throw StoreError(
        code: .invalidValue, reason: "references form a cycle: \(circle.joined(separator: " → "))")
    }
    path.append((entity, key))
  }

  mutating func leave() {
    path.removeLast()
  }
}
