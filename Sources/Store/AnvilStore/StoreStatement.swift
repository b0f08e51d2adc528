internal import AnvilBase

/// Running SQL that the functions for models cannot express.
extension StoreTransaction {
  /// Runs a statement.
  ///
  /// Observers of values are notified that any rows may have changed. Observers of counts are not notified. Session settings, such as
  /// PostgreSQL's `SET`, change one of the store's connections and remain after the transaction: use `SET LOCAL` instead. Behind a pooler
  /// that shares the sessions of the server, such statements are refused.
  ///
  /// - Returns: The number of rows that an INSERT, UPDATE or DELETE changed; 0 for other statements.
  /// - Throws: ``StoreError``, also for a statement that ends the transaction.
  @discardableResult
  public func execute(_ statement: StoreStatement) throws -> Int {
    try requireUsable()
    try statements.requireWriting()
    try bulk.end()
    let (sql, values) = try statements.written(statement)
    rows.noteAnyChange()
    defer { rows.forget() }
    let count = try statements.run(sql, values)
    try statements.attempt { try statements.requireOpen(after: sql) }
    return count
  }

  /// Runs a query and returns its rows.
  ///
  ///     struct TeamSize: Decodable { var team: String; var members: Int }
  ///     let sizes = try transaction.fetch(
  ///       TeamSize.self, sql: "SELECT team, count(*) AS members FROM Member GROUP BY team")
  ///     let oldest = try transaction.fetch(Int?.self, sql: "SELECT max(age) FROM Member").first
  ///
  /// A row is decoded by the names of its columns. If `type` is a type that columns store directly, the row is decoded from its only
  /// column. Each type of numbers reads each number that it can represent: `Double` and `Decimal` read the averages and the sums of both
  /// databases.
  ///
  /// - Throws: `DecodingError` when a row does not match the type; ``StoreError``, also for a statement that changes rows in a read-only
  ///   transaction.
  public func fetch<Row: Decodable>(_ type: Row.Type, sql statement: StoreStatement) throws -> [Row] {
    try requireUsable()
    try bulk.end()
    let (sql, values) = try statements.written(statement)
    let isReading =
      statements.kind == .reading && statements.connection.refusesChangesInReading && Statements.beginsAsQuery(sql)
    let mayChange = try !isReading && statements.attempt { try statements.connection.mayChange(sql) }
    if mayChange {
      try statements.requireWriting()
      rows.noteAnyChange()
    }
    defer { if mayChange { rows.forget() } }
    do {
      return try statements.results(of: type, sql, values)
    } catch let error as StoreError where error.code == .readOnly && isReading {
      throw error.with(.outsideTransaction, reason: Statements.readOnlyReason)
    }
  }

  /// Runs a query that may lock rows but does not change them.
  package func fetch<Row: Decodable>(_ type: Row.Type, unchanging statement: StoreStatement) throws -> [Row] {
    try requireUsable()
    try bulk.end()
    let (sql, values) = try statements.written(statement)
    return try statements.results(of: type, sql, values)
  }

  /// The clause at the end of a query that locks the rows that no other transaction has locked, and leaves out the others.
  package var freeRowLock: StoreStatement { StoreStatement(stringLiteral: statements.connection.freeRowLock) }

  /// An expression for the time on the database's clock, in the form in which columns store dates.
  package var currentTimeExpression: StoreStatement { StoreStatement(stringLiteral: statements.connection.currentTime) }

  /// Returns the time on the database's clock, in seconds since the beginning of 2001.
  package func currentTime() throws -> Double {
    try fetch(Double.self, unchanging: "SELECT \(currentTimeExpression)").first ?? 0
  }
}

/// Statements of callers.
extension Statements {
  private static let transactionWords: Set<String> = [
    "ABORT", "BEGIN", "COMMIT", "END", "PREPARE", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
  ]

  /// The database refuses changes by these statements in a read-only transaction. Others may change the transaction or the session.
  private static let queryWords: Set<String> = ["EXPLAIN", "SELECT", "SHOW", "TABLE", "VALUES", "WITH"]

  fileprivate static func beginsAsQuery(_ sql: String) -> Bool {
    queryWords.contains(firstWord(of: withoutLeadingComments(sql)))
  }

  fileprivate func results<Row: Decodable>(of type: Row.Type, _ sql: String, _ values: [StoreValue]) throws -> [Row] {
    var rows: [Row] = []
    var layout: StoredRow.Layout?
    try query(sql, values) { row in
      let columns = try layout ?? StoredRow.Layout(row)
      layout = columns
      rows.append(try StoredRow(layout: columns, values: try row.values()).decodeResult(as: type))
      return .goOn
    }
    try attempt { try requireOpen(after: sql) }
    return rows
  }

  fileprivate func written(_ statement: StoreStatement) throws -> (sql: String, values: [StoreValue]) {
    try attempt {
      let written = try statement.written(for: connection)
      try requireWithinTransaction(written.sql)
      return written
    }
  }

  /// Checks that the statement neither begins or ends a transaction nor has effects beyond it that the connection does not allow.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement``; ``StoreError/Code/unsupported``.
  func requireWithinTransaction(_ sql: String) throws(StoreError) {
    let statement = Self.withoutLeadingComments(sql)
    if Self.transactionWords.contains(Self.firstWord(of: statement)) { throw endsTransaction(sql) }
    try connection.requireEffectWithinTransaction(statement)
  }

  /// Returns the first word, which must be at the beginning, in upper case.
  private static func firstWord(of sql: Substring) -> String {
    Substring(sql.utf8.prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 & 0xDF }).uppercased()
  }

  /// Returns the statement from its first word. Comments and characters that are not letters are skipped.
  private static func withoutLeadingComments(_ sql: String) -> Substring {
    var rest = sql.utf8[...]
    while let byte = rest.first, !byte.isLetter {
      if !rest.dropComment() { rest = rest.dropFirst() }
    }
    return Substring(rest)
  }

  /// Throws ``StoreError/Code/invalidStatement`` if the statement has ended the transaction. ``requireWithinTransaction(_:)`` does not
  /// detect all such statements.
  func requireOpen(after sql: String) throws(StoreError) {
    guard connection.isInTransaction else { throw endsTransaction(sql) }
  }

  private func endsTransaction(_ sql: String) -> StoreError {
    StoreError(
      code: .invalidStatement, sql: sql, reason: "transactions are begun and ended by perform and read, not by SQL")
  }
}

extension Substring.UTF8View {
  /// Removes the SQL comment at the beginning, and the comments within it, which PostgreSQL allows. Returns `false` without a comment.
  package mutating func dropComment() -> Bool {
    if starts(with: "--".utf8) {
      self = drop { $0 != .lineFeed && $0 != .carriageReturn }
      return true
    }
    guard starts(with: "/*".utf8) else { return false }
    var depth = 0
    repeat {
      let isBegin = starts(with: "/*".utf8)
      let isEnd = !isBegin && starts(with: "*/".utf8)
      depth += isBegin ? 1 : isEnd ? -1 : 0
      self = dropFirst(isBegin || isEnd ? 2 : 1)
    } while depth > 0 && !isEmpty
    return true
  }
}

extension StoredRow.Layout {
  /// Creates the layout of a query's rows, with the types of the values in the first row.
  fileprivate convenience init(_ row: borrowing StoreRow) throws {
    var columns: [(name: String, type: StoredType)] = []
    for (index, value) in try row.values().enumerated() {
      columns.append((try row.name(at: index), row.isDecimal(at: index) ? .decimal : StoredType(holding: value)))
    }
    self.init(columns)
  }
}

extension StoredRow {
  fileprivate func decodeResult<Row: Decodable>(as type: Row.Type) throws -> Row {
    let innermost: any Any.Type = (type as? any OptionalType.Type)?.wrapped ?? type
    guard values.count == 1, isStoredDirectly(innermost) else { return try decode(as: type) }
    let container = RowDecoder(row: self).container(keyedBy: AttributeKey.self)
    return try container.decode(type, forKey: AttributeKey(layout.columns[0].name))
  }
}

/// Whether columns store values of the type directly, as those of numbers, text and enumerations with such raw values.
private func isStoredDirectly(_ type: Any.Type) -> Bool {
  func isRawValueStored<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
    Value.RawValue.self is any StoredValue.Type
  }
  if type is any StoredValue.Type { return true }
  return (type as? any RawRepresentable.Type).map { isRawValueStored($0) } ?? false
}

extension StoredType {
  fileprivate init(holding value: StoreValue) {
    self =
      switch value {
      case .null, .text: .text
      case .integer: .integer
      case .real: .real
      case .blob: .data
      }
  }
}

/// An SQL statement with its values. Each interpolated value becomes a placeholder, and is never part of the SQL.
///
///     let name = "Robert'); DROP TABLE User;--"
///     try transaction.execute("UPDATE User SET login = \(name) WHERE age > \(18)")
///
/// A statement is passed to the database without changes. Its syntax depends on the database.
public struct StoreStatement: ExpressibleByStringInterpolation, Sendable {
  fileprivate enum Part: Sendable {
    case sql(String)
    case identifier(String)
    case value((any StoredValue & Sendable)?)
  }

  fileprivate var parts: [Part]

  /// Creates a statement without values.
  public init(stringLiteral sql: String) {
    parts = [.sql(sql)]
  }

  /// Creates a statement from an interpolated literal.
  public init(stringInterpolation: Interpolation) {
    parts = stringInterpolation.parts
  }

  /// The parts of an interpolated literal.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Creates an interpolation without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(interpolationCount * 2 + 1)
    }

    /// Appends SQL.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.sql(literal)) }
    }

    /// Appends a placeholder for the value. It is stored in the same form as a property of this type. `nil` is NULL.
    public mutating func appendInterpolation<Value: StoredValue & Sendable>(_ value: Value?) {
      parts.append(.value(value))
    }

    /// Appends the name of a table or a column, in quotation marks.
    public mutating func appendInterpolation(identifier: String) {
      parts.append(.identifier(identifier))
    }

    /// Appends a part of a statement together with its values.
    public mutating func appendInterpolation(_ statement: StoreStatement) {
      parts += statement.parts
    }
  }

  /// Returns the statement with the connection's placeholders, and their values in order.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` for a value that columns do not store directly; ``StoreError/Code/invalidStatement`` for an
  ///   invalid identifier.
  func written(for connection: any StoreConnection) throws(StoreError) -> (sql: String, values: [StoreValue]) {
    var sql = ""
    var values: [StoreValue] = []
    for part in parts {
      switch part {
      case .sql(let text): sql += text
      case .identifier(let name): sql += try connection.quoted(name)
      case .value(let value):
        values.append(try Self.stored(value, connection.datePrecision))
        sql += connection.placeholder(values.count)
      }
    }
    return (sql, values)
  }

  private static func stored(
    _ value: (any StoredValue & Sendable)?, _ precision: StoredDate.Precision
  ) throws(StoreError) -> StoreValue {
    guard let value else { return .null }
    guard let scalar = comparedValue(value) as? any StoredScalar else {
      throw StoreError(
        code: .invalidValue, reason: "a value of type \(type(of: value)) cannot be bound to a placeholder")
    }
    do throws(UnstorableValue) {
      return try scalar.stored(precision)
    } catch {
      throw StoreError(code: .invalidValue, reason: error.reason)
    }
  }
}
