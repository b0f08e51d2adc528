package import AnvilStore

/// Changes that other stores announce, by notifications. Source: postgresql.org/docs/current/sql-notify.html.
extension PostgresConnection {
  private static let channel = "anvil_changes"
  /// What stands for all entities: no name of a table is empty.
  private static let anyEntity = ""

  package func announce(_ entities: [String]?, by store: String) throws(StoreError) {
    for entity in entities ?? [Self.anyEntity] {
      // A name is at most 63 bytes long, a payload may have 8,000.
      _ = try rows(of: "SELECT pg_catalog.pg_notify($1, $2)", [.text(Self.channel), .text("\(store) \(entity)")])
    }
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
      let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] != store else { continue }
      changed.insert(String(parts[1]))
      isAny = isAny || parts[1] == Self.anyEntity
    }
    return isAny ? nil : changed
  }
}
