internal import AnvilBase
package import AnvilStore

extension PostgresConnection {
  /// Makes the connection available for another statement by buffering the unread rows of the current query.
  func settle() {
    sending?.bufferRemainingRows()
    sending = nil
  }

  func rows(of sql: String, _ values: [StoreValue]) throws(StoreError) -> [[StoreValue]] {
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    defer { rows.end() }
    let row = StoreRow(rows.row)
    var all: [[StoreValue]] = []
    while try rows.next() { all.append(try row.values()) }
    return all
  }

  /// Returns the first column of the first row; `nil` if there is no row.
  func value(of sql: String, _ values: [StoreValue] = []) throws(StoreError) -> StoreValue? {
    try rows(of: sql, values).first?.first
  }

  func start(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> PostgresRows {
    settle()
    let wasFailed = handle.isInFailedTransaction
    if handle.isInTransaction, values.count <= maximumPlaceholderCount {
      let statement = try prepared(sql)
      if statement.isForCursor, !wasFailed {
        return PostgresRows(statement, cursor: try open(statement, values), on: handle)
      }
    }
    let (statement, first) = try execute(sql, values)
    let rows = PostgresRows(statement, first: first, on: handle)
    if statement.columns.isEmpty {
      try complete(sql, statement, first, wasFailed: wasFailed)
    } else {
      sending = rows
    }
    return rows
  }

  /// Receives the remaining results of a statement, discards its rows, and updates the state of the connection. Returns the number of changed
  /// rows. `statement` is `nil` for statements that were sent as text.
  @discardableResult
  func complete(
    _ sql: String, _ statement: PostgresStatement?, _ first: PostgresResult?, wasFailed: Bool
  ) throws(StoreError) -> Int {
    var last = first
    var failure: StoreError?
    while let result = handle.nextResult() {
      if let error = handle.error(of: result, sql) { failure = failure ?? error }
      last = result
    }
    if let failure { throw statement.map { failed(failure, $0) } ?? failure }
    let tag = last?.tag ?? ""
    note(tag)
    if wasFailed, tag == "ROLLBACK", !sql.isRollback {
      throw StoreError(
        code: .other, sql: sql,
        reason: "the transaction was rolled back instead of committed, because one of its statements failed")
    }
    let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { tag.hasPrefix($0) }
    return isChange ? last?.affectedRowCount ?? 0 : 0
  }

  /// The error of the statement is thrown after all of its results were received.
  func execute(_ sql: String, _ values: [StoreValue]) throws(StoreError) -> (PostgresStatement, PostgresResult?) {
    settle()
    guard values.count <= maximumPlaceholderCount else {
      throw StoreError(code: .tooLarge, sql: sql, reason: "the statement has \(values.count) values")
    }
    let statement = try prepared(sql)
    let parameters = try encode(values, for: statement)
    let isInTransaction = handle.isInTransaction
    do throws(StoreError) {
      return (statement, try execute(statement, parameters))
    } catch {
      // Outside a transaction nothing was done, so the statement can be prepared and run again.
      let error = failed(error, statement)
      guard error.isStalePlan || error.isLostStatement, error.code == .conflict, !isInTransaction else { throw error }
      let statement = try prepared(sql)
      return (statement, try execute(statement, try encode(values, for: statement)))
    }
  }

  /// - Throws: ``StoreError/Code/conflict`` in a transaction whose session does not have the prepared statements of the connection. The
  ///   transaction has failed then, and succeeds when it is run again.
  func prepared(_ sql: String) throws(StoreError) -> PostgresStatement {
    let isInTransaction = handle.isInTransaction
    do throws(StoreError) {
      return try statements.take(sql, on: handle)
    } catch {
      guard statements.isNaming, error.isLostStatement else { throw error }
      let error = lostStatements(error.inStatement(sql))
      guard error.code == .conflict, !isInTransaction else { throw error }
      return try statements.take(sql, on: handle)
    }
  }

  /// Unless the caller has declared that the connection keeps its session, it uses no named statements from now on.
  private func lostStatements(_ error: StoreError) -> StoreError {
    if keepsSession { statements.forgetAll() } else { noteSharedSession() }
    insertions.removeAll()
    return error.with(
      keepsSession ? .unsupported : .conflict,
      reason: keepsSession
        ? "the pooler has assigned another session of the server, so the pool mode is not session: use pool_mode=transaction"
        : "the session of the server does not have the statements that were prepared")
  }

  func execute(
    _ statement: PostgresStatement, _ parameters: PostgresParameters
  ) throws(StoreError) -> PostgresResult? {
    try handle.send(statement, parameters, isStreamed: !statement.columns.isEmpty)
    let first = handle.nextResult()
    if let first, let error = handle.error(of: first, statement.sql) {
      while handle.nextResult() != nil {}
      throw error
    }
    // The types in the cache may be older than the schema.
    if let first, !statement.isNamed, !statement.columns.isEmpty, first.columns != statement.columns {
      while handle.nextResult() != nil {}
      statements.drop(statement)
      throw StoreError(code: .conflict, sql: statement.sql, reason: "the schema was changed in the meantime")
    }
    return first
  }

  /// Removes the statement from the cache if a change of the schema after it was prepared may have caused the error.
  func failed(_ error: StoreError, _ statement: PostgresStatement) -> StoreError {
    if statement.isNamed, error.isLostStatement { return lostStatements(error) }
    if error.code == .invalidStatement || error.isStalePlan { statements.drop(statement) }
    return error
  }

  private func encode(
    _ values: [StoreValue], for statement: PostgresStatement
  ) throws(StoreError) -> PostgresParameters {
    let types = statement.parameterTypes
    guard values.count == types.count else {
      throw StoreError(
        code: .invalidStatement, sql: statement.sql,
        reason: "it has \(types.count) placeholders, but \(values.count) values were passed")
    }
    var parameters = PostgresParameters()
    do throws(StoreError) {
      for (index, value) in values.enumerated() {
        if case .null = value {
          parameters.appendNull()
          continue
        }
        let type = types[index]
        try parameters.append(isBinary: PostgresEncoding.isBinary(type), limit: handle.maximumLength) {
          bytes throws(StoreError) in
          try PostgresEncoding.append(value.withEra(in: type), as: type, to: &bytes) { "value \(index + 1)" }
        }
      }
    } catch {
      throw error.inStatement(statement.sql)
    }
    return parameters
  }

  private func open(_ statement: PostgresStatement, _ values: [StoreValue]) throws(StoreError) -> PostgresCursor {
    if cursorTransaction != handle.transactionCount {
      cursorNames.removeAll()
      cursorTransaction = handle.transactionCount
    }
    var number = 0
    while cursorNames.contains("anvil_cursor_\(number)") { number += 1 }
    let name = "anvil_cursor_\(number)"
    let declaration = try prepared("DECLARE \(name) NO SCROLL CURSOR WITHOUT HOLD FOR \(statement.sql)")
    do throws(StoreError) {
      _ = try execute(declaration, try encode(values, for: declaration))
      while handle.nextResult() != nil {}
    } catch {
      let error = failed(error, declaration)
      throw StoreError(
        code: error.code, sql: statement.sql, backendMessage: error.backendMessage, backendCode: error.backendCode,
        reason: error.reason)
    }
    cursorNames.insert(name)
    return PostgresCursor(statement, name: name, on: self)
  }

  /// Updates the connection's state after a statement, according to the server's command tag.
  private func note(_ tag: String) {
    switch tag.prefix(while: { $0 != " " }) {
    case "INSERT", "UPDATE", "DELETE", "MERGE", "SELECT", "BEGIN", "SAVEPOINT", "RELEASE": break
    case "CREATE", "ALTER", "DROP", "SET", "RESET", "DO", "CALL":
      isSchemaChanged = isSchemaChanged || handle.isInTransaction
      forgetSchema()
    case "ROLLBACK":
      handle.noteRollback()
      if isSchemaChanged { forgetSchema() }
      isSchemaChanged = isSchemaChanged && handle.isInTransaction
    case "COMMIT": isSchemaChanged = false
    case "DISCARD", "DEALLOCATE": statements.forgetAll()
    default: break
    }
  }

  private func forgetSchema() {
    statements.dropAll()
    insertions.removeAll()
  }
}

extension StoreError {
  var isStalePlan: Bool { code == .conflict && backendCode == "0A000" }

  /// True for the error of a session that does not have a prepared statement, or has another one of its name.
  var isLostStatement: Bool { backendCode == "26000" || backendCode == "42P05" }
}

extension String {
  /// Whether the statement does nothing else. It then needs no preparation, and never fails because of a lost prepared statement.
  var controlsTransaction: Bool {
    guard ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(firstWord) else { return false }
    return !utf8.contains(0) && !utf8.contains(.semicolon)
  }

  fileprivate var isRollback: Bool { ["ROLLBACK", "ABORT"].contains(firstWord) }

  /// The word with which the statement begins, in upper case; `nil` if it begins with something else.
  private var firstWord: String? {
    var tokens = PostgresTokens(self)
    return if case .word(let word) = tokens.next() { word } else { nil }
  }
}

/// Notifications about the changes of other stores. All schemas of a database share a channel. A payload contains the store's identifier, a
/// hash of the schema's name and the entities, one per line. A payload without entities means all entities.
/// Source: postgresql.org/docs/current/sql-notify.html.
extension PostgresConnection {
  private static let channel = "anvil_changes"
  private static let schemaHash = "pg_catalog.md5(pg_catalog.current_schema())"
  /// The maximum length of a payload in bytes, without the hash. The server accepts fewer than 8,000 with it.
  private static let longestPayload = 7_900

  package func announce(_ entities: [String]?, by store: String) throws(StoreError) {
    var lines = (entities ?? []).map { "\n\($0)" }.joined()
    if store.utf8.count + lines.utf8.count > Self.longestPayload
      || entities?.contains(where: { $0.utf8.contains(.lineFeed) }) == true
    {
      lines = ""
    }
    let payload = "pg_catalog.concat($2::text, pg_catalog.chr(10), \(Self.schemaHash), $3::text)"
    _ = try rows(
      of: "SELECT pg_catalog.pg_notify($1, \(payload))", [.text(Self.channel), .text(store), .text(lines)])
  }

  package func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    if case .replay(let former) = detection, let position = try replayPosition() {
      detection = .replay(position: position)
      return position == former ? [] : nil
    }
    // What another connection has found about the sessions also applies to this one.
    guard case .notifications(let schema) = detection, hasProvenNotifications || !isSessionShared else {
      do throws(StoreError) {
        detection = .notifications(schema: try listen())
      } catch  where error.code == .readOnly {
        guard let position = try replayPosition() else { throw error }
        detection = .replay(position: position)
      }
      return nil
    }
    var changes = ForeignNotifications(store: store, schema: schema)
    for notification in try handle.notifications() { changes.add(notification) }
    return changes.entities
  }

  package func ignoreForeignChanges() throws(StoreError) {
    defer { detection = .none }
    guard case .notifications = detection else { return }
    try run("UNLISTEN \(Self.channel)", [])
    _ = try handle.notifications()
  }

  /// Returns the position up to which a replica has replayed the changes of its server; `nil` if the server is not a replica, or no longer
  /// one. Any change of the server moves it. Source: postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL.
  private func replayPosition() throws(StoreError) -> String? {
    let sql = "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()::text END"
    return try value(of: sql)?.text
  }

  /// Begins to receive notifications. Returns the hash of the schema's name that they must contain.
  private func listen() throws(StoreError) -> String {
    guard isPooled || !sharesSession else { throw noNotificationsError }
    // One message, so that one session of the server runs both statements.
    let session = try handle.runInternally(
      "LISTEN \(Self.channel); SELECT pg_catalog.pg_backend_pid(), \(Self.schemaHash)")
    let schema = session?.text(row: 0, column: 1) ?? ""
    guard isPooled || isSessionShared else { return schema }
    try requireNotifications(toProcess: session?.text(row: 0, column: 0))
    hasProvenNotifications = true
    return schema
  }

  private static let longestDelay = Duration.seconds(5)

  /// Checks that a notification reaches this connection while it is idle. A pooler in transaction mode assigns the session that listens to
  /// other clients, and drops its notifications.
  ///
  /// - Parameter process: The server's process of the session that listens.
  /// - Throws: ``StoreError/Code/unsupported`` if the notification does not arrive.
  private func requireNotifications(toProcess process: String?) throws(StoreError) {
    let probe = "probe \(UInt64.random(in: .min ... .max))"
    let other = try PostgresConnection(connectionString, configuration: configuration)
    let sender = try other.handle.runInternally(
      "NOTIFY \(Self.channel), '\(probe)'; SELECT pg_catalog.pg_backend_pid()")
    if sender?.text(row: 0, column: 0) == process {
      // The other connection has received the session of this one.
      _ = try? other.run("UNLISTEN \(Self.channel)")
      throw noNotificationsError
    }
    let deadline = Deadline(after: Self.longestDelay)
    while try !handle.notifications().contains(where: { $0.payload == probe }) {
      guard !deadline.hasPassed else {
        _ = try? run("UNLISTEN \(Self.channel)")
        throw noNotificationsError
      }
      handle.waitForInput(until: deadline)
    }
  }

  private var noNotificationsError: StoreError {
    StoreError(
      code: .unsupported, sql: "LISTEN \(Self.channel)",
      reason: """
        values and changes cannot be observed through a pooler in transaction mode, because it does not deliver \
        notifications: connect to the server, or to a pooler in session mode
        """)
  }
}

/// The changes of other stores and programs, according to the notifications that have arrived.
private struct ForeignNotifications {
  private static let triggerSender = "trigger"

  private let store: String
  private let schema: String
  private var changed: Set<String> = []
  private var isAny = false
  /// The entities in notifications of triggers whose transactions have sent nothing else so far, by the process of the server.
  private var triggered: [Int32: Set<String>] = [:]

  init(store: String, schema: String) {
    self.store = store
    self.schema = schema
  }

  /// The entities of all notifications; `nil` if rows of any entity may have changed.
  var entities: Set<String>? { isAny ? nil : triggered.values.reduce(into: changed) { $0.formUnion($1) } }

  mutating func add(_ notification: PostgresHandle.Notification) {
    let lines = notification.payload.utf8.split(separator: .lineFeed).compactMap { String($0) }
    guard lines.count > 1, lines[1] == schema else { return }
    let entities = lines.dropFirst(2)
    switch lines[0] {
    case Self.triggerSender: triggered[notification.process, default: []].formUnion(entities)
    case store:
      // The last notification of a transaction of this store, which has already informed its observers of these entities. What remains
      // was changed by triggers of the database.
      let others = triggered.removeValue(forKey: notification.process) ?? []
      if !entities.isEmpty { changed.formUnion(others.subtracting(entities)) }
    default:
      changed.formUnion(entities)
      isAny = isAny || entities.isEmpty
    }
  }
}
