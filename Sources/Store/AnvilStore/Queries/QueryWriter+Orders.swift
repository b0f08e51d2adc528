/// The order of the rows, and the places in it from which pages are read.
extension QueryWriter {
  struct OrderTerm {
    let column: Column
    let isDescending: Bool
    /// True for a column of the key.
    let isNeverNull: Bool
  }

  /// Returns the columns that determine the order: those of `orders`, followed by the columns of the default order that are not among them,
  /// so that the order is unique.
  mutating func orderTerms(_ orders: [ColumnOrder]) throws -> [OrderTerm] {
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

  func order(by terms: [OrderTerm]) -> String {
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
  mutating func condition(at position: StoreQuery.Position, in terms: [OrderTerm]) -> String {
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
