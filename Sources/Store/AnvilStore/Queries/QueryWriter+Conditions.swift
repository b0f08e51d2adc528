/// Conditions as SQL.
extension QueryWriter {
  /// Returns a condition on the rows of the result; `nil` if it is true for all rows.
  mutating func condition(_ node: ConditionNode) throws -> String? {
    if case .all = node { return nil }
    return try condition(node, on: 0, isRequired: true)
  }

  /// Returns the condition as SQL. The SQL is true or false for every row, and never unknown.
  ///
  /// - Parameter isRequired: True if no row for which the condition is false is in the result. Indices of elements are then useful, because
  ///   the databases begin with the rows that they contain. In other places, they would read the whole index for each condition.
  mutating func condition(
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
        var references = try self.column(path.counting(nil), from: table), !references.hasDefaultElements,
        let candidates = try candidates(inner, of: model, in: &references)
      else { return result }
      return "(\(candidates) AND \(result))"
    case .isAmong(let path, let candidates):
      guard let first = candidates.first, var column = try column(path, from: table) else { return "(1 = 0)" }
      try adoptType(of: first, for: &column)
      let values = try candidates.map { try stored($0, for: column) }
      let isTrue = column.fallback.map { fallback in
        values.contains { fallback.value.compares(.equal, to: $0, as: column.type) }
      }
      return including(isTrue, column, "(\(column.isPresent) AND \(try isAmong(values, column)))")
    case .position(let path, let text, let position):
      guard let column = try column(path, from: table) else { return "(1 = 0)" }
      guard column.type == .text || column.type == .url else { throw mismatch(column, "searched for text") }
      // Every text begins with the empty text.
      guard !text.isEmpty else { return including(true, column, "(\(column.isPresent))") }
      try requireRoom(for: 1, column)
      let searched = connection.typed(column.expression, as: .text)
      let found = "\(connection.textPositionFunction)(\(searched), \(placeholder(for: .text(text))))"
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
  mutating func references(
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

  private mutating func isAmong(_ list: [StoreValue], _ column: Column) throws -> String {
    let expression = connection.exact(column.expression, as: column.type)
    if list.count > Statements.batchSize, let text = try ListText.text(of: list) {
      try requireRoom(for: 1, column)
      let list = connection.values(inList: placeholder(for: .text(text)), named: "a\(values.count)", as: column.type)
      // A column that SQL has declared may have a type that is not compared with that of the values. Numbers and text are compared.
      let isCompared = [.integer, .real, .text, .url].contains(column.type)
      return "\(isCompared ? expression : connection.typed(expression, as: column.type)) IN (\(list))"
    }
    try requireRoom(for: list.count, column)
    return "\(expression) IN (\(list.map { placeholder(for: $0, comparedWith: column) }.joined(separator: ", ")))"
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

  mutating func compare(
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
