internal import AnvilJSON

/// Stores JSON objects as rows, in columns that are created for their values.
///
/// The objects are processed twice. The first pass creates and widens all columns, and the second pass writes the rows. Only the keys of
/// the rows and one group of rows are kept in memory.
struct ObjectStoring {
  private let transaction: StoreTransaction
  private let entity: String
  private let keys: [String]
  private let rules: ConflictRules
  private var report = StoredObjects()

  init(of entity: String, keys: [String], rules: [ConflictRule] = [], in transaction: StoreTransaction) {
    self.entity = entity
    self.keys = keys
    self.rules = ConflictRules([], rules)
    self.transaction = transaction
  }

  mutating func store(_ objects: [JSON], notingKeys notesKeys: Bool) throws -> StoredObjects {
    try store { storing in try storing.store(objects, notingKeys: notesKeys) { $0 } }
  }

  mutating func store(_ json: JSON) throws -> StoredObjects {
    try store { storing in
      if json.kind == .array {
        try storing.store(json.elements) { $0 }
      } else {
        try storing.store(CollectionOfOne(json)) { _ in nil }
      }
    }
  }

  private mutating func store(_ body: (inout ObjectStoring) throws -> Void) throws -> StoredObjects {
    try transaction.statements.requireWriting()
    try transaction.bulk.flush()
    report.counts = try transaction.bulk.run(counting: entity, nil) {
      try body(&self)
      return transaction.bulk.counts
    }
    transaction.rows.note(report.counts, of: entity)
    return report
  }

  private mutating func store(
    _ objects: some Sequence<JSON>, notingKeys notesKeys: Bool = false, index: (Int) -> Int?
  ) throws {
    let table = ObjectTable(entity: entity, keys: keys, transaction: transaction)
    let connection = transaction.statements.connection
    var attributes = ObjectAttributes(
      columns: try table.schema()?.columns ?? [], maximumNameLength: connection.maximumNameLength,
      reservedNames: connection.reservedColumnNames)
    var isEmpty = true
    for (number, object) in objects.enumerated() {
      if number.isMultiple(of: 1024) { try Task.checkCancellation() }
      do throws(UnstorableObject.Reason) {
        try check(object)
        try attributes.note(object)
      } catch {
        throw UnstorableObject(index: index(number), error)
      }
      isEmpty = false
    }
    guard !isEmpty else { return }
    let schema = try table.prepare(for: &attributes, &report)
    var keys = ObjectKeys(schema, keys, connection)
    for object in objects { keys.note(object) }
    if notesKeys { report.keys = try keys.keys.map { try ListedKey($0) } }
    var rows = ObjectRows(attributes, schema, transaction.bindings)
    if rules.isEmpty, keys.areDistinct { return try writeTogether(objects, &rows, index: index) }
    let conflicts = rules.isEmpty ? nil : try ObjectConflicts(rules, schema, in: transaction)
    for (number, object) in objects.enumerated() {
      try read(object, &rows, index: index(number))
      let key = rows.key
      let values = rows.takeValues()
      let resolved = try key.flatMap { try conflicts?.write(values, rows, $0) }
      let counts = try (resolved ?? transaction.statements.write(values, as: rows.writing)).counts(ofRows: 1)
      if let key {
        transaction.bulk.count(counts.outcome, key, of: entity)
      } else {
        transaction.bulk.add(counts, of: entity)
      }
    }
  }

  /// Writes objects with different keys. Consecutive objects with the same members are written by one call.
  private func writeTogether(
    _ objects: some Sequence<JSON>, _ rows: inout ObjectRows, index: (Int) -> Int?
  ) throws {
    var writing = rows.writing
    var (count, limit) = (0, 0)
    func write(_ values: [StoreValue]) throws {
      guard count > 0 else { return }
      transaction.bulk.add(
        try transaction.statements.write(values, as: writing).counts(ofRows: count), of: entity)
    }
    for (number, object) in objects.enumerated() {
      try read(object, &rows, index: index(number))
      if count == limit || rows.writing !== writing {
        try write(rows.takeValues(exceptLast: rows.writing.columns.count))
        (writing, count) = (rows.writing, 0)
        limit = max(transaction.statements.connection.rowsPerWrite(ofColumns: writing.columns.count), 1)
      }
      count += 1
    }
    try write(rows.takeValues())
  }

  private func read(_ object: JSON, _ rows: inout ObjectRows, index: @autoclosure () -> Int?) throws {
    do throws(UnstorableObject.Reason) {
      try rows.read(object)
    } catch {
      throw UnstorableObject(index: index(), error)
    }
  }

  private func check(_ object: JSON) throws(UnstorableObject.Reason) {
    guard object.kind == .object else { throw UnstorableObject.Reason("expected an object, found \(object.kind)") }
    for key in keys {
      switch object.member(forColumn: key)?.kind {
      case nil: throw UnstorableObject.Reason("no key \(key); keys here: \(Self.list(object.keys))")
      case .null: throw UnstorableObject.Reason("the key \(key) is null, so it cannot identify a row")
      case .array, .object: throw UnstorableObject.Reason("the key \(key) is an array or an object")
      case .bool, .number, .string: break
      }
    }
  }

  private static func list(_ names: some Collection<String>) -> String {
    let rest = names.count - 10
    return names.prefix(10).map(\.shortName).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : names.isEmpty ? "none" : "")
  }
}

/// Applies conflict rules to objects whose rows already exist.
struct ObjectConflicts {
  private let rules: ConflictRules
  private let transaction: StoreTransaction
  private let schema: EntitySchema
  private let select: String
  private let layout: StoredRow.Layout

  /// - Throws: ``StoreError/Code/schemaMismatch`` for a rule that does not match its column.
  init(_ rules: ConflictRules, _ schema: EntitySchema, in transaction: StoreTransaction) throws {
    let connection = transaction.statements.connection
    self.rules = rules.spelled(as: schema, connection.maximumNameLength)
    (self.schema, self.transaction) = (schema, transaction)
    try self.rules.check(schema, requiresColumns: false)
    select = try schema.selectRow(transaction.statements.rowLock, on: connection)
    layout = StoredRow.Layout(schema, AttributeNames())
  }

  /// Writes the values of the object that was read last.
  func write(_ values: [StoreValue], _ rows: ObjectRows, _ key: RowKey) throws -> RowWriting.Outcome {
    guard let row = try transaction.statements.row(select, key.values, layout) else {
      // Another transaction may insert the row in the meantime.
      return try transaction.statements.write(values, as: rows.inserting)
    }
    return try transaction.statements.write(resolve(values, of: rows.writing.columns, over: row), as: rows.writing)
  }

  /// Returns the new values of the row. Columns that are missing from the object keep their values.
  private func resolve(
    _ values: [StoreValue], of columns: [RowWriting.Column], over row: StoredRow
  ) throws -> [StoreValue] {
    let incoming = IncomingRow(
      names: columns.map { schema.keyNames.contains($0.name) ? nil : $0.name }, value: { values[$0] },
      stored: row.cell(ofColumn:), isOlderWithoutVersion: false)
    var resolved = values
    for (index, value) in try rules.replacements(in: incoming, of: schema.entity) { resolved[index] = value }
    return resolved
  }
}

extension ConflictRules {
  /// - Parameter requiresColumns: True if a rule for a column that the table does not have is an error.
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a rule that does not match its column.
  fileprivate func check(_ schema: EntitySchema, requiresColumns: Bool) throws(StoreError) {
    func fail(_ reason: String) -> StoreError { StoreError(code: .schemaMismatch, reason: reason) }
    let named = requiresColumns ? versions.union(names).subtracting(schema.untypedNames) : []
    if let unknown = named.sorted().first(where: { schema.column(named: $0) == nil }) {
      let known = schema.columns.map(\.name).joined(separator: ", ")
      throw fail("a conflict rule is about \(unknown), but \(schema.entity) has no column \(unknown); it has \(known)")
    }
    for column in schema.columns where kind(for: column.name) == .merge && column.type != .json {
      throw fail("\(schema.entity).\(column.name) is \(column.type.rawValue), but only JSON can be merged")
    }
    for column in schema.columns where versions.contains(column.name) && [.json, .data].contains(column.type) {
      throw fail(
        "\(schema.entity).\(column.name) is \(column.type.rawValue) and cannot be used to determine which row is newer")
    }
  }
}

/// Checks of the settings for objects without a model.
extension StoreTransaction {
  /// Checks that the rules and the scope match the entity's table, if it exists.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` and ``StoreError/Code/invalidStatement``, also for columns that the table does not have.
  package func check(_ rules: [ConflictRule], _ missing: MissingRows, of entity: String) throws {
    guard let schema = try tables.schema(of: entity) else { return }
    try ConflictRules([], rules).spelled(as: schema, statements.connection.maximumNameLength)
      .check(schema, requiresColumns: true)
    guard let scope = try missing.scope(of: entity) else { return }
    var writer = tables.writer(schema, AttributeNames(), StoreQuery(condition: scope))
    _ = try writer.count(scope)
  }
}

/// The table in which objects are stored. It creates the table, adds columns and changes their types.
struct ObjectTable {
  let entity: String
  let keys: [String]
  let transaction: StoreTransaction

  /// Returns the current table; `nil` if it does not exist.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` when the table has another key.
  func schema() throws -> EntitySchema? {
    guard let schema = try transaction.tables.schema(of: entity) else { return nil }
    guard schema.keys(among: keys, transaction.statements.connection.maximumNameLength) != nil else {
      func words(_ names: [String]) -> String { names.isEmpty ? "no key" : "the key \(names.joined(separator: ", "))" }
      throw StoreError(
        code: .schemaMismatch,
        reason: "the table \(entity) has \(words(schema.keyNames)), but \(words(keys)) was requested")
    }
    return schema
  }

  /// Returns the table, with columns for all values. Reorders the attributes if another transaction has added columns meanwhile.
  func prepare(for attributes: inout ObjectAttributes, _ report: inout StoredObjects) throws -> EntitySchema {
    if let schema = try schema(), try changes(of: schema, attributes).isEmpty { return schema }
    try transaction.tables.lock([entity])
    guard let schema = try schema() else { return try create(attributes, &report) }
    attributes = try attributes.moved(after: schema.columns)
    let changes = try changes(of: schema, attributes)
    var changed = schema
    if !changes.new.isEmpty {
      changed = schema.extended(
        toHave: EntitySchema(entity: entity, columns: changes.new, keyNames: schema.keyNames))
      try transaction.tables.requirePresence(of: changed, beyond: schema)
      try transaction.tables.make(changed, from: schema)
      report.newColumns = changes.new.map(\.name)
    }
    if !changes.widenings.isEmpty {
      changed = try transaction.tables.change(changes.widenings.map(\.change), of: changed)
      report.widenings = changes.widenings
      transaction.tables.note(changed, of: entity)
    }
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

  private func hasLongIntegers(_ name: String) throws -> Bool {
    let limit = Int64(ObservedKinds.largestExactInteger)
    return try transaction.statements.attempt {
      try transaction.statements.connection.hasRow(
        """
        SELECT 1 FROM \(identifier: entity) WHERE \(identifier: name) > \(limit) OR \(identifier: name) < \(-limit) LIMIT 1
        """)
    }
  }

  private func create(_ attributes: ObjectAttributes, _ report: inout StoredObjects) throws -> EntitySchema {
    let columns = try zip(attributes.names, attributes.kinds).compactMap { name, kinds in
      try kinds.type(over: nil).map { EntitySchema.Column(name: name, type: $0) }
    }
    guard !columns.isEmpty else {
      throw StoreError(
        code: .schemaMismatch, reason: "the columns of \(entity) cannot be inferred: all values are null")
    }
    let schema = EntitySchema(entity: entity, columns: columns, keyNames: keys.map(attributes.columnName))
    try transaction.tables.requirePresence(of: schema, beyond: nil)
    try transaction.tables.make(schema, from: nil)
    report.newColumns = columns.map(\.name)
    return schema
  }
}

extension EntitySchema {
  /// Returns the member for each column of the key, in the order of the columns; `nil` if the members are those of another key. The names of
  /// members may be spelled with other case than the columns, and may be longer than names of columns can be.
  func keys(among members: [String], _ maximumNameLength: Int) -> [String]? {
    let found = keyNames.compactMap { name in
      members.first { $0.shortened(to: maximumNameLength).foldedName == name.foldedName }
    }
    return found.count == keyNames.count && Set(found).count == Set(members).count ? found : nil
  }
}

package struct StoredObjects: Hashable, Sendable {
  package struct Widening: Hashable, Sendable {
    package let name: String
    package let from: StoredType
    package let to: StoredType

    package init(name: String, from: StoredType, to: StoredType) {
      self.name = name
      self.from = from
      self.to = to
    }
  }

  /// The changes to the rows. Each row is counted once.
  package var counts = StoreChanges.Counts()
  /// The names of the columns that were added to the table. For a new table, these are all of its columns.
  package var newColumns: [String] = []
  package var widenings: [Widening] = []
  /// The keys of the objects, if they were requested.
  package var keys: [ListedKey] = []

  package init() {}
}
