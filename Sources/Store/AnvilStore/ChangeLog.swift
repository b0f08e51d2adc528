internal import AnvilBase
internal import AnvilJSON

/// The recorded changes, and the entities whose changes are recorded, stored in two tables of the database.
package struct ChangeLog {
  package static let table = "anvil_changes"
  /// The table of the entities whose changes are recorded. It contains the number of seconds for which their changes are kept.
  package static let feeds = "anvil_feeds"
  /// The value of the column `kind` in the row that marks the beginning of an entity's recording.
  package static let beginning = "began"

  let connection: any StoreConnection

  private var recorder: any ChangeRecorder { connection.changeRecorder }

  private enum State {
    case off
    case on
    /// The changes should be recorded, but SQL has dropped the triggers, for example together with the table.
    case interrupted
  }

  private func state(of entity: String) throws -> State {
    guard try connection.tableExists(Self.feeds) else { return .off }
    let placeholder = connection.placeholder(1)
    let sql = """
      SELECT \(recorder.hasAllTriggers(onTable: placeholder)) FROM \(try connection.quoted(Self.feeds)) \
      WHERE entity = \(placeholder)
      """
    let hasAll = try connection.first(sql, [.text(entity)]) { row in try row.integer(at: 0) }
    return hasAll.map { $0 == 1 ? .on : .interrupted } ?? .off
  }

  /// Begins to record changes, or changes the time for which they are kept.
  func start(_ entity: String, _ schema: EntitySchema?, keepingFor seconds: Int64) throws {
    if try !connection.tableExists(Self.feeds) {
      try connection.lockTable(Self.table)
      if try !connection.tableExists(Self.feeds) { try recorder.createTables() }
    }
    let count = try connection.execute(
      """
      INSERT INTO \(identifier: Self.feeds) (entity, retention) VALUES (\(entity), \(seconds)) \
      ON CONFLICT (entity) DO NOTHING
      """)
    guard count > 0 else {
      try connection.execute(
        """
        UPDATE \(identifier: Self.feeds) SET retention = \(seconds) WHERE entity = \(entity) AND retention <> \(seconds)
        """)
      if let schema { try repair(schema) }
      return
    }
    try markBeginning(of: entity)
    if let schema { try createTriggers(schema) }
  }

  /// Creates missing triggers, and those that do not record a column that SQL has added.
  private func repair(_ schema: EntitySchema) throws {
    let entity = schema.entity
    func isComplete() throws -> Bool {
      try state(of: entity) == .on && recorder.recordsAllColumns(columns(of: schema), ofTable: entity)
    }
    guard try !isComplete() else { return }
    // Another program may have repaired it while this one waited.
    try connection.lockTable(Self.table)
    guard try !isComplete() else { return }
    if try state(of: entity) == .interrupted { try restart(entity) }
    try recorder.dropTriggers(onTable: entity)
    try createTriggers(schema)
  }

  /// Discards the recorded changes, because later ones are missing or have other columns. Earlier positions have expired.
  private func restart(_ entity: String) throws {
    try removeRows(of: entity, from: Self.table)
    try markBeginning(of: entity)
  }

  private func markBeginning(of entity: String) throws {
    try connection.execute(
      "INSERT INTO \(identifier: Self.table) (entity, kind, made) VALUES (\(entity), \(Self.beginning), \(0))")
  }

  private func createTriggers(_ schema: EntitySchema) throws {
    try recorder.createTriggers(onTable: schema.entity, columns: columns(of: schema))
  }

  /// Returns the columns with values of models, also those that SQL has added.
  private func columns(of schema: EntitySchema) throws -> [String] {
    try connection.columns(ofTable: schema.entity).map(\.name).filter { $0 != EntitySchema.orderColumn }
  }

  func stop(_ entity: String, _ schema: EntitySchema?) throws {
    guard try state(of: entity) != .off else { return }
    if schema != nil { try recorder.dropTriggers(onTable: entity) }
    for table in [Self.table, Self.feeds] { try removeRows(of: entity, from: table) }
  }

  private func removeRows(of entity: String, from table: String) throws {
    try connection.execute("DELETE FROM \(identifier: table) WHERE entity = \(entity)")
  }

  /// Records changes of a table that was created or received new columns.
  func extend(_ current: EntitySchema?, to schema: EntitySchema) throws {
    guard current == nil || recorder.recordsKnownColumns else { return }
    let state = try state(of: schema.entity)
    // A new table has no triggers. An interrupted recording is only continued by ``start``, which readers notice.
    guard state == .on || (state == .interrupted && current == nil) else { return }
    if current == nil, try hasChanges(of: schema.entity) { try restart(schema.entity) }
    if current != nil { try recorder.dropTriggers(onTable: schema.entity) }
    try createTriggers(schema)
  }

  /// Returns whether changes were recorded before, from a table that SQL has dropped if the present one is new.
  private func hasChanges(of entity: String) throws -> Bool {
    try connection.hasRow(
      "SELECT 1 FROM \(identifier: Self.table) WHERE entity = \(entity) AND kind <> \(Self.beginning) LIMIT 1")
  }

  /// Stops recording while `body` changes the columns of a table.
  ///
  /// Earlier records are removed, because they contain the former columns.
  func pause(_ entity: String, schema: () throws -> EntitySchema?, _ body: () throws -> Void) throws {
    guard try state(of: entity) != .off, try schema() != nil else { return try body() }
    try recorder.dropTriggers(onTable: entity)
    try body()
    try restart(entity)
    if let schema = try schema() { try createTriggers(schema) }
  }

  func presentPosition() throws -> String { try recorder.presentPosition() }

  func changes(of entity: String, after position: String, limit: Int) throws -> RecordedChanges {
    switch try state(of: entity) {
    case .on: break
    case .off:
      throw StoreError(
        code: .invalidStatement, reason: "the changes of \(entity) are not recorded: call recordChanges(of:) first")
    case .interrupted:
      throw StoreError(
        code: .invalidStatement,
        reason: "the changes of \(entity) are no longer recorded, because another program has dropped the triggers of "
          + "its table: call recordChanges(of:) again")
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

/// A backend's way to record changes to rows, by triggers that fill a table.
///
/// All functions run in an open transaction.
package protocol ChangeRecorder {
  /// Creates the tables ``ChangeLog/table`` and ``ChangeLog/feeds`` with the indices and functions that they need.
  func createTables() throws(StoreError)

  func createTriggers(onTable name: String, columns: [String]) throws(StoreError)

  func dropTriggers(onTable name: String) throws(StoreError)

  /// Returns an SQL condition that is true if a table has all triggers, or does not exist.
  ///
  /// - Parameter placeholder: The placeholder for the table's name.
  func hasAllTriggers(onTable placeholder: String) -> String

  /// Returns whether the triggers of a table record changes of all these columns.
  func recordsAllColumns(_ columns: [String], ofTable name: String) throws(StoreError) -> Bool

  /// A Boolean value that indicates whether triggers record only the columns that the table had when they were created.
  var recordsKnownColumns: Bool { get }

  var rowFormat: RecordedRowFormat { get }

  /// Returns the position after all changes that are visible to this transaction.
  func presentPosition() throws(StoreError) -> String

  /// Returns at most `limit` changes to a table after the position. Changes to the same row are in the order in which they were made.
  ///
  /// - Throws: ``StoreError/Code/changesExpired`` when changes after the position may have been removed.
  func changes(ofTable name: String, after position: String, limit: Int) throws -> RecordedChanges
}

package enum RecordedRowFormat: Sendable {
  /// A JSON object with a member for each column. Bytes are hexadecimal digits after `\x`.
  case json
  /// Alternating names and values, each on one line. A value is a letter for its kind, followed by its text: `n`, `i12`, `r0.5`, `t` with
  /// text, `b` with hexadecimal digits. In names and texts, a line feed is `\n` and a backslash is `\\`.
  case lines
}

package struct RecordedChanges {
  /// A change. Rows are text in the recorder's format.
  package struct Change {
    package var position: String
    package var old: String?
    package var new: String?

    package init(position: String, old: String?, new: String?) {
      (self.position, self.old, self.new) = (position, old, new)
    }
  }

  package var changes: [Change]
  package var end: String
  /// True if no later changes existed when these were read.
  package var isAtEnd: Bool

  package init(changes: [Change], end: String, isAtEnd: Bool) {
    (self.changes, self.end, self.isAtEnd) = (changes, end, isAtEnd)
  }
}

enum RecordedRow {
  case json(JSON)
  case lines([String: StoreValue])

  init(_ text: String, _ format: RecordedRowFormat) throws(StoreError) {
    switch format {
    case .json:
      do throws(JSON.SyntaxError) {
        self = .json(try JSON(parsing: text))
      } catch {
        throw StoreError(code: .invalidValue, reason: "a recorded row is not JSON: \(error)")
      }
    case .lines: self = .lines(try Self.values(ofLines: text))
    }
  }

  /// Returns the value of a column; null if the column did not exist when the row was recorded.
  func value(of column: EntitySchema.Column) -> StoreValue {
    switch self {
    case .json(let object):
      guard let json = object[column.name], !json.isNull else { return .null }
      return Self.value(json, column.type) ?? .text(json.string ?? json.numberText ?? json.serializedText())
    case .lines(let values): return values[column.name] ?? .null
    }
  }

  private static func value(_ json: JSON, _ type: StoredType) -> StoreValue? {
    switch type {
    case .integer, .boolean:
      json.bool.map { .integer($0 ? 1 : 0) } ?? json.integer(as: Int64.self).map(StoreValue.integer)
    // Infinity is text.
    case .real, .date: (json.numberText ?? json.string).flatMap(Double.init).map(StoreValue.real)
    case .data: json.string.flatMap { Data(hexadecimal: $0.utf8.dropFirst(2)) }.map(StoreValue.blob)
    case .json: .text(json.serializedText())
    case .timestamp: json.string.flatMap(StoredDate.canonicalText).map(StoreValue.text)
    case .uuid: json.string.map { .text($0.uppercased()) }
    case .text, .url, .decimal: nil
    }
  }

  private static func values(ofLines text: String) throws(StoreError) -> [String: StoreValue] {
    let lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
    var values: [String: StoreValue] = [:]
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      guard let value = value(ofLine: lines[index + 1]) else {
        throw StoreError(code: .invalidValue, reason: "a recorded row contains a value of an unknown kind")
      }
      values[unescaped(lines[index])] = value
    }
    return values
  }

  private static let newline = UInt8.lineFeed
  private static let backslash = UInt8(ascii: #"\"#)

  private static func value(ofLine bytes: Substring.UTF8View) -> StoreValue? {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "i"): return Int64(Substring(rest)).map(StoreValue.integer)
    case UInt8(ascii: "r"): return Double(Substring(rest)).map(StoreValue.real)
    case UInt8(ascii: "t"): return .text(unescaped(rest))
    case UInt8(ascii: "b"): return Data(hexadecimal: rest).map(StoreValue.blob)
    default: return nil
    }
  }

  private static func unescaped(_ bytes: Substring.UTF8View) -> String {
    guard bytes.contains(backslash) else { return String(Substring(bytes)) }
    var unescaped: [UInt8] = []
    unescaped.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        unescaped.append(byte == backslash ? backslash : newline)
      } else if byte != backslash {
        unescaped.append(byte)
      }
      isEscaped = !isEscaped && byte == backslash
    }
    return String(decoding: unescaped, as: UTF8.self)
  }
}

extension Data {
  /// Creates the bytes of hexadecimal digits in either case; `nil` for other text.
  package init?(hexadecimal digits: some Sequence<UInt8>) {
    self.init()
    var high: UInt8?
    for digit in digits {
      guard let value = digit.hexadecimalValue else { return nil }
      if let first = high { append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    if high != nil { return nil }
  }
}

/// A change to the row of a model, in the feed of ``Store/changes(of:after:)``.
public struct StoreChange<Model: ManagedDecodable> {
  /// The kinds of changes, with the model before and after the change.
  public enum Kind {
    case inserted(Model)
    case updated(from: Model, to: Model)
    case deleted(Model)
  }

  /// The change.
  public let kind: Kind
  /// The position in the feed after this change. A reader that stores it can continue with the next change.
  public let position: StorePosition
}

extension StoreChange: Sendable where Model: Sendable {}
extension StoreChange.Kind: Sendable where Model: Sendable {}
extension StoreChange: Equatable where Model: Equatable {}
extension StoreChange.Kind: Equatable where Model: Equatable {}

/// A position in the changes of a database.
///
/// It is an opaque text of a few dozen characters that a reader can store. It is valid only for the database that it came from, not for a
/// copy of that database or for one that was restored from a dump.
public struct StorePosition: RawRepresentable, Codable, Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// Creates a position from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

/// Recorded changes.
extension StoreTransaction {
  var changeLog: ChangeLog { ChangeLog(connection: statements.connection) }

  /// Returns the changes to the rows of the model's entity after `position`, at most `limit` of them.
  ///
  ///     try await store.perform { transaction in
  ///       let position = try transaction.fetch(Progress.self, key: "users")?.position ?? start
  ///       let changes = try transaction.changes(of: User.self, after: position, limit: 100)
  ///       …
  ///       if let last = changes.last { try transaction.save(Progress(reader: "users", position: last.position)) }
  ///     }
  ///
  /// A reader that stores the position of the last change in the same transaction as the results of its work processes each change exactly
  /// once. Changes of this transaction are not returned on PostgreSQL.
  ///
  /// - Throws: The same errors as ``Store/changes(of:after:)``.
  public func changes<Model: ManagedDecodable & Codable>(
    of type: Model.Type, after position: StorePosition, limit: Int
  ) throws -> [StoreChange<Model>] where Model.Context == StoreTransaction {
    try requireUsable()
    var (changes, position, isAtEnd) = ([StoreChange<Model>](), position, false)
    while changes.count < limit, !isAtEnd {
      let page = try self.page(of: type, after: position, limit: limit - changes.count)
      changes += page.changes
      (position, isAtEnd) = (page.end, page.isAtEnd)
    }
    return changes
  }

  struct ChangePage<Model: StorableModel> {
    var changes: [StoreChange<Model>] = []
    var end: StorePosition
    var isAtEnd: Bool
  }

  func page<Model: StorableModel>(
    of type: Model.Type, after position: StorePosition, limit: Int
  ) throws -> ChangePage<Model> {
    try bulk.flush()
    let log = changeLog
    let recorded = try statements.attempt {
      try log.changes(of: Model.entityName, after: position.rawValue, limit: limit)
    }
    let end = StorePosition(rawValue: recorded.end)
    guard !recorded.changes.isEmpty else { return ChangePage(end: end, isAtEnd: recorded.isAtEnd) }
    let references = rows.references
    let changes = try bindings.with(type) { binding -> [StoreChange<Model>] in
      guard let schema = try tables.table(of: binding.entity, readBy: binding.names) else { return [] }
      let (coder, layout) = (binding.coder(of: type), binding.layout(of: schema))
      func model(_ text: String?) throws -> Model? {
        try text.map { text in
          try coder.read(StoredRow(layout: layout, values: try log.values(of: text, schema)), resolving: references)
        }
      }
      return try recorded.changes.compactMap { change in
        try StoreChange(from: model(change.old), to: model(change.new), StorePosition(rawValue: change.position))
      }
    }
    return ChangePage(changes: changes, end: end, isAtEnd: recorded.isAtEnd)
  }

  /// Calls `body` with the recorded changes and the table of an entity, to begin or end their recording.
  func changeRecording(of entity: String, _ body: (ChangeLog, EntitySchema?) throws -> Void) throws {
    try statements.requireWriting()
    try bulk.flush()
    let schema = try tables.schema(of: entity)
    try statements.attempt { try body(changeLog, schema) }
  }
}

extension StoreTransaction.ChangePage: Sendable where Model: Sendable {}

extension StoreChange {
  fileprivate init?(from old: Model?, to new: Model?, _ position: StorePosition) {
    switch (old, new) {
    case (nil, let new?): kind = .inserted(new)
    case (let old?, let new?): kind = .updated(from: old, to: new)
    case (let old?, nil): kind = .deleted(old)
    case (nil, nil): return nil
    }
    self.position = position
  }
}
