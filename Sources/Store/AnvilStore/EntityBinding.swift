internal import AnvilBase
internal import AnvilJSON

/// The mapping of a model's attributes to the columns of its entity's table.
final class EntityBinding {
  let entity: String
  let keys: [MatchKey]
  let encoder: RowEncoder
  let names: AttributeNames
  private let attributes: [String]
  /// The type of the only match key's column; `nil` if it is known only from the table.
  private let keyType: StoredType?
  /// The keys of attributes in payloads if they have several, by the first of them.
  private var keyAliases: [String: [String]]
  /// True if ``keyAliases`` has all keys. Those of a handwritten `init(from:)` have to be found out.
  let knowsKeyAliases: Bool
  let modelType: ObjectIdentifier
  let conflictRules: ConflictRules
  private let datePrecision: StoredDate.Precision
  let coder: AnyObject

  /// The table to which the attributes are bound; `nil` before ``bind(to:)``.
  private(set) var schema: EntitySchema?
  private(set) var revision = -1
  /// The indices of the encoder's values that are written, or `nil` if all values are written.
  private var written: [Int]?
  /// The schema generation in which ``schema`` was last compared with the current table.
  private var generation: UInt64?
  /// The indices of the key's values in the encoder's values.
  private var keyPositions: [Int] = []
  private var updating: RowWriting?
  private var inserting: RowWriting?
  /// True if the model's values may contain models with separate rows, or `nil` before the first value.
  var mayRefer: Bool?
  /// True if the model has the default `update(from:)`, or `nil` before the first update.
  var updatesByDefault: Bool?
  private var cachedLayout: (schema: EntitySchema, layout: StoredRow.Layout)?
  private var cachedSelect: (schema: EntitySchema, rowLock: String, sql: String)?

  init<Model: StorableModel>(of type: Model.Type, references: EntityBindings) {
    entity = type.entityName
    keys = type.matchKeys ?? []
    names = AttributeNames(of: type)
    keyType = (type as? any ReferencedModel.Type).flatMap { storedKeyType($0) }
    let direct = type as? any JSONDirectlyDecodable.Type
    keyAliases = direct?._keyAliases ?? [:]
    knowsKeyAliases = direct != nil
    modelType = ObjectIdentifier(type)
    conflictRules = ConflictRules(type.conflictRules)
    let coder = RowCoder<Model>.make()
    self.coder = coder
    datePrecision = references.datePrecision
    attributes = coder.attributes
    encoder = RowEncoder(
      references: references, attributes: coder.attributes, datePrecision: datePrecision)
  }

  var hasKey: Bool { !keys.isEmpty }

  /// The keys that may have the value of a match key in a payload, in the order in which the model tries them.
  func payloadKeys(of key: MatchKey) -> [String] { [key.codingKey] + (keyAliases[key.codingKey] ?? []) }

  func addPayloadKeys(_ keys: [String], of key: MatchKey) { keyAliases[key.codingKey, default: []] += keys }

  /// A Boolean value that indicates whether the model's attributes are known before any value is encoded.
  var hasColumns: Bool { !attributes.isEmpty }

  func columnName(of attribute: String) -> String { names.column(of: attribute) }

  /// The names for the columns of attributes whose types are still unknown. The columns are created when the types are known.
  var untypedNames: Set<String> {
    Set(encoder.attributes.lazy.filter { $0.type == nil }.map { self.columnName(of: $0.name) })
  }

  func schema(of columns: [EntitySchema.Column]) -> EntitySchema {
    EntitySchema(entity: entity, columns: columns, keyNames: keys.map(\.attribute), untypedNames: untypedNames)
  }

  /// Stores attributes as the types of their columns if other values or earlier versions needed these types: as JSON, and dates as numbers.
  /// Returns `true` if there are such attributes.
  func adoptColumnTypes(from schema: EntitySchema) -> Bool {
    var isChanged = false
    for attribute in encoder.attributes {
      guard let type = attribute.type, attribute.reference == nil,
        let column = schema.column(named: columnName(of: attribute.name)), column.type != type, column.reference == nil,
        column.type == .json || (type == .timestamp && column.type == .date)
          || mayStore(attribute, as: column.type)
      else { continue }
      encoder.store(attribute.name, as: column.type)
      isChanged = true
    }
    return isChanged
  }

  /// Returns `true` for a date with `@CodableBy`, in the form of the strategy and in the forms of other dates, and for `JSON`, which a column
  /// made for objects without a model contains as scalars.
  private func mayStore(_ attribute: Attribute, as type: StoredType) -> Bool {
    if encoder.jsonNames.contains(attribute.name), [.text, .integer, .real, .boolean].contains(type) { return true }
    return names.coding(of: attribute.name).map { type.isDate || type == $0.storedType } ?? false
  }

  /// Returns the value of a key in a payload, in the form of its column; `nil` if it is missing or cannot be decoded.
  func value(
    of key: MatchKey, at name: AttributeKey, in container: KeyedDecodingContainer<AttributeKey>, as type: StoredType
  ) -> StoreValue? {
    guard type.isDate, let coding = names.coding(of: key.codingKey) else {
      return type.decode(name, from: container, datePrecision)
    }
    return coding.date(at: name, in: container).flatMap { try? type.stored($0, datePrecision, named: "") }
  }

  /// Returns `true` if the binding was compared with the current table in this generation.
  ///
  /// Without this check, the tables would be compared for each row, which took 18 of 273 ms for 100,000 rows.
  func isBound(since generation: UInt64) -> Bool {
    self.generation == generation && revision == encoder.revision
  }

  func isBound(to schema: EntitySchema?, since generation: UInt64) -> Bool {
    guard revision == encoder.revision, let schema, self.schema == schema else { return false }
    self.generation = generation
    return true
  }

  func bind(to schema: EntitySchema) {
    let attributes = encoder.attributes
    let positions = attributes.indices.filter { attributes[$0].type != nil }
    written = positions.count == attributes.count ? nil : positions
    keyPositions = keys.compactMap { $0.index(in: attributes) }
    let columns = positions.compactMap { index -> RowWriting.Column? in
      let name = columnName(of: attributes[index].name)
      return attributes[index].type.map { RowWriting.Column(name, $0) }
    }
    func writing(_ existingRow: RowWriting.ExistingRow) -> RowWriting {
      RowWriting(table: entity, columns: columns, keyNames: schema.keyNames, existingRow: existingRow)
    }
    (updating, inserting) = (writing(.updated), writing(.isConflict))
    self.schema = schema
    revision = encoder.revision
    generation = nil
  }

  func writing(_ existingRow: RowWriting.ExistingRow) throws(StoreError) -> RowWriting {
    guard let writing = existingRow == .updated ? updating : inserting else {
      throw StoreError(code: .other, reason: "the model \(entity) is not bound to its table")
    }
    return writing
  }

  var values: [StoreValue] {
    guard let written else { return encoder.values }
    return written.map { encoder.row[$0] }
  }

  /// Appends ``values`` to `rows`. Afterwards the encoder's values are unspecified, because they may have been moved.
  func moveValues(to rows: RowBuffer) {
    let row = encoder.row
    guard let written else { return rows.append(movingFrom: row) }
    for index in written { rows.append(row[index]) }
  }

  /// Returns the key of the last encoded value.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` if a part of it is null.
  func key() throws(StoreError) -> RowKey {
    try requireKey()
    return keyPositions.count == 1
      ? .one(encoder.row[keyPositions[0]]) : .several(keyPositions.map { encoder.row[$0] })
  }

  func requireKey() throws(StoreError) {
    for (index, position) in keyPositions.enumerated() {
      if case .null = encoder.row[position] { throw nullKey(keys[index]) }
    }
  }

  func isStored(in row: StoredRow) -> Bool {
    let values = encoder.row
    for (index, attribute) in encoder.attributes.enumerated() {
      guard let cell = row.cell(ofColumn: columnName(of: attribute.name)) else {
        // The table has no column for the attribute, because all its values so far were nil.
        if values[index] != .null { return false }
        continue
      }
      if cell.value != values[index], !(cell.type == .decimal && isSameDecimal(cell.value, values[index])) {
        return false
      }
    }
    return true
  }

  /// Returns `true` if the default update of the model takes each of its values from the payload of `decoder`, so that none of the row remains.
  ///
  /// A JSON object in the row may belong to a model in the model, which is updated in place.
  func isReplaced(_ row: StoredRow, by decoder: any Decoder) -> Bool {
    guard let payload = try? decoder.container(keyedBy: AttributeKey.self),
      encoder.attributes.allSatisfy({ payload.contains(AttributeKey($0.name)) })
    else { return false }
    return row.layout.columns.indices.allSatisfy { index in
      let cell = row.cell(at: index)
      if cell.isNull { return true }
      if cell.type == .json, case .text(let text) = cell.value, text.utf8.first != UInt8(ascii: "[") { return false }
      return payload.contains(AttributeKey(row.layout.columns[index].name))
    }
  }

  /// A Boolean value that indicates whether the model has a value for each column of the table.
  var hasAllColumns: Bool {
    let names = Set(encoder.attributes.lazy.map { self.columnName(of: $0.name) })
    guard let schema, schema.undescribedColumns.isEmpty else { return false }
    return schema.columns.allSatisfy { names.contains($0.name) }
  }

  /// Returns the row that writing the last encoded value will produce.
  ///
  /// Columns that the model does not have keep the values of `base`, the row that is replaced. They are null in a new row.
  func row(over base: StoredRow? = nil) -> StoredRow? {
    guard let schema else { return nil }
    let names = encoder.attributes.map { columnName(of: $0.name) }
    let values = Dictionary(zip(names, encoder.values)) { $1 }
    return StoredRow(
      layout: layout(of: schema),
      values: schema.columns.map { values[$0.name] ?? base?.cell(ofColumn: $0.name)?.value ?? .null })
  }

  func nullKey(_ key: MatchKey) -> StoreError {
    StoreError(
      code: .invalidValue, reason: "the match key \(key.attribute) of a \(entity) is null, so it cannot identify a row")
  }

  func layout(of schema: EntitySchema) -> StoredRow.Layout {
    if let cachedLayout, cachedLayout.schema == schema { return cachedLayout.layout }
    let layout = StoredRow.Layout(schema, names, attributes: attributes)
    cachedLayout = (schema, layout)
    return layout
  }

  func select(
    by schema: EntitySchema, _ rowLock: String, on connection: any StoreConnection
  ) throws(StoreError) -> String {
    if let cachedSelect, cachedSelect.schema == schema, cachedSelect.rowLock == rowLock { return cachedSelect.sql }
    let sql = try schema.selectRow(rowLock, on: connection)
    cachedSelect = (schema, rowLock, sql)
    return sql
  }

  /// Returns the key of the row whose match keys have these values, in the order of the keys.
  ///
  /// - Parameter schema: The table; `nil` if it does not exist.
  /// - Throws: ``StoreError/Code/invalidStatement`` if the model does not have as many match keys; ``StoreError/Code/invalidValue``.
  func key(of values: [any Encodable & Sendable], in schema: EntitySchema?) throws -> RowKey {
    guard values.count == keys.count, !values.isEmpty else {
      throw StoreError(
        code: .invalidStatement,
        reason: "\(entity) has \(keys.count) match keys, but \(values.count) values were passed")
    }
    func stored(_ index: Int) throws -> StoreValue {
      let column = schema?.column(named: keys[index].attribute)
      let coding = names.coding(of: keys[index].codingKey)
      let value = try coding?.coded(values[index], in: column?.type) ?? values[index]
      guard let type = column?.type ?? (coding == nil ? keyType : nil) else {
        return try ScalarProbe.stored(value, datePrecision)?.value ?? .null
      }
      return try type.stored(value, datePrecision, named: "\(entity).\(keys[index].attribute)")
    }
    return values.count == 1 ? .one(try stored(0)) : .several(try values.indices.map(stored))
  }
}

/// Returns the type of the column for the model's key; `nil` if its values are not stored as themselves.
private func storedKeyType<Model: ReferencedModel>(_ type: Model.Type) -> StoredType? {
  (Model._MatchKeyType.self as? any StoredScalar.Type)?.storedType
}

/// Returns `true` if the numbers are equal. A database may write their digits differently, for example without zeros at
/// the end.
private func isSameDecimal(_ lhs: StoreValue, _ rhs: StoreValue) -> Bool {
  guard let lhs = Decimal(stored: lhs), let rhs = Decimal(stored: rhs) else { return false }
  return lhs == rhs
}

extension EntitySchema {
  /// Returns a `SELECT` of all columns, in the order of the table.
  func select(on connection: any StoreConnection) throws(StoreError) -> String {
    var names: [String] = []
    for column in columns { names.append(try connection.quoted(column.name)) }
    return "SELECT \(names.joined(separator: ", ")) FROM \(try connection.quoted(entity))"
  }

  func selectRow(_ rowLock: String, on connection: any StoreConnection) throws(StoreError) -> String {
    try select(on: connection) + " WHERE \(try keyCondition(on: connection))" + rowLock
  }

  /// Returns the SQL condition that a row has a certain key. `position` is the position of the placeholder for the key's first value.
  func keyCondition(from position: Int = 1, on connection: any StoreConnection) throws(StoreError) -> String {
    var parts: [String] = []
    for (offset, name) in keyNames.enumerated() {
      parts.append("\(try connection.quoted(name)) = \(connection.placeholder(position + offset))")
    }
    return parts.joined(separator: " AND ")
  }

  func keyCondition(ofRows count: Int, on connection: any StoreConnection) throws(StoreError) -> String {
    if keyNames.count == 1 {
      let placeholders = (1...count).map(connection.placeholder).joined(separator: ", ")
      return "\(try connection.quoted(keyNames[0])) IN (\(placeholders))"
    }
    var parts: [String] = []
    for row in 0..<count {
      parts.append("(\(try keyCondition(from: row * keyNames.count + 1, on: connection)))")
    }
    return parts.joined(separator: " OR ")
  }
}

/// The bindings of a session's models, which are kept between transactions.
///
/// A model that contains models of the same type needs several bindings at a time. Therefore each use takes a binding and gives it back.
final class EntityBindings {
  /// The rows of the running transaction, in which nested models are stored.
  var rows: Rows?
  /// The tables at the end of the last transaction that has read tables without changing any.
  var tables = KnownTables()
  let datePrecision: StoredDate.Precision
  /// Incremented with each transaction, and whenever a transaction loads or changes a table.
  var schemaGeneration: UInt64 = 0
  private var free: [ObjectIdentifier: [EntityBinding]] = [:]
  private var kinds: [ObjectIdentifier: ReferenceKind] = [:]
  private var writings: [WritingKey: RowWriting] = [:]

  private struct WritingKey: Hashable {
    let table: String
    let columns: [EntitySchema.Column]
    let keyNames: [String]
    let existingRow: RowWriting.ExistingRow
  }

  /// The maximum number of writings for rows without a model.
  private static let mostWritings = 256

  init(datePrecision: StoredDate.Precision = .nanoseconds) {
    self.datePrecision = datePrecision
  }

  func with<Model: StorableModel, Result>(
    _ type: Model.Type, _ body: (EntityBinding) throws -> Result
  ) rethrows -> Result {
    let id = ObjectIdentifier(type)
    let binding = free[id]?.popLast() ?? EntityBinding(of: type, references: self)
    // After an error the binding is discarded, because it may contain a part of a value.
    let result = try body(binding)
    free[id, default: []].append(binding)
    return result
  }

  /// Returns the writing of rows without a model. It is kept, because a connection prepares each writing once.
  func writing(
    _ columns: [EntitySchema.Column], of schema: EntitySchema, _ existingRow: RowWriting.ExistingRow
  ) -> RowWriting {
    let key = WritingKey(
      table: schema.entity, columns: columns, keyNames: schema.keyNames, existingRow: existingRow)
    if let known = writings[key] { return known }
    let writing = RowWriting(
      table: schema.entity, columns: columns.map { RowWriting.Column($0.name, $0.type) }, keyNames: schema.keyNames,
      existingRow: existingRow)
    if writings.count >= Self.mostWritings { writings.removeAll() }
    writings[key] = writing
    return writing
  }

  /// Discards all bindings. Called when their tables may no longer exist.
  func forget() {
    free.removeAll()
    writings.removeAll()
  }

  /// Returns `true` if values of the model's type may contain models with separate rows.
  ///
  /// Only the properties of a struct are examined, with a mirror. Other types are assumed to contain models.
  private func mayRefer(_ model: some Any) -> Bool {
    let mirror = Mirror(reflecting: model)
    guard mirror.displayStyle == .struct, !(model is any CustomReflectable) else { return true }
    return mirror.children.contains { child in
      var type: any Any.Type = Swift.type(of: child.value)
      while let optional = type as? any OptionalType.Type { type = optional.wrapped }
      return kind(of: type) != .none
    }
  }

  func noteReferences(of model: some Any, _ binding: EntityBinding) {
    if binding.mayRefer == nil { binding.mayRefer = mayRefer(model) }
  }

  func kind(of type: any Any.Type) -> ReferenceKind {
    let id = ObjectIdentifier(type)
    if let kind = kinds[id] { return kind }
    let kind = ReferenceKind(of: type)
    kinds[id] = kind
    return kind
  }

  /// Stores a value in a separate row and returns the reference to it; `nil` if its type does not have separate rows.
  func store<T: Encodable>(_ value: T) throws -> StoredReference? { try rows?.store(value) }
}
