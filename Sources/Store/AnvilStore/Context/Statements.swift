/// The statements of a transaction, and what they leave behind that prevents the commit.
final class Statements {
  let kind: StoreTransaction.Kind
  let connection: any StoreConnection
  private(set) var depth = 0
  /// The failure of a statement. After it, the transaction or the nested transaction cannot be committed.
  private var failure: (any Error)?
  /// The reason to run the transaction again with another plan. When set, the transaction cannot be committed.
  private(set) var restart: SchemaPlan.Restart?

  init(_ kind: StoreTransaction.Kind, on connection: any StoreConnection) {
    self.kind = kind
    self.connection = connection
  }

  @discardableResult
  func run(_ sql: String, _ values: [StoreValue] = []) throws -> Int {
    try attempt { try connection.run(sql, values) }
  }

  func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    // An error that `body` throws is not a failure of the statement.
    var thrown: (any Error)?
    try attempt {
      try connection.query(sql, values) { row in
        do {
          return try body(row)
        } catch {
          thrown = error
          return .stop
        }
      }
    }
    if let thrown { throw thrown }
  }

  func write(_ rows: [StoreValue], as writing: RowWriting) throws -> RowWriting.Outcome {
    try attempt { try connection.write(rows, as: writing) }
  }

  func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    // Interrupting does nothing between statements.
    try Task.checkCancellation()
    do {
      return try body()
    } catch {
      if let failure, isRefusal(error) { throw failure }
      failure = error
      throw error
    }
  }

  /// True if PostgreSQL has refused the statement only because an earlier one has failed. Source: SQLSTATE 25P02.
  func isRefusal(_ error: any Error) -> Bool { (error as? StoreError)?.backendCode == "25P02" }

  /// Returns the failure after which PostgreSQL has refused a statement, or the error itself.
  func cause(of error: any Error) -> any Error { isRefusal(error) ? failure ?? error : error }

  func requireWriting() throws(StoreError) {
    guard kind == .writing else {
      throw StoreError(code: .outsideTransaction, reason: Self.readOnlyReason)
    }
  }

  static let readOnlyReason = "this transaction is read-only; use perform to make changes"

  /// Requires that the transaction is run again with another plan. Only the first reason counts.
  func requireRestart(_ restart: SchemaPlan.Restart) { self.restart = self.restart ?? restart }

  func begin() throws(StoreError) {
    try connection.run(kind == .writing ? connection.beginWriting : connection.beginReading)
  }

  func requireCommittable() throws {
    if let failure { throw failure }
    if let restart { throw restart }
  }

  /// - Throws: ``StoreTransaction/UncertainCommit`` if the connection was lost; ``StoreError``.
  func commit() throws {
    do throws(StoreError) {
      try connection.run("COMMIT")
    } catch {
      let violation =
        error.code == .constraint(.foreignKey) && connection.isInTransaction
        ? try? connection.foreignKeyViolation() : nil
      rollBack()
      if let violation { throw error.with(error.code, reason: violation) }
      if error.code == .connectionLost { throw StoreTransaction.UncertainCommit(error: error) }
      throw error
    }
  }

  /// The interruption of a cancelled task may meet the ROLLBACK instead of the statement before it.
  private static let rollbackAttempts = 3

  func rollBack() {
    // If there is no open transaction, it was already rolled back or the connection was lost.
    for _ in 0..<Self.rollbackAttempts where connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
  }

  /// Runs `body` in a nested transaction. Its statements are undone when it throws, unless the failure has ended the whole transaction.
  func nest<Result>(_ body: () throws -> Result) throws -> Result {
    depth += 1
    defer { depth -= 1 }
    let name = "anvil_\(depth)"
    let before = failure
    try run("SAVEPOINT \(name)")
    do {
      let result = try body()
      if let failure { throw failure }
      try run("RELEASE \(name)")
      return result
    } catch {
      guard connection.isInTransaction else { throw error }
      try connection.run("ROLLBACK TO \(name)")
      try connection.run("RELEASE \(name)")
      failure = before
      throw error
    }
  }

  /// The clause that ends a SELECT of rows that the transaction may write.
  var rowLock: String { kind == .writing ? connection.rowLock : "" }

  func row(_ sql: String, _ values: [StoreValue], _ layout: StoredRow.Layout) throws -> StoredRow? {
    var found: StoredRow?
    try query(sql, values) { row in
      found = StoredRow(layout: layout, values: try row.values())
      return .stop
    }
    return found
  }

  static var batchSize: Int { 256 }

  /// Returns the existing rows with these keys. Uses one query if the key is an integer or text, or if there are few keys.
  func rows(
    of keys: [RowKey], _ schema: EntitySchema, layout: StoredRow.Layout, lock: String
  ) throws -> [RowKey: StoredRow] {
    var found: [RowKey: StoredRow] = [:]
    let width = schema.keyNames.count
    guard width > 0 else { return found }
    let keyIndices = schema.keyIndices
    let order = " ORDER BY \(try schema.keyNames.map { try connection.quoted($0) }.joined(separator: ", "))\(lock)"
    func find(_ condition: String, _ values: [StoreValue]) throws {
      try query("\(try schema.select(on: connection)) WHERE \(condition)\(order)", values) { row in
        let row = StoredRow(layout: layout, values: try row.values())
        found[RowKey(keyIndices.map { schema.columns[$0].type.keyValue(row.values[$0]) })] = row
        return .goOn
      }
    }
    if width == 1, keys.count > Self.batchSize, let column = schema.keyColumns.first,
      let text = try ListText.text(of: keys.flatMap(\.values))
    {
      let values = connection.values(inList: connection.placeholder(1), named: "e", as: column.type)
      try find("\(try connection.quoted(column.name)) IN (\(values))", [.text(text)])
      return found
    }
    var rest = keys[...]
    while !rest.isEmpty {
      // The sizes are powers of two, so that few different statements are needed.
      let most = max(1, min(Self.batchSize, connection.maximumPlaceholderCount / width))
      var size = 1
      while size < min(rest.count, most), size * 2 <= most { size *= 2 }
      let part = rest.prefix(size)
      rest = rest.dropFirst(size)
      guard let last = part.last else { break }
      let padded = part + Array(repeating: last, count: size - part.count)
      try find(try schema.keyCondition(ofRows: size, on: connection), padded.flatMap(\.values))
    }
    return found
  }
}

/// A list of values in one value, because the number of placeholders in a statement is limited.
enum ListText {
  /// Returns the values of a column as a JSON array; `nil` for values that databases do not read from JSON unchanged: SQLite ends a text at
  /// NUL.
  static func text(of values: [StoreValue]) throws -> String? {
    let isExact = values.allSatisfy { if case .text(let text) = $0 { !text.utf8.contains(0) } else { true } }
    // JSON has no infinity.
    let keys = values.map { if case .real(let real) = $0 { RowKey.one(.text("\(real)")) } else { RowKey.one($0) } }
    return isExact ? try KeyText.text(of: keys) : nil
  }
}

extension StoreConnection {
  /// Returns a query of the values in the ``ListText`` of a placeholder.
  func values(inList placeholder: String, named name: String, as type: StoredType) -> String {
    let elements = elements(of: typed(placeholder, as: .json), named: name, as: type)
    return "SELECT \(elements.value) FROM \(elements.list)"
  }
}
