import AnvilSQLite
import AnvilStore

/// A database file that reports its connections to a test. Cancelling does not interrupt their statements, as if it
/// happened between two of them.
struct WatchedBackend: StoreBackend {
  let path: String
  var busyTimeout: Duration = .seconds(30)
  /// Called when a connection was opened, by the task that needs it.
  var didConnect: @Sendable () -> Void = {}
  /// Called before a statement that gives no rows, by the task that runs it.
  var willRun: @Sendable (String) -> Void = { _ in }

  var description: String { "watched SQLite" }
  var writerCount: Int { 1 }
  var readerCount: Int { 1 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    { () throws(StoreError) in
      let connection = try SQLiteConnection(.file(path), configuration: .init(busyTimeout: busyTimeout))
      didConnect()
      return WatchedConnection(connection, willRun)
    }
  }

  static func cancelCurrentTask() {
    // Safety: the task is the one that calls this.
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  }
}

private final class WatchedConnection: StoreConnection {
  private let base: SQLiteConnection
  private let willRun: @Sendable (String) -> Void

  init(_ base: SQLiteConnection, _ willRun: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.willRun = willRun
  }

  @discardableResult
  func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    willRun(sql)
    return try base.run(sql, values)
  }

  func query(_ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next) throws {
    try base.query(sql, values, body)
  }

  var interrupt: @Sendable () -> Void { {} }

  var isInTransaction: Bool { base.isInTransaction }
  func tableExists(_ name: String) throws(StoreError) -> Bool { try base.tableExists(name) }
  func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] { try base.columns(ofTable: name) }
  func mayChange(_ sql: String) throws(StoreError) -> Bool { try base.mayChange(sql) }
  func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String {
    try base.explanation(of: sql, values)
  }
  func schemaDump() throws(StoreError) -> String { try base.schemaDump() }
  func foreignChanges(to store: String) throws(StoreError) -> Set<String>? { try base.foreignChanges(to: store) }
  func foreignKeyViolation() throws(StoreError) -> String? { try base.foreignKeyViolation() }
  func placeholder(_ position: Int) -> String { base.placeholder(position) }
  var maximumPlaceholderCount: Int { base.maximumPlaceholderCount }
  var beginWriting: String { base.beginWriting }
  var beginReading: String { base.beginReading }
  var rowLock: String { base.rowLock }
  var freeRowLock: String { base.freeRowLock }
  var currentTime: String { base.currentTime }
  func lockTable(_ name: String) { base.lockTable(name) }
  func columnType(for type: StoredType) -> String { base.columnType(for: type) }
  func comparable(_ expression: String, as type: StoredType) -> String { base.comparable(expression, as: type) }
  func rowNumberColumn(named name: String) -> String { base.rowNumberColumn(named: name) }
  func indexName(entity: String, column: String) throws(StoreError) -> String {
    try base.indexName(entity: entity, column: column)
  }
  func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    try base.keepingDependents(ofTable: name, body)
  }
  func dropIndex(entity: String, column: String) throws(StoreError) -> Bool {
    try base.dropIndex(entity: entity, column: column)
  }
  var textPositionFunction: String { base.textPositionFunction }

  func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    base.elementCondition(column, has: placeholder, kind)
  }

  func elements(of column: String, named name: String, as type: StoredType) -> (list: String, value: String) {
    base.elements(of: column, named: name, as: type)
  }

  func typed(_ placeholder: String, as type: StoredType) -> String { base.typed(placeholder, as: type) }

  func dropIndices(entity: String, column: String) throws(StoreError) {
    try base.dropIndices(entity: entity, column: column)
  }

  func literal(_ value: StoreValue, as type: StoredType) -> String { base.literal(value, as: type) }

  func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    try base.write(rows, as: writing)
  }
  func rowsPerWrite(ofColumns count: Int) -> Int { base.rowsPerWrite(ofColumns: count) }
}
