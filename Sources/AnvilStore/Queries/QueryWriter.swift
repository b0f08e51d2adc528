#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes predicates and orders as SQL, with placeholders for values.
struct QueryWriter {
  let schema: EntitySchema
  let names: AttributeNames
  let connection: any StoreConnection
  /// The values of the placeholders so far.
  private(set) var values: [StoreValue] = []

  init(schema: EntitySchema, names: AttributeNames, connection: any StoreConnection) {
    self.schema = schema
    self.names = names
    self.connection = connection
  }

  mutating func placeholder(for value: StoreValue) -> String {
    values.append(value)
    return connection.placeholder(values.count)
  }

  /// Returns the condition as SQL. The SQL is true or false for every row, and never unknown.
  mutating func condition(_ node: StorePredicate.Node) throws -> String {
    if let known = conditionOfNull(node) { return known }
    switch node {
    case .chain(let connective, let terms, _):
      return chain(try terms.sorted { $0.depth > $1.depth }.map { try condition($0) }, connective)
    case .tooDeep:
      throw StoreError(
        code: .tooLarge,
        reason: "a condition has more than \(StorePredicate.Node.depthLimit) nested levels of &&, || and !")
    case .not(let inner): return "(NOT \(try condition(inner)))"
    case .isNull(let attribute): return "(\(try connection.quoted(column(attribute).name)) IS NULL)"
    case .comparison(let attribute, let comparison, let value):
      let column = try column(attribute)
      try requireRoom(for: 1, column)
      return try compare(column, comparison, stored(value, for: column))
    case .isAmong(let attribute, let candidates):
      let column = try column(attribute)
      guard !candidates.isEmpty else { return "(1 = 0)" }
      try requireRoom(for: candidates.count, column)
      var placeholders: [String] = []
      for candidate in candidates { placeholders.append(placeholder(for: try stored(candidate, for: column))) }
      let name = try connection.quoted(column.name)
      return "(\(name) IN (\(placeholders.joined(separator: ", "))) AND \(name) IS NOT NULL)"
    case .position(let attribute, let text, let position):
      let column = try column(attribute)
      guard column.type == .text || column.type == .url else {
        throw mismatch(column, "searched for text")
      }
      let name = try connection.quoted(column.name)
      // Every text begins with the empty text.
      guard !text.isEmpty else { return "(\(name) IS NOT NULL)" }
      try requireRoom(for: 1, column)
      let found = "\(connection.textPositionFunction)(\(name), \(placeholder(for: .text(text))))"
      return "(\(found) \(position == .beginning ? "= 1" : "> 0") AND \(name) IS NOT NULL)"
    case .hasElement(let attribute, let value):
      let column = try column(attribute)
      guard column.type == .json, column.reference == nil else { throw mismatch(column, "searched for an element") }
      guard let element = try ScalarProbe.stored(value)?.value, element.kind == .integer || element.kind == .text else {
        throw mismatch(column, "searched for an element that is not an integer or text")
      }
      try requireRoom(for: 1, column)
      return connection.elementCondition(
        try connection.quoted(column.name), has: placeholder(for: element), element.kind)
    }
  }

  /// Returns the clause `ORDER BY`. The last columns are those of the key, so that the order is unique.
  func order(_ orders: [StoreOrder]) throws -> String {
    var terms: [String] = []
    for term in try orderTerms(orders) {
      terms.append(
        "\(try term.expression(on: connection)) \(term.isDescending ? "DESC NULLS LAST" : "ASC NULLS FIRST")")
    }
    return "ORDER BY \(terms.joined(separator: ", "))"
  }

  /// Returns the condition that a row comes after another row. `last` contains the other row's values in the columns that determine the
  /// order.
  mutating func condition(after last: [StoreValue], in orders: [StoreOrder]) throws -> String {
    var alternatives: [String] = []
    var equal: [String] = []
    let terms = try orderTerms(orders)
    for (index, (term, value)) in zip(terms, last).enumerated() {
      let name = try connection.quoted(term.column.name)
      let isAfter: String?
      switch (value, term.isDescending) {
      case (.null, false): isAfter = "\(name) IS NOT NULL"
      case (.null, true): isAfter = nil
      case (_, false): isAfter = try compare(term.column, .greater, value)
      case (_, true): isAfter = "(\(try compare(term.column, .less, value)) OR \(name) IS NULL)"
      }
      if let isAfter { alternatives.append("(\((equal + [isAfter]).joined(separator: " AND ")))") }
      guard index + 1 < terms.count else { break }
      // Uses the comparison of the order, in which decimals with different text may be equal.
      equal.append(
        value == .null
          ? "\(name) IS NULL"
          : "\(try term.expression(on: connection)) = \(connection.comparable(placeholder(for: value), as: term.column.type))"
      )
    }
    return alternatives.isEmpty ? "(1 = 0)" : "(\(alternatives.joined(separator: " OR ")))"
  }

  /// Returns the columns that determine the order: those of `orders`, followed by the columns of the default order that are not among them.
  func orderTerms(_ orders: [StoreOrder]) throws -> [OrderTerm] {
    var terms: [OrderTerm] = []
    for order in orders where !isUntyped(order.attribute) {
      let column = try column(order.attribute)
      guard column.type != .json else { throw mismatch(column, "used for sorting") }
      terms.append(OrderTerm(column: column, isDescending: order.direction == .descending))
    }
    let ordered = Set(terms.map(\.column.name))
    for name in schema.orderNames where !ordered.contains(name) {
      let column = schema.column(named: name) ?? EntitySchema.Column(name: name, type: .integer)
      terms.append(OrderTerm(column: column, isDescending: false))
    }
    return terms
  }

  struct OrderTerm {
    let column: EntitySchema.Column
    let isDescending: Bool

    func expression(on connection: any StoreConnection) throws -> String {
      connection.comparable(try connection.quoted(column.name), as: column.type)
    }
  }
}

extension QueryWriter {
  private func columnName(of attribute: StoreAttribute) -> String {
    names.column(of: attribute.name)
  }

  /// Returns `true` if the attribute has been null in all rows so far. Such an attribute has no column.
  private func isUntyped(_ attribute: StoreAttribute) -> Bool {
    schema.untypedNames.contains(columnName(of: attribute))
  }

  /// Returns a constant condition if `node` compares an attribute that is null in all rows. Returns `nil` for other conditions.
  private func conditionOfNull(_ node: StorePredicate.Node) -> String? {
    switch node {
    case .isNull(let attribute) where isUntyped(attribute): "(1 = 1)"
    case .comparison(let attribute, _, _) where isUntyped(attribute): "(1 = 0)"
    case .isAmong(let attribute, _) where isUntyped(attribute): "(1 = 0)"
    case .position(let attribute, _, _) where isUntyped(attribute): "(1 = 0)"
    case .hasElement(let attribute, _) where isUntyped(attribute): "(1 = 0)"
    default: nil
    }
  }

  private func column(_ attribute: StoreAttribute) throws(StoreError) -> EntitySchema.Column {
    let name = columnName(of: attribute)
    guard let column = schema.column(named: name) else {
      let known = schema.columns.map(\.name).joined(separator: ", ")
      throw StoreError(
        code: .invalidStatement, reason: "\(schema.entity) has no attribute \(attribute.name); it has \(known)")
    }
    return column
  }

  /// Returns the stored form of the value in the column of a match key.
  ///
  /// Without a table, the form is determined by the value alone.
  func stored(_ value: any Encodable, for key: MatchKey) throws -> StoreValue {
    if let column = schema.column(named: key.attribute) { return try stored(value, for: column) }
    return try ScalarProbe.stored(value)?.value ?? .null
  }

  /// Returns the conditions joined by the operator, in parentheses. A deeply nested condition should be the first one.
  private func chain(_ conditions: [String], _ connective: StorePredicate.Connective) -> String {
    guard let first = conditions.first, conditions.count > 1 else { return conditions.first ?? "(1 = 1)" }
    // A parser needs little memory for the left operand. The others are joined as a balanced tree, to limit the depth.
    return "(\(first) \(connective.rawValue) \(balanced(conditions.dropFirst(), connective)))"
  }

  private func balanced(_ conditions: ArraySlice<String>, _ connective: StorePredicate.Connective) -> String {
    guard conditions.count > 1 else { return conditions.first ?? "(1 = 1)" }
    let middle = conditions.startIndex + conditions.count / 2
    let first = balanced(conditions[..<middle], connective)
    return "(\(first) \(connective.rawValue) \(balanced(conditions[middle...], connective)))"
  }

  /// Checks that the statement has room for `count` additional values.
  ///
  /// - Throws: ``StoreError/Code/tooLarge``.
  private func requireRoom(for count: Int, _ column: EntitySchema.Column) throws(StoreError) {
    // Some placeholders are reserved for the position of a page, the limit and the offset.
    let room = connection.maximumPlaceholderCount - 96
    guard values.count + count > room else { return }
    throw StoreError(
      code: .tooLarge,
      reason: """
        a condition can have at most \(room) values, but it has \(values.count + count) or more, including \(count) \
        for \(schema.entity).\(column.name)
        """)
  }

  private mutating func compare(
    _ column: EntitySchema.Column, _ comparison: StorePredicate.Operator, _ value: StoreValue
  ) throws -> String {
    let name = try connection.quoted(column.name)
    let placeholder = placeholder(for: value)
    if comparison == .equal { return "(\(name) = \(placeholder) AND \(name) IS NOT NULL)" }
    let left = connection.comparable(name, as: column.type)
    let right = connection.comparable(placeholder, as: column.type)
    return "(\(left) \(comparison.rawValue) \(right) AND \(name) IS NOT NULL)"
  }

  /// Returns the stored form of the value in the column.
  private func stored(_ value: any Encodable, for column: EntitySchema.Column) throws -> StoreValue {
    guard column.type != .json else { throw mismatch(column, "compared with a value") }
    guard let scalar = try ScalarProbe.stored(value) else {
      throw mismatch(column, "compared with a value that is not a scalar")
    }
    if column.type == scalar.type { return scalar.value }
    switch (column.type, scalar.type, scalar.value) {
    case (.real, .integer, .integer(let integer)): return .real(Double(integer))
    case (.integer, .real, .real(let real)):
      guard let integer = Int64(exactly: real) else {
        throw mismatch(column, "compared with a number that is not an integer")
      }
      return .integer(integer)
    case (.url, .text, .text(let text)): return .text(text)
    case (.uuid, .text, .text(let text)):
      guard let uuid = UUID(uuidString: text) else { throw mismatch(column, "compared with text that is not a UUID") }
      return uuid.stored
    case (.decimal, .text, .text(let text)):
      guard let decimal = Decimal(wholeText: text), let stored = try? decimal.stored else {
        throw mismatch(column, "compared with text that is not a decimal")
      }
      return stored
    default: throw mismatch(column, "compared with \(scalar.type?.rawValue ?? "null")")
    }
  }

  private func mismatch(_ column: EntitySchema.Column, _ what: String) -> StoreError {
    StoreError(
      code: .invalidValue,
      reason: "\(schema.entity).\(column.name) has the stored type \(column.type.rawValue) and cannot be \(what)")
  }
}

extension Decimal {
  /// Creates a number from the text. Returns `nil` if any part of the text is invalid, whereas `init(string:)` would ignore the rest.
  fileprivate init?(wholeText text: String) {
    var rest = text.utf8[...]
    func skipSign() {
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    }
    func skipDigits() -> Bool {
      let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
      rest.removeFirst(count)
      return count > 0
    }
    skipSign()
    var hasDigits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      hasDigits = skipDigits() || hasDigits
    }
    guard hasDigits else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign()
      guard skipDigits() else { return nil }
    }
    guard rest.isEmpty else { return nil }
    self.init(string: text)
  }
}
