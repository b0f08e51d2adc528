/// The table in which objects are stored. It creates the table, adds columns and changes their types.
struct ObjectTable {
  private let transaction: StoreTransaction
  private let entity: String
  private let keys: [String]

  init(of entity: String, keys: [String], in transaction: StoreTransaction) {
    self.entity = entity
    self.keys = keys
    self.transaction = transaction
  }

  private var catalog: SchemaCatalog { SchemaCatalog(connection: transaction.connection) }

  /// Returns the current table; `nil` if it does not exist.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when the table has another key.
  func schema() throws -> EntitySchema? {
    guard let schema = try transaction.schema(of: entity) else { return nil }
    guard Set(schema.keyNames) == Set(keys) else {
      func words(_ names: [String]) -> String { names.isEmpty ? "no key" : "the key \(names.joined(separator: ", "))" }
      throw StoreError(
        code: .schemaMismatch,
        reason: "the table \(entity) has \(words(schema.keyNames)), but \(words(keys)) was requested")
    }
    return schema
  }

  /// Returns the table, with columns for all values of the attributes.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the objects. They are reordered if another transaction added columns meanwhile.
  ///   - report: Receives the changes to the table.
  func prepare(for attributes: inout ObjectAttributes, _ report: inout StoredObjects) throws -> EntitySchema {
    if let schema = try schema(), try changes(of: schema, attributes).isEmpty { return schema }
    try transaction.lockTables([entity])
    guard let schema = try schema() else { return try create(attributes, &report) }
    attributes = try attributes.moved(after: schema.columns)
    let changes = try changes(of: schema, attributes)
    var changed = schema
    if !changes.new.isEmpty {
      changed = schema.extended(
        toHave: EntitySchema(entity: entity, columns: changes.new, keyNames: schema.keyNames))
      try transaction.requirePresence(of: changed, beyond: schema)
      try transaction.attempt {
        try catalog.extend(schema, to: changed, targets: transaction.schema(of:))
        try transaction.changeLog.extend(schema, to: changed)
      }
      report.newColumns = changes.new.map(\.name)
    }
    if !changes.widenings.isEmpty {
      changed = try transaction.change(changes.widenings.map(\.change), of: changed)
      report.widenings = changes.widenings
    }
    transaction.schemas[entity] = .some(changed)
    return changed
  }

  private struct Changes {
    var new: [EntitySchema.Column] = []
    var widenings: [StoredObjects.Widening] = []

    var isEmpty: Bool { new.isEmpty && widenings.isEmpty }
  }

  private func changes(of schema: EntitySchema, _ attributes: ObjectAttributes) throws -> Changes {
    var changes = Changes()
    for (name, kinds) in zip(attributes.names, attributes.kinds) {
      let column = schema.column(named: name)
      // References keep their type and accept only null.
      guard column?.reference == nil else { continue }
      let type = try kinds.type(over: column?.type) { try hasLongIntegers(name) }
      guard let type, type != column?.type else { continue }
      if let column {
        changes.widenings.append(StoredObjects.Widening(name: name, from: column.type, to: type))
      } else {
        changes.new.append(EntitySchema.Column(name: name, type: type))
      }
    }
    return changes
  }

  /// Returns `true` if the column contains integers that doubles cannot represent.
  private func hasLongIntegers(_ name: String) throws -> Bool {
    let connection = transaction.connection
    let (table, column) = (try connection.quoted(entity), try connection.quoted(name))
    let limit = Int64(ObservedKinds.largestExactInteger)
    var isFound = false
    try transaction.query(
      """
      SELECT 1 FROM \(table) WHERE \(column) > \(connection.placeholder(1)) OR \(column) < \(connection.placeholder(2)) \
      LIMIT 1
      """, [.integer(limit), .integer(-limit)]
    ) { _ in
      isFound = true
      return .stop
    }
    return isFound
  }

  private func create(_ attributes: ObjectAttributes, _ report: inout StoredObjects) throws -> EntitySchema {
    let columns = try zip(attributes.names, attributes.kinds).compactMap { name, kinds in
      try kinds.type(over: nil).map { EntitySchema.Column(name: name, type: $0) }
    }
    guard !columns.isEmpty else {
      throw StoreError(
        code: .schemaMismatch, reason: "the columns of \(entity) cannot be inferred: all values are null")
    }
    let schema = EntitySchema(entity: entity, columns: columns, keyNames: keys)
    try transaction.requirePresence(of: schema, beyond: nil)
    try transaction.attempt {
      try catalog.create(schema, targets: transaction.schema(of:))
      try transaction.changeLog.extend(nil, to: schema)
    }
    transaction.schemas[entity] = .some(schema)
    report.newColumns = columns.map(\.name)
    return schema
  }
}
