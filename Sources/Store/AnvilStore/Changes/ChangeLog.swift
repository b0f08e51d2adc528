/// The recorded changes, and the entities whose changes are recorded, stored in two tables of the database.
package struct ChangeLog {
  /// The table of the recorded changes of all entities.
  package static let table = "anvil_changes"
  /// The table of the entities whose changes are recorded. It contains the number of seconds for which their changes are kept.
  package static let feeds = "anvil_feeds"
  /// The value of the column `kind` in the row that marks the beginning of an entity's recording.
  package static let beginning = "began"

  let connection: any StoreConnection

  private var recorder: any ChangeRecorder {
    get throws(StoreError) {
      if let recorder = connection.changeRecorder { return recorder }
      throw StoreError(code: .unsupported, reason: "the database does not support recording changes")
    }
  }

  func isRecording(_ entity: String) throws -> Bool {
    guard try connection.tableExists(Self.feeds) else { return false }
    var isRecording = false
    let sql = "SELECT 1 FROM \(try connection.quoted(Self.feeds)) WHERE entity = \(connection.placeholder(1))"
    try connection.query(sql, [.text(entity)]) { _ in
      isRecording = true
      return .stop
    }
    return isRecording
  }

  /// Begins to record changes, or changes the time for which they are kept.
  func start(_ entity: String, _ schema: EntitySchema?, keepingFor seconds: Int64) throws {
    if try !connection.tableExists(Self.feeds) {
      try connection.lockTable(Self.table)
      if try !connection.tableExists(Self.feeds) { try recorder.createTables() }
    }
    let (first, second) = (connection.placeholder(1), connection.placeholder(2))
    let feeds = try connection.quoted(Self.feeds)
    let count = try connection.run(
      "INSERT INTO \(feeds) (entity, retention) VALUES (\(first), \(second)) ON CONFLICT (entity) DO NOTHING",
      [.text(entity), .integer(seconds)])
    guard count > 0 else {
      try connection.run(
        "UPDATE \(feeds) SET retention = \(second) WHERE entity = \(first) AND retention <> \(second)",
        [.text(entity), .integer(seconds)])
      return
    }
    try begin(entity)
    if let schema { try createTriggers(schema) }
  }

  /// Adds the row that marks the beginning of an entity's recording.
  private func begin(_ entity: String) throws {
    let placeholders = (1...3).map(connection.placeholder).joined(separator: ", ")
    try connection.run(
      "INSERT INTO \(try connection.quoted(Self.table)) (entity, kind, made) VALUES (\(placeholders))",
      [.text(entity), .text(Self.beginning), .integer(0)])
  }

  private func createTriggers(_ schema: EntitySchema) throws {
    try recorder.createTriggers(onTable: schema.entity, columns: schema.columns.map(\.name))
  }

  /// Stops recording, and removes the recorded changes.
  func stop(_ entity: String, _ schema: EntitySchema?) throws {
    guard try isRecording(entity) else { return }
    if schema != nil { try recorder.dropTriggers(onTable: entity) }
    for table in [Self.table, Self.feeds] { try removeRows(of: entity, from: table) }
  }

  private func removeRows(of entity: String, from table: String) throws {
    try connection.run(
      "DELETE FROM \(try connection.quoted(table)) WHERE entity = \(connection.placeholder(1))", [.text(entity)])
  }

  /// Records changes of a table that was created or received new columns.
  func extend(_ current: EntitySchema?, to schema: EntitySchema) throws {
    guard let recorder = connection.changeRecorder, current == nil || recorder.recordsKnownColumns,
      try isRecording(schema.entity)
    else { return }
    if current != nil { try recorder.dropTriggers(onTable: schema.entity) }
    try createTriggers(schema)
  }

  /// Stops recording while `body` changes the columns of a table.
  ///
  /// Earlier records are removed, because they contain the former columns.
  func pause(_ entity: String, schema: () throws -> EntitySchema?, _ body: () throws -> Void) throws {
    guard try isRecording(entity), try schema() != nil else { return try body() }
    try recorder.dropTriggers(onTable: entity)
    try body()
    try removeRows(of: entity, from: Self.table)
    try begin(entity)
    if let schema = try schema() { try createTriggers(schema) }
  }

  func presentPosition() throws -> String { try recorder.presentPosition() }

  func changes(of entity: String, after position: String, limit: Int) throws -> RecordedChanges {
    guard try isRecording(entity) else {
      throw StoreError(
        code: .invalidStatement, reason: "the changes of \(entity) are not recorded: call recordChanges(of:) first")
    }
    return try recorder.changes(ofTable: entity, after: position, limit: limit)
  }

  /// Returns the values of a recorded row, in the order of the columns.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` for text that is not a recorded row.
  func values(of text: String, _ schema: EntitySchema) throws -> [StoreValue] {
    let row = try RecordedRow(text, recorder.rowFormat)
    return schema.columns.map { row.value(of: $0) }
  }
}
