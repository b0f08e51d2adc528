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
    guard isListening else {
      try run("LISTEN \(Self.channel)", [])
      if case .text(let hash)? = try rows(of: "SELECT \(Self.schemaHash)", []).first?.first { listenedSchema = hash }
      isListening = true
      return nil
    }
    var changed: Set<String> = []
    var isAny = false
    for payload in try handle.notifications() {
      let lines = payload.utf8.split(separator: 0x0A).compactMap { String($0) }
      guard lines.count > 1, lines[0] != store, lines[1] == listenedSchema else { continue }
      changed.formUnion(lines.dropFirst(2))
      isAny = isAny || lines.count == 2
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
