internal import AnvilBase

/// Writes queries as SQL, with placeholders for values.
///
/// A condition or an order on a referenced model joins the table of that model: `LEFT JOIN` on its key, so that each row occurs once, and
/// has nulls if the reference is null. Conditions on arrays of references are `EXISTS` over the elements. Such queries name all tables by
/// aliases; others name columns alone.
struct QueryWriter {
  private struct Table {
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

  private let connection: any StoreConnection
  private let schema: (String, AttributeNames) throws -> EntitySchema?
  /// The tables of the query. The first one has the rows of the result.
  private var tables: [Table]
  private(set) var values: [StoreValue] = []
  /// The columns of `StoreQuery.related` after ``select(_:rowLock:)``; `nil` for columns that have no value in any row.
  private(set) var relatedColumns: [(type: StoredType, reference: EntityReference)?] = []
  /// True if rows may follow those of ``select(_:rowLock:)``: those of `StoreQuery.Position.lastSection`.
  private(set) var hasLastSection = false

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

  private mutating func placeholder(for value: StoreValue) -> String {
    values.append(value)
    return connection.placeholder(values.count)
  }
}

/// Columns.
extension QueryWriter {
  /// An integer may be out of the range of a column that SQL has declared.
  private mutating func placeholder(for value: StoreValue, comparedWith column: Column) -> String {
    let placeholder = placeholder(for: value)
    return column.type == .integer ? connection.typed(placeholder, as: .integer) : placeholder
  }

  /// A column of one of the tables, or a constant in place of a column that the table does not have.
  private struct Column {
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
  private mutating func column(
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
    let found = try column(path.attribute, of: index, isOptional: path.isOptional, isOrder: isOrder)?
      .reached(over: references)
    return try path.counted.map { try number(of: $0, in: found) } ?? found
  }

  private mutating func number(of references: ColumnPath.Counted, in column: Column?) throws -> Column {
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
  private mutating func array(in column: Column, _ use: String) throws -> Column {
    var column = column
    adopt(.json, for: &column)
    guard column.type == .json else { throw mismatch(column, use) }
    return column.hasDefaultElements ? withDefault(column) : column
  }

  /// Returns a column in which the default value takes the place of NULL. An index of the column does not serve it.
  private mutating func withDefault(_ column: Column) -> Column {
    guard let fallback = column.fallback else { return column }
    var column = column
    let value = "coalesce(\(column.expression), \(connection.typed(placeholder(for: fallback.value), as: column.type)))"
    column.expression = fallback.key.map { "CASE WHEN \($0) IS NOT NULL THEN \(value) END" } ?? value
    (column.fallback, column.place) = (nil, nil)
    return column
  }

  /// Returns `true` if a row of the column's table has NULL in it, in which models read the default value.
  ///
  /// Only other programs, and versions of the model whose property is optional, write NULL. Without one, an index of the column is used.
  private func readsDefaults(_ column: Column) throws -> Bool {
    guard column.fallback != nil, let place = column.place else { return false }
    return try connection.hasRow(
      "SELECT 1 FROM \(identifier: tables[place.table].schema.entity) WHERE \(identifier: place.name) IS NULL LIMIT 1")
  }

  /// Returns a column of a table; `nil` if it has no value in any row.
  ///
  /// - Parameters:
  ///   - isOptional: True if a column that neither the table nor the model has is null instead of an error.
  ///   - isOrder: True if the column determines the order of rows.
  private mutating func column(
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
      let constant = isOrder ? "1" : connection.typed(placeholder(for: value), as: type)
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
  private func target(
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
}

/// Conditions.
extension QueryWriter {
  /// Returns a condition on the rows of the result; `nil` if it is true for all rows.
  private mutating func condition(_ node: ConditionNode) throws -> String? {
    if case .all = node { return nil }
    return try condition(node, on: 0, isRequired: true)
  }

  /// Returns the condition as SQL. The SQL is true or false for every row, and never unknown.
  ///
  /// - Parameter isRequired: True if no row for which the condition is false is in the result. Indices of elements are then useful, because
  ///   the databases begin with the rows that they contain. In other places, they would read the whole index for each condition.
  private mutating func condition(
    _ node: ConditionNode, on table: Int, isRequired: Bool = false
  ) throws -> String {
    switch node {
    case .all: return "(1 = 1)"
    case .chain(let connective, let terms, _):
      let isRequired = isRequired && connective == .all
      let conditions = try terms.sorted { $0.depth > $1.depth }.map {
        try condition($0, on: table, isRequired: isRequired)
      }
      return chain(conditions, connective)
    case .tooDeep:
      throw StoreError(
        code: .tooLarge, reason: "a condition has more than \(ConditionNode.depthLimit) nested levels of &&, || and !")
    case .not(let inner): return "(NOT \(try condition(inner, on: table)))"
    case .isNull(let path):
      guard let column = try column(path, from: table) else { return "(1 = 1)" }
      // A column with a default is only nil in a row that does not exist.
      guard let fallback = column.fallback else { return "(\(column.expression) IS NULL)" }
      return fallback.key.map { "(\($0) IS NULL)" } ?? "(1 = 0)"
    case .comparison(let path, let comparison, let value):
      guard var column = try column(path, from: table) else { return "(1 = 0)" }
      try requireRoom(for: 1, column)
      try adoptType(of: value, for: &column)
      let value = try stored(value, for: column)
      let isTrue = column.fallback.map { $0.value.compares(comparison, to: value, as: column.type) }
      let result = including(isTrue, column, compare(column, comparison, value))
      guard isRequired, case .matching(let inner, of: let model) = path.counted,
        !StoreValue.integer(0).compares(comparison, to: value, as: .integer),
        var references = try self.column(path.uncounted, from: table), !references.hasDefaultElements,
        let candidates = try candidates(inner, of: model, in: &references)
      else { return result }
      return "(\(candidates) AND \(result))"
    case .isAmong(let path, let candidates):
      guard var column = try column(path, from: table), let first = candidates.first else { return "(1 = 0)" }
      try adoptType(of: first, for: &column)
      try requireRoom(for: candidates.count, column)
      var placeholders: [String] = []
      var isTrue = false
      for candidate in candidates {
        let value = try stored(candidate, for: column)
        placeholders.append(placeholder(for: value, comparedWith: column))
        isTrue = isTrue || column.fallback?.value.compares(.equal, to: value, as: column.type) == true
      }
      let list = placeholders.joined(separator: ", ")
      return including(
        isTrue, column, "(\(column.isPresent) AND \(connection.exact(column.expression, as: column.type)) IN (\(list)))"
      )
    case .position(let path, let text, let position):
      guard let column = try column(path, from: table) else { return "(1 = 0)" }
      guard column.type == .text || column.type == .url else { throw mismatch(column, "searched for text") }
      // Every text begins with the empty text.
      guard !text.isEmpty else { return including(true, column, "(\(column.isPresent))") }
      try requireRoom(for: 1, column)
      let found = "\(connection.textPositionFunction)(\(column.expression), \(placeholder(for: .text(text))))"
      var isTrue = false
      if case .text(let fallback) = column.fallback?.value {
        isTrue =
          position == .beginning
          ? fallback.utf8.starts(with: text.utf8) : fallback.utf8.contains(text.utf8)
      }
      return including(isTrue, column, "(\(column.isPresent) AND \(found) \(position == .beginning ? "= 1" : "> 0"))")
    case .hasElement(let path, let value):
      guard let column = try column(path, from: table).map({ try array(in: $0, "searched for an element") }) else {
        return "(1 = 0)"
      }
      guard let scalar = try ScalarProbe.stored(value, connection.datePrecision), let type = scalar.type else {
        throw mismatch(column, "searched for an element that is not a scalar")
      }
      var element = scalar.value
      if case .blob(let data) = element { element = .text(data.base64EncodedString()) }
      try requireRoom(for: 1, column)
      // JSON has these values in other forms than columns.
      guard ![.real, .decimal, .timestamp, .boolean].contains(type) else {
        let elements = connection.elements(of: column.expression, named: "e\(values.count)_\(tables.count)", as: type)
        let placeholder = connection.typed(placeholder(for: element), as: type)
        return "EXISTS (SELECT 1 FROM \(elements.list) WHERE \(elements.value) = \(placeholder))"
      }
      if isRequired, let (keys, index) = try elementIndex(of: column), index.isTable {
        let found = index.hasElement(placeholder(for: element), element.kind == .integer ? .integer : .text)
        return "(\(keys) IN (SELECT \(index.keys.joined(separator: ", ")) FROM \(index.list) WHERE \(found)))"
      }
      return connection.elementCondition(column.expression, has: placeholder(for: element), element.kind)
    case .any(let path, of: let model, let inner):
      guard var column = try column(path, from: table).map({ try array(in: $0, "searched for an element") }) else {
        return "(1 = 0)"
      }
      if isRequired, let candidates = try candidates(inner, of: model, in: &column) { return candidates }
      guard let target = try target(model, of: &column, isArray: true), let key = target.keyColumns.first else {
        return "(1 = 0)"
      }
      return "EXISTS (SELECT 1 FROM \(try references(inner, target, key, AttributeNames(of: model), in: column)))"
    }
  }

  /// Returns the condition that a row has a reference in a column to a row that matches `condition`, by the index of the references; `nil`
  /// if there is no index of them.
  private mutating func candidates(
    _ condition: ConditionNode, of model: any RelatedModel.Type, in column: inout Column
  ) throws -> String? {
    guard let target = try target(model, of: &column, isArray: true), let key = target.keyColumns.first,
      [.integer, .text, .url, .uuid].contains(key.type), let (keys, index) = try elementIndex(of: column)
    else { return nil }
    return try rows(condition, target, key, AttributeNames(of: model), keys, index)
  }

  /// Returns the condition, extended by the rows in which the column is NULL if the condition is true for the value that models read there.
  private func including(_ isTrue: Bool?, _ column: Column, _ condition: String) -> String {
    guard isTrue == true, let fallback = column.fallback else { return condition }
    let isPresent = fallback.key.map { "\($0) IS NOT NULL AND " } ?? ""
    return "(\(condition) OR (\(isPresent)\(column.expression) IS NULL))"
  }

  /// Returns the index of the references in a column, with the key of the rows in its table; `nil` if there is no index.
  private func elementIndex(of column: Column) throws -> (keys: String, index: ElementIndex)? {
    guard let place = column.place else { return nil }
    let table = tables[place.table]
    let names = table.schema.orderNames
    guard
      let index = try connection.elementIndex(
        of: place.name, in: table.schema.entity, keys: names, named: "i\(values.count)_\(tables.count)")
    else { return nil }
    // Without other tables, the names of the columns of the index would hide those of the table.
    let prefix = table.prefix.isEmpty ? "\(try connection.quoted(table.schema.entity))." : table.prefix
    let keys = try names.map { prefix + (try connection.quoted($0)) }
    return (keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))", index)
  }

  /// Returns the condition that a row's key is among those that an index has for the rows of `target` that match the condition.
  private mutating func rows(
    _ condition: ConditionNode, _ target: EntitySchema, _ key: EntitySchema.Column, _ names: AttributeNames,
    _ keys: String, _ index: ElementIndex
  ) throws -> String {
    let number = tables.count
    tables.append(Table(schema: target, names: names, prefix: "t\(number).", list: number))
    // Written first, because it adds joins.
    let condition = try self.condition(condition, on: number, isRequired: true)
    let found = index.hasElement("t\(number).\(try connection.quoted(key.name))", key.type)
    // SQLite reads the tables of a CROSS JOIN in this order: it does not know that few rows have an element.
    return """
      (\(keys) IN (SELECT \(index.keys.joined(separator: ", ")) FROM \(try connection.quoted(target.entity)) AS t\(number)\
      \(tables[number].joins) CROSS JOIN \(index.list) WHERE \(condition) AND \(found)))
      """
  }

  /// Returns the references in a column to rows that match the condition, for a `FROM` clause that ends a query.
  private mutating func references(
    _ condition: ConditionNode, _ target: EntitySchema, _ key: EntitySchema.Column, _ names: AttributeNames,
    in column: Column
  ) throws -> String {
    let index = tables.count
    tables.append(Table(schema: target, names: names, prefix: "t\(index).", list: index))
    let elements = connection.elements(of: column.expression, named: "e\(index)", as: key.type)
    // Written first, because it adds joins.
    let condition = try self.condition(condition, on: index)
    return """
      \(elements.list) JOIN \(try connection.quoted(target.entity)) AS t\(index) \
      ON t\(index).\(try connection.quoted(key.name)) = \(elements.value)\(tables[index].joins) WHERE \(condition)
      """
  }

  /// Returns the conditions joined by the operator, in parentheses. A deeply nested condition should be the first one.
  private func chain(_ conditions: [String], _ connective: ConditionNode.Connective) -> String {
    guard let first = conditions.first, conditions.count > 1 else { return conditions.first ?? "(1 = 1)" }
    // A parser needs little memory for the left operand. The others are joined as a balanced tree, to limit the depth.
    return "(\(first) \(connective.rawValue) \(balanced(conditions.dropFirst(), connective)))"
  }

  private func balanced(_ conditions: ArraySlice<String>, _ connective: ConditionNode.Connective) -> String {
    guard conditions.count > 1 else { return conditions.first ?? "(1 = 1)" }
    let middle = conditions.startIndex + conditions.count / 2
    let first = balanced(conditions[..<middle], connective)
    return "(\(first) \(connective.rawValue) \(balanced(conditions[middle...], connective)))"
  }

  private func requireRoom(for count: Int, _ column: Column) throws(StoreError) {
    // Some placeholders are reserved for the position of a page, the limit and the offset.
    let room = connection.maximumPlaceholderCount - 96
    guard values.count + count > room else { return }
    throw StoreError(
      code: .tooLarge,
      reason: """
        a condition can have at most \(room) values, but it has \(values.count + count) or more, including \(count) \
        for \(column.name)
        """)
  }

  private mutating func compare(
    _ column: Column, _ comparison: ConditionNode.Operator, _ value: StoreValue
  ) -> String {
    let placeholder = placeholder(for: value, comparedWith: column)
    if comparison == .equal {
      return "(\(column.isPresent) AND \(connection.exact(column.expression, as: column.type)) = \(placeholder))"
    }
    let left = connection.comparable(column.expression, as: column.type)
    let right = connection.comparable(placeholder, as: column.type)
    return "(\(column.isPresent) AND \(left) \(comparison.rawValue) \(right))"
  }
}

/// Orders.
extension QueryWriter {
  private struct OrderTerm {
    let column: Column
    let isDescending: Bool
    /// True for a column of the key.
    let isNeverNull: Bool
  }

  /// Returns the columns that determine the order: those of `orders`, followed by the columns of the default order that are not among them,
  /// so that the order is unique.
  private mutating func orderTerms(_ orders: [ColumnOrder]) throws -> [OrderTerm] {
    let table = tables[0]
    let keys = try table.schema.orderNames.map { table.prefix + (try connection.quoted($0)) }
    var terms: [OrderTerm] = []
    for order in orders {
      guard let column = try column(order.path, from: 0, isOrder: true) else { continue }
      guard column.type != .json else { throw mismatch(column, "used for sorting") }
      let ordered = try readsDefaults(column) ? withDefault(column) : column
      terms.append(
        OrderTerm(column: ordered, isDescending: order.isDescending, isNeverNull: keys.contains(ordered.expression)))
    }
    let ordered = Set(terms.map(\.column.expression))
    for (name, expression) in zip(table.schema.orderNames, keys) where !ordered.contains(expression) {
      let type = table.schema.column(named: name)?.type ?? .integer
      terms.append(
        OrderTerm(
          column: Column(expression: expression, type: type, reference: nil, name: "\(table.schema.entity).\(name)"),
          isDescending: false, isNeverNull: true))
    }
    return terms
  }

  private func order(by terms: [OrderTerm]) -> String {
    let parts = terms.map { term in
      let expression = connection.comparable(term.column.expression, as: term.column.type)
      // PostgreSQL uses no index of a key with a clause for null.
      if term.isNeverNull { return expression + (term.isDescending ? " DESC" : "") }
      return "\(expression) \(term.isDescending ? "DESC NULLS LAST" : "ASC NULLS FIRST")"
    }
    return "ORDER BY \(parts.joined(separator: ", "))"
  }

  /// Returns the condition for the rows from `position` on, up to ``hasLastSection``. It begins with a bound of the first column, from which an
  /// index can be read.
  private mutating func condition(at position: StoreQuery.Position, in terms: [OrderTerm]) -> String {
    let first = terms[0]
    let name = first.column.expression
    guard case .after(let last) = position else { return "\(name) IS \(first.isDescending ? "" : "NOT ")NULL" }
    guard terms.contains(where: \.isDescending) || last.contains(.null) else {
      return rowCondition(after: last, in: terms)
    }
    hasLastSection = (last[0] == .null) != first.isDescending && !first.isNeverNull
    let (others, rest) = (terms.dropFirst(), last.dropFirst())
    guard last[0] != .null else { return "(\(name) IS NULL AND \(condition(after: rest, in: others)))" }
    let bound = compare(first.column, first.isDescending ? .lessOrEqual : .greaterOrEqual, last[0])
    let after = compare(first.column, first.isDescending ? .less : .greater, last[0])
    let equal = isEqual(first, last[0])
    return "(\(bound) AND (\(after) OR (\(equal) AND \(condition(after: rest, in: others)))))"
  }

  /// Returns the condition that a row comes after another row in an ascending order. Rows with null come before, and do not fulfil it.
  private mutating func rowCondition(after last: [StoreValue], in terms: [OrderTerm]) -> String {
    let columns = terms.map { connection.comparableInRow($0.column.expression, as: $0.column.type) }
    let values = zip(terms, last).map { term, value in
      connection.comparable(placeholder(for: value, comparedWith: term.column), as: term.column.type)
    }
    return "(\(columns.joined(separator: ", "))) > (\(values.joined(separator: ", ")))"
  }

  /// Uses the comparison of the order, in which decimals with different text may be equal.
  private mutating func isEqual(_ term: OrderTerm, _ value: StoreValue) -> String {
    let (name, type) = (term.column.expression, term.column.type)
    return value == .null
      ? "\(name) IS NULL"
      : "\(connection.comparable(name, as: type)) = \(connection.comparable(placeholder(for: value), as: type))"
  }

  /// Returns the condition that a row comes after another row. `last` contains the other row's values in the columns that determine the
  /// order.
  private mutating func condition(after last: ArraySlice<StoreValue>, in terms: ArraySlice<OrderTerm>) -> String {
    let pairs = Array(zip(terms, last))
    // No row comes after null in a descending order. Later terms do not decide, and a placeholder for them would have no type.
    guard let end = pairs.lastIndex(where: { !$0.isDescending || $1 != .null }) else { return "(1 = 0)" }
    var alternatives: [String] = []
    var equal: [String] = []
    for (index, (term, value)) in pairs[...end].enumerated() {
      let name = term.column.expression
      let isAfter: String?
      switch (value, term.isDescending) {
      case (.null, false): isAfter = "\(name) IS NOT NULL"
      case (.null, true): isAfter = nil
      case (_, false): isAfter = compare(term.column, .greater, value)
      case (_, true): isAfter = "(\(compare(term.column, .less, value)) OR \(name) IS NULL)"
      }
      if let isAfter { alternatives.append("(\((equal + [isAfter]).joined(separator: " AND ")))") }
      if index < end { equal.append(isEqual(term, value)) }
    }
    return "(\(alternatives.joined(separator: " OR ")))"
  }
}

extension QueryWriter {
  /// Sets the type of a column whose declaration leaves it open to the type of the values that it is compared with.
  private func adoptType(of value: any Encodable & Sendable, for column: inout Column) throws {
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

  private func stored(_ value: any Encodable & Sendable, for column: Column) throws -> StoreValue {
    try column.type.stored(coded(value, for: column), connection.datePrecision, named: column.name)
  }

  private func mismatch(_ column: Column, _ what: String) -> StoreError { column.type.mismatch(column.name, what) }
}
