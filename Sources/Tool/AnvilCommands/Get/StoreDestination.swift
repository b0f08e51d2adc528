/// The table in which `anvil get --into` stores a value.
struct StoreDestination: Sendable {
  /// The path of the database file.
  let path: String
  /// The path without secrets, for messages.
  let shownPath: String
  let entity: String
  /// The members that identify a row. If it is empty, each object is a new row.
  let keys: [String]

  /// Creates the destination in `arguments`. Returns `nil` if they contain no option for the database.
  ///
  /// - Throws: ``UsageError`` if only some of the options are given, and for an invalid table name.
  init?(_ arguments: ArgumentParser) throws(UsageError) {
    keys = arguments.values(of: .key)
    guard let path = arguments.value(of: .into) else {
      if arguments.contains(.entity) { throw UsageError("--entity needs --into") }
      if arguments.contains(.key), !arguments.hasKeyOfCertificate { throw UsageError("--key needs --into or --cert") }
      return nil
    }
    if path.isEmpty { throw UsageError("--into needs the name of a file") }
    guard let entity = arguments.value(of: .entity) else {
      throw UsageError("--into needs --entity: the name of the table")
    }
    if entity.isEmpty { throw UsageError("--entity needs a name") }
    for prefix in ["anvil_", "sqlite_"] where entity.lowercased().hasPrefix(prefix) {
      throw UsageError("--entity \(entity.quotedExcerpt): names that begin with \(prefix) are reserved")
    }
    for (index, key) in keys.enumerated() {
      if key.isEmpty { throw UsageError("--key needs a name") }
      if keys[..<index].contains(key) { throw UsageError("--key \(key.quotedExcerpt) is given twice") }
    }
    let location = try DatabaseLocation(path, acceptsServers: false)
    self.path = path
    shownPath = "\(location)"
    self.entity = entity
  }
}
