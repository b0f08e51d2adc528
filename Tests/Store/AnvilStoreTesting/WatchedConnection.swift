package import AnvilStore
internal import Synchronization

/// A connection that passes everything on to another one, and reports its statements.
package final class WatchedConnection: StoreConnection {
  private let base: any StoreConnection
  private let willRun: @Sendable (String) throws(StoreError) -> Void
  private let willQuery: @Sendable (String) -> Void
  /// Interrupts the running statement.
  package let interrupt: @Sendable () -> Void

  /// - Parameters:
  ///   - willRun: Called before a statement that returns no rows, which does not run if an error is thrown.
  ///   - willQuery: Called before a query.
  ///   - interrupt: Interrupts the running statement; `nil` for the function of `base`.
  package init(
    _ base: any StoreConnection, willRun: @escaping @Sendable (String) throws(StoreError) -> Void = { _ in },
    willQuery: @escaping @Sendable (String) -> Void = { _ in }, interrupt: (@Sendable () -> Void)? = nil
  ) {
    (self.base, self.willRun, self.willQuery) = (base, willRun, willQuery)
    self.interrupt = interrupt ?? base.interrupt
  }

  @discardableResult
  package func run(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> Int {
    try willRun(sql)
    return try base.run(sql, values)
  }

  package func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    willQuery(sql)
    try base.query(sql, values, body)
  }

  package func write(_ rows: [StoreValue], as writing: RowWriting) throws(StoreError) -> RowWriting.Outcome {
    try base.write(rows, as: writing)
  }

  package func backUp(to path: String) throws(StoreError) { try base.backUp(to: path) }
  package var isInTransaction: Bool { base.isInTransaction }
  package func tableExists(_ name: String) throws(StoreError) -> Bool { try base.tableExists(name) }
  package func viewExists(_ name: String) throws(StoreError) -> Bool { try base.viewExists(name) }
  package func schemaVersion() throws(StoreError) -> Int64? { try base.schemaVersion() }
  package func advanceSchemaVersion() throws(StoreError) { try base.advanceSchemaVersion() }
  package func columns(ofTable name: String) throws(StoreError) -> [StoreColumn] { try base.columns(ofTable: name) }
  package func quoted(_ identifier: String) throws(StoreError) -> String { try base.quoted(identifier) }
  package var maximumNameLength: Int { base.maximumNameLength }
  package var reservedColumnNames: Set<String> { base.reservedColumnNames }
  package var ignoresCaseOfNames: Bool { base.ignoresCaseOfNames }
  package var reservedTablePrefix: String? { base.reservedTablePrefix }
  package func placeholder(_ position: Int) -> String { base.placeholder(position) }
  package var maximumPlaceholderCount: Int { base.maximumPlaceholderCount }
  package var beginWriting: String { base.beginWriting }
  package var beginReading: String { base.beginReading }
  package var rowLock: String { base.rowLock }
  package var freeRowLock: String { base.freeRowLock }
  package var currentTime: String { base.currentTime }
  package func foreignKeyViolation() throws(StoreError) -> String? { try base.foreignKeyViolation() }
  package var changesSchemaFirst: Bool { base.changesSchemaFirst }
  package func lockTable(_ name: String) throws(StoreError) { try base.lockTable(name) }
  package func columnType(for type: StoredType) -> String { base.columnType(for: type) }
  package func storedType(ofDeclared declaration: String) -> StoredType { base.storedType(ofDeclared: declaration) }
  package func keeps(_ type: StoredType, inColumnDeclared declaration: String) -> Bool {
    base.keeps(type, inColumnDeclared: declaration)
  }
  package func stores(_ type: StoredType, inColumnFor declared: StoredType) -> Bool {
    base.stores(type, inColumnFor: declared)
  }
  package var datePrecision: StoredDate.Precision { base.datePrecision }
  package func comparable(_ expression: String, as type: StoredType) -> String { base.comparable(expression, as: type) }
  package func exact(_ expression: String, as type: StoredType) -> String { base.exact(expression, as: type) }
  package func rowNumberColumn(named name: String) -> String { base.rowNumberColumn(named: name) }
  package func indexName(entity: String, column: String) throws(StoreError) -> String {
    try base.indexName(entity: entity, column: column)
  }
  package func dropIndex(entity: String, column: String) throws(StoreError) -> Bool {
    try base.dropIndex(entity: entity, column: column)
  }
  package func dropIndices(entity: String, column: String) throws(StoreError) {
    try base.dropIndices(entity: entity, column: column)
  }
  package func keepingDependents(ofTable name: String, _ body: () throws -> Void) throws {
    try base.keepingDependents(ofTable: name, body)
  }
  package var altersColumnTypes: Bool { base.altersColumnTypes }
  package var nullsFirstInIndex: String { base.nullsFirstInIndex }
  package func comparableInRow(_ expression: String, as type: StoredType) -> String {
    base.comparableInRow(expression, as: type)
  }
  package func tablesReferring(to table: String) throws(StoreError) -> [String] { try base.tablesReferring(to: table) }
  package func lockReaders(ofTable name: String) throws(StoreError) { try base.lockReaders(ofTable: name) }
  package var textPositionFunction: String { base.textPositionFunction }
  package func elementCondition(_ column: String, has placeholder: String, _ kind: StoreValue.Kind) -> String {
    base.elementCondition(column, has: placeholder, kind)
  }
  package func elements(of column: String, named name: String, as type: StoredType) -> (list: String, value: String) {
    base.elements(of: column, named: name, as: type)
  }
  package func createElementIndex(
    of column: String, in entity: String, keys: [RowWriting.Column]
  ) throws(StoreError) {
    try base.createElementIndex(of: column, in: entity, keys: keys)
  }
  package func elementIndex(
    of column: String, in entity: String, keys: [String], named name: String
  ) throws(StoreError) -> ElementIndex? {
    try base.elementIndex(of: column, in: entity, keys: keys, named: name)
  }
  package func typed(_ placeholder: String, as type: StoredType) -> String { base.typed(placeholder, as: type) }
  package func literal(_ value: StoreValue, as type: StoredType) -> String { base.literal(value, as: type) }
  package func rowsPerWrite(ofColumns count: Int) -> Int { base.rowsPerWrite(ofColumns: count) }
  package var refusesChangesInReading: Bool { base.refusesChangesInReading }
  package func mayChange(_ sql: String) throws(StoreError) -> Bool { try base.mayChange(sql) }
  package func requireEffectWithinTransaction(_ sql: Substring) throws(StoreError) {
    try base.requireEffectWithinTransaction(sql)
  }
  package func checkDeferredConstraints() throws(StoreError) { try base.checkDeferredConstraints() }
  package func explanation(of sql: String, _ values: [StoreValue]) throws(StoreError) -> String {
    try base.explanation(of: sql, values)
  }
  package func announce(_ entities: [String]?, by store: String) throws(StoreError) {
    try base.announce(entities, by: store)
  }
  package func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    try base.foreignChanges(to: store)
  }
  package func ignoreForeignChanges() throws(StoreError) { try base.ignoreForeignChanges() }
  package var changeRecorder: any ChangeRecorder { base.changeRecorder }
  package func tableVersion(of name: String) throws(StoreError) -> String? { try base.tableVersion(of: name) }
}

/// The queries that the connections of a store have run.
package final class QueryLog: Sendable {
  private let queries = Mutex<[String]>([])

  /// Creates an empty log.
  package init() {}

  /// Removes and returns the queries that read one of the tables.
  package func takeQueries(of tables: String...) -> [String] {
    queries.withLock { queries in
      defer { queries.removeAll() }
      return queries.filter { query in tables.contains { query.contains("FROM \"\($0)\"") } }
    }
  }

  fileprivate func append(_ sql: String) { queries.withLock { $0.append(sql) } }
}

extension Store.Location {
  /// Returns the same location, whose connections add their queries to a log.
  package func logged(in log: QueryLog) -> Store.Location { Store.Location(LoggedBackend(base: backend, log: log)) }
}

private struct LoggedBackend: StoreBackend {
  let base: any StoreBackend
  let log: QueryLog

  var description: String { base.description }
  var writerCount: Int { base.writerCount }
  var readerCount: Int { base.readerCount }
  var isShared: Bool { base.isShared }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    let connect = base.connector()
    return { [log] () throws(StoreError) in WatchedConnection(try connect(), willQuery: { log.append($0) }) }
  }
}
