package import AnvilStore

/// Notifications about the changes of other stores. A payload contains the store's identifier and the entities, one per line. A payload
/// without entities means all entities. Source: postgresql.org/docs/current/sql-notify.html.
extension PostgresConnection {
  private static let channel = "anvil_changes"
  /// The maximum length of a payload in bytes. The server accepts fewer than 8,000.
  private static let longestPayload = 7_900

  package func announce(_ entities: [String]?, by store: String) throws(StoreError) {
    var payload = ([store] + (entities ?? [])).joined(separator: "\n")
    if payload.utf8.count > Self.longestPayload || entities?.contains(where: { $0.utf8.contains(0x0A) }) == true {
      payload = store
    }
    _ = try rows(of: "SELECT pg_catalog.pg_notify($1, $2)", [.text(Self.channel), .text(payload)])
  }

  package func foreignChanges(to store: String) throws(StoreError) -> Set<String>? {
    guard isListening else {
      try run("LISTEN \(Self.channel)", [])
      isListening = true
      return nil
    }
    var changed: Set<String> = []
    var isAny = false
    for payload in try handle.notifications() {
      let lines = payload.utf8.split(separator: 0x0A).compactMap { String($0) }
      guard lines.first != store else { continue }
      changed.formUnion(lines.dropFirst())
      isAny = isAny || lines.count < 2
    }
    return isAny ? nil : changed
  }

  package func ignoreForeignChanges() throws(StoreError) {
    guard isListening else { return }
    isListening = false
    try run("UNLISTEN \(Self.channel)", [])
    _ = try handle.notifications()
  }
}
