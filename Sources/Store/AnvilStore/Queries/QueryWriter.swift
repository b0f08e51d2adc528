internal import AnvilBase

/// Writes queries as SQL, with placeholders for values.
///
/// A condition or an order on a referenced model joins the table of that model: `LEFT JOIN` on its key, so that each row occurs once, and
/// has nulls if the reference is null. Conditions on arrays of references are `EXISTS` over the elements. Such queries name all tables by
/// aliases; others name columns alone.
struct QueryWriter {
  struct Table {
    let schema: EntitySchema
    let names: AttributeNames
    /// The name in the query, with a dot; empty if there is only one table.
    let prefix: String
    /// The tables that are joined to this one, by the name of the column with the reference.
    var joined: [String: Int] = [:]
    /// The SQL of the joins, beginning with a space.
    var joins = ""
    /// The table whose ``joins`` receives the joins of this one: a joined table is a part of the same list of tables.
    var list: Int
  }

  let connection: any StoreConnection
  private let schema: (String, AttributeNames) throws -> EntitySchema?
  /// The tables of the query. The first one has the rows of the result.
  var tables: [Table]
  private(set) var values: [StoreValue] = []
  /// The columns of `StoreQuery.related` after ``select(_:rowLock:)``; `nil` for columns that have no value in any row.
  private(set) var relatedColumns: [(type: StoredType, reference: EntityReference)?] = []
  /// True if rows may follow those of ``select(_:rowLock:)``: those of `StoreQuery.Position.lastSection`.
  var hasLastSection = false

  /// - Parameter schema: Returns the table of an entity, as a model with these names reads it; `nil` if it does not exist.
  init(
    _ table: EntitySchema, names: AttributeNames, isAliased: Bool, on connection: any StoreConnection,
    schema: @escaping (String, AttributeNames) throws -> EntitySchema?
  ) {
    self.connection = connection
    self.schema = schema
    tables = [Table(schema: table, names: names, prefix: isAliased ? "t0." : "", list: 0)]
  }

  /// Returns the query of the rows, with all columns of the table, followed by the related columns and those that determine the order.
  mutating func select(_ query: StoreQuery, rowLock: String) throws -> String {
    let terms = try orderTerms(query.orders)
    let related = try query.related.map { try expression(of: $0) }
    var conditions: [String] = []
    if let condition = try condition(query.condition) { conditions.append(condition) }
    if let position = query.position {
      if case .after(let last) = position, last.count != terms.count {
        let reason = "a column of the order was added to \(tables[0].schema.entity) while its rows were read"
        throw StoreError(code: .schemaMismatch, reason: reason)
      }
      conditions.append(condition(at: position, in: terms))
    }
    let table = tables[0]
    let columns = try table.schema.columns.map { table.prefix + (try connection.quoted($0.name)) }
    let results = columns + related + terms.map(\.column.expression)
    var sql = "SELECT \(results.joined(separator: ", ")) FROM \(try list(0))"
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }
    sql += " \(order(by: terms))"
    // SQLite accepts an offset only together with a limit.
    if query.limit != nil || query.offset > 0 {
      let limit = Int64(max(query.limit ?? .max, 0))
      sql += " LIMIT \(placeholder(for: .integer(limit)))"
      sql += " OFFSET \(placeholder(for: .integer(Int64(max(query.offset, 0)))))"
    }
    // PostgreSQL cannot lock the rows of a joined table, which may be missing.
    return sql + rowLock + (rowLock.isEmpty || table.prefix.isEmpty ? "" : " OF t0")
  }

  mutating func count(_ condition: ConditionNode) throws -> String {
    try select("count(*)", condition)
  }

  mutating func keys(_ condition: ConditionNode) throws -> String {
    let prefix = tables[0].prefix
    let columns = try tables[0].schema.orderNames.map { prefix + (try connection.quoted($0)) }
    return try select(columns.joined(separator: ", "), condition)
  }

  mutating func delete(_ condition: ConditionNode) throws -> String {
    let table = tables[0]
    let name = try connection.quoted(table.schema.entity)
    guard table.prefix.isEmpty else {
      let columns = try table.schema.orderNames.map { try connection.quoted($0) }
      let keys = columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
      return "DELETE FROM \(name) WHERE \(keys) IN (\(try self.keys(condition)))"
    }
    return "DELETE FROM \(name)" + (try self.condition(condition).map { " WHERE \($0)" } ?? "")
  }

  private mutating func select(_ columns: String, _ condition: ConditionNode) throws -> String {
    // Written first, because it adds joins.
    let condition = try self.condition(condition).map { " WHERE \($0)" } ?? ""
    return "SELECT \(columns) FROM \(try list(0))" + condition
  }

  private func list(_ index: Int) throws -> String {
    let table = tables[index]
    let name = try connection.quoted(table.schema.entity)
    return table.prefix.isEmpty ? name : "\(name) AS \(table.prefix.dropLast())\(table.joins)"
  }

  mutating func placeholder(for value: StoreValue) -> String {
    values.append(value)
    return connection.placeholder(values.count)
  }

  /// Returns the default value of a property as SQL. A condition may leave it out, unlike a placeholder, for which there must be a value.
  private func literal(_ value: StoreValue, as type: StoredType) -> String {
    connection.typed("(\(connection.literal(value, as: type)))", as: type)
  }
}

/// Columns.
extension QueryWriter {
  /// An integer may be out of the range of a column that SQL has declared.
  mutating func placeholder(for value: StoreValue, comparedWith column: Column) -> String {
    let placeholder = placeholder(for: value)
    return column.type == .integer ? connection.typed(placeholder, as: .integer) : placeholder
  }

  /// A column of one of the tables, or a constant in place of a column that the table does not have.
  struct Column {
    var expression: String
    var type: StoredType
    let reference: EntityReference?
    let name: String
    /// The references on the way to the column that are columns of joined tables.
    var references: [String] = []
    /// The value that models read in place of NULL, and the key of the row with the column if that row may not exist; `nil` if models read
    /// `nil`.
    var fallback: (value: StoreValue, key: String?)?
    /// True if the type is only the one that the declaration of the column suggests.
    var isUndescribed = false
    /// The name of the column, and the index of its table; `nil` for a constant.
    var place: (name: String, table: Int)?
    /// The form of a date with `@CodableBy`.
    var coding: _StoredCoding?
    /// True for a number of references, which is never null.
    var isNumber = false

    /// The condition that the column is not null. It precedes a comparison, so that SQLite sees that the joined rows exist: it then treats a
    /// `LEFT JOIN` as a `JOIN`, and may begin with the last table of a chain if that table has an index for the comparison.
    var isPresent: String {
      isNumber ? "1 = 1" : (references + [expression]).map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    }

    /// True if models read an array with elements in place of NULL.
    var hasDefaultElements: Bool { fallback.map { $0.value != .text("[]") } ?? false }

    func reached(over references: [String]) -> Column {
      var column = self
      column.references = references
      return column
    }
  }

  /// Returns the column at a path from a table. Returns `nil` if it has no value in any row: the table does not have the column yet, or
  /// there is no table.
  ///
  /// - Parameter isOrder: True if the column determines the order of rows.
  mutating func column(
    _ path: ColumnPath, from start: Int, isOrder: Bool = false
  ) throws -> Column? {
    var index = start
    var references: [String] = []
    for (position, step) in path.steps.enumerated() {
      guard let reference = try column(step.attribute, of: index, isOptional: true) else { return nil }
      let names = AttributeNames(of: step.target)
      let isLast = position == path.steps.count - 1
      let keys = step.target.matchKeys ?? []
      // The column with the reference is the key of the other row.
      if isLast, keys.count == 1, names.column(of: path.attribute) == keys[0].attribute, reference.type != .json {
        return reference.reached(over: references)
      }
      guard let joined = try join(step, reference, names, to: index) else { return nil }
      if position > 0 { references.append(reference.expression) }
      index = joined
    }
    let isOrder = isOrder && path.counted == nil
    let found = try column(path.attribute, of: index, isOptional: path.isOptional, isOrder: isOrder)?
      .reached(over: references)
    return try path.counted.map { try number(of: $0, in: found) } ?? found
  }

  mutating func number(of references: ColumnPath.Counted, in column: Column?) throws -> Column {
    var list: String?
    if var column = try column.map({ try array(in: $0, "counted") }) {
      switch references {
      case .all:
        list = connection.elements(of: column.expression, named: "e\(values.count)_\(tables.count)", as: .text).list
      case .matching(let condition, of: let model):
        if let target = try target(model, of: &column, isArray: true), let key = target.keyColumns.first {
          list = try self.references(condition, target, key, AttributeNames(of: model), in: column)
        }
      }
    }
    let expression =
      list.map { "(SELECT count(*) FROM \($0))" }
      ?? connection.typed(placeholder(for: .integer(0)), as: .integer)
    return Column(expression: expression, type: .integer, reference: nil, name: column?.name ?? "", isNumber: true)
  }

  /// Returns a column with an array of references, in which models read the default value in place of NULL.
  func array(in column: Column, _ use: String) throws -> Column {
    var column = column
    adopt(.json, for: &column)
    guard column.type == .json else { throw mismatch(column, use) }
    return column.hasDefaultElements ? withDefault(column) : column
  }

  /// Returns a column in which the default value takes the place of NULL. An index of the column does not serve it.
  func withDefault(_ column: Column) -> Column {
    guard let fallback = column.fallback else { return column }
    var column = column
    let value = "coalesce(\(column.expression), \(literal(fallback.value, as: column.type)))"
    column.expression = fallback.key.map { "CASE WHEN \($0) IS NOT NULL THEN \(value) END" } ?? value
    (column.fallback, column.place) = (nil, nil)
    return column
  }

  /// Returns `true` if a row of the column's table has NULL in it, in which models read the default value.
  ///
  /// Only other programs, and versions of the model whose property is optional, write NULL. Without one, an index of the column is used.
  func readsDefaults(_ column: Column) throws -> Bool {
    guard column.fallback != nil, let place = column.place else { return false }
    return try connection.hasRow(
      "SELECT 1 FROM \(identifier: tables[place.table].schema.entity) WHERE \(identifier: place.name) IS NULL LIMIT 1")
  }

  /// Returns a column of a table; `nil` if it has no value in any row.
  ///
  /// - Parameters:
  ///   - isOptional: True if a column that neither the table nor the model has is null instead of an error.
  ///   - isOrder: True if the column determines the order of rows.
  mutating func column(
    _ attribute: String, of index: Int, isOptional: Bool, isOrder: Bool = false
  ) throws -> Column? {
    let table = tables[index]
    let name = table.names.column(of: attribute)
    let label = "\(table.schema.entity).\(name)"
    if let column = table.schema.column(named: name) {
      var result = Column(
        expression: table.prefix + (try connection.quoted(name)), type: column.type, reference: column.reference,
        name: label, isUndescribed: column.isUndescribed, place: (name, index),
        coding: table.names.coding(of: attribute))
      let missing = table.names.missingValue(of: attribute, connection.datePrecision, in: column.type)
      if case .value(let type, _) = missing { adopt(type, for: &result) }
      if !isOptional, case .value(result.type, let value) = missing {
        let key = table.list == index ? nil : try table.prefix + connection.quoted(table.schema.keyNames[0])
        result.fallback = (value, key)
      }
      return result
    }
    switch table.names.missingValue(of: attribute, connection.datePrecision) {
    case _ where table.schema.untypedNames.contains(name), .null: return nil
    case .value(let type, let value):
      // A joined row that does not exist has no values.
      let isJoined = table.list != index
      // Rows with the same value have no order. The value of a default such as `Date()` would be another one in the query of the next page.
      if isOrder {
        guard type != .json else { throw type.mismatch(label, "used for sorting") }
        guard isJoined else { return nil }
      }
      let type = isOrder ? .integer : type
      let constant = isOrder ? "1" : literal(value, as: type)
      let key = isJoined ? try connection.quoted(table.schema.keyNames[0]) : ""
      let expression = isJoined ? "CASE WHEN \(table.prefix)\(key) IS NOT NULL THEN \(constant) END" : constant
      return Column(
        expression: expression, type: type, reference: nil, name: label, coding: table.names.coding(of: attribute))
    case nil:
      if isOptional { return nil }
      let known = table.schema.columns.map(\.name).joined(separator: ", ")
      throw StoreError(
        code: .invalidStatement, reason: "\(table.schema.entity) has no column \(attribute); it has \(known)")
    }
  }

  /// Returns the expression for the references in a column, and adds the column to ``relatedColumns``.
  private mutating func expression(of related: RelatedColumn) throws -> String {
    guard var column = try column(related.path, from: 0) else {
      relatedColumns.append(nil)
      return "NULL"
    }
    if related.isArray { adopt(.json, for: &column) }
    let entity = related.target.entityName
    let reference = related.isArray ? EntityReference.many(entity: entity) : .one(entity: entity)
    if column.reference == nil { _ = try target(related.target, of: &column, isArray: related.isArray) }
    guard column.reference ?? reference == reference, column.type == .json || !related.isArray else {
      throw mismatch(column, "read as \(Attribute("", nil, reference).kind)")
    }
    relatedColumns.append((column.type, reference))
    return column.expression
  }

  /// Joins the table of a referenced model to a table. Returns its index, or `nil` if the table does not exist.
  private mutating func join(
    _ step: ColumnPath.Step, _ reference: Column, _ names: AttributeNames, to index: Int
  ) throws -> Int? {
    if let joined = tables[index].joined[reference.expression] { return joined }
    var reference = reference
    guard let target = try target(step.target, of: &reference), let keyColumn = target.keyColumns.first else {
      return nil
    }
    let (name, list) = ("t\(tables.count)", tables[index].list)
    let key = try connection.quoted(keyColumn.name)
    tables[index].joined[reference.expression] = tables.count
    tables[list].joins +=
      " LEFT JOIN \(try connection.quoted(target.entity)) AS \(name) ON \(name).\(key) = \(reference.expression)"
    tables.append(Table(schema: target, names: names, prefix: "\(name).", list: list))
    return tables.count - 1
  }

  /// Returns the table of a referenced model; `nil` if it does not exist. A column whose type is open gets that of the key.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` if the table has other keys than the model, or if references have another type than the key.
  func target(
    _ model: any RelatedModel.Type, of reference: inout Column, isArray: Bool = false
  ) throws -> EntitySchema? {
    guard let schema = try schema(model.entityName, AttributeNames(of: model)) else { return nil }
    try schema.requireKeys((model.matchKeys ?? []).map(\.attribute))
    // Keys of several columns are JSON.
    guard let key = schema.keyColumns.first, schema.keyNames.count == 1, !isArray else { return schema }
    adopt(key.type, for: &reference)
    guard key.type == reference.type else {
      throw StoreError(
        code: .schemaMismatch,
        reason: """
          \(reference.name) has the stored type \(reference.type.rawValue), but the key of \(schema.entity) has the stored \
          type \(key.type.rawValue)
          """)
    }
    return schema
  }

  /// Sets the type of a column whose declaration leaves it open to the type of the values that it is compared with.
  func adoptType(of value: any Encodable & Sendable, for column: inout Column) throws {
    guard column.isUndescribed,
      let type = try ScalarProbe.stored(coded(value, for: column), connection.datePrecision)?.type
    else { return }
    adopt(type, for: &column)
  }

  private func adopt(_ type: StoredType, for column: inout Column) {
    if column.isUndescribed, connection.stores(type, inColumnFor: column.type) { column.type = type }
  }

  private func coded(_ value: any Encodable & Sendable, for column: Column) throws -> any Encodable & Sendable {
    try column.coding?.coded(value, in: column.type) ?? value
  }

  func stored(_ value: any Encodable & Sendable, for column: Column) throws -> StoreValue {
    try column.type.stored(coded(value, for: column), connection.datePrecision, named: column.name)
  }

  func mismatch(_ column: Column, _ what: String) -> StoreError { column.type.mismatch(column.name, what) }
}
