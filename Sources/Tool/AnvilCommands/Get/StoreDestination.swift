internal import AnvilStore

struct StoreDestination: Sendable {
  let path: String
  /// The path without secrets, for messages.
  let shownPath: String
  let entity: String
  /// The members that identify a row. If it is empty, each object is a new row.
  let keys: [String]

  /// Creates the destination in `arguments`. Returns `nil` if they contain no option for the database.
  init?(_ arguments: ArgumentParser) throws(CommandError) {
    keys = arguments.values(of: .key)
    guard let path = try arguments.file(of: .into) else {
      if arguments.contains(.entity) { throw CommandError("--entity needs --into") }
      if arguments.contains(.key), !arguments.hasKeyOfCertificate { throw CommandError("--key needs --into or --cert") }
      return nil
    }
    guard let entity = arguments.value(of: .entity) else {
      throw CommandError("--into needs --entity: the name of the table")
    }
    if entity.isEmpty { throw CommandError("--entity needs a name") }
    for prefix in ["anvil_", "sqlite_"] where entity.lowercased().hasPrefix(prefix) {
      throw CommandError("--entity \(entity.quotedExcerpt): names that begin with \(prefix) are reserved")
    }
    if keys.contains("") { throw CommandError("--key needs a name") }
    if let key = keys.repeatedName { throw CommandError("--key \(key.quotedExcerpt) is given twice") }
    let location = try DatabaseLocation(path, acceptsServers: false)
    self.path = path
    shownPath = "\(location)"
    self.entity = entity
  }
}

extension [String] {
  /// The first name of a column that an earlier one equals without regard to case.
  var repeatedName: String? {
    var names: Set<String> = []
    return first { !names.insert($0.foldedName).inserted }
  }
}

enum DatabaseLocation: Sendable {
  case file(String)
  case server(String)

  /// Creates the location from the name of a file or a URL. The URL of an unsupported database must not become the name of a file.
  init(_ text: String, acceptsServers: Bool) throws(CommandError) {
    let supported = acceptsServers ? "postgres:// URLs and files" : "files"
    if acceptsServers, text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .server(text)
      return
    }
    let beginning = text.prefix { $0 != ":" }
    if ["postgres", "postgresql"].contains(beginning.lowercased()), beginning.endIndex < text.endIndex {
      guard acceptsServers, !text[beginning.endIndex...].hasPrefix("://") else {
        throw CommandError("the database has the scheme \(beginning): only \(supported) are supported")
      }
      throw CommandError("the database has no “//” after its scheme: write postgres://USER@HOST/DATABASE")
    }
    // After a slash, `://` is part of the name of a file.
    guard let end = text.firstRange(of: "://"), !text[..<end.lowerBound].contains("/") else {
      self = .file(text)
      return
    }
    let scheme = text[..<end.lowerBound]
    let isScheme =
      scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.:".contains($0) }
    let problem = isScheme ? "has the scheme \(scheme)" : "is a URL, but does not begin with a scheme"
    throw CommandError("the database \(problem): only \(supported) are supported")
  }
}

extension DatabaseLocation: CustomStringConvertible {
  /// The name of the file or the URL, without secrets.
  var description: String {
    switch self {
    case .file(let text), .server(let text): text.withoutURLSecrets
    }
  }
}
