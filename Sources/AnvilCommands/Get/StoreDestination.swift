/// Where `anvil get --into` puts what it got.
struct StoreDestination: Sendable {
  /// The database's file.
  let path: String
  let entity: String
  /// The members that tell rows apart; none when each object is a new one.
  let keys: [String]

  /// The destination in `arguments`; `nil` where there is none.
  ///
  /// - Throws: ``UsageError`` where only a part of it is given, and for names that no table can have.
  init?(_ arguments: ArgumentParser) throws(UsageError) {
    keys = arguments.values(of: .key)
    guard let path = arguments.value(of: .into) else {
      if arguments.contains(.entity) { throw UsageError("--entity needs --into") }
      if arguments.contains(.key) { throw UsageError("--key needs --into") }
      return nil
    }
    if path.isEmpty { throw UsageError("--into needs the name of a file") }
    guard let entity = arguments.value(of: .entity) else {
      throw UsageError("--into needs --entity: the name of the table")
    }
    if entity.isEmpty { throw UsageError("--entity needs a name") }
    for prefix in ["anvil_", "sqlite_"] where entity.lowercased().hasPrefix(prefix) {
      throw UsageError("--entity \(entity.quotedExcerpt): names that begin with \(prefix) are the database's own")
    }
    for (index, key) in keys.enumerated() {
      if key.isEmpty { throw UsageError("--key needs a name") }
      if keys[..<index].contains(key) { throw UsageError("--key \(key.quotedExcerpt) is given twice") }
    }
    self.path = path
    self.entity = entity
  }
}
