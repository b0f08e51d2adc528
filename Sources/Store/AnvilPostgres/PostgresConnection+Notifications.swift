internal import AnvilBase
package import AnvilStore

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
      || entities?.contains(where: { $0.utf8.contains(0x0A) }) == true
    {
      lines = ""
    }
    let payload = "pg_catalog.concat($2::text, pg_catalog.chr(10), \(Self.schemaHash), $3::text)"
    _ = try rows(
      of: "SELECT pg_catalog.pg_notify($1, \(payload))", [.text(Self.channel), .text(store), .text(lines)])
  }

  package func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    // What another connection has found about the sessions also applies to this one.
    guard isListening, hasProvenNotifications || !isSessionShared else {
      try listen()
      isListening = true
      return nil
    }
    var changes = ForeignNotifications(store: store, schema: listenedSchema)
    for notification in try handle.notifications() { changes.add(notification) }
    return changes.entities
  }

  package func ignoreForeignChanges() throws(StoreError) {
    guard isListening else { return }
    isListening = false
    try run("UNLISTEN \(Self.channel)", [])
    _ = try handle.notifications()
  }

  private func listen() throws(StoreError) {
    guard isPooled || !sharesSession else { throw deafness }
    // One message, so that one session of the server runs both statements.
    let session = try handle.runInternally(
      "LISTEN \(Self.channel); SELECT pg_catalog.pg_backend_pid(), \(Self.schemaHash)")
    listenedSchema = session?.text(row: 0, column: 1) ?? ""
    guard isPooled || isSessionShared else { return }
    try requireNotifications(toProcess: session?.text(row: 0, column: 0))
    hasProvenNotifications = true
  }

  /// The time that a notification may take.
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
      throw deafness
    }
    let deadline = Deadline(after: Self.longestDelay)
    while try !handle.notifications().contains(where: { $0.payload == probe }) {
      guard !deadline.hasPassed else {
        _ = try? run("UNLISTEN \(Self.channel)")
        throw deafness
      }
      handle.waitForInput(until: deadline)
    }
  }

  /// The error for a connection that receives no notifications.
  private var deafness: StoreError {
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
  /// The sender of notifications that triggers send.
  private static let trigger = "trigger"

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
    let lines = notification.payload.utf8.split(separator: 0x0A).compactMap { String($0) }
    guard lines.count > 1, lines[1] == schema else { return }
    let entities = lines.dropFirst(2)
    switch lines[0] {
    case Self.trigger: triggered[notification.process, default: []].formUnion(entities)
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
